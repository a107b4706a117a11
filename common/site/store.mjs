/* What a student has written and reached, in this browser alone: a record for
   each page, {code, kept, hints, verdict}. */
const KEY = 'cuda-labs';

function all() {
    try {
        return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
        return {};
    }
}

export const recordOf = id => all()[id] || {};

/* Changes a record. Returns what went wrong, or ''. */
export function change(id, parts) {
    const records = all();
    records[id] = { ...records[id], ...parts };
    try {
        localStorage.setItem(KEY, JSON.stringify(records));
        return '';
    } catch (error) {
        return `This browser cannot keep your work (${error.name}): use Download.`;
    }
}

/* All records as a file, and back. */
export const exported = () => JSON.stringify({ form: KEY, records: all() }, null, 1);
export function imported(text) {
    let file;
    try {
        file = JSON.parse(text);
    } catch {
        file = null;
    }
    if (!file || file.form !== KEY || typeof file.records !== 'object')
        throw new Error('This is no file that "Save all to a file" has written.');
    const records = all();
    for (const [id, record] of Object.entries(file.records)) {
        const own = records[id];
        /* What stands here is kept beside what comes in. */
        const kept = [...own?.kept || [], ...own?.code && own.code !== record.code ? [own.code] : []];
        records[id] = { ...record, kept: [...record.kept || [], ...kept] };
    }
    localStorage.setItem(KEY, JSON.stringify(records));
    return Object.keys(file.records).length;
}
