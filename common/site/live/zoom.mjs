/* The zoom: what do the grid, a block, a warp, a thread and the lanes of one
   request touch? As recorded by make map-NN of the course's kernel (record.mjs). */
import { box, draw, frame, make, rows, show, steps } from './shared.mjs';

const LEVELS = ['block', 'warp', 'thread'], WIDE = 360, GAP = 18, ACROSS = 8, LANE = 45, HIGH = 56;

/* Elements, as {row, col}, as rectangles [row, col, rows, cols]. */
function rectangles(elements) {
    const made = [], open = new Map();
    let run = null;
    for (const { row, col } of elements) {
        if (run && run[0] === row && run[1] + run[3] === col)
            run[3]++;
        else
            made.push(run = [row, col, 1, 1]);
    }
    /* Runs of equal columns below each other are one. */
    return made.filter(([row, col, , cols], i) => {
        const key = `${col} ${cols}`, above = open.get(key);
        if (above && above[0] + above[2] === row) {
            above[2]++;
            return false;
        }
        open.set(key, made[i]);
        return true;
    });
}

/* What a thread, its warp and its block touch, and some requests: from what make
   map-NN says and writes. */
export function mapOf(said, recorded, footprint) {
    const touched = rows(footprint);
    const { m, n, k, kernel, block_x, block_y, warp, thread_x, thread_y } = touched[0];
    const shapes = { A: [m, k], B: [k, n], C: [m, n] };
    const levels = ['thread', 'warp', 'block'];
    const arrays = Object.entries(shapes).map(([name, [height, width]]) => ({ name, rows: height, cols: width,
        by: Object.fromEntries(levels.map((level, i) => {
            const those = touched.filter(({ array, by }) => array === name && levels.indexOf(by) <= i);
            return [level, { count: those.length, rectangles: rectangles(those) }];
        })) }));
    const sentences = said.split(/\n\n+/).filter(text => /^Line \d+/.test(text))
        .map(text => text.replace(/\s+/g, ' ').replace(/^Line \d+/, 'This request'));
    const requests = [];
    for (const { space, kind, array, lane, element, row, col, sector, bank, wavefront } of rows(recorded)) {
        if (requests.at(-1)?.space !== space)
            requests.push({ space, kind, array, words: sentences[requests.length], lanes: [] });
        requests.at(-1).lanes.push({ lane, element, row, col, sector, bank, wavefront });
    }
    return { kernel, block: [block_x, block_y], thread: [thread_x, thread_y], warp, arrays, requests,
        words: /^Elements in global[^]*?\n  the array has .*$/m.exec(said)[0] };
}

const read = async (lab, source) => JSON.parse(new TextDecoder().decode(await source(`live/map_${lab}.json`)));
const nameOf = (map, level) => ({ block: `Block (${map.block})`, warp: `Warp ${map.warp} of this block`, thread: `Thread (${map.thread}) of this warp` })[level];

/* What is seen at each step: of the block on, its part of the matrices alone. */
export function stepsOf(map) {
    const [A, B, C] = map.arrays;
    const touches = level => map.arrays.map(({ by }) => by[level].count);
    return [
        { words: `The grid: ${map.kernel} multiplies A, ${A.rows} x ${A.cols}, by B, ${B.rows} x ${B.cols}. C is ${C.rows} x ${C.cols}. The dashed lines are what one block touches.` },
        ...LEVELS.map((level, i) => {
            const [a, b, c] = touches(level);
            return { level, isNear: i > 0, words: `${nameOf(map, level)} touches ${a} elements of A, ${b} of B and ${c} of C in global memory.${
                i > 0 ? " Drawn is the block's part of each." : ''}` };
        }),
        ...map.requests.map(request => ({ request, words: request.words })),
    ];
}
const wrapped = text => text.replace(/(.{1,78})( |$)/g, '$1\n').trim();
export const still = async (lab, { source }) => {
    const map = await read(lab, source);
    return [map.words, ...map.requests.map(({ words }) => wrapped(words))].join('\n\n');
};

/* The rectangle that holds all of these. */
function around(rectangles) {
    const row = Math.min(...rectangles.map(([row]) => row)), col = Math.min(...rectangles.map(([, col]) => col));
    return { row, col, rows: Math.max(...rectangles.map(([row, , rows]) => row + rows)) - row,
        cols: Math.max(...rectangles.map(([, col, , cols]) => col + cols)) - col };
}

/* A, B above C, and what the levels down to this one touch of them. */
function matrices(map, { level, isNear }) {
    const parts = map.arrays.map(array => ({ ...array, seen: isNear ? around(array.by.block.rectangles)
        : { row: 0, col: 0, rows: array.rows, cols: array.cols } }));
    const [A, B, C] = parts.map(({ seen }) => seen);
    const scale = (WIDE - 2 - GAP) / (A.cols + C.cols);
    const below = GAP * 2 + B.rows * scale, right = 1 + GAP + A.cols * scale;
    const at = { A: [1, below], B: [right, GAP], C: [right, below] };
    const shown = level ? LEVELS.slice(0, LEVELS.indexOf(level) + 1) : ['block'];
    /* Rectangles of elements as one path. */
    const pathOf = (rectangles, from) => rectangles.map(([row, col, rows, cols]) =>
        `M${(col - from.col) * scale} ${(row - from.row) * scale}h${cols * scale}v${rows * scale}h${-cols * scale}z`).join('');
    return { height: below + C.rows * scale + 2, drawn: parts.map(({ name, by, seen }) => draw('g', { transform: `translate(${at[name]})` },
        draw('text', { y: -4, class: 'label' }, name),
        draw('rect', { width: seen.cols * scale, height: seen.rows * scale }),
        ...shown.map(inner => draw('path', { class: level ? inner : 'outline', d: pathOf(by[inner].rectangles, seen) })))) };
}

/* A box for each lane: its element, and the sector or the bank. */
function lanes({ space, lanes }) {
    const sectors = [...new Set(lanes.map(({ sector }) => sector))].sort((a, b) => a - b);
    return lanes.map(({ lane, element, row, col, sector, bank, wavefront }) =>
        box(lane % ACROSS * LANE, Math.floor(lane / ACROSS) * HIGH, LANE, HIGH, 'busy dense', lane,
            row === '' ? `no. ${element}` : `[${row}][${col}]`,
            ...space === 'global' ? ['sector', sectors.indexOf(sector) + 1] : [`bank ${bank}`, `wf ${wavefront}`]));
}

export const live = async (figure, lab, { source }) => showMap(figure, await read(lab, source), "The course's kernel");

export function showMap(figure, map, whose) {
    const made = stepsOf(map);
    const parts = frame(figure, 'Who touches what; arrow keys: nearer, and back',
        `${whose}, recorded. Next goes from the grid to a block, a warp, a thread, and to the lanes of single requests: which element, and in which sector, or in which bank and wavefront (wf).`);
    parts.words.textContent = map.words;
    parts.words.after(...map.requests.map(({ words }) => make('p', {}, words)));
    steps(parts, () => made.length, at => {
        const { request, words } = made[at];
        const { drawn, height } = request ? { drawn: lanes(request), height: 32 / ACROSS * HIGH } : matrices(map, made[at]);
        show(parts.drawing, WIDE, height, words, ...drawn);
        parts.status.textContent = words;
    })(0);
}
