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

/* A folder's files as such an object; and that put into a folder. */
export const contents = ({ contents: all }) => Object.fromEntries([...all].map(([name, what]) =>
    [name, what instanceof Directory ? contents(what) : what.data]));
export function put(to, files) {
    for (const [name, what] of folder(files)) {
        const old = to.contents.get(name);
        if (old instanceof Directory && what instanceof Directory)
            put(old, files[name]);
        else
            to.contents.set(name, what);
    }
}

/* The files of a machine of its own; what programs write stays in it. */
export function disk(files) {
    return new PreopenDirectory('/', folder(files));
}

/* What went wrong: a browser has no sentence for who has never met its words. In
   Firefox no memory is no Error, but a text. */
export const sentenceOf = error => /out of memory|allocat/i.test(error.message || error)
    ? 'This tab has run out of memory: close other tabs, load this page again and repeat what you did.'
    : error.message || String(error);

export const NO_PROGRAM = 127, ABORTED = 134; /* exit codes of a shell */
const WRONG = 1; /* a lab's */

/* How the machine ends a program, in a browser's words, and in ours where the
   program's own cannot be had. */
const STORED = 'has host code stored past the end of an array, or of what malloc gave?';
const ENDS = [
    [/call stack|recursion/i, 'the program calls functions too deep: does one call itself without an end?'],
    [/unreachable/i, 'the program was ended by abort(), or came to the end of a function that must return a value.'],
    [/table|indirect|function/i, `the program calls an address that is no function: ${STORED}`],
    [/by zero/i, 'the program divides an integer by zero.'],
    [/memory access|index out of bounds/i, `the program met a wild address, and its memory is too damaged to say more: ${STORED}`]];

/* Runs one that prepare() has made. What the machine ends says itself what it was
   (wasm/fault.c), if its memory is there for that. Returns its exit code. */
function start({ wasi, tell, told }, instance) {
    try {
        return wasi.start(instance);
    } catch (error) {
        const { memory, simt_trapped } = instance.exports;
        const kind = ENDS.findIndex(([words]) => words.test(error.message)), before = told();
        if (!simt_trapped || kind < 0 || sentenceOf(error) !== error.message)
            throw error;
        try {
            const code = kind > 2 && wasi.start({ exports: { memory, _start: () => simt_trapped(kind === 3) } });
            if (code)
                return code;
        } catch {
            /* as it was left */
        }
        return told() > before ? ABORTED : last(wasi.args, ENDS[kind][1], tell);
    }
}

/* The last word on a program that has none. Of a lab it is a verdict: the counting
   program's, who is asked after the fast one and may know more. */
function last([path, ...words], sentence, tell) {
    const name = path.split('/').at(-1), lab = name.replace('-analyse', ''), isLab = words.length > 0;
    if (isLab && lab === name && words.includes('--why'))
        return ABORTED;
    const text = isLab ? `FAIL  ${lab}: ${sentence}` : `T${sentence.slice(1)}`;
    tell(new TextEncoder().encode(text.replaceAll(/(.{1,80})(?: |$)/g, '$1\n')), 2);
    return isLab ? WRONG : ABORTED;
}

/* Those of {name: module}, called as make calls them: the one that counts has a
   setting, too. */
export const programsOf = tools => ([name], env) => tools[name] && { module: tools[name],
    env: [`PROGRAM=/${name}`, ...name.endsWith('-analyse') ? ['SIMT_RECORD=1'] : [], ...env] };

/* One that runs when it is waited for, of those that `programs` has: it returns
   the module of one that is called by such words, and its environment, or null. */
export const within = (disk, hear, programs) => (argv, env, heard) => {
    const found = programs(argv, env), said = [];
    const listen = heard ? part => said.push(...part) : hear;
    return { said, end: () => {
        if (!found)
            return NO_PROGRAM;
        try {
            const made = prepare(argv, disk, { ...found, hear: listen, programs });
            return start(made, new WebAssembly.Instance(found.module, made.imports));
        } catch (error) {
            listen(new TextEncoder().encode(`${sentenceOf(error)}\n`), 2);
            return ABORTED;
        }
    } };
};

/* What a program that runs others is given (wasm/child.c): `begin` returns
   {said, end}, of which end() returns the exit code; or a promise of it, if the
   program can wait (toolchain.mjs), which is left then and entered once more. */
function children(inst, begin, waits) {
    const all = [];
    const bytes = at => new Uint8Array(inst().exports.memory.buffer, at);
    const lines = at => new TextDecoder().decode(bytes(at).slice(0, bytes(at).indexOf(0))).split('\n').slice(0, -1);
    return {
        begin: (words, environment, heard) => all.push(begin(lines(words), lines(environment), heard)) - 1,
        end: number => {
            if (waits.on) {
                inst().exports.asyncify_stop_rewind();
                waits.on = null;
                return waits.code;
            }
            const code = all[number].end();
            if (typeof code === 'number')
                return code;
            waits.on = code;
            waits.store ??= storeOf(inst().exports.memory);
            inst().exports.asyncify_start_unwind(waits.store);
            return 0;
        },
        said: (number, to) => {
            if (to)
                bytes(to).set(all[number].said);
            return all[number].said.length;
        },
    };
}

/* Memory of its own for what a program leaves: where that begins, and ends. */
function storeOf(memory) {
    const page = 65536, at = memory.grow(1) * page;
    new Uint32Array(memory.buffer, at, 2).set([at + 8, at + page]);
    return at;
}

function prepare(argv, disk, { input = new Uint8Array(), env = [], hear, programs = () => null, begin = within(disk, hear, programs) }) {
    let told = 0;
    const tell = (bytes, to) => { told++; hear(bytes.slice(), to); };
    const fds = [new OpenFile(new File(input)), ...[1, 2].map(to => new ConsoleStdout(bytes => tell(bytes, to))), disk];
    const wasi = new WASI(argv, env, fds, { debug: false });
    wasi.wasiImport.path_readlink = () => 28; /* EINVAL: it is no link */
    const waits = {};
    return { wasi, waits, tell, told: () => told, imports: { wasi_snapshot_preview1: wasi.wasiImport,
        course: children(() => wasi.inst, begin, waits) } };
}

/* Runs a compiled program. `hear` gets what it says, as bytes; `programs` are
   those that it may run, or `begin` begins them. Returns its exit status. */
export async function execute(module, argv, disk, options) {
    const made = prepare(argv, disk, options), { waits } = made;
    const instance = await WebAssembly.instantiate(module, made.imports);
    let status = start(made, instance);
    while (waits.on) {
        instance.exports.asyncify_stop_unwind();
        waits.code = await waits.on;
        instance.exports.asyncify_start_rewind(waits.store);
        status = start(made, instance);
    }
    return status;
}
