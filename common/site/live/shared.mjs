/* What the live pictures share: the course's programs, run with what a reader
   chose, and parts of a page. What a picture shows is what a program wrote. */
import { disk, execute } from '../wasi.mjs';

/* A program, whose bytes `get` fetches. Gives (argv, files) => {status, said,
   wrote}; wrote(name) is the text of a file that it has written. Runs that are
   asked for at once end in their order. */
export function program(name, get) {
    let module = null, last = null;
    async function run(argv, files) {
        module ||= WebAssembly.compile(await get(`${name}.wasm`));
        const on = disk({ tmp: {}, ...files });
        const decoder = new TextDecoder();
        let said = '';
        const status = await execute(await module, [name, ...argv.map(String)], on,
            { env: ['NO_COLOR=1', 'COLUMNS=80'], hear: bytes => { said += decoder.decode(bytes, { stream: true }); } });
        return { status, said, wrote: file => decoder.decode(on.dir.contents.get(file).data) };
    }
    return (argv, files = {}) => {
        const before = last;
        last = (async () => { await before; return run(argv, files); })();
        return last;
    };
}

/* Rows of a CSV file, by the names of its columns; numbers as numbers. */
export function rows(text) {
    const [head, ...lines] = text.trim().split('\n')
        .map(line => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain));
    const value = cell => cell === '' || isNaN(cell) ? cell : +cell;
    return lines.map(line => Object.fromEntries(head.map((name, i) => [name, value(line[i])])));
}

/* [0, 1, 2, 7] as "0-2, 7". */
export function spans(numbers) {
    const runs = [];
    for (const n of numbers) {
        if (runs.length > 0 && runs.at(-1)[1] === n - 1)
            runs.at(-1)[1] = n;
        else
            runs.push([n, n]);
    }
    return runs.map(([a, b]) => a === b ? `${a}` : `${a}-${b}`).join(', ');
}

/* --- parts of a page ------------------------------------------------------- */

const set = (element, parts, inner) => {
    for (const [name, value] of Object.entries(parts)) {
        if (name.startsWith('on'))
            element[name] = value;
        else
            element.setAttribute(name, value);
    }
    element.append(...inner);
    return element;
};
export const make = (tag, parts = {}, ...inner) => set(document.createElement(tag), parts, inner);
export const draw = (tag, parts = {}, ...inner) =>
    set(document.createElementNS('http://www.w3.org/2000/svg', tag), parts, inner);

/* A box with up to three lines of text: above to the left, and in the middle. */
export function box(x, y, w, h, kind, corner, ...lines) {
    const name = lines.some(text => String(text).length > 6) ? 'mid small' : 'mid';
    const middle = h / 2 + (corner === '' ? 4 : 8);
    return draw('g', { class: kind, transform: `translate(${x} ${y})` },
        draw('rect', { x: 1, y: 1, width: w - 2, height: h - 2, rx: 3 }),
        draw('text', { x: 4, y: 11, class: 'corner' }, corner),
        ...lines.map((text, i) => draw('text', { x: w / 2, y: middle + 12 * (i - (lines.length - 1) / 2), class: name }, text)));
}

/* The frame of a picture: a note, what is asked, the drawing, how to go through it, what
   is seen, and the program's own words. */
export function frame(figure, name, note) {
    const caption = figure.querySelector('figcaption');
    const parts = {
        ask: make('div', { class: 'ask' }),
        drawing: make('div', { class: 'drawing', tabindex: 0, role: 'group', 'aria-label': name }),
        bar: make('div', { class: 'bar' }),
        status: make('p', { role: 'status' }),
        words: make('pre', { tabindex: 0 }),
    };
    figure.replaceChildren(caption, make('p', {}, note), ...Object.values(parts).slice(0, 4),
        make('details', {}, make('summary', {}, 'The same in words'), parts.words));
    return parts;
}

/* Puts a drawing of w x h in its place. */
export function show(place, w, h, words, ...inner) {
    place.replaceChildren(draw('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': words,
        style: `max-width: ${w * 1.4}px` }, ...inner));
}

let number = 0;

/* A list to choose from: [[value, words]...]. */
export function choice(place, words, options, value, changed) {
    const list = make('select', { id: `live${++number}`, onchange: () => changed() },
        ...options.map(([to, text]) => make('option', { value: to }, text)));
    list.value = value;
    place.append(make('span', {}, make('label', { for: list.id }, words), ' ', list));
    return list;
}

/* A slider, with its number beside it. `told` makes words of the number. */
export function slider(place, words, { min, max, step = 1, value }, changed, told = n => n) {
    const range = make('input', { type: 'range', id: `live${++number}`, min, max, step, value });
    const out = make('output', { for: range.id });
    const tell = () => {
        out.textContent = told(+range.value);
        range.setAttribute('aria-valuetext', told(+range.value));
    };
    range.oninput = () => { tell(); changed(); };
    range.told = tell;
    tell();
    place.append(make('span', {}, make('label', { for: range.id }, words), ' ', range, ' ', out));
    return range;
}

/* Steps 0 to count() - 1, by buttons, by the arrows where the drawing has the
   focus, and by Play, which goes on until the end or until Stop. */
export function steps({ bar, drawing }, count, seen) {
    const PACE = 1200; /* ms */
    let at = 0, timer = null;
    const to = next => {
        at = Math.max(0, Math.min(count() - 1, next));
        seen(at);
    };
    const stop = () => {
        clearInterval(timer);
        timer = null;
        play.textContent = 'Play';
    };
    const button = (words, act, parts = {}) => {
        const made = make('button', { type: 'button', onclick: act, ...parts }, words);
        bar.append(made);
        return made;
    };
    const by = way => { stop(); to(way); };
    button('First', () => by(0));
    button('Back', () => by(at - 1));
    const play = button('Play', () => {
        if (timer !== null)
            return stop();
        if (at === count() - 1)
            to(0);
        play.textContent = 'Stop';
        timer = setInterval(() => {
            to(at + 1);
            if (at === count() - 1)
                stop();
        }, PACE);
        return undefined;
    });
    button('Next', () => by(at + 1));
    drawing.addEventListener('keydown', event => {
        const way = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count() - 1 }[event.key];
        if (way !== undefined) {
            event.preventDefault();
            by(way);
        } else if (event.key === 'Escape')
            stop();
    });
    return by;
}
