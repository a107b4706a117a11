/* A lab in WebAssembly under Node, for tests: what was compiled is kept. */
import fs from 'fs';
import crypto from 'crypto';
import { tree } from '../../common/site/tree.mjs';
import { labFastFlags } from '../../common/site/toolchain.mjs';
import { begin, debugOf, object, program, execute, disk } from '../../common/site/lab.mjs';

/* What build.mjs has left in a folder. */
export async function open(built) {
    const read = (name) => fs.readFileSync(`${built}/${name}`);
    return {
        built,
        rewrite: await WebAssembly.compile(read('rewrite.wasm')),
        tables: await WebAssembly.compile(read('tables.wasm')),
        headers: tree('common', /\.(h|def)$|include\/[^.]*$/),
        begin: read('begin.o'), main: read('main.o'), archive: read('course.a'),
        tools: [read('rewrite.wasm'), read('tables.wasm')],
    };
}

async function keep(course, end, of, make) {
    const hash = crypto.createHash('md5');
    for (const part of of)
        hash.update(part);
    const file = `${course.built}/kept/${hash.digest('hex')}.${end}`;
    if (!fs.existsSync(file)) {
        const made = await make();
        fs.mkdirSync(`${course.built}/kept`, { recursive: true });
        fs.writeFileSync(file, made);
    }
    return fs.readFileSync(file);
}

function contents(what) {
    return what instanceof Uint8Array ? Buffer.from(what).toString('base64')
        : `{${Object.entries(what).map(([name, inner]) => name + contents(inner))}}`;
}

/* The program of a .cu that counts, or the fast one, as a module. */
export async function build(course, file, text, step = () => {}, which = 'counting') {
    const own = await keep(course, `${which}.o`, [file, text, labFastFlags.join(), ...course.tools, contents(course.headers.simt.include)],
        async () => {
            step('compile');
            const assembly = await begin(course, file, text);
            return object(course, which, assembly, debugOf(assembly));
        });
    return WebAssembly.compile(await keep(course, `${which}.wasm`, [own, course.begin, course.main, course.archive, fs.readFileSync('common/site/toolchain.mjs')],
        () => program(course, own, step, false, which === 'counting')));
}

/* Runs it as that program: "solutions/03_tiling", "mutants/02_endless".
   Returns {status, said, files}. */
export async function start(module, name, options, counting) {
    const build = {};
    if (name.startsWith('mutants/'))
        build.mutants = { [`${name.slice(8)}.cu`]: new Uint8Array(fs.readFileSync(`build/${name}.cu`)) };
    const files = disk({
        labs: tree('labs', /INDEX|TODOS|\.cu$/), tmp: {}, build,
        solutions: tree('solutions', /\.cu$/),
    });
    const path = `build/cpu/${name}${counting ? '-analyse' : ''}`;
    let said = '';
    const decoder = new TextDecoder();
    const status = await execute(module, [path, ...options], files, {
        env: [`PROGRAM=/${path}`, 'NO_COLOR=1', ...(counting ? ['SIMT_RECORD=1'] : [])],
        hear: (bytes) => { said += decoder.decode(bytes); },
    });
    return { status, said, files };
}
