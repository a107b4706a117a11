/*
 * What runs beside a page: it compiles the student's file and runs what came of
 * it. What is said is the C programs'.
 *
 * The page sends {action, options, lab, code, kept}; it is sent {text} for the
 * terminal, {step} for the line above it, {kept}, the files that are to be kept,
 * {map}, the files of a map, and {done, code} at the end, with an exit code.
 */
import { sentenceOf } from './wasi.mjs';

const MB = 1e6;
const plain = self.fetch.bind(self);

/* The compiler lies packed beside the page, and is unpacked while it comes. */
self.fetch = async (what, ...rest) => {
    const url = new URL(what.url || what, self.location.href);
    if (!url.pathname.includes('llvm'))
        return plain(what, ...rest);
    const packed = await plain(`${url}.gz`);
    const whole = +packed.headers.get('content-length');
    let come = 0;
    const counted = packed.body.pipeThrough(new TransformStream({
        transform(part, to) {
            come += part.length;
            if (whole > MB && Math.floor(come / MB) > Math.floor((come - part.length) / MB))
                self.postMessage({ step: `The compiler is fetched: ${Math.floor(come / MB)} of ${Math.ceil(whole / MB)} MB` });
            to.enqueue(part);
        },
    }));
    return new Response(counted.pipeThrough(new DecompressionStream('gzip')), {
        headers: { 'content-type': url.pathname.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } });
};

let course = null;

/* What all checks need, fetched once. A first compilation takes several times as
   long as the next one, so it is made before it is asked for. */
async function begin(job) {
    const tools = await import('./run.mjs');
    await tools.fetchAll(async name => new Uint8Array(await (await plain(name)).arrayBuffer()));
    self.postMessage({ step: 'The compiler starts' });
    await tools.warm(job);
    self.postMessage({ step: '' });
    return tools;
}

self.onmessage = async ({ data }) => {
    course ||= begin(data);
    if (data.action === 'begin')
        return;
    let code = 2;
    try {
        const tools = await course;
        code = await tools.act(data, what => self.postMessage(what));
    } catch (error) {
        self.postMessage({ text: `${sentenceOf(error)}\n` });
    }
    self.postMessage({ step: '' });
    self.postMessage({ done: true, code });
};
