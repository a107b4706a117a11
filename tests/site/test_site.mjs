/*
 * test_site.mjs: does the site of build/site say in a browser what the console
 * says, without a network, below any folder of a host, to all? Prints TAP.
 *
 * With SITE=all in the environment each solution that the CPU device can run,
 * also its counters, each wrong lab with "when: why" (tests/corpus/case.h) and those
 * that do not end, in Chromium and in Firefox, and each page in three looks.
 * With words in the place of all, as SITE="solutions/07 mutants/03_no", the tests
 * whose names have one of them; a word with + in it, as firefox+solutions/, is
 * several that must all be there. What must differ stands in differences.csv, with
 * the reason.
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

/* The browser that is open, and what was compared in it: {kind: {equal, listed,
   different}}. */
let browser = null;
const compared = {};

/* A test that has not ended after so many seconds has failed. */
const CASE_SECONDS = 600;

const limited = doing => {
    let timer;
    const late = new Promise((_, failed) => {
        timer = setTimeout(() => failed(new Error(`it has not ended after ${CASE_SECONDS} s`)), CASE_SECONDS * 1000);
    });
    return Promise.race([doing, late]).finally(() => clearTimeout(timer));
};

const isAsked = name => ASKED.length === 0 || ALL || ASKED.some(asked => asked.split('+').every(word => name.includes(word)));

/* Runs a test. The next one has another browser if this one has failed: what hangs
   there is no cause of others. */
async function test(name, act) {
    if (!isAsked(name))
        return;
    const begun = performance.now();
    try {
        await limited(act());
        console.log(`ok ${++tests} ${name}`);
    } catch (error) {
        console.log(`${error.message.replace(/^/gm, '# ')}\nnot ok ${++tests} ${name}`);
        browser &&= await browser.anew();
    }
    console.log(`# ${((performance.now() - begun) / 1000).toFixed(1)} s`);
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
process.on('SIGTERM', () => process.exit(143)); /* puppeteer ends the browser alone */

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

/* The words of a run, but for its times and for what to type or press next; for how
   many accesses were looked at, which are a compiler's; for the rounding of lab 14,
   whose parts are added in any order; and for where a loop without an end was met. */
function words(text, of) {
    return text.replace(/\x1b\[[\d;]*m/g, '').split(/^Next: /m)[0]
        .replace(/^.* took .* ms.*\n/gm, '').replace(/\(CPU device, \d+ cores?\)/g, '(CPU device)')
        .replace(/[\d.e+]+ (ms|GFLOP\/s|GB\/s)|\([\d.e+]+ to [\d.e+]+, \d+ runs?\)/g, 'TIME')
        .replace(/none in [\d,]+ accesses/g, 'none').replace(/max error \S+ (?=of)/g, error => of.lab.startsWith('14') ? '' : error)
        .replaceAll(of.source, of.shown).replaceAll(path.basename(of.source), path.basename(of.shown)).replace(/\s+/g, ' ')
        .replace(/:\d+: kernel that does not end thread \S+ of block \S+ goes round in lines? \d+( to \d+)?(.* In kernel \w+\.).* Seen at/,
            ': kernel that does not end: a thread where it was met$2 Seen at')
        .replace(/it goes round in lines? \d+( to \d+)?/g, 'it goes round where it was met').trim();
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
    expect(fs.existsSync(of.program), `${of.program} is not there: make test WHAT=site builds it`);
    const asked = console_(of, button !== 'Check');

    await browser.at(of.page);
    await browser.write(fs.readFileSync(of.source, 'utf8'));
    const said = await browser.press(button);
    let there = words(await asked, of);
    const here = words(said, of);
    const sums = compared[browser.kind] ||= { equal: 0, listed: 0, different: 0 };
    const listed = differences.filter(([name]) => name === of.name || button !== 'Check' && name === `all numbers/${of.lab}`);

    sums.different++; /* until it is known */
    for (const [, theirs, ours] of listed) {
        expect(there.includes(theirs) && here.includes(ours),
            `differences.csv: ${of.name} no longer differs: ${theirs}, ${ours}`);
        there = there.replaceAll(theirs, ours);
    }
    expect(agree(there, here), parting(there, here));
    sums.different--;
    sums[listed.length > 0 ? 'listed' : 'equal']++;
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

/* The most that a first visit may fetch, as INSTRUCTORS.md has it. */
const MOST_MB = 36;

/* After a visit of a page, for which nothing is fetched twice, there is no network
   any more. */
async function keeps_all(browser) {
    const before = browser.sent.length;

    await browser.visit('a/b/03.html');
    await browser.tab.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller)
            await new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done));
    });
    const sent = browser.sent.slice(before).filter(({ bytes }) => bytes > 0);
    const twice = sent.map(({ url }) => url).filter((url, i, all) => all.indexOf(url) < i);
    const mb = sent.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;

    await browser.cut();
    await browser.visit('a/b/index.html');
    expect(twice.length === 0, `sent twice: ${twice.join(' ')}`);
    expect(mb > MOST_MB / 2 && mb < MOST_MB, `${mb.toFixed(1)} MB were sent`);
}

/* --- memory and time ------------------------------------------------------- */

/* The compiler has compiled what stands in the editor. */
async function warm({ tab }) {
    await tab.waitForSelector('.cm-content');
    for (const is of [true, false])
        await tab.waitForFunction(is => (document.querySelector('.word').textContent !== '') === is, {}, is);
}

/* A page that was left has no workers, which hold half a GB, and begins anew when
   one comes back. */
async function holds_nothing(browser) {
    const devtools = await browser.tab.browser().target().createCDPSession();
    const workers = async () => (await devtools.send('Target.getTargets', { filter: [{}] }))
        .targetInfos.filter(({ type, url }) => type === 'worker' && url.includes('/a/b/')).length;

    await browser.visit('a/b/03.html');
    await warm(browser);
    expect(await workers() > 0, 'the page has no worker');
    await browser.visit('a/b/index.html');
    expect(await workers() === 0, `${await workers()} workers of the page are left`);
    await browser.tab.goBack();
    expect(/^PASS/m.test(await solved(browser)), 'the page does not check after Back');
}

async function solved(browser, more = '') {
    await browser.write(fs.readFileSync('solutions/03_tiling/tiling.cu', 'utf8') + more);
    return browser.press('Check');
}

/* The field takes what stands behind make, and says what is no setting. */
async function takes_settings(browser) {
    const set = text => browser.tab.$eval('.bar input', (field, text) => { field.value = text; }, text);

    await browser.visit('a/b/03.html');
    await set('M=64 N=64 K=64');
    const said = await solved(browser);
    expect(said.includes('C is right at 64 x 64 x 64, the one size that was asked for'), `it says: ${said}`);
    await set('SIZE=64');
    const refused = await browser.press('Check');
    await set('');
    expect(refused.startsWith('There is no setting SIZE: use M, N, K'), `it says: ${refused}`);
}

/* Stop ends a run, and the next one is whole. */
async function stops(browser) {
    await browser.visit('a/b/03.html');
    await browser.write(fs.readFileSync('solutions/03_tiling/tiling.cu', 'utf8').replace('col < n)', 'col < n) for (;;)'));
    const said = browser.press('Check');
    await browser.tab.waitForFunction(() => document.querySelector('.word').textContent === 'Running');
    await browser.press('Stop');
    expect(/stopped$/.test((await said).trim()), `it says: ${await said}`);
    expect(/^PASS/m.test(await solved(browser)), 'the page does not check after Stop');
}

/* All the memory is taken that a tab can have for programs, and what its workers give
   back. */
async function tells_of_memory(kind) {
    const browser = await open(kind, served);

    await browser.visit('a/b/03.html');
    await warm(browser);
    await browser.tab.evaluate(() => {
        const taken = globalThis.taken = [];
        const take = () => {
            try {
                for (;;)
                    taken.push(new WebAssembly.Memory({ initial: 1, maximum: 65536 }));
            } catch {
                /* that was all */
            }
        };
        take();
        setInterval(take, 50);
    });
    const said = await solved(browser, '/* anew */\n');
    await browser.close();
    expect(said.includes('This tab has run out of memory: close other tabs, load this page again'), `it says: ${said}`);
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
        found.push(...browser.errors().map(what => `${scheme}, ${width}: the page reports ${what}`));
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

const quick = /^IN_PAGE := (.*)/m.exec(fs.readFileSync('build/tests.mk', 'utf8'))[1].trim().split(' ').map(name => `mutants/${name}`);
const onCpu = labs.filter(lab => fs.readFileSync(`${SITE}/${lab.slice(0, 2)}.html`, 'utf8').includes('id="data"')).map(lab => `solutions/${lab}`);
const first = ['solutions/03_tiling', 'mutants/03_no_first_barrier'];
const whole = ASKED.length > 0, all = [...onCpu, ...quick];
const started = { chromium: whole ? all : first, firefox: whole ? all : [] };

for (const kind of ['chromium', 'firefox']) {
    if (started[kind].length === 0)
        continue;
    if (missing(kind)) {
        skip(`the site in ${kind}`, missing(kind));
        continue;
    }
    laySites.done ||= (laySites(), true);
    browser = await open(kind, served);

    /* All that is quick is tried without a network. */
    if (ASKED.length === 0)
        await test(`the network goes in ${kind}`, () => keeps_all(browser));
    for (const name of started[kind])
        await test(`${name} in ${kind}`, () => same(browser, caseOf(name)));
    for (const name of whole && kind === 'chromium' ? onCpu : [])
        await test(`all numbers of ${name} in ${kind}`, () => same(browser, caseOf(name), 'All numbers'));
    if (kind === 'chromium') {
        const pages = whole ? fs.readdirSync(SITE).filter(file => file.endsWith('.html')) : ['03.html', 'index.html'];
        for (const page of pages)
            await test(`axe on ${page}`, () => accessible(browser, `a/b/${page}`, whole ? LOOKS : LOOKS.slice(0, 1)));
        await browser.tab.setViewport({ width: 1280, height: 800 });
        await test('an older browser is told so', () => tells_an_older_browser(browser));
        await test('a page that is left holds nothing', () => holds_nothing(browser));
    }
    await test(`settings in ${kind}`, () => takes_settings(browser));
    await test(`Stop in ${kind}`, () => stops(browser));
    await test(`a tab without memory in ${kind}`, () => tells_of_memory(kind));
    if (whole) {
        browser = await browser.anew(); /* a first visit */
        await test(`the network goes in ${kind}`, () => keeps_all(browser));
        await test(`without a network in ${kind}`, () => same(browser, caseOf(first[0])));
    }
    await browser.close();
    browser = null;
}
for (const [kind, { equal, listed, different }] of Object.entries(compared))
    console.log(`# ${kind}: ${equal} as on the console, ${listed} as differences.csv has it, ${different} otherwise`);
/* The live pictures beside the programs that they call, and in Chromium. */
for (const script of ASKED.length > 0 ? ['live.mjs', 'live_page.mjs'] : []) {
    await test(script, () => new Promise((done, failed) => execFile(process.execPath, [`tests/site/${script}`, SITE],
        { encoding: 'utf8' }, (error, out, said) => error ? failed(new Error(out + said)) : done())));
}
/* Lab 01 has no kernel to count. */
for (const name of ASKED.length > 0 ? onCpu.slice(1) : [])
    await test(`counters of ${name}`, () => counts_the_same(path.basename(name)));
console.log(`1..${tests}`);
