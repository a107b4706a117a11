/* A worker that runs one program: machine.mjs. It is sent {tools, argv, env, files};
   it sends {part} of what the program says, and {code, files}. */
import { ABORTED, contents, disk, execute, programsOf, sentenceOf } from './wasi.mjs';

self.onmessage = async ({ data: { tools, argv, env, files } }) => {
    const on = disk(files), programs = programsOf(tools);
    const hear = part => self.postMessage({ part });
    const found = programs(argv, env);
    let code = ABORTED;

    try {
        code = await execute(found.module, argv, on, { env: found.env, programs, hear });
    } catch (error) {
        hear(new TextEncoder().encode(`${sentenceOf(error)}\n`));
    }
    self.postMessage({ code, files: contents(on.dir) });
};
