/* A site in a browser, used as a student uses it: a page is opened, a program
   is put into the editor, a button is pressed, and what the terminal says is
   read. Run in the course's folder. */
import { execSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { serve } from '../../common/site/serve.mjs';

const require = createRequire(resolve('common/site/package.json'));
const NAMES = { chromium: ['chromium', 'chromium-browser', 'google-chrome'], firefox: ['firefox-esr', 'firefox'] };

/* ms, for what a page does: longer than a check may take on a loaded machine, and
   shorter than a case (test_site.mjs). */
const LONGEST = 540000;

function pathOf(kind) {
    for (const name of NAMES[kind]) {
        try {
            return execSync(`command -v ${name}`, { encoding: 'utf8' }).trim();
        } catch {
            /* the next one */
        }
    }
    return null;
}

/* What is missing to open a browser, "chromium" or "firefox"; '': nothing. */
export function missing(kind) {
    if (!fs.existsSync('common/site/node_modules/puppeteer-core'))
        return 'the packages of common/site are not installed: make deps site';
    return pathOf(kind) ? '' : `${kind} is not installed`;
}

/* Opens it on a folder that is served. */
export async function open(kind, folder) {
    const server = await serve(folder);
    const base = `http://127.0.0.1:${server.address().port}`;
    const { default: puppeteer } = await import(require.resolve('puppeteer-core'));
    const browser = await puppeteer.launch({ browser: kind === 'firefox' ? 'firefox' : 'chrome',
        executablePath: pathOf(kind), headless: true, protocolTimeout: LONGEST,
        args: kind === 'chromium' ? ['--no-sandbox'] : [] });
    const tab = await browser.newPage();
    const errors = [], sent = [];

    server.on('request', ({ url }, answer) => answer.on('close', () =>
        sent.push({ url, bytes: answer.statusCode === 200 ? fs.statSync(folder + url.replace(/\/$/, '/index.html')).size : 0 })));
    tab.on('pageerror', error => errors.push(error.message));
    tab.setDefaultTimeout(LONGEST);
    await tab.setViewport({ width: 1280, height: 800 });

    return {
        kind,
        tab,
        base,

        /* {url, bytes} of each file that was sent to it. */
        sent,

        /* What went wrong in the pages since it was asked. */
        errors: () => errors.splice(0),

        /* Goes to a page of the folder, as "a/b/03.html"; stays where it is there. */
        at: page => tab.url() === `${base}/${page}` || tab.goto(`${base}/${page}`),
        visit: page => tab.goto(`${base}/${page}`),

        /* Puts a program into the editor, by a paste over all that is there. */
        async write(code) {
            await tab.focus('.cm-content');
            await tab.keyboard.down('Control');
            await tab.keyboard.press('a');
            await tab.keyboard.up('Control');
            await tab.evaluate(text => {
                const held = new DataTransfer();
                const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });

                held.setData('text/plain', text);
                Object.defineProperty(event, 'clipboardData', { value: held });
                document.querySelector('.cm-content').dispatchEvent(event);
            }, code);
        },

        /* Presses a button by its words, and waits for the end. Returns what
           the terminal says then. */
        async press(words) {
            const could = await tab.evaluate(name => {
                const button = [...document.querySelectorAll('.bar button')].find(button => button.textContent === name);
                const could = !button.disabled;
                button.click();
                return could;
            }, words);
            if (!could)
                throw new Error(`${words} cannot be pressed: the run before has not ended`);
            await tab.waitForFunction(() => !document.querySelector('.bar button.first').disabled).catch(async error => {
                throw new Error(`${error.message}: ${await tab.evaluate(() => document.querySelector('.work').innerText)}`);
            });
            return tab.evaluate(() => document.querySelector('.terminal').textContent);
        },

        /* The server ends; the browser goes on. */
        cut() {
            server.closeAllConnections();
            return new Promise(done => server.close(done));
        },

        async close() {
            await browser.close();
            server.closeAllConnections();
            server.close();
        },

        /* Ends one that may hang. Returns another one, on the same folder. */
        async anew() {
            browser.process().kill('SIGKILL');
            server.closeAllConnections();
            server.close();
            return open(kind, folder);
        },
    };
}
