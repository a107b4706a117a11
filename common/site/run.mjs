/* What the buttons of a page do, by the course's programs: the same steps as
   those of make lab-03, hint-03, map-03 and run (common/course). */
import { commands } from '@yowasp/clang';
import { compile, disk, execute, folders, program } from './lab.mjs';

const course = {};
let files = {}, built = { code: null };

/* Fetches what each action needs; `get` returns the bytes of a file. */
export async function fetchAll(get) {
    const text = async name => JSON.parse(new TextDecoder().decode(await get(name)));
    const module = async name => WebAssembly.compile(await get(`${name}.wasm`));
    const names = ['rewrite', 'tables', 'vet', 'hint'];
    const modules = await Promise.all(names.map(module));

    names.forEach((name, i) => { course[name] = modules[i]; });
    [course.begin, course.main, course.archive] = await Promise.all(['begin.o', 'main.o', 'course.a'].map(get));
    course.headers = await text('headers.json');
    files = await text('course.json');
    await commands.clang(['--version'], {}, { stdout: () => {}, stderr: () => {}, fetchProgress: () => {} });
}

/* The files that a run sees: the course's, the student's, what was kept. */
const diskOf = ({ lab, code, kept }) =>
    disk({ build: {}, tmp: {}, ...folders({ ...files, ...kept, [lab.path]: code }) });

/* The text files below a folder of a disk, as {path: text}. */
function textsBelow(at, name) {
    const found = at.contents.get(name);
    if (!found)
        return {};
    return Object.assign({}, ...[...found.contents].map(([inner, what]) => what.contents
        ? textsBelow(found, inner) : { [`${name}/${inner}`]: new TextDecoder().decode(what.data) }));
}

/* Runs a module; says what it says, as it comes. Returns {status, said}. */
async function run(module, argv, on, say, env = []) {
    const decoder = new TextDecoder();
    let said = '';
    const status = await execute(module, argv, on, { env, hear: bytes => {
        const text = decoder.decode(bytes, { stream: true });
        said += text;
        say(text);
    } });
    return { status, said };
}

const STEPS = { rewrite: 'Compiling', compile: 'Compiling', link: 'Linking', asyncify: 'Linking' };

/* The student's program, compiled if the text has changed. */
async function programOf({ lab, code }, step) {
    if (built.code !== code) {
        const headers = Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith('.h')));
        const object = await compile(course, lab.path, code, name => step(STEPS[name] || 'Compiling'), headers);
        built = { code, module: await WebAssembly.compile(await program(course, object, name => step(STEPS[name]), lab.kind !== 'lab')) };
    }
    step('Running');
    return built.module;
}

/* make lab-03: see lab.sh. */
async function check(job, say, step, options = ['--short']) {
    const on = diskOf(job), quiet = () => {};
    const refused = (await run(course.vet, ['vet', job.lab.path], on, say)).status;
    const module = await programOf(job, step);
    const path = `build/cpu/${job.lab.folder}`;
    const env = ['LAB_COLOUR=1', 'COLUMNS=80'];
    const fast = (words, to = quiet) => run(module, [path, ...words], on, to, [`PROGRAM=/${path}`, ...env]);
    const counting = (words, to) => run(module, [`${path}-analyse`, ...words], on, to,
        [`PROGRAM=/${path}-analyse`, 'SIMT_RECORD=1', ...env]);
    const first = await fast(options.filter(word => word === '--short'));

    if (first.status === 0) {
        if (!options.includes('--short'))
            say(first.said);
        step('Counting');
        const { status } = await counting(['--counters', ...options], say);
        if (status === 0 && options.includes('--short'))
            say(first.said);
        return status || refused;
    }
    if (first.status === 1) {
        step('Looking for the cause');
        if ((await fast(['--why'], say)).status === 1 || (await counting(['--why'], say)).status === 1)
            return 1;
    }
    say(first.said);
    return first.status === 77 ? 0 : first.status || refused;
}

async function hint(job, say, keep) {
    const on = diskOf(job);
    const name = job.lab.folder.split('/')[1];

    on.dir.contents.get('build').contents.set('hints', disk({}).dir);
    await run(course.hint, ['hint', job.lab.folder, `build/hints/${name}`], on, say);
    keep(textsBelow(on.dir.contents.get('build'), 'hints'));
}

/* make run, and the exercises: the program, then what was counted. */
async function runProgram(job, say, step) {
    const module = await programOf(job, step);
    const on = diskOf(job);
    const env = ['LAB_COLOUR=1', 'COLUMNS=80', 'PROGRAM=/program'];

    const { status } = await run(module, ['program'], on, say, env);
    say('\ncounted:\n');
    await run(module, ['program-analyse'], on, say, [...env, 'SIMT_RECORD=1', 'SIMT_REPORT=table']);
    return status;
}

/* Does what a button asks for. */
export async function act(job, say, step, keep) {
    switch (job.action) {
    case 'check':
    case 'all-numbers':
        if (job.lab.kind === 'lab')
            return check(job, say, step, job.action === 'check' ? ['--short'] : ['--verbose']);
        return runProgram(job, say, step);
    case 'hint':
        return hint(job, say, keep);
    default:
        return runProgram(job, say, step);
    }
}
