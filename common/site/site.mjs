/*
 * site.mjs OUT FROM: makes the site in a folder, with the texts in FROM, what
 * students are given. Run in the course's folder, after npm ci in common/site. The course's C is compiled by build.mjs, the texts
 * become pages by pages.mjs; here all is put together.
 */
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { tree } from './tree.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const [out, from] = process.argv.slice(2);
const wasm = `${out}.wasm`;
const node = (script, ...words) =>
    execFileSync(process.execPath, [path.join(here, script), ...words], { stdio: 'inherit' });
const put = (name, bytes) => fs.writeFileSync(path.join(out, name), bytes);

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
node('build.mjs', wasm);
node('live/record.mjs', out, from);
const form = { bundle: true, format: 'esm', minify: true, outdir: out, logLevel: 'error', metafile: true,
    target: 'es2022', external: ['node:*', 'fs', 'path', 'module', 'url', 'worker_threads'] };
const { metafile } = await build({ ...form, splitting: true, alias: { binaryen: path.join(here, 'binaryen.mjs') }, entryPoints: { page: path.join(here, 'page.mjs'), worker: path.join(here, 'worker.mjs'),
    helper: path.join(here, 'helper.mjs'), runner: path.join(here, 'runner.mjs'),
    live: path.join(here, 'live/live.mjs') } });
const binaryen = await build({ ...form, absWorkingDir: here, entryPoints: ['binaryen'], write: false });

/* The packages that these are made of; the compiler is beside them. */
const packages = [metafile, binaryen.metafile].flatMap(({ outputs }) => Object.values(outputs)).flatMap(({ inputs }) => Object.keys(inputs))
    .map(file => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter(Boolean);
node('pages.mjs', out, from, ...[...new Set(packages)].sort());

for (const name of ['rewrite.wasm', 'tables.wasm', 'check.wasm', 'hint.wasm', 'banks.wasm', 'fragments.wasm', 'chip.wasm', 'begin.o', 'main.o', 'course.a'])
    fs.copyFileSync(path.join(wasm, name), path.join(out, name));

/* The headers that a .cu may include, as text. */
const texts = what => Object.fromEntries(Object.entries(what).map(([name, inner]) =>
    [name, inner instanceof Uint8Array ? new TextDecoder().decode(inner) : texts(inner)]));
put('headers.json', JSON.stringify(texts(tree('common', /simt\/include\/|common\/(lab|hopper|tile_maps)\.h$|site\/wasm\/.*\.h$|\/(compat|code)\.h$/))));

/* The compiler, packed: worker.mjs unpacks it. */
const gen = path.join(here, 'node_modules/@yowasp/clang/gen');
for (const name of fs.readdirSync(gen).filter(name => name.startsWith('llvm'))) {
    const packed = path.join(wasm, `${name}.gz`);
    if (!fs.existsSync(packed))
        fs.writeFileSync(packed, gzipSync(fs.readFileSync(path.join(gen, name)), { level: 9 }));
    fs.copyFileSync(packed, path.join(out, `${name}.gz`));
}
put('llvm-binaryen.js.gz', gzipSync(binaryen.outputFiles[0].contents, { level: 9 }));
put('style.css', ['style.css', 'live/live.css'].map(name => fs.readFileSync(path.join(here, name), 'utf8')).join(''));

/* Each file under one name: a visit keeps them all. */
const list = (folder = '') => fs.readdirSync(path.join(out, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? list(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]);
const files = list().sort();
const digest = crypto.createHash('sha256');
for (const name of files)
    digest.update(name).update(fs.readFileSync(path.join(out, name)));
put('offline.js', `const VERSION = ${JSON.stringify(digest.digest('hex').slice(0, 16))};
const FILES = ${JSON.stringify(['./', ...files])};
${fs.readFileSync(path.join(here, 'offline.js'), 'utf8')}`);
