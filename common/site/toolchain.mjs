/* What turns C into WebAssembly: clang and its linker, themselves WebAssembly,
   and Asyncify. For Node when the site is made, and for the page's worker. */
import { commands } from '@yowasp/clang';
import binaryen from 'binaryen';

const bytesOf = async (parts) => new Uint8Array(await new Blob(parts).arrayBuffer());

/* Runs a tool on files, {path: text or bytes, folders as objects}. Returns the
   files that it leaves, '-' what it writes to its output, or throws what it
   said. A long text is written there: a file is copied whole for each 4 KB more. */
export async function run(argv, files) {
    const out = [], said = [];
    const to = (parts) => (bytes) => { if (bytes) parts.push(bytes); };
    try {
        const made = await commands[argv[0]](argv.slice(1), files,
            { stdout: to(out), stderr: to(said), fetchProgress: () => {} });
        return { ...made, '-': await bytesOf(out) };
    } catch (error) {
        throw new Error(await new Blob([...out, ...said]).text() || String(error));
    }
}

export const target = ['--target=wasm32-wasip1', '-mllvm', '-wasm-enable-sjlj'];

export const cFlags = [...target, '-std=c11', '-O2', '-w', '-Icommon/site/wasm',
    '-Icommon', '-Icommon/simt/include', '-D_GNU_SOURCE',
    '-D_WASI_EMULATED_SIGNAL', '-D_WASI_EMULATED_PROCESS_CLOCKS',
    '-include', 'site/wasm/posix.h', '-ffp-contract=off'];

/* How a lab is compiled to assembly, three times: for the build that counts,
   whose accesses are told to the recorder; for the fast one, whose indices are
   checked; and for what variables are called and how they are laid out. */
const lab = [...target, '-x', 'c++', '-std=c++17', '-fno-exceptions', '-w', '-Wno-narrowing',
    '-ffp-contract=off', '-fno-strict-aliasing', '-Icommon/simt/include',
    '-idirafter', 'common/simt/include/helpers', '-Icommon',
    '-include', 'common/site/wasm/code.h', '-include', 'cuda_first.h'];
export const labFlags = [...lab, '-S', '-O2', '-gline-tables-only', '-fno-vectorize',
    '-fno-slp-vectorize', '-fno-unroll-loops', '-fno-finite-loops', '-fno-builtin-memset',
    '-fno-builtin-memcpy', '-fno-builtin-memmove', '-mllvm', '-disable-loop-idiom-all',
    '-mllvm', '-disable-vector-combine',
    '-mllvm', '-sanitizer-coverage-prune-blocks=0',
    '-fsanitize-coverage=trace-pc,trace-loads,trace-stores',
    '-ftrivial-auto-var-init=pattern'];
export const labFastFlags = [...labFlags, '-fsanitize=array-bounds'];
export const labDebugFlags = [...lab, '-S', '-O0', '-g'];

/* How the headers of all three are read, before. */
export const labHeaders = { make: [...lab.map(word => word === 'c++' ? 'c++-header' : word), '-O2'],
    use: ['-Xclang', '-include-pch', '-Xclang', 'all.pch', '-Xclang', '-fno-validate-pch'] };

const libraries = ['-L/usr/lib/wasm32-wasip1', '-lc++abi', '-lm', '-lsetjmp',
    '-lwasi-emulated-signal', '-lwasi-emulated-process-clocks', '-lc',
    '/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a'];

/* Links objects, {name: bytes}, in their order, to a program. */
export async function link(objects) {
    const argv = ['wasm-ld', '-m', 'wasm32', '/usr/lib/wasm32-wasip1/crt1-command.o',
        ...Object.keys(objects), ...libraries, '--no-demangle',
        '--no-stack-first', '--global-base=65536', '-z', 'stack-size=1048576',
        '-o', 'program.wasm'];
    return (await run(argv, objects))['program.wasm'];
}

/* Asyncify with arguments of its own, at an optimization level. */
function asyncified(bytes, level, words) {
    const module = binaryen.readBinary(bytes);
    const f = binaryen.Features;
    module.setFeatures(f.MutableGlobals | f.BulkMemory | f.BulkMemoryOpt | f.SignExt |
        f.NontrappingFPToInt | f.Multivalue | f.ReferenceTypes | f.ExceptionHandling |
        f.CallIndirectOverlong);
    binaryen.clearPassArguments();
    binaryen.setPassArgument('asyncify-ignore-indirect', '1');
    for (const [word, value] of Object.entries(words))
        binaryen.setPassArgument(`asyncify-${word}`, value);
    binaryen.setOptimizeLevel(level);
    module.runPasses(['asyncify']);
    const made = module.emitBinary();
    module.dispose();
    return made;
}

/* Lets threads of a block wait for each other: common/site/wasm/fiber.c. A
   program that counts may wait in each loop, and is optimized, which made lab 03
   a third faster under Node; a fast one gains nothing. */
export const asyncify = (bytes, counts) => asyncified(bytes, counts ? 1 : 0,
    { 'ignore-imports': '1', addlist: 'run_threads', removelist: 'simt_resume' });

/* Lets a program wait for those that it runs: wasi.mjs. */
export const waiting = bytes => asyncified(bytes, 0, { imports: 'course.end' });
