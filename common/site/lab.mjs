/* A lab in WebAssembly: from its .cu to what its program says. Nothing here is
   Node's or a browser's; who calls brings the course's files. */
import { run, link, asyncify, labFlags, labFastFlags, labDebugFlags, labHeaders } from './toolchain.mjs';
import { disk, execute, folders } from './wasi.mjs';

export { disk, execute, folders };

/* The same of one of our tools. Returns what it wrote, or throws what it said. */
async function tool(module, argv, disk, input) {
    const parts = [[], [], []];
    const status = await execute(module, argv, disk, { input, hear: (bytes, to) => parts[to].push(bytes) });
    const [, out, said] = await Promise.all(parts.map((list) => new Blob(list).text()));
    if (status !== 0)
        throw new Error(said || out);
    return out;
}

/* What clang makes of the headers that a lab begins with. It is kept, for it
   takes much of the time of a compilation. */
export function headersOf(course, text) {
    const first = /^[^#]*#include "lab\.h"/.test(text) ? '#include "lab.h"\n' : '';
    course.read ||= {};
    return course.read[first] ||= clang(['clang++', ...labHeaders.make, 'all.h', '-o', '-'],
        { common: course.headers, 'all.h': first });
}

/*
 * Begins to compile a lab. course: {rewrite, tables: modules; headers: the tree
 * of common/; begin, main, archive: bytes}. headers: {path: text} of those that
 * the program brings. Returns what makes assembly of it by flags, or throws what
 * is wrong with the lab.
 */
export async function begin(course, path, text, headers = {}) {
    const files = disk(folders({ ...headers, [path]: text }));
    await tool(course.rewrite, ['simt_rewrite', path, '-ok.cpp', '-d', 'k.d'], files);
    /* The file, and each header of its own that was rewritten. */
    const made = [...files.dir.contents].filter(([name]) => name.startsWith('k.cpp'));
    const sources = { ...folders(headers), ...Object.fromEntries(made.map(([name, file]) => [name, file.data])),
        common: course.headers, 'all.pch': await headersOf(course, text) };
    const beside = ['-iquote', path.split('/').slice(0, -1).join('/') || '.'];
    return flags => clang(['clang++', ...flags, ...labHeaders.use, ...beside, 'k.cpp', '-o', '-'], sources);
}

/* What the tables of both its programs are made of. */
export const debugOf = assembly => assembly(labDebugFlags);

/* The object of one of the two, "counting" or "fast", as bytes. */
export async function object(course, which, assembly, debug) {
    const made = await assembly(which === 'fast' ? labFastFlags : labFlags);
    const tabled = await tool(course.tables, ['simt_tables', '--wasm', 'k.s'], disk({ 'k.s': await debug }), made);
    return clang(['clang', '--target=wasm32-wasip1', '-c', 'k.s', '-o', '-'],
        { 'k.s': readable(which === 'fast' ? withLooks(tabled) : withRoom(tabled)) });
}

/* The counting one asks for room in the log where a function or a loop begins, and
   again after so many events (simt/record.c): the log has room for more. What is
   counted is the most events since room was asked for, on any way to a place:
   a way past a block may come without what was asked for in it. */
const EVENTS = 24;
const STEP = /\t(\.functype|block|loop|if|else|end_block|end_loop|end_if|br|br_if|br_table|call|call_indirect)\b(.*)\n/g;
const EVENT = /^\t__(?:sanitizer_cov_trace_pc|tsan_\w*(?:read|write)\d+)$/;
function withRoom(text) {
    let events = EVENTS, open = [];
    const leave = depths => {
        for (const depth of depths) {
            const to = open[open.length - 1 - depth];
            if (to)
                to.most = Math.max(to.most, events);
        }
    };
    return `\t.functype\tsimt_room () -> ()\n${text.replaceAll(STEP, (found, what, rest) => {
        switch (what) {
        case '.functype':
            open = [];
            events = EVENTS;
            break;
        case 'loop':
            events = EVENTS;
            /* falls through */
        case 'block':
        case 'if':
            open.push({ begin: events, most: what === 'if' ? events : 0 });
            break;
        case 'else':
            leave([0]);
            events = open.at(-1).begin;
            break;
        case 'end_block':
        case 'end_loop':
        case 'end_if':
            events = Math.max(events, open.pop().most);
            break;
        case 'br':
        case 'br_if':
        case 'br_table':
            leave((rest.split('#')[0].match(/\d+/g) || []).map(Number));
            break;
        default:
            if (EVENT.test(rest) && events < EVENTS)
                events++;
            else if (EVENT.test(rest))
                return (events = 0, `${found}\tcall\tsimt_room\n`);
            else
                events = EVENTS;
        }
        return found;
    })}`;
}

/* clang writes a NaN with its bits, which its assembler does not read. */
const EXPONENT = { 32: 0x7f800000n, 64: 0x7ff0000000000000n };
const readable = text => text.replaceAll(/\tf(32|64)\.const\t(-?)nan:(0x[0-9a-f]+)/g, (all, size, sign, bits) => {
    const value = BigInt.asIntN(+size, BigInt(bits) | EXPONENT[size]);
    return `\ti${size}.const\t${sign ? value | -1n << BigInt(size - 1) : value}\n\tf${size}.reinterpret_i${size}`;
});

/* The fast program calls other functions. It counts down where a loop begins
   again, and calls from a basic block when all has been counted (wasm/watch_timer.c). */
const BLOCK = /(\tloop .*\n(?:(?!\tcall\t).*\n)*?)?((?:.*\n){3}\tcall\t__sanitizer_cov_trace_pc\n)/g;
/* An address outside of memory or in the device's is looked at by a call. */
const ACCESS = /\tlocal\.(get|tee)\t(\d+)\n((?:.*\n){4}\tcall\t__tsan_(?:read|write)\d+\n)/g;
const withLooks = text => text
    .replaceAll(BLOCK, (all, loop, call) => `${loop === undefined ? '' : `${loop}
\ti32.const 0
\ti32.const 0
\ti32.load simt_blocks_left
\ti32.const 1
\ti32.sub
\ti32.store simt_blocks_left
`}
\ti32.const 0
\ti32.load simt_blocks_left
\ti32.const 0
\ti32.lt_s
\tif
${call}\tend_if
`)
    .replaceAll(ACCESS, (all, kind, local, call) => `\tlocal.${kind}\t${local}
\ti32.const 65536
\ti32.sub
\tmemory.size 0
\ti32.const 1
\ti32.sub
\ti32.const 16
\ti32.shl
\ti32.ge_u
\tlocal.get ${local}
\ti32.const 0
\ti32.load simt_arena
\ti32.sub
\ti32.const 0
\ti32.load simt_arena_bytes
\ti32.lt_u
\ti32.or
\tif
\tlocal.get ${local}
${call}\tend_if
`)
    .replaceAll(/__tsan_|__sanitizer_cov_trace_/g, 'simt_look_');

/* What clang makes of files, as bytes. */
const clang = async (argv, files) => (await run(argv, files))['-'];

/* The program of a lab whose object is there, or of one that has a main, the
   one that counts or the fast one. */
export async function program(course, object, step = () => {}, hasMain = false, counts = true) {
    step('link');
    const linked = await link({ 'begin.o': course.begin, ...(hasMain ? {} : { 'main.o': course.main }),
        'k.o': object, 'course.a': course.archive });
    step('asyncify');
    return asyncify(linked, counts);
}
