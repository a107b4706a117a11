/* live.mjs SITE: do the live pictures show what the console says? Needs
   build/tools and the site, with SITE.wasm beside it. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { program as load, rows } from '../../common/site/live/shared.mjs';
import * as banks from '../../common/site/live/banks.mjs';
import * as limits from '../../common/site/live/limits.mjs';
import * as fragments from '../../common/site/live/fragments.mjs';
import { stepsOf } from '../../common/site/live/trace.mjs';

const [site] = process.argv.slice(2);
const program = name => load(name, file => fs.promises.readFile(`${site}.wasm/${file}`));
let passed = 0, failed = 0;

function same(what, is, wanted) {
    if (is === wanted)
        passed++;
    else {
        failed++;
        console.log(`FAIL ${what}: ${JSON.stringify(is).slice(0, 120)}\n  is not ${JSON.stringify(wanted).slice(0, 120)}`);
    }
}

/* The bank machine: the words and the lanes of build/tools/banks. */
async function theBanks() {
    const run = program('banks');
    const cases = [...['char', 'short', 'float', 'double'].flatMap(type => [1, 2, 3, 5, 6, 17, 32, 33, 64].map(stride => ({ type, stride }))),
        ...[16, 32].flatMap(tile => [0, 1, 2, 3, 4].map(more => ({ tile, stride: tile + more })))];
    for (const rule of ['today', '1.x']) {
        for (const one of cases) {
            const argv = banks.call({ ...one, rule }), name = argv.join(' ');
            const { said, wrote } = await run([...argv, '--csv', 'lanes.csv']);
            const file = 'build/site_lanes.csv';
            same(name, said, execFileSync('build/tools/banks', [...argv.map(String), '--csv', file], { encoding: 'utf8' }));
            same(`${name}: lanes`, wrote('lanes.csv'), fs.readFileSync(file, 'utf8'));
            const lanes = rows(wrote('lanes.csv')), turns = banks.turnsOf(lanes);
            same(`${name}: wavefronts`, rule === 'today' ? turns.length
                : Math.max(...[0, 16].map(half => turns.filter(turn => turn.name.includes(`lanes ${half} `)).length)), lanes[0].wavefronts);
        }
    }
    const refused = await run(['--type', 'float', '--stride', '32'], { labs: { INDEX: '' } });
    same('a cell of lab 05', /asks you to predict/.test(refused.said) && refused.status, 2);
}

/* The limits: the words and rows of build/tools/chip, and the range that is
   printed, held against kernels that were measured. */
async function theLimits() {
    const run = program('chip'), chips = {};
    for (const name of fs.readdirSync('common/chip/chips'))
        chips[name] = fs.readFileSync(`common/chip/chips/${name}`);
    const files = { common: { chip: { chips } } };
    for (const chip of ['h200', 'h100', 'a100', 'rtx4090', 't4']) {
        for (const [tile, sums] of [['16x16', '1x1'], ['64x64', '4x4'], ['128x64', '8x4'], ['128x128', '8x8'], ['128x256', '8x16'], ['16x16', '8x8'], ['256x256', '16x16']]) {
            for (const [size, depth, registers] of [[512, 16, 0], [4096, 8, 128], [8192, 32, 0]]) {
                const argv = limits.call({ chip, tile, depth, sums, registers, size }), file = 'build/site_limits.csv';
                fs.rmSync(file, { force: true });
                const here = await run([...argv, '--csv', 'limits.csv'], files);
                const there = spawnSync('build/tools/chip', [...argv.map(String), '--csv', file], { encoding: 'utf8' });
                same(`${argv.join(' ')}: status`, here.status, there.status);
                same(argv.join(' '), here.said.replace(/^chip: /, ''), (there.stdout + there.stderr).replace(/^chip: /, ''));
                if (there.status === 0)
                    same(`${argv.join(' ')}: rows`, here.wrote('limits.csv'), fs.readFileSync(file, 'utf8'));
            }
        }
    }
    let kernels = 0;
    for (const { lab, m, kernel_ms: ms } of rows(fs.readFileSync('plots/data/h200_shapes.csv', 'utf8'))) {
        const [, sums, tile, depth] = /^(\d+x\d+)_(\d+x\d+)x(\d+)/.exec(lab) || [];
        if (!sums)
            continue;
        kernels += m === 4096;
        const { wrote } = await run([...limits.call({ chip: 'h200', tile, depth, sums, size: m }), '--csv', 'limits.csv'], files);
        const [{ low_ms: low, high_ms: high }] = rows(wrote('limits.csv'));
        same(`${lab} at ${m}: ${ms} ms in ${low} to ${high}`, ms >= low && ms <= high, true);
    }
    same('kernels, as screen.c says', kernels, 19);
}

/* The trace: the sum of each thread has all products of its element of C, and
   both are what was recorded. */
function theTrace() {
    const requests = JSON.parse(fs.readFileSync(`${site}/live/trace.json`, 'utf8'));
    const products = [{}, {}, {}, {}];
    for (const { words } of stepsOf(requests).filter(({ words }) => words.startsWith('Each thread adds'))) {
        [...words.matchAll(/which is A\[(\d)\]\[(\d)\] \* B\[(\d)\]\[(\d)\]/g)].forEach(([, row, k, again, col], thread) => {
            same(`the product of step ${k}`, again, k);
            (products[thread][`${row} ${col}`] ||= []).push(+k);
        });
    }
    same('products', JSON.stringify(products), JSON.stringify(['0 0', '0 1', '1 0', '1 1'].map(place => ({ [place]: [0, 1, 2, 3] }))));
    same('elements of C', JSON.stringify(requests.at(-1).elements), '[0,1,4,5]');
}

/* The zoom: what is drawn has as many elements as the console's table. */
function theMaps() {
    const files = fs.readdirSync(`${site}/live`).filter(name => name.startsWith('map_'));
    same('maps', files.length, 11);
    for (const name of files) {
        const { arrays, words, requests } = JSON.parse(fs.readFileSync(`${site}/live/${name}`, 'utf8'));
        const table = words.split('\n').slice(2).map(line => line.trim().split(/\s+/).slice(-3).map(Number));
        ['thread', 'warp', 'block'].forEach((level, i) => arrays.forEach(({ name: array, by }, j) => {
            same(`${name}, ${level} of ${array}`, by[level].rectangles.reduce((sum, [, , rows, cols]) => sum + rows * cols, 0), table[i][j]);
            same(`${name}, ${level} of ${array} in words`, by[level].count, table[i][j]);
        }));
        for (const { space, words: said, lanes } of requests) {
            same(`${name}: lanes`, +/(\d+) lanes? of warp/.exec(said)[1], lanes.length);
            if (space === 'global')
                same(`${name}: sectors`, new Set(lanes.map(({ sector }) => sector)).size, +/in (\d+) sector/.exec(said)[1]);
            else
                same(`${name}: wavefronts`, Math.max(...lanes.map(({ wavefront }) => wavefront)), +/(\d+) wavefronts?/.exec(said)[1]);
        }
    }
}

/* The fragments: the words and rows of build/tools/fragments; and each element
   of a matrix has one register of one lane. */
async function theFragments() {
    const run = program('fragments'), file = 'build/site_lanes.csv';
    for (const [lane, step, plain] of [[0, 0, 0], [5, 1, 0], [31, 3, 0], [12, 2, 1]]) {
        const argv = fragments.call({ lane, step, plain });
        const { said, wrote } = await run([...argv, '--csv', 'lanes.csv']);
        same(argv.join(' '), said, execFileSync('build/tools/fragments', [...argv.map(String), '--csv', file], { encoding: 'utf8' }));
        same(`${argv.join(' ')}: rows`, wrote('lanes.csv'), fs.readFileSync(file, 'utf8'));
        const all = rows(wrote('lanes.csv'));
        for (const [what, count] of [['A', 128], ['B', 64], ['C', 128]])
            same(`elements of ${what}`, new Set(all.filter(row => row.what === what).map(({ row, col }) => `${row} ${col}`)).size, count);
        same('wavefronts', all.at(-1).wavefronts, plain ? 32 : 4);
    }
}

theTrace();
theMaps();
await theFragments();
await theBanks();
await theLimits();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
