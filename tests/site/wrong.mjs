/* wrong.mjs BUILT NAME...: is a wrong lab told the same in WebAssembly as on the
   CPU device? Needs build/mutants/NAME.cu and its -analyse program. */
import fs from 'fs';
import { spawnSync } from 'child_process';
import { open, build, start } from '../../common/site/node.mjs';

const [built, ...names] = process.argv.slice(2);
const course = await open(built);
let same = 0, other = 0;

for (const name of names) {
    const file = `build/mutants/${name}.cu`;
    const run = spawnSync(`build/cpu/mutants/${name}-analyse`, ['--why'],
        { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
    const native = `status ${run.status}\n${run.stdout}${run.stderr}`;
    let wasm;
    try {
        const module = await build(course, file, fs.readFileSync(file, 'utf8'));
        const run = await start(module, `mutants/${name}`, ['--why'], true);
        wasm = `status ${run.status}\n${run.said}`;
    } catch (error) {
        wasm = `ends: ${error.stack.split('\n').slice(0, 8).join('\n')}`;
    }
    if (native === wasm) {
        same++;
        console.log(`same   ${name}`);
    } else {
        other++;
        console.log(`other  ${name}\n--- CPU device\n${native}--- WebAssembly\n${wasm}`);
    }
}
console.log(`${same} the same, ${other} not`);
