#!/bin/sh
# compile.sh SIMT_TABLES OPTIONS OTHER OUT.o COMMAND...: compiles what
# simt_rewrite has made of a .cu file, by COMMAND, a call of g++ without what it
# writes. What a program must know of its source is added to the assembly by
# SIMT_TABLES with OPTIONS.
#
# OTHER, unless it is empty, is OPTIONS, OUT.o and COMMAND of the other build,
# as one writes them for a shell. Both are compiled at once, and of what is
# wrong with the source one tells: then there is neither.
tables=$1 options=$2 other=$3 out=$4
shift 4
export LANGUAGE=en # whose words are known
twin=
if [ -n "$other" ]; then
    twin=$out.twin
    (
        eval "set -- $other"
        given=$1 to=$2
        shift 2
        sh "$0" "$tables" "$given" '' "$twin" "$@" && echo "$to" >"$twin.to"
    ) 2>"$twin.heard" &
fi
"$@" -S -o "$out.s" 2>"$out.said"
code=$?
[ ! -s "$out.said" ] || awk -v width=80 -v verbose="${VERBOSE:+1}" \
    -v quiet="${COURSE_QUIET-}" -f common/simt/compiler_words.awk \
    "$out.said" >&2 || code=1
# shellcheck disable=SC2086 # a list of words
[ $code = 0 ] && "$tables" $options <"$out.s" >"$out-tables.s" &&
    "$1" -c "$out-tables.s" -o "$out"
code=$?
if [ -n "$twin" ]; then
    wait
    if [ $code != 0 ]; then
        rm -f "$twin"
    elif [ -e "$twin.to" ]; then
        mv -f "$twin" "$(cat "$twin.to")"
    else
        cat "$twin.heard" >&2
        code=1
    fi
    rm -f "$twin.to" "$twin.heard"
fi
rm -f "$out.s" "$out-tables.s" "$out.said"
exit $code
