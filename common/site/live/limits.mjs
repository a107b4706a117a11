/* The limits of a chip: which of them binds a kernel of these measures? By the
   model of common/chip, as build/tools/chip --shape 128x128x16 --sums 8x8. */
import { draw, frame, rows, show, slider, choice } from './shared.mjs';

const TILES = ['16x16', '32x32', '64x32', '64x64', '128x64', '128x128', '128x256', '256x256'];
const SUMS = ['1x1', '2x2', '4x2', '4x4', '8x4', '8x8', '8x16', '16x16'];
const REGISTERS = [0, 32, 48, 64, 80, 96, 128, 168, 255];
const CHIPS = ['h200', 'h100', 'a100', 'rtx4090', 't4'];
const WIDE = 360, ROW = 38;

/* What the console would be given. */
export const call = ({ chip, tile, depth, sums, registers, size }) =>
    ['--chip', `common/chip/chips/${chip}.csv`, '--shape', `${tile}x${depth}`, '--sums', sums, '--sizes', size,
        ...registers ? ['--registers', registers] : []];
const first = { chip: 'h200', tile: '128x128', depth: 16, sums: '8x8', registers: 0, size: 4096 };
const chipsOf = async get => ({ common: { chip: { chips: Object.fromEntries(await Promise.all(
    CHIPS.map(async name => [`${name}.csv`, await get(`common/chip/chips/${name}.csv`)]))) } } });

export const still = async (lab, { program, source }) => (await program('chip')(call(first), await chipsOf(source))).said;

export async function live(figure, lab, { program, source }) {
    const parts = frame(figure, 'The limits, the tightest above',
        'Choose a kernel that nobody has written. The longest bar is the limit that binds it; the model says so without a GPU.');
    const { ask, bar, drawing, status } = parts;
    const chip = program('chip'), files = await chipsOf(source);
    const name = key => /^name,([^,]*)/m.exec(new TextDecoder().decode(files.common.chip.chips[`${key}.csv`]))[1];
    const pick = (words, list, value, told = i => list[i]) =>
        slider(ask, words, { min: 0, max: list.length - 1, value: list.indexOf(value) }, () => again(), told);
    const SIZES = [512, 1024, 2048, 4096, 8192], DEPTHS = [8, 16, 32];

    bar.remove();
    const on = choice(ask, 'Chip', CHIPS.map(key => [key, name(key)]), first.chip, () => again());
    const size = pick('N', SIZES, first.size);
    const tile = pick('Tile of C', TILES, first.tile);
    const depth = pick('Steps of k in it', DEPTHS, first.depth);
    const sums = pick('Sums in a thread', SUMS, first.sums);
    const registers = pick('Registers of a thread', REGISTERS, 0, i => REGISTERS[i] || 'by rule');
    drawing.removeAttribute('tabindex');

    /* A bar for each limit: its name and share in words, its length below. */
    function bars(limits) {
        const share = limit => limit.limit_ms / limit.predicted_ms;
        const seen = limits.filter(limit => limit.limit_ms > 0).sort((a, b) => share(b) - share(a));
        return seen.map((limit, i) => draw('g', { class: limit.binds ? 'crowd' : 'busy', transform: `translate(0 ${i * ROW})` },
            draw('text', { x: 0, y: 14, class: 'label' }, `${limit.limit}: ${Math.round(100 * share(limit))} %${limit.binds ? ', binds' : ''}`),
            draw('rect', { x: 1, y: 19, width: Math.max(1, share(limit) * (WIDE - 2)), height: 14 })));
    }

    async function again() {
        const asked = { chip: on.value, tile: TILES[tile.value], depth: DEPTHS[depth.value], sums: SUMS[sums.value],
            registers: REGISTERS[registers.value], size: SIZES[size.value] };
        const { status: code, said, wrote } = await chip([...call(asked), '--csv', 'limits.csv'], files);
        parts.words.textContent = said;
        if (code !== 0) {
            drawing.replaceChildren();
            status.textContent = `This cannot run: ${said.replace('chip: ', '').trim()}.`;
            return;
        }
        const limits = rows(wrote('limits.csv'));
        const { limit, gflops, predicted_ms: ms, low_ms: low, high_ms: high, blocks, resident, unsure } = limits.find(({ binds }) => binds);
        const tflops = (gflops / 1e3).toPrecision(3);
        const words = `What binds: ${limit}. ${/chip/.test(unsure) ? `At most ${tflops} TFLOP/s: nobody has measured this chip's memory`
            : `Predicted, not run: ${ms.toPrecision(3)} ms (${low.toPrecision(2)} to ${high.toPrecision(2)}), ${tflops} TFLOP/s`}. ${
            blocks} blocks, ${resident} at once on a multiprocessor.`;
        const drawn = bars(limits);
        show(drawing, WIDE, drawn.length * ROW, words, ...drawn);
        status.textContent = words;
    }
    await again();
}
