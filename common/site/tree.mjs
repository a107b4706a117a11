/* The files of a folder, for Node. */
import fs from 'fs';
import path from 'path';

/* Those whose paths match, {name: bytes, folders as objects}. */
export function tree(folder, pattern) {
    const files = {};
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        if (entry.name === 'node_modules')
            continue;
        if (entry.isDirectory())
            files[entry.name] = tree(file, pattern);
        else if (pattern.test(file))
            files[entry.name] = new Uint8Array(fs.readFileSync(file));
    }
    return files;
}
