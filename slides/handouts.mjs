/*
 * handouts.mjs OUTDIR HANDOUT.md...: a page of HTML of each handout, which loads
 * nothing: its pictures stand in it. What checks read, the comments, is left
 * out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { escaped, withoutComments } from './text.mjs';

const language = process.env.COURSE_LANGUAGE || '';
/* Chinese and Korean drawings have two columns for a letter. */
const isEastern = /^(zh|ko)/.test(language);
const eastern = isEastern ? '"WenQuanYi Micro Hei", "Noto Sans CJK SC",' : '';
const easternMono = isEastern ? '"WenQuanYi Micro Hei Mono", "Noto Sans Mono CJK SC",' : '';
const style = `
@page { size: A4; margin: 18mm 18mm 20mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
body { font: 10.5pt/1.45 "DejaVu Sans", "Noto Sans", ${eastern} sans-serif; max-width: 46em; margin: auto; }
header { display: flex; justify-content: space-between; color: #444; }
header img { height: 3em; }
pre { font: 8.5pt/1.35 ${easternMono} "DejaVu Sans Mono", monospace; background: #f3f5f7; padding: .6em;
  white-space: pre-wrap; break-inside: avoid; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: .9em; }
main img { max-width: 100%; max-height: 15cm; display: block; margin: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid #bbb; padding: .25em .6em; }
h1, h2, h3 { break-after: avoid; }
`;

/* A picture as an address that holds it. */
function picture(path)
{
    const type = path.endsWith('.svg') ? 'svg+xml' : 'png';

    return `data:image/${type};base64,${readFileSync(path).toString('base64')}`;
}

function makePage(path, out)
{
    const markdown = new MarkdownIt({ html: true });
    const name = basename(dirname(path));
    const text = withoutComments(readFileSync(path, 'utf8'));
    const image = markdown.renderer.rules.image;
    const owner = [process.env.DECK_COURSE || 'CUDA C labs', process.env.DECK_UNIVERSITY]
        .filter(Boolean).join(', ');
    const logo = process.env.DECK_LOGO;

    markdown.renderer.rules.image = (tokens, i, ...rest) => {
        const source = tokens[i].attrGet('src');

        tokens[i].attrSet('src', picture(join(dirname(path), source)));
        return image(tokens, i, ...rest);
    };
    /* On paper a link is its words. */
    markdown.renderer.rules.link_open = markdown.renderer.rules.link_close = () => '';
    /* data: with SVG is no address that markdown-it takes by itself. */
    markdown.validateLink = () => true;
    writeFileSync(join(out, `${name}.html`), `<!DOCTYPE html>
<html lang="${language.replace('_', '-') || 'en'}"><meta charset="utf-8">
<title>${escaped(name)}</title><style>${style}</style>
<header><span>${escaped(owner)}</span>${logo ? `<img src="${picture(logo)}" alt="">` : ''}</header>
<main>${markdown.render(text)}</main></html>
`);
}

const [out, ...pages] = process.argv.slice(2);

for (const page of pages) {
    try {
        makePage(page, out);
    } catch (error) {
        console.error(`handouts: ${page}: ${error.message}`);
        process.exit(2);
    }
}
