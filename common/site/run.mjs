/* What the buttons of a page do, by the course's programs: they are called as the
   Makefile calls them. */
import { compile, disk, execute, folders, program } from './lab.mjs';

const course = {};
let files = {}, built = { code: null };

/* Fetches what each action needs; `get` returns the bytes of a file. */
export async function fetchAll(get) {
    const text = async name => JSON.parse(new TextDecoder().decode(await get(name)));
    const module = async name => WebAssembly.compile(await get(`${name}.wasm`));
    const names = ['rewrite', 'tables', 'check', 'chip', 'hint'];
    const modules = await Promise.all(names.map(module));

    names.forEach((name, i) => { course[name] = modules[i]; });
    [course.begin, course.main, course.archive] = await Promise.all(['begin.o', 'main.o', 'course.a'].map(get));
    course.headers = await text('headers.json');
    files = await text('course.json');
}

/* What a run sees: the course's files, the student's, what was kept; of a lab
   that has no model no tool for it. */
const HINTS = 'build/hints/', TOOL = 'build/tools/chip';
const diskOf = ({ lab, code, kept }) => disk(folders({ ...files, ...lab.model && { [TOOL]: '' },
    [`${HINTS}empty`]: '', 'build/chip/empty': '', 'build/results/empty': '', 'tmp/empty': '', 'dev/null': '', ...kept, [lab.path]: code }));

const STEPS = { rewrite: 'Compiling', compile: 'Compiling', link: 'Linking', asyncify: 'Linking' };

/* The student's programs, {fast, counting}, compiled if the text has changed. */
async function programOf({ lab, code }, step) {
    if (built.code !== code) {
        const headers = Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith('.h')));
        const objects = await compile(course, lab.path, code, name => step(STEPS[name] || 'Compiling'), headers);
        const linked = async which => WebAssembly.compile(await program(course, objects[which],
            name => step(STEPS[name]), lab.kind !== 'lab', which === 'counting'));
        built = { code, fast: await linked('fast'), counting: await linked('counting') };
    }
    step('Running');
    return built;
}

/* Compiles what is there, whatever comes of it. */
export const warm = job => programOf(job, () => {}).catch(() => {});

/* The machine of a job: run(name, words, env) says what a program says, as it
   comes, and returns its exit code. The student's programs have the names of
   those that make builds; the one that counts has a setting, too. */
async function machine(job, post) {
    const step = name => post({ step: name });
    const student = job.action === 'hint' ? null : await programOf(job, step);
    const on = diskOf(job);
    const fast = `build/cpu/${job.lab.folder}`, counting = `${fast}-analyse`;
    const decoder = new TextDecoder();
    const tools = { 'build/tools/check': course.check, [TOOL]: course.chip, 'build/tools/hint': course.hint,
        [fast]: student?.fast, [counting]: student?.counting };
    const programs = ([name, ...words], env) => {
        if (student && name.startsWith(fast))
            step(words.includes('--why') ? 'Looking for the cause' : name === fast ? 'Running' : 'Counting');
        return tools[name] && { module: tools[name],
            env: [`PROGRAM=/${name}`, ...name === counting ? ['SIMT_RECORD=1'] : [], ...env] };
    };
    const run = (name, words, env = []) => {
        const found = programs([name, ...words], ['LAB_COLOUR=1', 'COLUMNS=80', ...env]);
        return execute(found.module, [name, ...words], on,
            { env: found.env, programs, hear: bytes => post({ text: decoder.decode(bytes, { stream: true }) }) });
    };
    return { run, on, fast, counting };
}

const MAP = 'build/results/map.csv', FOOTPRINT = 'build/results/footprint.csv';
const AS_RUN = ['SIMT_IN_STEP=1', 'SIMT_COMPUTE_CAPABILITY=9.0', 'SIMT_SECONDS=20'];

/* What lies there on a disk: files in a folder, a file's text; or nothing. */
const at = (on, path) => path.split('/').reduce((folder, name) => folder?.contents.get(name), on.dir);
const textOf = file => file && new TextDecoder().decode(file.data);

/* Does what a button asks for, with `options`, as the Makefile's recipe of that
   name does. Returns an exit code; `post` is told the rest: worker.mjs. */
export async function act(job, post) {
    const { lab, options, action } = job;
    const { run, on, fast, counting } = await machine(job, post);
    const name = lab.folder.split('/').at(-1);
    let code;

    switch (action) {
    case 'lab':
        return run('build/tools/check', [lab.folder, fast, counting, '', options.VERBOSE ? '--verbose' : '']);
    case 'hint':
        code = await run('build/tools/hint', [lab.folder, HINTS + name, ...options.TODO ? ['--todo', options.TODO] : [],
            ...options.AGAIN ? ['--again'] : []]);
        post({ kept: Object.fromEntries([...at(on, 'build/hints').contents].map(([of, file]) => [HINTS + of, textOf(file)])) });
        return code;
    case 'map':
        code = await run(counting, ['--map', MAP, '--footprint', FOOTPRINT,
            ...['LINE', 'ARRAY', 'REQUEST'].flatMap(word => options[word] ? [`--map-${word.toLowerCase()}`, options[word]] : [])]);
        post({ map: [MAP, FOOTPRINT].map(of => textOf(at(on, of))) });
        return code;
    case 'why':
        return run(TOOL, ['--chip', `common/chip/chips/${options.CHIP || 'h200'}.csv`, '--sizes', options.N || '4096',
            '--requests', 'build/chip/why', '--program', counting, name]);
    case 'bug':
    case 'warm':
        return run(counting, [], options.VERBOSE ? ['SIMT_REPORT=table'] : []);
    default: /* run.sh */
        code = await run(fast, [], [...AS_RUN, 'SIMT_ENDLESS=3']);
        if (code === 124)
            return code;
        post({ text: '\ncounted:\n' });
        return await run(counting, [], [...AS_RUN, `SIMT_REPORT=${options.VERBOSE ? 'lines' : 'table'}`]) || code;
    }
}
