/* The compiler's files, which its package asks the network for. They lie packed
   beside the page, are unpacked while they come, and are kept: the page's worker
   gives them on to another one. */
const MB = 1e6;
const plain = self.fetch.bind(self);
const compile = WebAssembly.compileStreaming;

/* What was fetched: {name: a module, or the bytes of an archive}. */
export const kept = {};

async function unpacked(url, step) {
    const packed = await plain(`${url}.gz`);
    const whole = +packed.headers.get('content-length');
    let come = 0;
    const counted = packed.body.pipeThrough(new TransformStream({
        transform(part, to) {
            come += part.length;
            if (whole > MB && Math.floor(come / MB) > Math.floor((come - part.length) / MB))
                step(`The compiler is fetched: ${Math.floor(come / MB)} of ${Math.ceil(whole / MB)} MB`);
            to.enqueue(part);
        },
        flush: () => whole > MB && step('The compiler starts'),
    }));
    return counted.pipeThrough(new DecompressionStream('gzip'));
}

/* A file's bytes, fetched once. */
export const unpackedOf = async (name, step = () => {}, url = name) =>
    kept[name] ||= await new Response(await unpacked(url, step)).arrayBuffer();

/* From now on the package's requests are answered so. `step` is told how far one
   is. What has been kept is not fetched again. The package makes another answer of
   each, which has the headers of the first. */
export function answer(step, known = {}) {
    Object.assign(kept, known);
    self.fetch = async (what, ...rest) => {
        const url = new URL(what.url || what, self.location.href), name = url.pathname.split('/').at(-1);
        if (!name.includes('llvm'))
            return plain(what, ...rest);
        if (name.endsWith('.wasm'))
            return new Response(kept[name] ? '' : await unpacked(url, step), { headers: { name, 'content-type': 'application/wasm' } });
        return new Response(await unpackedOf(name, step, url));
    };
    WebAssembly.compileStreaming = async what => {
        const name = (await what).headers.get('name');
        return kept[name] ||= await compile.call(WebAssembly, what);
    };
}

/* A file beside the page, as bytes. */
export const bytesOf = async name => new Uint8Array(await (await plain(name)).arrayBuffer());
