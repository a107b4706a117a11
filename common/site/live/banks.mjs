/* The bank machine: which lanes does each wavefront serve? By common/banks, as
   make banks and build/tools/banks --type float --stride 6. */
import { box, choice, frame, rows, show, slider, spans, steps } from './shared.mjs';

const ACROSS = 8, WIDE = 44, HIGH = 42;

/* What the console would be given. */
export const call = ({ tile, type, stride, rule }) =>
    [...tile ? ['--tile', tile] : ['--type', type], '--stride', stride, '--rule', rule];
const first = lab => lab === '06' ? { tile: 16, stride: 16, rule: 'today' }
    : { type: 'float', stride: 6, rule: 'today' };

export const still = async (lab, { program }) => (await program('banks')(call(first(lab)))).said;

/* The lanes that a turn serves, in the order of turns: on 1.x each half of the
   warp has its own. */
export function turnsOf(lanes) {
    const isOld = lanes[0].banks === 16;
    const groups = isOld ? [0, 16] : [0];
    return groups.flatMap(group => {
        const those = lanes.filter(lane => !isOld || lane.group === group);
        return Array.from({ length: Math.max(...those.map(lane => lane.wavefront)) }, (_, i) => ({
            name: `Wavefront ${i + 1}${isOld ? ` of lanes ${group} to ${group + 15}` : ''}`,
            lanes: those.filter(lane => lane.wavefront === i + 1),
            waiting: those.filter(lane => lane.wavefront > i + 1).length }));
    });
}

const asks = (lane, bank) => bank >= lane.bank && bank < lane.bank + lane.words;

export async function live(figure, lab, { program, isDone }) {
    const parts = frame(figure, 'The banks; arrow keys: wavefront by wavefront',
        'Each box is a bank, with its number above. Next shows wavefront by wavefront; so do the arrow keys.');
    const banks = program('banks');
    const { ask } = parts;
    let lanes = [], turns = [], refused = '';

    /* Lab 06 asks for a row's length: it comes behind lab 05. */
    const tiles = lab === '05' && !isDone('05') ? [] : [['16', 'tile[tx][ty], 16 wide'], ['32', 'tile[tx][ty], 32 wide']];
    const what = choice(ask, 'Access', [['read', 's[stride * tid]'], ...tiles], lab === '06' ? '16' : 'read', () => { ranges(); again(); });
    const type = choice(ask, 'Type', ['char', 'short', 'float', 'double'].map(name => [name, name]), 'float', () => again());
    const stride = slider(ask, 'Stride', { min: 1, max: 64, value: 6 }, () => again());
    const padding = slider(ask, 'Padding of a row', { min: 0, max: 8, value: 0 }, () => again(),
        n => `${n}: rows of ${+what.value + n}`);
    const rule = choice(ask, 'Compute capability', [['today', '5.x and later'], ['1.x', '1.x']], 'today', () => again());
    function ranges() {
        const isTile = what.value !== 'read';
        [type, stride].forEach(part => { part.parentNode.hidden = isTile; });
        padding.parentNode.hidden = !isTile;
        padding.told();
    }

    function seen(at) {
        if (refused)
            return;
        const turn = at > 0 ? turns[at - 1] : null;
        const cells = Array.from({ length: lanes[0].banks }, (_, bank) => {
            const here = (turn ? turn.lanes : lanes).filter(lane => asks(lane, bank));
            const words = new Set(here.map(lane => lane.word)).size;
            const names = spans(here.map(lane => lane.lane));
            const lines = here.length === 0 ? ['-'] : turn
                ? [here.length === 1 ? 'lane' : 'lanes', names.length < 8 ? names : `${here.length} of them`]
                : [words, words > 1 ? 'words' : 'word'];
            return box(bank % ACROSS * WIDE, Math.floor(bank / ACROSS) * HIGH, WIDE, HIGH,
                here.length === 0 ? 'idle' : words > 1 ? 'crowd' : 'busy', bank, ...lines);
        });
        const { wavefronts, ideal } = lanes[0];
        const words = turn ? `${turn.name}: ${turn.lanes.length === 0 ? 'the first words of these lanes'
            : `lanes that get all they asked for: ${turn.lanes.length}`}; waiting: ${turn.waiting}.`
            : `All that the warp asks for, by bank. It takes ${wavefronts} wavefront${wavefronts > 1 ? 's' : ''}; the least possible is ${ideal}.`;
        show(parts.drawing, ACROSS * WIDE, cells.length / ACROSS * HIGH, words, ...cells);
        parts.status.textContent = words;
    }

    async function again() {
        const tile = what.value === 'read' ? 0 : +what.value;
        const asked = { tile, type: type.value, stride: tile ? tile + +padding.value : stride.value, rule: rule.value };
        const results = { '05_bank_conflicts.csv': `verdict\n${isDone('05') ? 'PASS' : 'UNFINISHED'}\n` };
        const { status, said, wrote } = await banks([...call(asked), '--csv', 'lanes.csv'],
            { labs: { INDEX: '' }, build: { results: { labs: results } } });
        refused = status === 0 ? '' : said;
        parts.words.textContent = said;
        if (refused) {
            parts.drawing.replaceChildren();
            parts.status.textContent = 'Lab 05 asks you to predict this one. It is shown here when the check of lab 05 has found all 54 cells right. Stride 6 is none of them.';
            return;
        }
        lanes = rows(wrote('lanes.csv'));
        turns = turnsOf(lanes);
        to(0);
    }
    const to = steps(parts, () => turns.length + 1, seen);
    ranges();
    await again();
}
