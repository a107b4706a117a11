/* The licences of what the site carries, as HTML: of packages that are part of
   its programs, from their own folders, and of the compiler. */
import fs from 'node:fs';
import { escaped } from '../../slides/text.mjs';

const text = words => `<pre tabindex="0">${escaped(words)}</pre>`;

/* The package brings its own licence alone. */
const LLVM = `LLVM, clang, lld, compiler-rt, libc++ and wasi-libc, which @yowasp/clang packs, are
under the Apache License 2.0 (its text stands above, under binaryen) with these

LLVM Exceptions to the Apache 2.0 License

As an exception, if, as a result of your compiling your source code, portions
of this Software are embedded into an Object form of such source code, you
may redistribute such embedded portions in such Object form without complying
with the conditions of Sections 4(a), 4(b) and 4(d) of the License.

In addition, if you combine or link compiled forms of this Software with
software that is licensed under the GPLv2 ("Combined Software") and if a
court of competent jurisdiction determines that the patent provision (Section
3), the indemnity provision (Section 9) or other Section of the License
conflicts with the conditions of the GPLv2, you may retroactively and
prospectively choose to deem waived or otherwise exclude such Section(s) of
the License, but only in their entirety and only with respect to the Combined
Software.

wasi-libc has parts of musl, Copyright (c) 2005-2020 Rich Felker, et al., under the
MIT licence; of cloudlibc, Copyright (c) 2015-2017 Nuxi (https://nuxi.nl/) and
contributors, under the two-clause BSD licence; and dlmalloc by Doug Lea, in the
public domain. Sources: https://github.com/YoWASP/clang,
https://github.com/llvm/llvm-project, https://github.com/WebAssembly/wasi-libc.
`;

/* course: the text of its own licence; names: of packages in `modules`. */
export function licences(course, modules, names) {
    const parts = names.map(name => {
        const about = JSON.parse(fs.readFileSync(`${modules}/${name}/package.json`, 'utf8'));
        const files = fs.readdirSync(`${modules}/${name}`).filter(entry => /^licen[cs]e/i.test(entry));
        const [first] = files.filter(file => !/apache/i.test(file) || files.length === 1);

        return `<h2>${escaped(`${name} ${about.version}`)}</h2><p>${escaped(String(about.license))}</p>${
            first ? text(fs.readFileSync(`${modules}/${name}/${first}`, 'utf8')) : ''}`;
    });
    return `<div class="text"><h1>Licences</h1><h2>The course</h2>${text(course)}${parts.join('\n')}
<h2>clang and its libraries</h2>${text(LLVM)}</div>`;
}
