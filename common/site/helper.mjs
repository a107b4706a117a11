/*
 * A second worker with the compiler: it makes the program that counts while the
 * first one makes the fast program.
 *
 * It is sent {course, kept} once: what lab.mjs needs, and the compiler's files;
 * for each program {path, code, headers, hasMain}, and then {debug}, what the
 * other worker has made for the tables of both. It sends {module} or {error}.
 */
import { answer } from './fetched.mjs';

let course, tell;

self.onmessage = async ({ data }) => {
    if (data.course) {
        course = data.course;
        answer(() => {}, data.kept);
        return;
    }
    if ('debug' in data) {
        tell(data.debug);
        return;
    }
    const debug = new Promise(done => { tell = done; });
    try {
        const { begin, object, program } = await import('./lab.mjs');
        const assembly = await begin(course, data.path, data.code, data.headers);
        const made = await object(course, 'counting', assembly, debug);
        self.postMessage({ module: await WebAssembly.compile(await program(course, made, () => {}, data.hasMain, true)) });
    } catch (error) {
        self.postMessage({ error: error.message || String(error) });
    }
};
