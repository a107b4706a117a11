/* visit.mjs: what a first visit of lab 03 fetches and when its handout can be
   read, when Check can answer at once, when all is kept; and the same of a visit
   without a network. BROWSER=firefox asks another browser. */
import { open } from './browser.mjs';

const browser = await open(process.env.BROWSER || 'chromium', process.argv[2] || 'build/site');
const MB = 1e6, { tab, sent } = browser;
const total = files => (files.reduce((sum, { bytes }) => sum + bytes, 0) / MB).toFixed(1);
let begun, before = 0;

function told(what) {
    console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s, ${total(sent.slice(before))} MB sent so far`);
}

async function visited() {
    begun = performance.now();
    before = sent.length;
    await tab.goto(`${browser.base}/03.html`, { waitUntil: 'domcontentloaded' });
    await tab.waitForSelector('h1');
    told('the handout can be read');
    await tab.waitForSelector('.cm-content');
    told('the program can be edited');
    await tab.waitForFunction(() => document.querySelector('.word').textContent !== '');
    await tab.waitForFunction(() => document.querySelector('.word').textContent === '');
    told('the compiler has compiled');
}

console.log('First visit');
await visited();
await tab.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
told('all is kept');
const twice = sent.filter(({ bytes }) => bytes > 0).map(({ url }) => url).filter((url, i, all) => all.indexOf(url) < i);
console.log(`${sent.length} files, ${twice.length} of them sent again: ${twice.join(' ')}`);
console.log(sent.filter(({ bytes }) => bytes > MB / 2).map(({ url, bytes }) => `${url} ${(bytes / MB).toFixed(1)}`).join(', '));
await browser.cut();
console.log('A visit without a network');
await visited();
await browser.close();
