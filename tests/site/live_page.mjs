/* live_page.mjs SITE [BROWSER]: do the live pictures work in a page: by keys, with
   Play and Stop, without scripts, at 390 px, dark and light; and does axe-core
   find nothing? BROWSER: /usr/bin/chromium, or /usr/bin/firefox-esr. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { serve } from '../../common/site/serve.mjs';
import { pictures } from '../../common/site/live/live.mjs';

const [site, browserPath = '/usr/bin/chromium'] = process.argv.slice(2);
const require = createRequire(new URL('../../common/site/package.json', import.meta.url));
const { default: puppeteer } = await import(require.resolve('puppeteer-core'));
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const isFirefox = /firefox/.test(browserPath);
const browser = await puppeteer.launch({ executablePath: browserPath, browser: isFirefox ? 'firefox' : 'chrome',
    args: isFirefox ? [] : ['--no-sandbox'] });
const server = await serve(site);
const at = `http://127.0.0.1:${server.address().port}`;
let passed = 0, failed = 0;

function holds(what, is) {
    if (is)
        passed++;
    else {
        failed++;
        console.log(`FAIL ${what}`);
    }
}
const later = ms => new Promise(done => setTimeout(done, ms));

async function open(lab, width, scheme, scripts = true) {
    const page = await browser.newPage();
    page.errors = [];
    page.on('pageerror', error => page.errors.push(error.message));
    if (!scripts)
        await page.setJavaScriptEnabled(false);
    await page.setViewport({ width, height: 900 });
    if (!isFirefox)
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(`${at}/${lab}.html`, { waitUntil: 'domcontentloaded' });
    return page;
}

/* What the picture says now, in time. */
const says = (page, figure) => page.$eval(`${figure} [role=status]`, status => status.textContent);
async function changes(page, figure, before) {
    for (let i = 0; i < 30; i++, await later(100)) {
        const now = await says(page, figure);
        if (now !== before)
            return now;
    }
    return before;
}

/* By the keys of the drawing, or of the first slider where nothing is stepped
   through. */
async function byKeys(page, figure, name) {
    const what = name === 'limits' ? `${figure} input` : `${figure} .drawing`;
    const before = await says(page, figure);
    await page.focus(what);
    await page.keyboard.press('ArrowRight');
    const after = await changes(page, figure, before);
    holds(`${name}: arrow right`, after !== before);
    await page.keyboard.press('ArrowLeft');
    holds(`${name}: arrow left`, await changes(page, figure, after) === before);
    if (name === 'limits')
        return;
    const [play] = await page.$$(`${figure} .bar button:nth-child(3)`);
    await play.focus();
    await page.keyboard.press('Enter');
    const first = await changes(page, figure, before);
    holds(`${name}: Play goes on`, first !== before);
    holds(`${name}: Play is Stop now`, await play.evaluate(button => button.textContent) === 'Stop');
    await page.keyboard.press('Enter');
    const stopped = await says(page, figure);
    await later(1600);
    holds(`${name}: Stop stops`, await says(page, figure) === stopped && await play.evaluate(button => button.textContent) === 'Play');
}

for (const [name, { labs }] of Object.entries(pictures)) {
    for (const [i, lab] of Object.keys(labs).entries()) {
        const figure = `[data-picture=${name}]`;
        for (const [width, scheme] of i === 0 ? [[1280, 'light'], [390, 'dark']] : [[390, 'light']]) {
            const page = await open(lab, width, scheme);
            await page.waitForSelector(`${figure} svg`, { timeout: 20000 });
            if (width === 1280)
                await byKeys(page, figure, name);
            holds(`${name} in ${lab}: as wide as the page`, await page.evaluate(() => document.documentElement.scrollWidth) <= width);
            holds(`${name} in ${lab}: the drawing has words`, await page.$eval(`${figure} svg`, svg => svg.getAttribute('aria-label').length > 20));
            holds(`${name} in ${lab}: ${page.errors}`, page.errors.length === 0);
            if (i > 0) {
                await page.close();
                continue;
            }
            await page.evaluate(axe);
            const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`));
            holds(`${name} in ${lab}, ${scheme}: axe-core finds ${found}`, found.length === 0);
            await page.close();
        }
    }
    if (isFirefox)
        continue;
    const lab = Object.keys(labs)[0];
    const still = await open(lab, 390, 'light', false);
    const html = await still.content();
    holds(`${name}: words without scripts`, new RegExp(`data-picture="${name}"[^]*?<pre[^>]*>[^<]{100}`).test(html));
    await still.close();
}
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
