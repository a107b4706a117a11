/*
 * agreement.mjs OUT.csv SHARE SHARES NAME...: does clang's WebAssembly of a lab
 * count what g++'s program counts? A line for each counter of each NAME, which is
 * solutions/03_tiling or mutants/03_...: native value, value in WebAssembly, under
 * Node. It takes every SHARES-th name, from SHARE on. Needs build/site.wasm
 * and the names' -analyse programs in build/cpu.
 */
import fs from 'node:fs';
import { counters } from './counters.mjs';

const [out, share, shares, ...names] = process.argv.slice(2);
const lines = [];

for (const name of names.filter((_, i) => i % +shares === +share)) {
    let all;
    try {
        all = await counters(name);
    } catch (error) {
        all = [{ row: 0, column: 'error', native: '', here: error.message.split('\n')[0].slice(0, 100) }];
    }
    lines.push(...all.map(({ row, column, native, here }) => [name, row, column, native, here].map(value =>
        /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value).join()));
    fs.writeFileSync(`${out}.part`, `name,row,column,native,wasm\n${lines.join('\n')}\n`);
}
fs.renameSync(`${out}.part`, out);
