/*
 * A second worker with the compiler: it makes the program that counts while the
 * first one makes the fast program.
 *
 * It is sent {course, kept} once: what lab.mjs needs, and the compiler's files;
 * for each program {number, path, code, headers, hasMain}, and then {number, debug},
 * what the other worker has made for the tables of both. It sends {number, module}
 * or {number, error}.
 */
import { answer } from './fetched.mjs';

const told = []; /* who waits for the debug of a number */
let course;

self.onmessage = async ({ data }) => {
    if (data.course) {
        course = data.course;
        answer(() => {}, data.kept);
        return;
    }
    const { number } = data;
    if ('debug' in data) {
        told[number](data.debug);
        return;
    }
    const debug = new Promise(done => { told[number] = done; });
    try {
        const { begin, object, program } = await import('./lab.mjs');
        const assembly = await begin(course, data.path, data.code, data.headers);
        const made = await object(course, 'counting', assembly, debug);
        self.postMessage({ number, module: await WebAssembly.compile(await program(course, made, () => {}, data.hasMain, true)) });
    } catch (error) {
        self.postMessage({ number, error: error.message || String(error) });
    }
};
