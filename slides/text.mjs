/* Texts as HTML, for handouts and for the site. */

export const escaped = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

/* A text without its comments, which checks read; what stands between lines of
   ``` is code, and stays. */
export const withoutComments = text => text.split(/^(```[^]*?^```.*$)/m)
    .map((part, i) => i % 2 ? part : part.replace(/<!--[^]*?-->\n?/g, ''))
    .join('');
