/* What the buttons of a page do, by the course's programs: they are called as the
   Makefile calls them. */
import { kept } from './fetched.mjs';
import { begin, debugOf, disk, execute, folders, headersOf, object, program } from './lab.mjs';
import * as machine from './machine.mjs';
import { contents, put } from './wasi.mjs';

const course = {};
let files = {}, built = { code: null }, helper = null;

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

/* The other worker's part, once the compiler has come: helper.mjs. */
async function help(code) {
    if (helper === null) {
        await headersOf(course, code);
        const { rewrite, tables, headers, begin, main, archive } = course;
        const read = Object.fromEntries(await Promise.all(Object.entries(course.read).map(async ([of, made]) => [of, await made])));
        helper = machine.open('helper', ({ number, module, error }) => module ? made[number].done(module) : made[number].failed(new Error(error)),
            event => made.forEach(({ failed }) => failed(event)));
        helper.postMessage({ course: { rewrite, tables, headers, begin, main, archive, read }, kept });
    }
    return helper;
}

/* What it makes has a number: a module may come when another one is asked for. */
const made = [];
const moduleOf = number => new Promise((done, failed) => { made[number] = { done, failed }; });

/* The student's programs, {fast, counting}, compiled if the text has changed;
   the second one is a promise. */
async function programOf({ lab, code }, step) {
    if (built.code !== code) {
        const headers = Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith('.h')));
        const hasMain = lab.kind !== 'lab';
        step('Compiling');
        const other = await help(code), number = made.length, counting = moduleOf(number);
        let debug = '';
        counting.catch(() => {}); /* whoever runs it is told */
        other.postMessage({ number, path: lab.path, code, headers, hasMain });
        try {
            const assembly = await begin(course, lab.path, code, headers);
            debug = await debugOf(assembly);
            other.postMessage({ number, debug });
            const compiled = await object(course, 'fast', assembly, debug);
            step('Linking');
            const fast = await WebAssembly.compile(await program(course, compiled, () => {}, hasMain, false));
            built = { code, fast, counting };
        } finally {
            if (debug === '')
                other.postMessage({ number, debug });
        }
    }
    step('Running');
    return built;
}

/* Compiles what is there, whatever comes of it. */
export const warm = job => programOf(job, () => {}).then(({ counting }) => counting).catch(() => {});

/*
 * The machine of a job: run(name, words, env) says what a program says, as it
 * comes, and returns its exit code. The student's programs have the names of
 * those that make builds. foresee(name, words, right) begins the programs that
 * one would run if that one of them were right: what comes of one is what comes
 * of it when it is asked for.
 */
async function machineOf(job, post) {
    const step = name => post({ step: name });
    const student = job.action === 'hint' ? null : await programOf(job, step);
    const fast = `build/cpu/${job.lab.folder}`, counting = `${fast}-analyse`;
    const on = diskOf(job);
    const tools = { [TOOL]: course.chip, [fast]: student?.fast, [counting]: student?.counting };
    const own = { 'build/tools/check': course.check, 'build/tools/hint': course.hint };
    const language = files['labs/languages/default']?.trim();
    const env = more => ['LAB_COLOUR=1', 'COLUMNS=80', ...language ? [`COURSE_LANGUAGE=${language}`] : [], ...more];
    const decoder = new TextDecoder();
    const tell = part => post({ text: decoder.decode(part, { stream: true }) });
    const begun = [];
    let foreseen = new Map();

    const begin = (argv, settings, files) => {
        const [name] = argv;
        const child = machine.begin({ [name]: tools[name], ...name === TOOL && { [counting]: tools[counting] } }, argv, settings, contents(files.dir));
        begun.push(child);
        return child;
    };
    const drop = () => {
        foreseen.forEach(child => child.stop());
        foreseen = new Map();
    };
    /* What a program of the course's begins, which waits for it: wasi.mjs. */
    const child = (argv, settings, heard) => {
        const [name] = argv, key = argv.join('\n'), said = [];
        const one = foreseen.get(key) || begin(argv, settings, on);
        foreseen.delete(key);
        if (name === fast || name === counting)
            step(argv.includes('--why') ? 'Looking for the cause' : name === fast ? 'Running' : 'Counting');
        return { said, end: async () => {
            one.listen(heard ? part => said.push(...part) : tell);
            const { code, files } = await one.over;
            put(on.dir, files);
            if (name === fast && code !== 0)
                drop();
            return code;
        } };
    };
    const run = async (name, words, more = []) => {
        const argv = [name, ...words];
        return own[name] ? execute(own[name], argv, on, { env: env([`PROGRAM=/${name}`, ...more]), begin: child, hear: tell })
            : child(argv, env(more), false).end();
    };
    const foresee = (name, words, right) => {
        const there = diskOf(job), known = foreseen;
        const begun = (argv, settings) => {
            if (argv[0] === right || known !== foreseen)
                return { said: [], end: () => 0 };
            const one = begin(argv, settings, there);
            known.set(argv.join('\n'), one);
            return { said: [], end: async () => {
                const { code, files } = await one.over;
                put(there.dir, files);
                return code;
            } };
        };
        execute(own[name], [name, ...words], there, { env: env([`PROGRAM=/${name}`]), begin: begun, hear: () => {} }).catch(() => {});
    };
    return { run, foresee, on, fast, counting, end: () => begun.forEach(one => one.stop()) };
}

const MAP = 'build/results/map.csv', FOOTPRINT = 'build/results/footprint.csv';
const AS_RUN = ['SIMT_IN_STEP=1', 'SIMT_COMPUTE_CAPABILITY=9.0', 'SIMT_SECONDS=20'];

/* What lies there on a disk: files in a folder, a file's text; or nothing. */
const at = (on, path) => path.split('/').reduce((folder, name) => folder?.contents.get(name), on.dir);
const textOf = file => file && new TextDecoder().decode(file.data);

/* Does what a button asks for, with `options`, as the Makefile's recipe of that
   name does. Returns an exit code; `post` is told the rest: worker.mjs. */
export async function act(job, post) {
    const on = await machineOf(job, post);
    try {
        return await actOn(on, job, post);
    } finally {
        on.end();
    }
}

/* Settings of a command, and the programs' options for those that are some. */
const OPTIONS = { M: '--m', N: '--n', K: '--k', SEED: '--seed', REPEAT: '--repeat', BANKS: '--cc', VERBOSE: '',
    LINE: '--map-line', ARRAY: '--map-array', REQUEST: '--map-request', CHIP: '', TODO: '', AGAIN: '' };

async function actOn({ run, foresee, on, fast, counting }, { lab, options, action }, post) {
    const name = lab.folder.split('/').at(-1);
    const wrong = Object.keys(options).find(word => !(word in OPTIONS));
    const words = (...names) => names.flatMap(word => options[word] ? [OPTIONS[word], options[word]] : []);
    const count = words('M', 'N', 'K', 'SEED', 'BANKS');
    const check = ['build/tools/check', [lab.folder, fast, counting, words('M', 'N', 'K', 'SEED', 'REPEAT').join(' '),
        [...count, ...options.VERBOSE ? ['--verbose'] : []].join(' ')]];
    let code;

    if (wrong) {
        post({ text: `There is no setting ${wrong}: use ${Object.keys(OPTIONS).join(', ')}, as in M=64 N=64 K=64.\n` });
        return 2;
    }
    switch (action) {
    case 'lab':
        code = run(...check);
        foresee(...check, fast);
        return code;
    case 'hint':
        code = await run('build/tools/hint', [lab.folder, HINTS + name, ...options.TODO ? ['--todo', options.TODO] : [],
            ...options.AGAIN ? ['--again'] : []]);
        post({ kept: Object.fromEntries([...at(on, 'build/hints').contents].map(([of, file]) => [HINTS + of, textOf(file)])) });
        return code;
    case 'map':
        code = await run(counting, ['--map', MAP, '--footprint', FOOTPRINT, ...words('LINE', 'ARRAY', 'REQUEST'), ...count]);
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
