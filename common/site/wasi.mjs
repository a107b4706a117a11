/* A compiled program of the course, run with files of its own. Nothing here is
   Node's or a browser's. */
import { WASI, File, Directory, OpenFile, ConsoleStdout, PreopenDirectory } from '@bjorn3/browser_wasi_shim';

/* {name: bytes or text or such an object} as the files of a program. */
function folder(files) {
    return new Map(Object.entries(files).map(([name, what]) => [name,
        typeof what === 'string' ? new File(new TextEncoder().encode(what))
            : what instanceof Uint8Array ? new File(what)
                : what instanceof Directory || what instanceof File ? what
                    : new Directory(folder(what))]));
}

/* {'labs/INDEX': text} as folders in folders. */
export function folders(flat) {
    const tree = {};
    for (const [name, text] of Object.entries(flat)) {
        const parts = name.split('/'), last = parts.pop();
        parts.reduce((at, part) => at[part] ||= {}, tree)[last] = text;
    }
    return tree;
}

/* The files of a machine of its own; what programs write stays in it. */
export function disk(files) {
    return new PreopenDirectory('/', folder(files));
}

/* What went wrong: a browser has no sentence for who has never met its words. */
export const sentenceOf = error => /out of memory|allocat/i.test(error.message)
    ? 'This tab has run out of memory: close other tabs, load this page again and repeat what you did.'
    : error.message || String(error);

const NO_PROGRAM = 127, ABORTED = 134; /* exit codes of a shell */

/* Runs it. What the machine ends says itself what it was (wasm/fault.c): each
   browser has words of its own for that. Returns its exit code. */
function start(wasi, instance) {
    try {
        return wasi.start(instance);
    } catch (error) {
        const { memory, simt_trapped } = instance.exports;
        const byZero = /by zero/i.test(error.message);
        if (!simt_trapped || !byZero && !/memory access|index out of bounds/i.test(error.message))
            throw error;
        try {
            return wasi.start({ exports: { memory, _start: () => simt_trapped(byZero) } }) || ABORTED;
        } catch {
            return ABORTED;
        }
    }
}

/* What a program that runs others is given (wasm/child.c): `programs` returns
   the module of one that is called by such words, and its environment, or null. */
function children(memory, disk, hear, programs) {
    const all = [];
    const bytes = at => new Uint8Array(memory().buffer, at);
    const lines = at => new TextDecoder().decode(bytes(at).slice(0, bytes(at).indexOf(0))).split('\n').slice(0, -1);
    return {
        begin: (words, environment, heard) =>
            all.push({ argv: lines(words), env: lines(environment), heard, said: [] }) - 1,
        end: number => {
            const { argv, env, heard, said } = all[number];
            const found = programs(argv, env);
            const listen = heard ? part => said.push(...part) : hear;
            if (!found)
                return NO_PROGRAM;
            try {
                const { wasi, imports } = prepare(argv, disk, { ...found, hear: listen, programs });
                return start(wasi, new WebAssembly.Instance(found.module, imports));
            } catch (error) {
                listen(new TextEncoder().encode(`${sentenceOf(error)}\n`), 2);
                return ABORTED;
            }
        },
        said: (number, to) => {
            if (to)
                bytes(to).set(all[number].said);
            return all[number].said.length;
        },
    };
}

function prepare(argv, disk, { input = new Uint8Array(), env = [], hear, programs = () => null }) {
    const fds = [new OpenFile(new File(input)),
        new ConsoleStdout((bytes) => hear(bytes.slice(), 1)),
        new ConsoleStdout((bytes) => hear(bytes.slice(), 2)), disk];
    const wasi = new WASI(argv, env, fds, { debug: false });
    wasi.wasiImport.path_readlink = () => 28; /* EINVAL: it is no link */
    return { wasi, imports: { wasi_snapshot_preview1: wasi.wasiImport,
        course: children(() => wasi.inst.exports.memory, disk, hear, programs) } };
}

/* Runs a compiled program. `hear` gets what it says, as bytes; `programs` are
   those that it may run. Returns its exit status. */
export async function execute(module, argv, disk, options) {
    const { wasi, imports } = prepare(argv, disk, options);
    return start(wasi, await WebAssembly.instantiate(module, imports));
}
