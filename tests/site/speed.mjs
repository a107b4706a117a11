/* speed.mjs [LAB...]: seconds from an edit to the verdict of a solution, in
   Chromium, page warm: each of five runs with its steps, and the median. */
import fs from 'node:fs';
import { loadavg } from 'node:os';
import { open } from './browser.mjs';

const RUNS = +process.env.RUNS || 5;
const browser = await open(process.env.BROWSER || 'chromium', 'build/site');

for (const lab of process.argv.length > 2 ? process.argv.slice(2) : ['03', '13']) {
    const folder = fs.readdirSync('solutions').find(name => name.startsWith(lab));
    const code = fs.readFileSync(`solutions/${folder}/${folder.slice(3)}.cu`, 'utf8');
    const all = [];

    await browser.visit(`${lab}.html`);
    await browser.write(code);
    await browser.press('Check');
    await browser.tab.evaluate(() => {
        globalThis.steps = [];
        new MutationObserver(() => globalThis.steps.push([performance.now(), document.querySelector('.word').textContent]))
            .observe(document.querySelector('.word'), { childList: true, characterData: true, subtree: true });
    });
    for (let run = 0; run < RUNS; run++) {
        await browser.write(`${code}/* ${run} */\n`);
        await browser.tab.evaluate(() => { globalThis.steps.length = 0; });
        const begun = performance.now();
        const said = await browser.press('Check');
        all.push((performance.now() - begun) / 1000);
        const steps = await browser.tab.evaluate(() => globalThis.steps);
        console.log(lab, all.at(-1).toFixed(1), /^(PASS|FAIL)/m.exec(said)?.[0], 'load', loadavg()[0].toFixed(1),
            steps.slice(0, -1).map(([at, name], i) => `${name || '-'} ${Math.round(steps[i + 1][0] - at)}`).join(', '));
    }
    console.log(lab, 'median', all.sort((a, b) => a - b)[RUNS >> 1].toFixed(1), 's');
}
await browser.close();
