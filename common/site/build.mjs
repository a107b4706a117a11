/* build.mjs OUT: compiles the course's C for WebAssembly, by the compiler that
   will compile the labs. Needs the packages of package.json. */
import fs from 'fs';
import path from 'path';
import crypto from 'crypto';
import { run, cFlags, link, waiting } from './toolchain.mjs';
import { tree } from './tree.mjs';

const out = process.argv[2];

function sources(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? sources(`${folder}/${entry.name}`)
            : entry.name.endsWith('.c') ? [`${folder}/${entry.name}`] : []);
}

/* A file in site/wasm stands for that of its name, or is one more. */
const wasm = sources('common/site/wasm');
const replaced = new Set(['common/simt/fiber.c', 'common/simt/fault_signal.c',
    'common/simt/watch_timer.c', 'common/simt/symbols.c', 'common/simt/shared_begin.c',
    'common/simt/shared_end.c', 'common/base/child.c', 'common/harness/mode_try_cpu.c',
    'common/harness/mode_try_changes_cpu.c']);
const problems = fs.readdirSync('labs').map(lab => `labs/${lab}/problem.c`).filter(file => fs.existsSync(file));
const course = ['base', 'banks', 'course', 'harness', 'problem', 'simt']
    .flatMap((part) => sources(`common/${part}`)).concat(problems, 'build/problems.c')
    .filter((file) => !/_gpu\.c$|_main\.c$|harness\/main\.c$|simt\/(rewrite|tables|alternatives)\//.test(file) &&
        !replaced.has(file));
const rest = [...sources('common/simt/rewrite'), ...sources('common/simt/tables'),
    'common/harness/main.c', 'common/harness/check_main.c', 'common/teach/hint_main.c', 'common/banks/banks_main.c', 'common/teach/fragments_main.c', ...sources('common/chip')];

const common = tree('common', /\.(h|def)$/);

/* What a path names in the tree that was read at the beginning: files may change
   while they are compiled. Sources are not in it. */
function contents(file) {
    const found = file.split('/').slice(1).reduce((at, name) => at?.[name], common);
    return found ?? (fs.existsSync(file) ? fs.readFileSync(file) : '');
}

/* One number for what an object is made of: the flags and files. */
function digest(files) {
    const hash = crypto.createHash('md5').update(cFlags.join());
    for (const file of files)
        hash.update(contents(file));
    return hash.digest('hex');
}

/* Compiles a file, unless it has been, and nothing that it includes changed. */
async function object(file) {
    const to = path.join(out, file.replace(/\.c$/, '.o'));
    if (fs.existsSync(`${to}.json`)) {
        const made = JSON.parse(fs.readFileSync(`${to}.json`, 'utf8'));
        if (made.digest === digest(made.files))
            return fs.readFileSync(to);
    }
    const trees = { common };
    const folder = file.split('/').slice(0, -1)
        .reduce((at, name) => at[name] = { ...at[name] }, trees);
    folder[path.basename(file)] = fs.readFileSync(file);
    const version = fs.readFileSync('VERSION', 'utf8').trim();
    const made = await run(['clang', ...cFlags, `-DCOURSE_VERSION="${version}"`,
        '-MMD', '-MF', 'a.d', '-c', file, '-o', 'a.o'], trees);
    const text = (what) => typeof what === 'string' ? what : new TextDecoder().decode(what);
    const files = [...new Set(text(made['a.d']).match(/(common|labs|build)\/\S+/g))];
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.writeFileSync(to, made['a.o']);
    fs.writeFileSync(`${to}.json`, JSON.stringify({ files, digest: digest(files) }));
    return made['a.o'];
}

const objects = {};
for (const file of [...wasm, ...course, ...rest])
    objects[file.replaceAll('/', '+').replace(/\.c$/, '.o')] = await object(file);
console.log(Object.keys(objects).length, 'compiled');

const named = (files) => Object.fromEntries(files.map((f) => f.replaceAll('/', '+').replace(/\.c$/, '.o')).map((n) => [n, objects[n]]));
const begin = named(['common/site/wasm/begin.c']);
const lib = named([...wasm.filter((f) => !f.endsWith('/begin.c')), ...course]);
const archive = { 'course.a': (await run(['ar', 'qcs', 'course.a', ...Object.keys(lib)], lib))['course.a'] };
async function program(name, files, prepared = bytes => bytes) {
    const made = prepared(await link({ ...begin, ...named(files), ...archive }));
    fs.writeFileSync(path.join(out, name), made);
    console.log(name, made.length);
}
fs.writeFileSync(path.join(out, 'course.a'), archive['course.a']);
fs.writeFileSync(path.join(out, 'begin.o'), Object.values(begin)[0]);
fs.writeFileSync(path.join(out, 'main.o'), objects['common+harness+main.o']);
await program('rewrite.wasm', sources('common/simt/rewrite'));
await program('tables.wasm', sources('common/simt/tables'));
await program('check.wasm', ['common/harness/check_main.c'], waiting);
await program('hint.wasm', ['common/teach/hint_main.c']);
await program('banks.wasm', ['common/banks/banks_main.c']);
await program('fragments.wasm', ['common/teach/fragments_main.c']);
await program('chip.wasm', sources('common/chip'));
