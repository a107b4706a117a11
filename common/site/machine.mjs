/* Programs that run beside each other, each in a worker of its own, which ends
   with it: so one that is no longer wanted can be stopped. */
import { ABORTED, NO_PROGRAM, sentenceOf } from './wasi.mjs';

/* At most as many at once as a small machine has cores; the others wait in the
   order in which they began. */
const MOST = 2;
let running = 0;
const queue = [];

function next() {
    if (running < MOST && queue.length > 0) {
        running++;
        queue.shift()();
    }
}

const turn = () => new Promise(go => { queue.push(go); next(); });

/* Workers beside this one. The page opens and ends them, and passes on what they
   send (passed): Firefox may hang where a worker does that itself. */
const others = [];

export function open(name, heard, failed) {
    const number = others.push({ heard, failed }) - 1;
    self.postMessage({ worker: number, opens: name });
    return { postMessage: data => self.postMessage({ worker: number, data }),
        terminate: () => self.postMessage({ worker: number, ends: true }) };
}

export const passed = ({ worker, failed, data }) => failed ? others[worker].failed(failed) : others[worker].heard(data);

/*
 * Begins a program: tools is {name: module, or a promise of it} of itself and
 * those that it runs, files are what it sees. Returns {over, listen, stop}: `over`
 * will be {code, files}, listen(hear) gives what it has said and will say.
 */
export function begin(tools, argv, env, files) {
    const parts = [];
    let hear = part => parts.push(part), stopped = false, end;
    const ended = new Promise(done => { end = done; });

    async function run() {
        const modules = await Promise.all(Object.entries(tools).map(async ([name, module]) => [name, await module]));
        if (!modules.some(([name, module]) => name === argv[0] && module))
            return { code: NO_PROGRAM, files: {} };
        await turn();
        const failed = error => {
            hear(new TextEncoder().encode(`${sentenceOf(error)}\n`));
            end({ code: ABORTED, files: {} });
        };
        const worker = stopped ? null : open('runner', data => data.part ? hear(data.part) : end(data), failed);
        worker?.postMessage({ tools: Object.fromEntries(modules), argv, env, files });
        const said = await ended;
        worker?.terminate();
        running--;
        next();
        return said;
    }
    const over = run();
    over.catch(() => {}); /* whoever waits is told */

    return {
        over,
        listen(to) {
            parts.splice(0).forEach(to);
            hear = to;
        },
        stop() {
            stopped = true;
            end({ code: ABORTED, files: {} });
        },
    };
}
