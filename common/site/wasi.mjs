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

/* Runs a compiled program. `hear` gets what it says, as bytes. Returns its
   exit status. */
export async function execute(module, argv, disk, { input = new Uint8Array(), env = [], hear } = {}) {
    const fds = [new OpenFile(new File(input)),
        new ConsoleStdout((bytes) => hear(bytes.slice(), 1)),
        new ConsoleStdout((bytes) => hear(bytes.slice(), 2)), disk];
    const wasi = new WASI(argv, env, fds, { debug: false });
    wasi.wasiImport.path_readlink = () => 28; /* EINVAL: it is no link */
    const instance = await WebAssembly.instantiate(module,
        { wasi_snapshot_preview1: wasi.wasiImport });
    return wasi.start(instance);
}
