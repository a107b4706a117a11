/*
 * test_site.mjs: does the site of build/site say in a browser what the console
 * says, without a network, below any folder of a host, to all? Prints TAP.
 *
 * With SITE=all in the environment each solution that the CPU device can run,
 * also its counters, and each wrong lab with "when: why" (tests/corpus/case.h), in
 * Chromium and in part in Firefox, and each page in three looks. With names in the place of all, as
 * SITE="solutions/07 mutants/03_no", those that begin so alone. Words that differ
 * stand in differences.csv, with the reason.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { missing, open } from './browser.mjs';
import { counters } from './counters.mjs';

const ASKED = (process.env.SITE || '').split(' ').filter(Boolean);
const ALL = ASKED[0] === 'all';
const SITE = 'build/site';
let tests = 0;

/* --- TAP ------------------------------------------------------------------- */

function skip(name, why) {
    console.log(`# skipped: ${why}\nnot ok ${++tests} ${name} # SKIP`);
}

async function test(name, act) {
    try {
        await act();
        console.log(`ok ${++tests} ${name}`);
    } catch (error) {
        console.log(`${error.message.replace(/^/gm, '# ')}\nnot ok ${++tests} ${name}`);
    }
}

function expect(is, words) {
    if (!is)
        throw new Error(words);
}

/* --- two sites ------------------------------------------------------------- */

/* The site below a/b, and once more with the sizes at which wrong labs are run
   (tests/tests.mk), in a folder that goes when this program ends. */
const served = fs.mkdtempSync(path.join(os.tmpdir(), 'test_site.'));
process.on('exit', () => fs.rmSync(served, { recursive: true }));

function lay(folder, changed = {}) {
    fs.mkdirSync(path.join(served, folder), { recursive: true });
    for (const name of fs.readdirSync(SITE)) {
        const to = path.join(served, folder, name);
        if (name in changed)
            fs.writeFileSync(to, changed[name]);
        else
            fs.symlinkSync(path.resolve(SITE, name), to);
    }
}

function laySites() {
    lay('a/b');
    if (ASKED.length === 0)
        return;
    const course = JSON.parse(fs.readFileSync(`${SITE}/course.json`, 'utf8'));

    course['labs/INDEX'] = fs.readFileSync('build/cpu/small/labs/INDEX', 'utf8');
    lay('small', { 'course.json': JSON.stringify(course) });
}

/* --- the console and a page ------------------------------------------------ */

const labs = fs.readdirSync('solutions').filter(name => /^\d\d_/.test(name)).sort();

/* A case is solutions/03_tiling or mutants/03_...: its source, and how it is called
   in the page; its page; its program. Where all are tried, the wrong ones are small. */
function caseOf(name) {
    const lab = labs.find(folder => folder.startsWith(name.split('/')[1].slice(0, 2)));
    const file = `${lab.slice(3)}.cu`;
    const wrong = name.startsWith('mutants/'), small = wrong && ASKED.length > 0;

    return { name, lab, source: wrong ? `build/${name}.cu` : `${name}/${file}`, shown: `labs/${lab}/${file}`,
        page: `${small ? 'small' : 'a/b'}/${lab.slice(0, 2)}.html`, program: `build/cpu/${small ? 'small/' : ''}${name}` };
}

/* What make lab-NN says of it. */
function console_(of, verbose) {
    return new Promise(done => execFile('build/tools/check', [`page/${of.lab}`, of.program, `${of.program}-analyse`, '',
        verbose ? '--verbose' : ''], { encoding: 'utf8' }, (error, out, said) => done(out + said)));
}

/* The words of a run, but for its time and for what to type or press next. */
function words(text, of) {
    return text.replace(/\x1b\[[\d;]*m/g, '').split(/^Next: /m)[0]
        .replace(/^.* took .* ms.*\n/gm, '').replace(/\(CPU device, \d+ cores?\)/g, '(CPU device)')
        .replaceAll(of.source, of.shown).replaceAll(path.basename(of.source), path.basename(of.shown)).replace(/\s+/g, ' ').trim();
}

/* Are they the same, but for the ends of lines that were cut short? A wrong lab has
   another name on the console, and room for more or less of a line. */
function agree(a, b) {
    const goes = (text, cut) => new RegExp(`^${cut.split('...').map(part =>
        part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.{0,60}?')}$`).test(text);
    return a === b || (a.includes('...') && goes(b, a)) || (b.includes('...') && goes(a, b));
}

/* Where two texts part. */
function parting(a, b) {
    let at = 0;
    while (at < a.length && a[at] === b[at])
        at++;
    const from = Math.max(0, at - 60);
    return `console: ...${a.slice(from, at + 160)}\npage:    ...${b.slice(from, at + 160)}`;
}

const differences = fs.readFileSync('tests/site/differences.csv', 'utf8').trim().split('\n')
    .filter(line => !line.startsWith('#')).slice(1)
    .map(line => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain));

/* A run in the page beside the same on the console. */
async function same(browser, of, button = 'Check') {
    expect(fs.existsSync(of.program), `${of.program} is not there: make test WHAT=all builds it`);
    const asked = console_(of, button !== 'Check');

    await browser.at(of.page);
    await browser.write(fs.readFileSync(of.source, 'utf8'));
    const said = await browser.press(button);
    let there = words(await asked, of);
    const here = words(said, of);

    for (const [, theirs, ours] of differences.filter(([name]) => name === of.name)) {
        expect(there.includes(theirs) && here.includes(ours),
            `differences.csv: ${of.name} no longer differs: ${theirs}, ${ours}`);
        there = there.replaceAll(theirs, ours);
    }
    expect(agree(there, here), parting(there, here));
    const named = new RegExp(`${path.basename(of.shown)}:\\d`).test(here);
    const marked = await browser.tab.$$eval('.cm-found', lines => lines.length);
    expect(!named || marked > 0, 'no line is marked in the editor');
    expect(await browser.tab.$eval('#old', old => old.hidden), 'it says that this browser is too old');
    expect(browser.errors().length === 0, 'the page reports errors');
}

/* The counters of a solution, row by row. */
async function counts_the_same(lab) {
    const known = differences.filter(([name]) => name === `counters/${lab}`).map(([, column]) => column);
    const all = await counters(`solutions/${lab}`);
    const differ = all.filter(({ native, here }) => native !== here);
    const found = differ.filter(({ column }) => !known.includes(column));
    const gone = known.filter(column => !differ.some(one => one.column === column));

    expect(all.length > 0, 'nothing was counted');
    expect(found.length === 0, found.map(({ row, column, native, here }) => `${row}: ${column} ${native}, here ${here}`).join('\n'));
    expect(gone.length === 0, `differences.csv: no longer differ: ${gone}`);
}

/* --- without a network ----------------------------------------------------- */

/* After a visit of the first page there is no network any more. */
async function keeps_all(browser) {
    await browser.visit('a/b/index.html');
    await browser.tab.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller)
            await new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done));
    });
    await browser.cut();
    await browser.visit('a/b/index.html');
}

/* --- to all ---------------------------------------------------------------- */

const LOOKS = [['light', 1280], ['dark', 1280], ['light', 390]];

/* Has axe-core nothing to say, and is all as wide as the window? */
async function accessible(browser, page, looks) {
    const axe = fs.readFileSync(createRequire(path.resolve('common/site/package.json')).resolve('axe-core/axe.min.js'), 'utf8');
    const found = [];

    for (const [scheme, width] of looks) {
        await browser.tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await browser.tab.setViewport({ width, height: 800 });
        await browser.at(page);
        await browser.tab.evaluate(axe);
        const { wide, violations } = await browser.tab.evaluate(async () => ({
            wide: document.documentElement.scrollWidth > innerWidth,
            violations: (await globalThis.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 100)}`) }));
        found.push(...violations.map(what => `${scheme}, ${width}: ${what}`));
        if (wide)
            found.push(`${scheme}, ${width}: wider than the window`);
    }
    expect(found.length === 0, found.join('\n'));
}

async function tells_an_older_browser(browser) {
    const script = await browser.tab.evaluateOnNewDocument(() => { delete globalThis.WebAssembly; });

    await browser.visit('a/b/03.html');
    const told = await browser.tab.$eval('#old', old => (old.hidden ? '' : old.innerText) + old.querySelector('a').getAttribute('href'));
    await browser.tab.removeScriptToEvaluateOnNewDocument(script.identifier);
    expect(/too old .*WebAssembly.*machines\.html/.test(told.replaceAll('\n', ' ')), `the page says: ${told}`);
}

/* --- all of it ------------------------------------------------------------- */

const quick = fs.readdirSync('tests/corpus/labs').filter(file => file.endsWith('.edits')).sort().flatMap(file =>
    [...fs.readFileSync(`tests/corpus/labs/${file}`, 'latin1').matchAll(/^case: (\S+)(?:\n(?!case: ).*)*?\nwhen: .*why/gm)]
        .map(([, name]) => `mutants/${name}`));
const onCpu = labs.filter(lab => fs.existsSync(`build/cpu/solutions/${lab}-analyse`)).map(lab => `solutions/${lab}`);
const first = ['solutions/03_tiling', 'mutants/03_no_first_barrier'];
const started = { chromium: ALL ? [...onCpu, ...quick] : ASKED.length === 0 ? first
    : [...onCpu, ...quick].filter(name => ASKED.some(asked => name.startsWith(asked))),
firefox: ALL ? [...onCpu, ...quick.filter((name, i) => i % 8 === 0)] : [] };

for (const kind of ['chromium', 'firefox']) {
    if (started[kind].length === 0)
        continue;
    if (missing(kind)) {
        skip(`the site in ${kind}`, missing(kind));
        continue;
    }
    laySites.done ||= (laySites(), true);
    const browser = await open(kind, served);

    /* All that is quick is tried without a network. */
    if (ASKED.length === 0)
        await test(`the network goes in ${kind}`, () => keeps_all(browser));
    for (const name of started[kind])
        await test(`${name} in ${kind}`, () => same(browser, caseOf(name)));
    if (ALL && kind === 'chromium') {
        for (const name of onCpu)
            await test(`all numbers of ${name} in ${kind}`, () => same(browser, caseOf(name), 'All numbers'));
    }
    if (ASKED.length > 0 && !ALL) {
        await browser.close();
        continue;
    }
    if (kind === 'chromium') {
        const pages = ALL ? fs.readdirSync(SITE).filter(file => file.endsWith('.html')) : ['03.html', 'index.html'];
        for (const page of pages)
            await test(`axe on ${page}`, () => accessible(browser, `a/b/${page}`, ALL ? LOOKS : LOOKS.slice(0, 1)));
        await browser.tab.setViewport({ width: 1280, height: 800 });
        await test('an older browser is told so', () => tells_an_older_browser(browser));
    }
    if (ALL) {
        await test(`the network goes in ${kind}`, () => keeps_all(browser));
        await test(`without a network in ${kind}`, () => same(browser, caseOf(first[0])));
    }
    await browser.close();
}
/* The live pictures beside the programs that they call, and in Chromium. */
for (const script of ALL ? ['live.mjs', 'live_page.mjs'] : []) {
    await test(script, () => new Promise((done, failed) => execFile(process.execPath, [`tests/site/${script}`, SITE],
        { encoding: 'utf8' }, (error, out, said) => error ? failed(new Error(out + said)) : done())));
}
/* Lab 01 has no kernel to count. */
for (const name of ALL ? onCpu.slice(1) : [])
    await test(`counters of ${name}`, () => counts_the_same(path.basename(name)));
console.log(`1..${tests}`);
