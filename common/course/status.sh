#!/bin/sh
# status.sh LAB...: how far a student is: TODOs written, and what the last run of
# each lab said.
set -u
# shellcheck source=common/course/verdict.sh disable=SC1091
. "${0%/*}/verdict.sh"

todos=build/tools/todos
written=
if [ -x "$todos" ]; then
    written=$("$todos" "$@") || written=
fi

echo
echo "  Your labs                TODOs written  the last run"
for lab in "$@"; do
    verdict=$(lab_verdict "$lab")
    echo "$lab|${verdict:-not run yet: make lab-${lab%%_*}}"
done | WRITTEN=$written awk -F '|' '
    function bar(done, out_of,   i, text) {
        for (i = 1; i <= 10; i++)
            text = text (out_of > 0 && i * out_of <= done * 10 ? "#" : ".")
        return "[" text "]"
    }
    BEGIN {
        count = split(ENVIRON["WRITTEN"], line, "\n")
        for (i = 1; i <= count; i++) {
            split(line[i], word, " ")
            part[word[1]] = word[2]
            all[word[1]] = word[3]
        }
    }
    {
        known = $1 in all
        printf "  %-18s %s %7s  %s\n", $1, bar(part[$1], all[$1]),
               known ? part[$1] " of " all[$1] : "", $2
        labs++
        passed += $2 ~ /^PASS/
        parts += part[$1]
        alls += all[$1]
    }
    END {
        printf "  %-18s %s %7s  %d of %d passed\n", "in all",
               bar(parts, alls), (count > 0 ? parts " of " alls : ""), passed, labs
    }'
