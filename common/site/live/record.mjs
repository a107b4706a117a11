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
import { mapOf } from './zoom.mjs';

const out = path.join(process.argv[2], 'live');
const given = fs.readdirSync(path.join(process.argv[3], 'labs'));
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'live'));
const file = name => path.join(work, name);
/* In English, as the pictures are: mapOf reads it. */
const run = (program, words, env = {}) =>
    execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, COURSE_LANGUAGE: '', NO_COLOR: '1', COLUMNS: '80', ...env } });

/* Lab 03 with tiles of 2: every request of its first block. */
function trace() {
    run('build/cpu/traced/03_tiling-analyse', ['--counters', '--quiet', '--m', '4', '--n', '4', '--k', '4'],
        { SIMT_REQUESTS: file('requests') });
    return rows(fs.readFileSync(file('requests'), 'utf8')).map(({ interval, array, kind, offsets }) =>
        ({ interval, array, kind, elements: String(offsets).split(' ').map(offset => offset / 4) }));
}

/* make map-NN of the course's kernel. */
function map(lab, folder) {
    /* Of the last labs a block is as large as the picture, but for these sizes. */
    const size = +lab < 10 ? [] : ['--m', '256', '--n', '512', '--k', '64'];
    const said = run(`build/cpu/solutions/${folder}-analyse`,
        ['--map', file('map'), '--footprint', file('footprint'), ...size]);
    return mapOf(said, ...['map', 'footprint'].map(name => fs.readFileSync(file(name), 'utf8')));
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
