/* The page of a lab: an editor, buttons, and a terminal below. What is said in
   the terminal comes from the course's C programs, which worker.mjs runs. */
import { EditorView, basicSetup } from 'codemirror';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, keymap, ViewPlugin } from '@codemirror/view';
import { indentUnit, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { indentWithTab } from '@codemirror/commands';
import { tags } from '@lezer/highlight';
import { cpp } from '@codemirror/lang-cpp';
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
const cuda = /\b(__(?:global|device|host|shared|constant|restrict)__|__syncthreads|__syncwarp|threadIdx|blockIdx|blockDim|gridDim|dim3|float[234]|cuda\w+|LAB_CHECK)\b/g;
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
            for (let at = from; at <= to;) {
                const line = view.state.doc.lineAt(at);
                if (/\/\* TODO \d/.test(line.text))
                    builder.add(line.from, line.from, todo);
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
            extensions: [basicSetup, cpp(), marks, found, syntaxHighlighting(colours),
                indentUnit.of('    '),
                /* Escape, then Tab leaves the editor. */
                keymap.of([indentWithTab, { key: 'F1', run: help }]),
                EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'The program. Escape, then Tab leaves it.' }),
                EditorView.updateListener.of(change => change.docChanged && changed(change.state.doc.toString()))],
        }),
    });
}

/* --- the terminal ---------------------------------------------------------- */

const LOOKS = { 1: 'bold', 31: 'red', 32: 'green', 33: 'red', 91: 'red', 92: 'green' };

/* Adds text with the colours of a terminal. */
function write(terminal, text) {
    text.split('\x1b[').forEach((part, i) => {
        const [, codes, rest] = i === 0 ? [0, '', part] : /^([\d;]*)m([^]*)$/.exec(part) || [0, '', part];
        const look = codes.split(';').map(code => LOOKS[code]).filter(Boolean).join(' ');
        terminal.append(look ? make('span', { className: look }, rest) : rest);
    });
    terminal.scrollTop = terminal.scrollHeight;
}

/* --- the page of a lab ----------------------------------------------------- */

function labPage() {
    const work = document.querySelector('.work');
    const file = lab.path.split('/').at(-1);
    const bar = make('div', { className: 'bar' });
    const place = make('div', { className: 'editor' });
    const says = make('div', { className: 'word', role: 'status' });
    const terminal = make('pre', { className: 'terminal', tabIndex: 0 });
    const buttons = [];
    let worker = null, told = '';

    terminal.setAttribute('role', 'log');
    terminal.setAttribute('aria-label', 'What the check says');
    work.append(bar, place, says, terminal);

    const say = text => { says.textContent = text; };
    const keep = parts => { const wrong = change(lab.id, parts); if (wrong) say(wrong); };
    const editor = makeEditor(place, recordOf(lab.id).code || lab.source,
        code => keep({ code }), view => {
            const at = view.state.wordAt(view.state.selection.main.head);
            say(explain(at ? view.state.sliceDoc(at.from, at.to) : ''));
            return true;
        });
    const code = () => editor.state.doc.toString();

    /* What the glossary says of a word of the program. */
    function explain(name) {
        const clean = name.replaceAll('_', '').toLowerCase();
        const key = Object.keys(lab.words).find(key => key.toLowerCase() === clean) ||
            (name && Object.keys(lab.words).find(key => lab.words[key].includes(name)));
        return key ? `${key}: ${lab.words[key]}` : name ? `The list of words has nothing on ${name}.`
            : 'Put the cursor on a word, then press F1.';
    }

    /* Marks the lines of this file that the text names, and goes to the first. */
    function markLines(text) {
        const lines = [...new Set([...text.matchAll(new RegExp(`(?:^|[\\s/])${file.replace('.', '\\.')}:(\\d+)`, 'gm'))]
            .map(([, line]) => +line))].filter(line => line <= editor.state.doc.lines);
        const sorted = [...lines].sort((a, b) => a - b).map(line =>
            Decoration.line({ class: 'cm-found', attributes: { title: 'named below' } })
                .range(editor.state.doc.line(line).from));
        editor.dispatch({ effects: [setFound.of(Decoration.set(sorted)),
            ...lines.length ? [EditorView.scrollIntoView(editor.state.doc.line(lines[0]).from, { y: 'center' })] : []] });
    }

    function busy(is) {
        buttons.forEach(button => { button.disabled = is && !button.stops; });
        stop.hidden = !is;
    }

    function ended() {
        busy(false);
        markLines(told);
        /* Where the terminal stands below the editor, that is what one reads. */
        if (matchMedia('(max-width: 60em)').matches)
            terminal.scrollIntoView({ block: 'nearest' });
        const verdict = /^(PASS|FAIL|NOT REACHED|UNFINISHED|SKIPPED)\b/m.exec(told.replace(/\x1b\[[\d;]*m/g, ''));
        if (verdict && recordOf(lab.id).verdict !== 'PASS')
            keep({ verdict: verdict[1] });
    }

    function start() {
        worker = new Worker('worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => {
            if (data.text) {
                told += data.text;
                write(terminal, data.text);
            }
            if (data.step !== undefined)
                say(data.step);
            if (data.kept)
                keep({ files: data.kept });
            if (data.done)
                ended();
        };
        worker.onerror = event => {
            say(`The check stopped: ${event.message || 'this tab has too little memory'}. Reload the page and try again.`);
            busy(false);
            worker = null;
        };
        worker.postMessage({ action: 'begin' });
    }

    function ask(action) {
        if (worker === null)
            start();
        told = '';
        terminal.replaceChildren();
        busy(true);
        worker.postMessage({ action, lab: { id: lab.id, kind: lab.kind, folder: lab.folder, path: lab.path },
            code: code(), kept: recordOf(lab.id).files });
    }

    function button(words, act, parts = {}) {
        const made = make('button', { type: 'button', textContent: words, onclick: act, ...parts });
        buttons.push(made);
        bar.append(made);
        return made;
    }

    const actions = { lab: ['Check', 'Hint', 'All numbers'], warm: ['Check'], bug: ['Run'], run: ['Run'] };
    actions[lab.kind].forEach((words, i) => button(words, () => ask(words.toLowerCase().replace(' ', '-')),
        { className: i === 0 ? 'first' : '' }));
    button('Reset', () => {
        if (code() !== lab.source) {
            keep({ kept: [...recordOf(lab.id).kept || [], code()] });
            say('Your text is kept: Back brings it again.');
        }
        editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: lab.source } });
    });
    button('Back', () => {
        const kept = recordOf(lab.id).kept || [];
        if (kept.length === 0)
            return say('Nothing is kept: Reset keeps what it replaces.');
        keep({ kept: [code(), ...kept.slice(0, -1)] });
        editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: kept.at(-1) } });
        return say('');
    });
    button('Download', () => download(file, code()));
    const stop = button('Stop', () => {
        worker.terminate();
        worker = null;
        write(terminal, '\nstopped\n');
        busy(false);
    }, { stops: true, hidden: true });
    stop.stops = true;

    const open = editor.state.doc.toString().search(/\/\* TODO \d/);
    if (open > 0)
        editor.dispatch({ effects: EditorView.scrollIntoView(open, { y: 'start', yMargin: 40 }) });
    write(terminal, 'Check compiles and runs the program above. What it says stands here.\n');
    /* The compiler is fetched while one reads. */
    start();
}

if (lab)
    labPage();
else if (document.getElementById('export')) {
    showStates();
    fileButtons();
}
if ('serviceWorker' in navigator && location.protocol !== 'file:')
    navigator.serviceWorker.register('offline.js').catch(() => {}); /* no network: what is kept serves */
