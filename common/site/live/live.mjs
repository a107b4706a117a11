/* The live pictures of the handouts. Where scripts are off, a picture is what
   its program says at first, in words. */
import { make, program as load } from './shared.mjs';

/* At the end of which section of which labs' handouts: pages.mjs. What would tell
   what a student is asked to predict comes behind that. */
const BEFORE = 'the-picture', BEHIND = 'the-number-to-reach';
const behind = (...labs) => Object.fromEntries(labs.map(lab => [lab, BEHIND]));
export const pictures = {
    banks: { labs: { '05': BEFORE, '06': BEHIND }, title: 'The banks at work', load: () => import('./banks.mjs') },
    trace: { labs: { '03': BEFORE }, title: 'Two tiles, step by step', load: () => import('./trace.mjs') },
    zoom: { labs: behind('02', '03', '04', '06', '07', '08', '09', '10', '11', '12', '13'),
        title: 'From the grid to a lane', load: () => import('./zoom.mjs') },
    fragments: { labs: { '14': BEFORE }, title: 'What a lane holds', load: () => import('./fragments.mjs') },
    limits: { labs: behind('10', '11', '12', '13', '14'), title: 'The limits of a chip', load: () => import('./limits.mjs') },
};

/* Starts those of this page. */
function start() {
    const get = async name => new Uint8Array(await (await fetch(name)).arrayBuffer());
    const course = {
        program: name => load(name, get),
        source: get, /* a file of the course */
        /* Has this browser seen the lab pass? store.mjs. */
        isDone: lab => {
            try {
                return JSON.parse(localStorage.getItem('cuda-labs'))[lab].verdict === 'PASS';
            } catch {
                return false;
            }
        },
    };
    for (const figure of document.querySelectorAll('[data-picture]')) {
        const { picture, lab } = figure.dataset;
        pictures[picture].load().then(module => module.live(figure, lab, course)).catch(error => {
            figure.append(make('p', { role: 'status' }, `The picture cannot be shown: ${error.message}`));
        });
    }
}

if (globalThis.document)
    start();
