/* Do the counters of the solutions in WebAssembly, under Node, equal those of
   the CPU device, row by row? Needs build/site.wasm and their -analyse programs. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { open, build, start } from './node.mjs';

/* Rows of a CSV file. */
function rows(text) {
    const [head, ...lines] = text.trim().split('\n').map(line =>
        [...line.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g)].map(match => match[1]));
    return lines.map(line => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

/* What says where and when a run was, and how long it took, is no counter. */
const APART = /^(date|host|device|compiler|origin|build|version|program|commit|cpu|driver|git|code|lab_hash)|_ms$|gflops|hash|kernel_ms/;

let course;

/* The counters of solutions/03_tiling or mutants/03_..., as [{row, column, native,
   here}]. */
export async function counters(name) {
    const lab = name.split('/')[1];
    const file = name.startsWith('mutants/') ? `build/${name}.cu` : `${name}/${lab.slice(3)}.cu`;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counters.'));

    course ||= await open('build/site.wasm');
    try {
        spawnSync(`build/cpu/${name}-analyse`, ['--counters', '--csv', `${folder}/x.csv`], { stdio: 'ignore', timeout: 60000 });
        if (!fs.existsSync(`${folder}/x.csv`))
            throw new Error('there are no native counts');
        const module = await build(course, file, fs.readFileSync(file, 'utf8'));
        const run = await start(module, name, ['--counters', '--csv', 'x.csv'], true);
        const native = rows(fs.readFileSync(`${folder}/x.csv`, 'utf8'));
        const here = rows(new TextDecoder().decode(run.files.dir.contents.get('x.csv').data));

        return native.flatMap((row, i) => Object.keys(row).filter(column => !APART.test(column))
            .map(column => ({ row: i, column, native: row[column], here: here[i]?.[column] })))
            .concat(here.slice(native.length).map((row, i) => ({ row: native.length + i, column: 'lab', native: '', here: row.lab })));
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}
