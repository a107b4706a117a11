/*
 * pages.mjs OUT FROM PACKAGE...: writes the pages of the site from the texts in
 * FROM, what students are given: a page for each lab, warm-up, exercise and text,
 * and course.json, what the worker needs of the course's files. The site carries
 * these packages of npm. Run in the course's folder. SITE_COURSE, SITE_UNIVERSITY
 * and SITE_LOGO are COURSE, UNIVERSITY and LOGO of config.mk.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { escaped, withoutComments } from '../../slides/text.mjs';
import { licences } from './licences.mjs';
import { pictures as live } from './live/live.mjs';
import { program } from './live/shared.mjs';

const out = path.resolve(process.argv[2]);
const logo = process.env.SITE_LOGO && path.resolve(process.env.SITE_LOGO);
if (logo && !fs.existsSync(logo)) {
    console.error(`site: LOGO: there is no file ${logo}`);
    process.exit(2);
}
const modules = path.resolve('common/site/node_modules');
const course = process.cwd();
process.chdir(process.argv[3]);
const read = file => fs.readFileSync(file, 'utf8');

/* The language of the texts, if that is not English. */
const chosen = 'labs/languages/default';
const language = fs.existsSync(chosen) ? read(chosen).trim() : '';
const folders = (folder, pattern) =>
    fs.readdirSync(folder).filter(name => pattern.test(name)).sort();
const owner = [process.env.SITE_COURSE || 'CUDA C labs', process.env.SITE_UNIVERSITY]
    .filter(Boolean).join(', ');

/* The labs that a page can check are those that the CPU device can run; the model
   of make why-NN knows those with a kernel that any GPU can run. */
const index = read('labs/INDEX').split(/\n\n+/).map(paragraph => ({ launches: /^entry:.* launch$/m.test(paragraph),
    ...Object.fromEntries([...paragraph.matchAll(/^(\w+): *(.*)$/gm)].map(([, key, value]) => [key, value])) }));
const labs = index.filter(lab => lab.lab && fs.existsSync(`labs/${lab.lab}`))
    .map(lab => ({ id: lab.lab.slice(0, 2), folder: `labs/${lab.lab}`,
        title: `Lab ${lab.lab.slice(0, 2)}: ${lab.title}`, kind: 'lab',
        runs: !lab.needs || lab.on_cpu === 'yes', model: !lab.needs && lab.launches }));
const exercises = [['warm', 'warm_up', 'Warm-up'], ['bug', 'spot_the_bug', 'Exercise']]
    .filter(([, folder]) => fs.existsSync(`labs/${folder}`))
    .flatMap(([kind, folder, word]) => folders(`labs/${folder}`, /^\d\d_/).map(name => ({
        id: `${kind}-${name.slice(0, 2)}`, folder: `labs/${folder}/${name}`, kind, runs: true,
        title: `${word} ${name.slice(0, 2)}: ${name.slice(3).replaceAll('_', ' ')}` })));
const others = [{ id: 'transpose', folder: 'labs/transpose', kind: 'run', runs: true, title: 'A second problem: transpose a matrix' }]
    .filter(({ folder }) => fs.existsSync(folder));
const free = { id: 'run', folder: 'labs', kind: 'run', title: 'A program of your own' };
const written = { id: 'answers', kind: 'text', title: 'Your answers', path: 'answers.txt' };
const TEXTS = { 'labs/README.md': 'course', 'labs/CUDA.md': 'cuda', 'labs/GLOSSARY.md': 'glossary',
    'labs/MACHINES.md': 'machines', 'labs/COMMANDS.md': 'commands',
    'labs/spot_the_bug/README.md': 'exercises', 'labs/warm_up/README.md': 'warm-ups' };

/* Which page a Markdown file, a folder or a source became; null: none. */
function pageOf(file) {
    const found = [...labs, ...exercises, ...others].find(({ folder }) =>
        file === folder || file === `${folder}/README.md`);
    return found ? found.id : file.endsWith('/questions.txt') ? 'answers' : file === 'labs/vector_add.cu' ? 'run' : TEXTS[file] || TEXTS[`${file}/README.md`] || null;
}

const pictures = new Set();

/* The HTML of a text, or of its section of that number. Its pictures are copied;
   links lead to pages. */
function rendered(file, number) {
    const markdown = new MarkdownIt({ html: true });
    const { rules } = markdown.renderer;
    const image = rules.image;
    const folder = path.dirname(file);
    /* Links and live pictures name a section by its English heading. */
    const headings = text => [...text.matchAll(/^#+ (.*)/gm)].map(([, words]) => words);
    const own = headings(withoutComments(read(file)));
    const all = language && !number ? headings(withoutComments(read(path.join(course, file)))) : [];
    const english = all.length === own.length ? all : [];
    let heads = 0;

    rules.image = (tokens, i, ...rest) => {
        const source = path.join(folder, tokens[i].attrGet('src'));
        pictures.add(source);
        tokens[i].attrSet('src', `pictures/${path.basename(source)}`);
        return image(tokens, i, ...rest);
    };
    rules.link_open = (tokens, i, options, env, self) => {
        const [to, part] = tokens[i].attrGet('href').split('#');
        if (/^https?:/.test(to))
            return self.renderToken(tokens, i, options);
        const page = to === '' ? path.basename(pageOf(file) || '') : pageOf(path.join(folder, to).replace(/\/$/, ''));
        /* A link that leads out of the site is its words. */
        env.open = [...(env.open || []), page !== null];
        if (page === null)
            return '';
        tokens[i].attrSet('href', (to === '' ? '' : `${page}.html`) + (part ? `#${part}` : ''));
        return self.renderToken(tokens, i, options);
    };
    rules.link_close = (tokens, i, options, env, self) =>
        env.open && env.open.pop() === false ? '' : self.renderToken(tokens, i, options);
    rules.heading_open = (tokens, i, options, env, self) => {
        const words = (english[heads++] || tokens[i + 1].content).toLowerCase().replace(/[^\w\- ]/g, '');
        tokens[i].attrSet('id', words.replaceAll(' ', '-'));
        return self.renderToken(tokens, i, options);
    };
    /* A wide table or program is moved by the keyboard too. */
    let tables = 0;
    rules.table_open = () => `<div class="wide" tabindex="0" role="region" aria-label="table ${++tables}"><table>`;
    rules.table_close = () => '</table></div>';
    for (const block of ['fence', 'code_block']) {
        const plain = rules[block];
        rules[block] = (...all) => plain(...all).replace('<pre', '<pre tabindex="0"');
    }
    const text = withoutComments(read(file));
    const section = number && (new RegExp(`^## ${number}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(text) || [])[1];
    return markdown.render(section || text).replaceAll('<th></th>', '<td></td>');
}

/* A page. `body` is HTML; `data` what page.mjs finds in #data. */
function page(id, title, body, data) {
    if (logo)
        pictures.add(logo);
    const menu = [['index', 'Start'], ['cuda', 'CUDA on a page'], ['glossary', 'Words'], ['run', 'Free page']]
        .map(([to, words]) => `<a href="${to}.html"${to === id ? ' aria-current="page"' : ''}>${words}</a>`);
    fs.writeFileSync(path.join(out, `${id}.html`), `<!DOCTYPE html>
<html lang="${language.replace('_', '-') || 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - ${escaped(owner)}</title>
<link rel="stylesheet" href="style.css"><link rel="icon" href="data:,">
</head><body${data ? ` class="working kind-${data.kind}"` : ''}>
<header><a class="skip" href="#main">To the text</a>
${logo ? `<img src="pictures/${path.basename(logo)}" alt="">` : ''}<span>${escaped(owner)}</span>
<nav aria-label="Pages">${menu.join(' ')}</nav></header>
<main id="main">${body}</main>
${data ? `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>` : ''}
<script type="module" src="page.js"></script>
${body.includes('class="live"') ? '<script type="module" src="live.js"></script>' : ''}
</body></html>
`);
}

/* {word: what it is} from the tables of the glossary and of CUDA on a page. */
const words = Object.fromEntries([
    ...[...read('labs/GLOSSARY.md').matchAll(/^\| (\*\*.*?) \| \S+ \| (.*) \|$/gm)]
        .flatMap(([, names, meaning]) => [...names.matchAll(/\*\*(.*?)\*\*/g)].map(([, name]) => [name, meaning])),
    ...[...read('labs/CUDA.md').matchAll(/^\| `(\w{2,})[^|]* \| (.*) \|$/gm)].map(([, name, meaning]) => [name, meaning]),
].map(([name, meaning]) => [name, meaning.replaceAll('`', '')]));

/* A file that a live picture needs: one that was recorded, or one of the
   course's, which the site has then, too. */
async function source(file) {
    const to = path.join(out, file);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    if (!fs.existsSync(to))
        fs.copyFileSync(file, to);
    return fs.promises.readFile(to);
}

/* A handout with its live pictures. Before its scripts run, and without them,
   one is what its program says at first. */
async function withPictures(text, lab) {
    for (const [name, { labs, title, load }] of Object.entries(live).filter(([, { labs }]) => labs[lab])) {
        const words = await (await load()).still(lab, {
            program: tool => program(tool, file => fs.promises.readFile(`${out}.wasm/${file}`)), source });
        const figure = `<figure class="live" data-picture="${name}" data-lab="${lab}"><figcaption>${escaped(title)}</figcaption>
<pre tabindex="0">${escaped(words)}</pre></figure>\n`;
        const section = new RegExp(`<h2 id="${labs[lab]}">[^]*?(?=<h2)`).exec(text);
        if (!section)
            throw new Error(`the handout of lab ${lab} has no section ${labs[lab]}, behind which stands: ${title}`);
        text = text.replace(section[0], () => section[0] + figure);
    }
    return text;
}

/* Shows that sentence where it is true; for browsers of any age. */
const TOO_OLD = `(function () {
    var old = document.getElementById('old');
    var lacks = !window.WebAssembly || !WebAssembly.Tag ? 'WebAssembly with exceptions'
        : !window.DecompressionStream ? 'DecompressionStream' : '';
    old.hidden = lacks === '';
    old.querySelector('span').textContent = lacks;
})();`;

/* What stands behind the handout of a lab: a place for the editor. */
const workplace = (text, source) => `<div class="text">${text}</div>
<section class="work" id="work" aria-label="Your program"><p id="old" hidden>This browser is too old to check programs: it
has no <span></span>. Take a newer one, or <a href="machines.html">work on a machine of your own</a>.</p>
<script>${TOO_OLD}</script><noscript><p>Checking needs JavaScript. This is the
file to write; <a href="machines.html">how to work on a machine of your own</a>.</p>
<pre tabindex="0">${escaped(source)}</pre></noscript></section>`;

const known = [...labs, ...exercises].map(({ id }) => id);
const chips = folders('common/chip/chips', /\.csv$/).map(name => name.replace('.csv', ''));
for (const item of [...labs, ...exercises, ...others]) {
    const file = folders(item.folder, /\.cu$/)[0];
    const source = read(`${item.folder}/${file}`);
    const readme = `${item.folder}/README.md`;
    /* An exercise is a section of a page, with its answer folded. */
    const text = fs.existsSync(readme) ? rendered(readme)
        : `<h1>${escaped(item.title)}</h1>${rendered(`${path.dirname(item.folder)}/README.md`, item.id.slice(-2))}`;
    const next = exercises[exercises.indexOf(item) + 1];
    const onward = exercises.includes(item) && next?.kind === item.kind
        ? `<p><a href="${next.id}.html">Next: ${escaped(next.title)}</a></p>` : '';
    const shown = (await withPictures(text, item.id)).replace('</h1>', `</h1><p class="jump"><a href="#work">To your program</a></p>`);
    page(item.id, item.title, item.runs ? workplace(shown + onward, source) : `<div class="text">${shown}</div>`,
        item.runs && { ...item, path: `${item.folder}/${file}`, source, words, known, chips });
}
const first = read('labs/vector_add.cu');
page('run', free.title, workplace(`<h1>${free.title}</h1><p>Any CUDA program in one file: it is
compiled and run here, and what a GPU would see is counted. This one adds two vectors.</p>`, first),
{ ...free, path: 'labs/vector_add.cu', source: first, words, known });

/* answers.txt, as make answers writes it. */
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
fs.symlinkSync(path.resolve('labs'), `${scratch}/labs`);
execFileSync('sh', [path.resolve('common/course/answers.sh')], { cwd: scratch, stdio: ['ignore', 'ignore', 'ignore'] });
const questions = read(`${scratch}/answers.txt`);
fs.rmSync(scratch, { recursive: true });
page(written.id, written.title, workplace(`<h1>${written.title}</h1><p>Each lab ends with questions. All of them stand
here, with room below each. Write, then download <code>answers.txt</code>, and hand it in with your labs or make
your report of it. What you write is kept in this browser.</p>`, questions), { ...written, source: questions, words: {}, known });
for (const [file, id] of Object.entries(TEXTS)) {
    if (fs.existsSync(file))
        page(id, /^# (.*)/m.exec(read(file))[1], `<div class="text">${rendered(file)}</div>`);
}
const rows = list => list.map(({ id, title }) =>
    `<li data-id="${id}"><a href="${id}.html">${escaped(title)}</a> <span class="state"></span></li>`).join('\n');
page('index', 'Start', `<div class="text"><h1>Matrix multiplication, made faster step by step</h1>
<p>You write CUDA C here, in the browser. Nothing is installed, and nothing that you write leaves this
machine. A check compiles your kernel, runs it on a simulated GPU and says what is wrong, what is slow
and why.</p><p>Begin with <a href="01.html">lab 01</a>, which is plain C. Then read
<a href="cuda.html">CUDA on a page</a>, do the warm-ups, and go on with lab 02. To hand a lab in, press Download on its page.</p>
<h2>Labs</h2><ol class="labs">${rows(labs)}</ol>
<p><a href="answers.html">Your answers</a> to the questions at the end of the labs</p>
<h2>Warm-ups</h2><ol class="labs">${rows(exercises.filter(({ kind }) => kind === 'warm'))}</ol>
<h2>Spot the bug</h2><ol class="labs">${rows(exercises.filter(({ kind }) => kind === 'bug'))}</ol>
<h2>More</h2><ol class="labs">${rows([{ id: 'course', title: 'How to work through the labs' }, ...others, free])}</ol>
<h2>Your work</h2><p>It is kept in this browser. <button id="export">Save all to a file</button>
<label class="button">Load from a file <input type="file" id="import" accept=".json"></label></p>
<p id="said" role="status"></p>
<p><a href="licences.html">Licences</a></p></div>`);

page('licences', 'Licences', licences(read('LICENSE'), modules, process.argv.slice(4)));

fs.mkdirSync(path.join(out, 'pictures'), { recursive: true });
for (const picture of pictures)
    fs.copyFileSync(picture, path.join(out, 'pictures', path.basename(picture)));

/* What the programs read of the course: no solution among it. */
const files = {};
for (const item of [...labs, ...exercises, ...others]) {
    for (const name of fs.readdirSync(item.folder))
        files[`${item.folder}/${name}`] = read(`${item.folder}/${name}`);
}
for (const name of ['labs/INDEX', 'labs/TODOS', 'plots/data/h200_ladder.csv', ...chips.map(chip => `common/chip/chips/${chip}.csv`),
    ...folders('labs', /\.h$/).map(header => `labs/${header}`)])
    files[name] = read(name);
if (language) {
    for (const name of [chosen, `labs/languages/${language}/screen.po`])
        files[name] = read(name);
}
fs.writeFileSync(path.join(out, 'course.json'), JSON.stringify(files));
