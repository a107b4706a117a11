/* live.mjs BUILT: do the live pictures show what the console says? Needs
   build/tools and what build.mjs left in BUILT. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { program as load, rows } from '../../common/site/live/shared.mjs';
import * as banks from '../../common/site/live/banks.mjs';

const [built] = process.argv.slice(2);
const program = name => load(name, file => fs.promises.readFile(`${built}/${file}`));
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

await theBanks();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
