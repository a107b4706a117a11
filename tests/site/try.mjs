/* try.mjs BUILT FILE.cu [OPTION...]: compiles a lab and runs it, under Node. */
import fs from 'fs';
import { open, build, start } from './node.mjs';

const [built, file, ...options] = process.argv.slice(2);
const times = [];
let last = performance.now(), before = 'begin';
function step(what) {
    console.error(what);
    times.push(`${before} ${Math.round(performance.now() - last)}`);
    last = performance.now();
    before = what;
}
const course = await open(built);
const module = await build(course, file, fs.readFileSync(file, 'utf8'), step, process.env.FAST ? 'fast' : 'counting');
step('run');
const name = `solutions/${file.split('/').slice(-2)[0]}`;
const run = await start(module, name, options, !process.env.FAST);
step('');
process.stdout.write(run.said);
console.error('status', run.status, times.join(', '), 'ms');
