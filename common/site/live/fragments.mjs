/* The fragments of lab 15: which elements does a lane hold, and where in the
   banks do the rows lie that ldmatrix brings? As build/tools/fragments --lane 5. */
import { box, choice, draw, frame, rows, show, steps } from './shared.mjs';

const CELL = 22, PLACES = 8, WIDE = 45, HIGH = 22;
const SHAPES = { A: 16, B: 8, C: 16 }; /* rows, of 8 columns each */

/* What the console would be given. */
export const call = ({ lane, step, plain }) => ['--lane', lane, '--step', step, '--plain', plain];
export const still = async (lab, { program }) => (await program('fragments')(call({ lane: 5, step: 0, plain: 0 }))).said;

const name = ({ what, register }) => `${what.toLowerCase()}${register}`;

/* A box with its own lane: a click on it goes there. */
function cell(x, y, w, h, kind, words, lane, to) {
    const made = box(x, y, w, h, kind, '', words);
    made.onclick = () => to(lane);
    return made;
}

/* A matrix, with the lane that holds each element; of this lane, the register. */
const matrix = (what, x, y, all, lane, to) => draw('g', {},
    draw('text', { x: x + 2, y: y - 5, class: 'label' }, `${what}, ${SHAPES[what]} x 8`),
    ...all.filter(row => row.what === what).map(row => cell(x + row.col * CELL, y + row.row * CELL, CELL, CELL,
        row.lane === lane ? 'crowd' : 'idle', row.lane === lane ? name(row) : row.lane, row.lane, to)));

/* The tile's rows as they lie in the banks: in each place the lane that points
   at it. */
function tile(all, lane, to) {
    const pointers = all.filter(({ what }) => what === 'tile');
    return [...Array.from({ length: PLACES }, (_, place) => draw('text', { x: (place + .5) * WIDE, y: 14, class: 'mid small' }, `${4 * place}-${4 * place + 3}`)),
        ...Array.from({ length: 16 * PLACES }, (_, i) => {
            const row = Math.floor(i / PLACES), place = i % PLACES;
            const here = pointers.find(pointer => pointer.row === row && pointer.place === place);
            const [x, y] = [place * WIDE, 20 + row * HIGH];
            return here ? cell(x, y, WIDE, HIGH, here.lane === lane ? 'crowd' : 'busy', `${here.lane}: p${here.col}`, here.lane, to)
                : box(x, y, WIDE, HIGH, 'idle', '');
        })];
}

export async function live(figure, lab, { program }) {
    const parts = frame(figure, 'The elements of a lane; arrow keys: the lane before, the next one',
        'The number in a box is the lane that holds the element. Choose a lane by a click, by Back and Next, or by the arrow keys.');
    const { ask } = parts;
    const fragments = program('fragments');
    let all = [], at = 5;

    const view = choice(ask, 'Show', [['held', 'the lanes of mma.sync'], ['tile', "A's tile in the banks"]], 'held', () => again());
    const step = choice(ask, 'Columns of A', [0, 1, 2, 3].map(i => [i, `${8 * i} to ${8 * i + 7}`]), 0, () => again());
    const plain = choice(ask, 'Order of pieces', [[0, 'p ^ r % 8, swizzled'], [1, 'p, plain (predict it first)']], 0, () => again());

    function drawn() {
        const own = all.filter(row => row.lane === at), pointer = own.find(({ what }) => what === 'tile');
        const isTile = view.value === 'tile';
        const words = isTile ? `A box has a lane and the piece that it points at. A column is four banks, a row is a row r of A's tile. Lane ${at} points at piece ${pointer.col} of row ${pointer.row}, at place ${
            pointer.place}: wavefront ${pointer.wavefront}. All lanes take ${pointer.wavefronts} wavefronts.`
            : `Lane ${at} holds ${own.filter(({ what }) => what !== 'tile').map(row => `${name(row)} = ${row.what}[${row.row}][${row.col}]`).join(', ')}.`;
        const right = 8 * CELL + 8;
        if (isTile)
            show(parts.drawing, PLACES * WIDE, 20 + 16 * HIGH, words, ...tile(all, at, to));
        else
            show(parts.drawing, right + 8 * CELL, 40 + 24 * CELL, words, matrix('B', right, 18, all, at, to),
                matrix('A', 0, 40 + 8 * CELL, all, at, to), matrix('C', right, 40 + 8 * CELL, all, at, to));
        parts.status.textContent = words;
    }

    async function seen(lane) {
        at = lane;
        [step, plain].forEach(list => { list.parentNode.hidden = view.value !== 'tile'; });
        const { said, wrote } = await fragments([...call({ lane, step: step.value, plain: plain.value }), '--csv', 'lanes.csv']);
        all = rows(wrote('lanes.csv'));
        parts.words.textContent = said;
        drawn();
    }
    const to = steps(parts, () => 32, seen);
    const again = () => to(at);
    again();
}
