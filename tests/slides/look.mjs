/*
 * look.mjs OUTDIR [REPORT.html]: opens each deck in Chromium and looks at each
 * slide. Does all fit, can it be read, does the page load nothing and report no
 * error? The last two are asked of a student's report as well, if there is one.
 *
 * Exit codes: 0 all is well, 1 something is not, 2 no decks, 77 no browser.
 */
import { execSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LEAST_BODY = 26; /* pixels of a letter; code, footers and figures less */
const LEAST_CODE = 20;
const LEAST_FIGURE = 14;

const folder = resolve(process.argv[2] ?? 'build/slides');
const require = createRequire(resolve('slides/package.json'));

function findBrowser() {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
        try {
            return execSync(`command -v ${name}`, { encoding: 'utf8' }).trim();
        } catch {
            /* the next one */
        }
    }
    return null;
}

/* Runs in the page: what is wrong with the slide that is shown. */
function faultsOf({ body, code, figure }) {
    const section = document.querySelector('.bespoke-marp-active section') ??
        document.querySelector('section');
    const faults = [];
    /* The page is scaled to the window; lengths in pixels of a slide. */
    const outer = section.getBoundingClientRect();
    const scale = outer.width / 1280;
    const tell = (what, node) =>
        faults.push(`${what}: ${(node.textContent ?? '').trim().slice(0, 50)}`);

    if (section.scrollWidth > section.clientWidth + 1 ||
        section.scrollHeight > section.clientHeight + 1)
        faults.push('overflows');
    const footer = section.querySelector('footer')?.getBoundingClientRect();
    for (const node of section.querySelectorAll(':scope > *')) {
        const box = node.getBoundingClientRect();

        if (node.tagName === 'FOOTER') {
            if (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)
                tell('a footer that is cut', node);
            continue;
        }
        if (box.bottom > (footer?.top ?? outer.bottom) + 1)
            tell('reaches the footer', node);
        if (box.right > outer.right || box.left < outer.left)
            tell('wider than the slide', node);
    }
    for (const node of section.querySelectorAll('pre, td, p, li, h1'))
        if (node.scrollWidth > node.clientWidth + 1)
            tell('wider than its place', node);
    for (const node of section.querySelectorAll('p, li, td, th, pre')) {
        const size = parseFloat(getComputedStyle(node).fontSize);

        if (size < (node.tagName === 'PRE' ? code : body))
            tell(`letters of ${size} pixels`, node);
    }
    for (const picture of section.querySelectorAll('.picture > svg')) {
        const box = picture.getBoundingClientRect();

        if (box.height < 100 * scale)
            tell('a small picture', picture);
        for (const text of picture.querySelectorAll('text')) {
            const drawn = text.getBoundingClientRect();
            const size = parseFloat(text.getAttribute('font-size')) *
                text.getScreenCTM().a / scale;

            if (size < figure)
                tell(`letters of ${size.toFixed(1)} pixels in a figure`, text);
            if (drawn.left < box.left - 1 || drawn.right > box.right + 1 ||
                drawn.top < box.top - 1 || drawn.bottom > box.bottom + 1)
                tell('cut off in a figure', text);
        }
        for (const drawn of picture.querySelectorAll('rect')) {
            const edge = drawn.getBoundingClientRect();
            const view = picture.viewBox.baseVal.width *
                picture.getScreenCTM().a;
            const left = (box.left + box.right - view) / 2;

            if (edge.right > left + view + 1 || edge.left < left - 1)
                faults.push('a box is cut off in a figure');
        }
    }
    for (const font of ['28px "DejaVu Sans"', '20px "DejaVu Sans Mono"'])
        if (![...document.fonts].some(
            (f) => f.status === 'loaded' && font.includes(f.family.replaceAll('"', ''))))
            faults.push(`the font is not in the page: ${font}`);
    return faults;
}

/* A page that is open on the file, and a list that its faults go to: what the
   console says, and each request but that for the file. */
async function open(browser, path, faults) {
    const page = await browser.newPage();
    const url = pathToFileURL(path).href;

    await page.setViewport({ width: 1280, height: 720 });
    page.on('console', (m) => {
        if (['error', 'warn', 'warning'].includes(m.type()))
            faults.push(`console: ${m.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('request', (request) => {
        if (!request.url().startsWith('data:') &&
            request.url().split('#')[0] !== url)
            faults.push(`asks for ${request.url()}`);
    });
    await page.goto(url);
    await page.evaluate(() => document.fonts.ready);
    return page;
}

async function lookAt(browser, deck) {
    const faults = [];
    const page = await open(browser, `${folder}/${deck}`, faults);
    const slides = await page.evaluate(
        () => document.querySelectorAll('section').length);

    for (let i = 1; i <= slides; i++) {
        await page.evaluate((n) => { location.hash = `#${n}`; }, i);
        await page.evaluate(() => new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(done))));
        const found = await page.evaluate(faultsOf,
            { body: LEAST_BODY, code: LEAST_CODE, figure: LEAST_FIGURE });

        faults.push(...found.map((fault) => `slide ${i}: ${fault}`));
    }
    for (const href of await page.evaluate(
        () => [...document.querySelectorAll('section a[href]')].map((a) => a.href)))
        if (!href.startsWith('https://'))
            faults.push(`a link that leads nowhere: ${href}`);
    await page.close();
    return { slides, faults };
}

async function lookAtReport(browser, path) {
    const faults = [];
    const page = await open(browser, path, faults);
    const [body, wide, pictures] = await page.evaluate(() => [
        document.body.innerText.trim().length,
        document.documentElement.scrollWidth - innerWidth,
        [...document.images].filter((i) => i.naturalWidth === 0).length,
    ]);

    if (body === 0)
        faults.push('the page is empty');
    if (wide > 0)
        faults.push(`${wide} pixels wider than the window`);
    if (pictures > 0)
        faults.push(`${pictures} pictures are not shown`);
    await page.close();
    return faults;
}

const executablePath = findBrowser();

if (!executablePath) {
    console.log('slides: not looked at, Chromium is not installed');
    process.exit(77);
}
const decks = readdirSync(folder).filter((name) => name.endsWith('.html')).sort();

if (decks.length === 0) {
    console.error(`look.mjs: no decks in ${folder}: make slides`);
    process.exit(2);
}
const { default: puppeteer } = await import(
    pathToFileURL(require.resolve('puppeteer-core')).href);
/* Chromium's sandbox does not work for root. */
const browser = await puppeteer.launch({
    executablePath,
    pipe: true,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
let looked = 0;
let wrong = 0;

for (const deck of decks) {
    const { slides, faults } = await lookAt(browser, deck);

    looked += slides;
    wrong += faults.length;
    for (const fault of faults)
        console.log(`FAIL  ${deck}: ${fault}`);
}
const report = process.argv[3];

if (report && existsSync(report)) {
    const faults = await lookAtReport(browser, resolve(report));

    wrong += faults.length;
    for (const fault of faults)
        console.log(`FAIL  ${report}: ${fault}`);
    console.log(`${faults.length ? 'FAIL' : 'PASS'}  ${report}: looked at, ` +
        `${faults.length} faults`);
} else if (report) {
    console.log(`skipped: ${report} is not there (make report)`);
}
await browser.close();
console.log(`${wrong ? 'FAIL' : 'PASS'}  slides: ${looked} slides of ` +
    `${decks.length} decks looked at, ${wrong} faults`);
process.exit(wrong ? 1 : 0);
