/* The page of a lab: an editor, buttons, and a terminal below. What is said in
   the terminal comes from the course's C programs, which worker.mjs runs. */
import { EditorView, basicSetup } from 'codemirror';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, keymap, ViewPlugin } from '@codemirror/view';
import { indentUnit, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { indentWithTab } from '@codemirror/commands';
import { tags } from '@lezer/highlight';
import { cpp } from '@codemirror/lang-cpp';
import { mapOf, showMap } from './live/zoom.mjs';
import { change, exported, imported, recordOf } from './store.mjs';

const holder = document.getElementById('data');
const lab = holder && JSON.parse(holder.textContent);
const make = (tag, parts = {}, ...inner) => {
    const element = Object.assign(document.createElement(tag), parts);
    element.append(...inner);
    return element;
};

function download(name, text) {
    const link = make('a', { download: name, href: URL.createObjectURL(new Blob([text])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const named = words => ({ title: words, ariaLabel: words });

/* --- the list of labs ------------------------------------------------------ */

const showStates = () => document.querySelectorAll('[data-id]').forEach(row => {
    const { verdict, code } = recordOf(row.dataset.id);
    row.querySelector('.state').textContent = verdict || (code ? 'begun' : '');
});

function fileButtons() {
    const said = document.getElementById('said');

    document.getElementById('export').onclick = () => download('cuda-labs.json', exported());
    document.getElementById('import').onchange = async ({ target }) => {
        try {
            said.textContent = `${imported(await target.files[0].text())} pages are loaded.`;
            showStates();
        } catch (error) {
            said.textContent = error.message;
        }
        target.value = '';
    };
}

/* --- the editor ------------------------------------------------------------ */

/* CUDA's own words, which C++ does not know: as keywords, or as names. */
const cuda = /\b(__(?:global|device|host|shared|constant|restrict)__|__sync\w+|__\w+_sync|__pipeline\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|(?:make_)?float[234]|atomic\w+|cuda\w+|LAB_CHECK)\b/g;
const word = Decoration.mark({ class: 'cm-cuda' });
const todo = Decoration.line({ class: 'cm-todo' });

/* Marks that follow from the text: CUDA's words, and TODOs that are open. */
const marks = ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = this.of(view); }
    update(change) {
        if (change.docChanged || change.viewportChanged)
            this.decorations = this.of(change.view);
    }
    of(view) {
        const builder = new RangeSetBuilder();
        for (const { from, to } of view.visibleRanges) {
            let open = false;
            for (let at = from; at <= to;) {
                const line = view.state.doc.lineAt(at);
                open ||= /\/\* TODO \d/.test(line.text);
                if (open)
                    builder.add(line.from, line.from, todo);
                open &&= !line.text.includes('*/');
                for (const found of line.text.matchAll(cuda))
                    builder.add(line.from + found.index, line.from + found.index + found[0].length, word);
                at = line.to + 1;
            }
        }
        return builder.finish();
    }
}, { decorations: plugin => plugin.decorations });

/* The lines that a check named. */
const setFound = StateEffect.define();
const found = StateField.define({
    create: () => Decoration.none,
    update(lines, change) {
        for (const effect of change.effects) {
            if (effect.is(setFound))
                return effect.value;
        }
        return lines.map(change.changes);
    },
    provide: field => EditorView.decorations.from(field),
});

/* Colours that read on light and on dark. */
const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: 'var(--key)' },
    { tag: [tags.comment], color: 'var(--remark)' },
    { tag: [tags.string, tags.number], color: 'var(--value)' },
    { tag: [tags.processingInstruction, tags.typeName, tags.meta], color: 'var(--type)' },
]);

function makeEditor(parent, text, changed, help) {
    return new EditorView({
        parent,
        state: EditorState.create({
            doc: text,
            extensions: [basicSetup, ...lab.kind === 'text' ? [EditorView.lineWrapping] : [cpp(), marks], found, syntaxHighlighting(colours),
                indentUnit.of('    '),
                /* Escape, then Tab leaves the editor. */
                keymap.of([indentWithTab, { key: 'F1', run: help }]),
                EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'What you write. Escape, then Tab leaves it.' }),
                EditorView.updateListener.of(change => change.docChanged && changed(change.state.doc.toString()))],
        }),
    });
}

/* --- the terminal ---------------------------------------------------------- */

const LOOKS = { 1: 'bold', 31: 'red', 32: 'green', 33: 'red', 91: 'red', 92: 'green' };

const plain = text => text.replace(/\x1b\[[\d;]*m/g, '');

/* Adds text with the colours of a terminal, which stay until others come. */
let look = '';
function write(terminal, text) {
    text.split('\x1b[').forEach((part, i) => {
        const [, codes, rest] = i === 0 ? [0, null, part] : /^([\d;]*)m([^]*)$/.exec(part) || [0, '', part];
        look = codes === null ? look : codes.split(';').map(code => LOOKS[code]).filter(Boolean).join(' ');
        terminal.append(look ? make('span', { className: look }, rest) : rest);
    });
    terminal.parentElement.scrollTop = terminal.scrollHeight;
}

/* Settings as they stand behind make: {M: '64'}. */
const given = text => Object.fromEntries(text.split(/\s+/).filter(Boolean).map(word => word.split('=')));

/* --- the page of a lab ----------------------------------------------------- */

/* What can be asked of a lab, as in make VERB-NN. */
const ACTIONS = ['lab', 'hint', 'map', 'why'];

function labPage() {
    const work = document.querySelector('.work');
    const file = lab.path.split('/').at(-1);
    const bar = make('div', { className: 'bar' });
    const place = make('div', { className: 'editor' });
    const settings = make('input', { size: 14, placeholder: 'M=64 N=64 K=64', ...named('Settings, as in make lab-01 M=64 N=64 K=64, ' +
        'make map-03 ARRAY=As or make lab-05 BANKS=1.3; empty: none') });
    const says = make('div', { className: 'word', role: 'status' });
    const terminal = make('pre', { className: 'terminal', tabIndex: 0 });
    const picture = make('figure', { className: 'live', hidden: true });
    const below = make('div', { className: 'below' }, terminal, picture);
    const { kind } = lab, buttons = [], hasRuns = kind !== 'text';
    let worker = null, told = '', asked = '';

    terminal.setAttribute('role', 'log');
    terminal.setAttribute('aria-label', 'What the check says');
    work.append(bar, place, says, ...hasRuns ? [below] : []);

    const say = text => { says.textContent = text; };
    const keep = parts => { const wrong = change(lab.id, parts); if (wrong) say(wrong); };
    const help = () => {
        const { main } = editor.state.selection, word = editor.state.wordAt(main.head);
        say(explain(word ? editor.state.sliceDoc(word.from, word.to) : ''));
        return true;
    };
    const editor = makeEditor(place, recordOf(lab.id).code || lab.source, code => keep({ code }), help);
    const code = () => editor.state.doc.toString();

    /* What the tables of words say of one of the program. */
    function explain(name) {
        const key = Object.keys(lab.words).find(key => key.toLowerCase() === name.toLowerCase());
        return key ? `${key}: ${lab.words[key]}` : name ? `The list of words has nothing on ${name}.`
            : 'Put the cursor on a word, and ask again.';
    }

    const narrow = matchMedia('(max-width: 60em)');

    /* Marks the lines of this file that the text names, and goes to the first. */
    function markLines(text) {
        const named = new RegExp(`(?:(?:^|[\\s/])${file.replace('.', '\\.')}:|^ +line )(\\d+)`, 'gm');
        const lines = [...new Set([...text.matchAll(named)].map(([, line]) => +line))]
            .filter(line => line <= editor.state.doc.lines);
        const isOpen = line => /\/\* TODO \d/.test(editor.state.doc.line(line).text); /* and marked as such */
        const sorted = lines.filter(line => !isOpen(line)).sort((a, b) => a - b).map(line =>
            Decoration.line({ class: 'cm-found', attributes: { title: 'named below' } })
                .range(editor.state.doc.line(line).from));
        editor.dispatch({ effects: [setFound.of(Decoration.set(sorted)),
            ...lines.length && !narrow.matches ? [EditorView.scrollIntoView(editor.state.doc.line(lines[0]).from, { y: 'center' })] : []] });
    }

    function goTo(line) {
        const at = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
        editor.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: 'center' }) });
        editor.focus();
    }

    /* What the terminal names can be followed: a line of the program, a command,
       a lab. Words that are no such thing stay. */
    function linked(token) {
        const [, line] = new RegExp(`(?:^|/)${file.replace('.', '\\.')}:(\\d+)$`).exec(token) || [];
        const [, verb, number, settings] = /^make\s+(\w+)-(\d\d)(.*)/s.exec(token) || [];
        const [, folder] = /^labs\/(\d\d)_/.exec(token) || [];
        const id = folder || (['warm', 'bug'].includes(verb) ? `${verb}-${number}` : number);
        const button = act => make('button', { type: 'button', className: 'follow', textContent: token, onclick: act });
        if (line)
            return button(() => goTo(+line));
        if (token === 'VERBOSE=1' && asked !== 'warm')
            return button(() => ask(asked, given(token)));
        if (verb && id === lab.id && (ACTIONS.includes(verb) || verb === lab.kind))
            return button(() => ask(verb, given(settings)));
        return id && id !== lab.id && lab.known.includes(id) ? make('a', { href: `${id}.html` }, token) : token;
    }
    const TOKENS = /(VERBOSE=1|(?:labs\/[\w/]+\/)?\w+\.cu:\d+|make\s+[a-z]+-\d\d(?:\s+[A-Z]+=[\w.]+)*|labs\/\d\d_[\w\/.]*\w)/;

    function link() {
        const walker = document.createTreeWalker(terminal, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode())
            texts.push(walker.currentNode);
        texts.filter(text => TOKENS.test(text.data)).forEach(text => text.replaceWith(
            ...text.data.split(TOKENS).map((part, i) => i % 2 ? linked(part) : part)));
    }

    /* A run that is long says so: what does not end in the C library, nothing ends. */
    let timer, step = '';
    function busy(is) {
        const begun = Date.now();
        clearInterval(timer);
        timer = is && setInterval(() => say(`${step || 'Running'}, ${Math.round((Date.now() - begun) / 1000)} s so far: Stop ends it`), 30000);
        buttons.forEach(button => { button.disabled = is && !button.stops; });
        stop.hidden = !is;
    }

    function ended(code) {
        busy(false);
        if (!picture.hidden)
            say('The picture stands below the text.');
        markLines(told);
        terminal.normalize();
        link();
        below.scrollTop = 0;
        /* Where the terminal stands below the editor, that is what one reads. */
        if (narrow.matches)
            below.scrollIntoView({ block: 'nearest' });
        const [, verdict] = asked === 'lab' && /^(PASS|FAIL|UNFINISHED|SKIPPED)\b/m.exec(plain(told))
            || [0, asked === 'warm' && code === 0 && 'PASS'];
        if (verdict && recordOf(lab.id).verdict !== 'PASS')
            keep({ verdict });
    }

    /* What the worker is told of the lab. */
    const { source, words, known, chips, ...item } = lab;

    /* Does what the worker asks for workers beside itself: machine.mjs. */
    let beside = [];
    function passOn({ worker: number, opens, data, ends }) {
        const to = worker, one = beside[number] ||= new Worker(`${opens}.js`, { type: 'module' });
        if (opens) {
            one.onmessage = ({ data }) => to.postMessage({ worker: number, data });
            one.onerror = ({ message }) => to.postMessage({ worker: number, failed: { message } });
        } else if (ends) {
            one.terminate();
        } else {
            one.postMessage(data);
        }
    }

    function start() {
        worker = new Worker('worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => {
            if ('worker' in data)
                return passOn(data);
            if (data.text) {
                told += data.text;
                write(terminal, data.text);
            }
            if (data.step !== undefined)
                say(step = data.step);
            if (data.kept)
                keep({ files: data.kept });
            if (data.map?.every(Boolean)) {
                picture.replaceChildren(make('figcaption', {}, 'The same as a picture'));
                showMap(picture, mapOf(plain(told), ...data.map), 'Your kernel');
                picture.hidden = false;
            }
            if (data.done)
                ended(data.code);
        };
        worker.onerror = event => {
            endWorkers();
            say(`The check stopped: ${event.message || 'this tab has too little memory'}. Reload the page and try again.`);
        };
        worker.postMessage({ action: 'begin', lab: item, code: code() });
    }

    function endWorkers() {
        [worker, ...beside].forEach(one => one?.terminate());
        worker = null;
        beside = [];
        busy(false);
    }

    function ask(action, options = {}) {
        if (worker === null)
            start();
        told = '';
        asked = action;
        terminal.replaceChildren();
        look = '';
        picture.hidden = true;
        busy(true);
        worker.postMessage({ action, options: { ...given(settings.value), ...options }, lab: item, code: code(), kept: recordOf(lab.id).files });
    }

    function button(words, act, parts = {}) {
        const made = make('button', { type: 'button', textContent: words, onclick: act, ...parts });
        buttons.push(made);
        bar.append(made);
        return made;
    }

    if (hasRuns)
        button(kind === 'lab' || kind === 'warm' ? 'Check' : 'Run', () => ask(kind), { className: 'first' });
    if (kind === 'lab') {
        button('Hint', () => ask('hint'));
        button('Map', () => ask('map'));
        if (lab.model) {
            button('Why', () => ask('why', { CHIP: chip.value }));
            const chip = make('select', named('GPU whose limits are asked for'), ...lab.chips.map(name =>
                make('option', { selected: name === 'h200' }, name)));
            bar.append(chip);
        }
    }
    if (kind === 'lab')
        bar.append(settings);
    if (hasRuns && kind !== 'warm')
        button('All numbers', () => ask(kind, { VERBOSE: 1 }));
    const replace = text => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    button('Reset', () => {
        if (code() !== lab.source) {
            keep({ kept: [...recordOf(lab.id).kept || [], code()] });
            say('Your text is kept: Bring back has it.');
        }
        replace(lab.source);
        back.hidden = !recordOf(lab.id).kept;
    });
    const back = button('Bring back', () => {
        const kept = recordOf(lab.id).kept;
        keep({ kept: [code(), ...kept.slice(0, -1)] });
        replace(kept.at(-1));
        say('');
    }, { hidden: !recordOf(lab.id).kept?.length });
    if (hasRuns)
        button('Explain', help, { title: 'What the word at the cursor means: F1' });
    button('Download', () => download(file, code()));
    const end = () => {
        if (!stop.hidden)
            write(terminal, '\nstopped\n');
        endWorkers();
    };
    const stop = button('Stop', end, { stops: true, hidden: true });

    const open = editor.state.doc.toString().search(/\/\* TODO \d/);
    if (open > 0 && !narrow.matches)
        editor.dispatch({ effects: EditorView.scrollIntoView(open, { y: 'start', yMargin: 40 }) });
    write(terminal, `${buttons[0].textContent} compiles and runs the program above. What it says stands here.\n`);
    if (kind === 'lab')
        write(terminal, [['\nWhere the handout says', 'press'], [`  make lab-${lab.id}`, 'Check'], [`  make hint-${lab.id}`, 'Hint'],
            [`  make map-${lab.id}`, 'Map'], [`  make lab-${lab.id} VERBOSE=1`, 'All numbers'], ['  more behind, as M=64 N=64 K=64', 'the same, with that in the field']]
            .map(([says, press]) => says.padEnd(says[0] === '\n' ? 36 : 35) + press).join('\n'));
    /* The compiler is fetched while one reads. */
    if (hasRuns)
        start();
    /* A browser keeps pages that were left, with what they hold. */
    addEventListener('pagehide', end);
    addEventListener('pageshow', ({ persisted }) => persisted && hasRuns && start());
}

if (lab)
    labPage();
else if (document.getElementById('export')) {
    showStates();
    fileButtons();
}
if ('serviceWorker' in navigator && location.protocol !== 'file:')
    navigator.serviceWorker.register('offline.js').catch(() => {}); /* no network: what is kept serves */
