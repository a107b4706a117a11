/* compare.mjs BUILT [LAB...]: do the counters of the solutions in WebAssembly
   equal those of the CPU device? Needs their -analyse programs. */
import fs from 'fs';
import { execFileSync } from 'child_process';
import { open, build, start } from '../../common/site/node.mjs';

const [built, ...chosen] = process.argv.slice(2);
const course = await open(built);

/* Rows of a CSV file. */
function rows(text) {
    const [head, ...lines] = text.trim().split('\n').map((line) =>
        [...line.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g)].map((match) => match[1]));
    return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

const apart = /^(date|host|device|compiler|.*_ms$|.*gflops|origin|build|version|.*hash.*|kernel_ms.*|program|commit|cpu|driver|git|code|lab_hash)/;
let differ = 0, equal = 0;
for (const lab of fs.readdirSync('solutions').filter((l) => !chosen.length || chosen.some((c) => l.startsWith(c)))) {
    const native = `build/cpu/solutions/${lab}-analyse`;
    const cu = fs.readdirSync(`solutions/${lab}`).find((f) => f.endsWith('.cu'));
    if (!cu || !fs.existsSync(native))
        continue;
    const file = `solutions/${lab}/${cu}`;
    fs.rmSync('/tmp/compare.csv', { force: true });
    try {
        execFileSync(native, ['--counters', '--csv', '/tmp/compare.csv'], { stdio: 'pipe' });
    } catch (error) {
        console.log(lab, 'native status', error.status);
    }
    const module = await build(course, file, fs.readFileSync(file, 'utf8'));
    const before = performance.now();
    let run;
    try {
        run = await start(module, `solutions/${lab}`, ['--counters', '--csv', 'x.csv'], true);
    } catch (error) {
        console.log(lab, 'FAILS', error.stack.split('\n').slice(0, 6).join('\n'));
        differ++;
        continue;
    }
    const seconds = ((performance.now() - before) / 1000).toFixed(1);
    const csv = run.files.dir.contents.get('x.csv');
    if (!csv || !fs.existsSync('/tmp/compare.csv')) {
        console.log(lab, 'status', run.status, run.said.split('\n').slice(0, 12).join('\n'));
        continue;
    }
    const a = rows(fs.readFileSync('/tmp/compare.csv', 'utf8')), b = rows(new TextDecoder().decode(csv.data));
    const found = [];
    let same = 0;
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
        for (const name of Object.keys(a[i] ?? b[i])) {
            if (apart.test(name) || (a[i]?.[name] === '' && b[i]?.[name] === ''))
                continue;
            if (a[i]?.[name] === b[i]?.[name])
                same++;
            else
                found.push(`${i}:${name} ${a[i]?.[name]} -> ${b[i]?.[name]}`);
        }
    }
    equal += same;
    differ += found.length;
    console.log(lab, `status ${run.status}, ${seconds} s: ${same} equal`, found.length ? `DIFFER ${found.join('; ')}` : '');
}
console.log(`${equal} equal, ${differ} differ`);
