#!/bin/sh
# link.sh OUT COMMAND...: links a program, or compiles a file of its host code,
# by COMMAND, a call of g++ without what it writes. What that says is told in
# the words of a program's author, warnings with VERBOSE=1 alone.
out=$1
shift
"$@" -o "$out" 2>"$out.said"
code=$?
if [ $code != 0 ] || [ -n "${VERBOSE-}" ]; then
    awk -v width=80 -v verbose="${VERBOSE:+1}" \
        -f common/simt/compiler_words.awk "$out.said" >&2
fi
rm -f "$out.said"
exit $code
