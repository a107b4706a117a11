/*
 * What runs beside a page: it compiles the student's file and runs what came of
 * it. What is said is the C programs'.
 *
 * The page sends {action, options, lab, code, kept}; it is sent {text} for the
 * terminal, {step} for the line above it, {kept}, the files that are to be kept,
 * {map}, the files of a map, and {done, code} at the end, with an exit code; and,
 * for workers beside this one, {worker, opens, data, ends}: machine.mjs.
 */
import { answer, bytesOf } from './fetched.mjs';
import { passed } from './machine.mjs';
import { sentenceOf } from './wasi.mjs';

let course = null;

answer(step => self.postMessage({ step }));

/* What all checks need, fetched once. A first compilation takes several times as
   long as the next one, so it is made before it is asked for. */
async function begin(job) {
    const tools = await import('./run.mjs');
    await tools.fetchAll(bytesOf);
    self.postMessage({ step: 'The compiler starts' });
    await tools.warm(job);
    self.postMessage({ step: '' });
    return tools;
}

self.onmessage = async ({ data }) => {
    if ('worker' in data)
        return passed(data);
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
