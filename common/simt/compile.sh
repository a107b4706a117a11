#!/bin/sh
# compile.sh SIMT_TABLES OPTIONS PLAIN OUT.o COMMAND...: compiles what
# simt_rewrite has made of a .cu file, by COMMAND, a call of g++ without what it
# writes. What a program must know of its source is added to the assembly by
# SIMT_TABLES with OPTIONS.
#
# A lab's two builds are compiled at once: what is wrong with it is told by the
# plain one. PLAIN is the command of that one, where this is the other: then
# this tells only what that does not find.
tables=$1 options=$2 plain=$3 out=$4
shift 4
"$@" -S -o "$out.s" 2>"$out.said"
code=$?
if [ $code != 0 ] && [ -n "$plain" ]; then
    # shellcheck disable=SC2086 # a list of words
    $plain -w -fsyntax-only 2>/dev/null || : >"$out.said"
fi
[ ! -s "$out.said" ] ||
    awk -v width=80 -f common/simt/compiler_words.awk "$out.said" >&2
# shellcheck disable=SC2086 # a list of words
[ $code = 0 ] && "$tables" $options <"$out.s" >"$out-tables.s" &&
    "$1" -c "$out-tables.s" -o "$out"
code=$?
rm -f "$out.s" "$out-tables.s" "$out.said"
exit $code
