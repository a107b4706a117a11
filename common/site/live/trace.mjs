/* The tiling trace: what do the four threads of a block do, step by step? A
   recorded run of lab 03 with tiles of 2, on matrices of 4 x 4 (record.mjs). */
import { box, draw, frame, make, show, steps } from './shared.mjs';

const N = 4, TILE = 2, THREADS = ['0,0', '1,0', '0,1', '1,1']; /* x,y */
const width = array => array.endsWith('s') ? TILE : N;
const place = (array, element) => `[${Math.floor(element / width(array))}][${element % width(array)}]`;
const name = (array, element) => array + place(array, element);
const each = words => THREADS.map((thread, i) => `(${thread}) ${words(i)}`).join('; ');

/* The requests as steps: {words, touched: {array: elements by thread}, held:
   {As, Bs: what lies in each element}, added: products in each sum}. */
export function stepsOf(requests) {
    const made = [], held = { As: {}, Bs: {} };
    let interval = 0, added = 0;
    const step = (words, touched) =>
        made.push({ words, touched, held: { As: { ...held.As }, Bs: { ...held.Bs } }, added });
    step('Before the loop. Block (0,0) of the grid has four threads (x,y). It computes the 2 x 2 elements of C above and to the left.', {});
    for (let i = 0; i < requests.length; i += requests[i + 1] ? 2 : 1) {
        const [one, two] = [requests[i], requests[i + 1]];
        if (one.interval > interval) {
            interval = one.interval;
            step(interval % 2 ? 'Barrier: all four have copied. As and Bs are complete.'
                : 'Barrier: all four have added. As and Bs may be overwritten.', {});
        }
        if (!two) {
            step(`Each thread stores its sum, of ${added} products: ${each(t => name(one.array, one.elements[t]))}.`,
                { C: one.elements });
        } else if (two.kind === 'store') {
            two.elements.forEach((element, t) => { held[two.array][element] = name(one.array, one.elements[t]); });
            step(`Each thread copies an element of ${one.array}: ${each(t =>
                `${name(one.array, one.elements[t])} to ${name(two.array, two.elements[t])}`)}.`,
            { [one.array]: one.elements, [two.array]: two.elements });
        } else {
            added++;
            step(`Each thread adds a product: ${each(t => `${name(one.array, one.elements[t])} * ${name(two.array, two.elements[t])}, which is ${
                held.As[one.elements[t]]} * ${held.Bs[two.elements[t]]}`)}.`,
            { [one.array]: one.elements, [two.array]: two.elements });
        }
    }
    return made;
}

const read = async source => JSON.parse(new TextDecoder().decode(await source('live/trace.json')));
export const still = async (lab, { source }) =>
    stepsOf(await read(source)).map(({ words }, i) => `${i}. ${words.replace(/; |(?<=[.:]) /g, mark => `${mark.trim()}\n   `)}`).join('\n');

/* A matrix: its name, and a box for each element with who touches it. */
function matrix(array, x, y, size, { touched, held, added }) {
    const count = width(array), who = touched[array] || [];
    const cells = Array.from({ length: count * count }, (_, element) => {
        const by = THREADS.filter((_, t) => who[t] === element);
        const isOwn = array === 'C' && Math.floor(element / N) < TILE && element % N < TILE;
        const inside = held[array] ? [held[array][element] || '-'] : isOwn ? [added] : [];
        return box(x + element % count * size, y + Math.floor(element / count) * size, size, size,
            by.length > 0 ? 'busy' : isOwn ? 'own' : 'idle', '', ...inside, ...by.length > 0 ? [by.join(' ')] : []);
    });
    return draw('g', {}, draw('text', { x, y: y - 5, class: 'label' }, array), ...cells);
}

export async function live(figure, lab, { source }) {
    const made = stepsOf(await read(source));
    const parts = frame(figure, 'The matrices; arrow keys: step by step',
        'Lab 03 with TILE 2, recorded. A box is an element; who touches it is named in it as x,y. As and Bs show what they hold, C how many of its four products each sum has.');
    parts.words.replaceWith(make('ol', { start: 0 }, ...made.map(({ words }) => make('li', {}, words))));
    steps(parts, () => made.length, at => {
        const step = made[at];
        show(parts.drawing, 352, 300, step.words,
            matrix('B', 142, 16, 30, step), matrix('Bs', 268, 16, 42, step),
            matrix('A', 2, 168, 30, step), matrix('C', 142, 168, 30, step), matrix('As', 268, 168, 42, step));
        parts.status.textContent = `Step ${at} of ${made.length - 1}. ${step.words}`;
    })(0);
}
