#!/bin/sh
# link.sh OUT COMMAND...: links a program by COMMAND, a call of g++ without what
# it writes. What the linker says is told in the words of a program's author.
out=$1
shift
"$@" -o "$out" 2>"$out.said"
code=$?
[ $code = 0 ] || awk -v width=80 -f common/simt/compiler_words.awk "$out.said" >&2
rm -f "$out.said"
exit $code
