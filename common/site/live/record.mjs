/* record.mjs OUT FROM: records for the live pictures who accesses what: OUT/live
   gets a file for each lab that FROM has, what students are given. Run in the
   course's folder, where make has built what is recorded, the solutions'
   programs. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rows } from './shared.mjs';
import { pictures } from './live.mjs';

const out = path.join(process.argv[2], 'live');
const given = fs.readdirSync(path.join(process.argv[3], 'labs'));
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'live'));
const file = name => path.join(work, name);
const run = (program, words, env = {}) =>
    execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', COLUMNS: '80', ...env } });

/* Lab 03 with tiles of 2: every request of its first block. */
function trace() {
    run('build/cpu/traced/03_tiling-analyse', ['--counters', '--quiet', '--m', '4', '--n', '4', '--k', '4'],
        { SIMT_REQUESTS: file('requests') });
    return rows(fs.readFileSync(file('requests'), 'utf8')).map(({ interval, array, kind, offsets }) =>
        ({ interval, array, kind, elements: String(offsets).split(' ').map(offset => offset / 4) }));
}

/* Elements, as {row, col}, as rectangles [row, col, rows, cols]. */
export function rectangles(elements) {
    const made = [], open = new Map();
    let run = null;
    for (const { row, col } of elements) {
        if (run && run[0] === row && run[1] + run[3] === col)
            run[3]++;
        else
            made.push(run = [row, col, 1, 1]);
    }
    /* Runs of equal columns below each other are one. */
    return made.filter(([row, col, , cols], i) => {
        const key = `${col} ${cols}`, above = open.get(key);
        if (above && above[0] + above[2] === row) {
            above[2]++;
            return false;
        }
        open.set(key, made[i]);
        return true;
    });
}

/* What a thread, its warp and its block touch, and some requests: make map-NN. */
function map(lab, folder) {
    /* Of the last labs a block is as large as the picture, but for these sizes. */
    const size = +lab < 10 ? [] : ['--m', '256', '--n', '512', '--k', '64'];
    const said = run(`build/cpu/solutions/${folder}-analyse`,
        ['--map', file('map'), '--footprint', file('footprint'), ...size]);
    const touched = rows(fs.readFileSync(file('footprint'), 'utf8'));
    const { m, n, k, kernel, block_x, block_y, warp, thread_x, thread_y } = touched[0];
    const shapes = { A: [m, k], B: [k, n], C: [m, n] };
    const levels = ['thread', 'warp', 'block'];
    const arrays = Object.entries(shapes).map(([name, [height, width]]) => ({ name, rows: height, cols: width,
        by: Object.fromEntries(levels.map((level, i) => {
            const those = touched.filter(({ array, by }) => array === name && levels.indexOf(by) <= i);
            return [level, { count: those.length, rectangles: rectangles(those) }];
        })) }));
    const sentences = said.split(/\n\n+/).filter(text => /^Line \d+/.test(text))
        .map(text => text.replace(/\s+/g, ' ').replace(/^Line \d+/, 'This request'));
    const requests = [];
    for (const { space, kind, array, lane, element, row, col, sector, bank, wavefront } of rows(fs.readFileSync(file('map'), 'utf8'))) {
        if (requests.at(-1)?.space !== space)
            requests.push({ space, kind, array, words: sentences[requests.length], lanes: [] });
        requests.at(-1).lanes.push({ lane, element, row, col, sector, bank, wavefront });
    }
    return { kernel, block: [block_x, block_y], thread: [thread_x, thread_y], warp, arrays, requests,
        words: /^Elements in global[^]*?\n  of .*$/m.exec(said)[0] };
}

fs.mkdirSync(out, { recursive: true });
const put = (name, what) => fs.writeFileSync(path.join(out, `${name}.json`), JSON.stringify(what));
for (const folder of fs.readdirSync('solutions').filter(name => given.includes(name))) {
    const lab = folder.slice(0, 2);
    if (pictures.trace.labs[lab])
        put('trace', trace());
    if (pictures.zoom.labs[lab])
        put(`map_${lab}`, map(lab, folder));
}
fs.rmSync(work, { recursive: true });
