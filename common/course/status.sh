#!/bin/sh
# status.sh LAB...: how far a student is: TODOs that are closed, their comment
# deleted or the code under it changed, and what the last run of each lab said.
# The advanced track stands apart, and is not counted with the others.
set -u

results=build/tools/results
said=
if [ -x "$results" ]; then
    said=$("$results" verdict "$@")
fi

advanced=$(awk -f common/course/labs.awk labs/INDEX | sed -n 's/:advanced$//p')

echo
echo " Your labs                 TODOs closed    the last run"
printf '%s\n' "$@" | SAID=$said ADVANCED=$advanced awk '
    function bar(done, out_of,   i, text) {
        if (out_of == 0) # nobody has counted them
            return "            "
        for (i = 1; i <= 10; i++)
            text = text (out_of > 0 && i * out_of <= done * 10 ? "#" : ".")
        return "[" text "]"
    }
    BEGIN {
        lines = split(ENVIRON["SAID"], line, "\n")
        for (i = 1; i <= lines; i++) {
            fields = split(line[i], word, "|")
            if (word[2] != "")
                said[word[1]] = word[2]
            if (fields < 4)
                continue
            part[word[1]] = word[3]
            all[word[1]] = word[4]
            count++
        }
    }
    function sum(of) {
        printf " %-19s %s %8s  %d of %d passed\n", of, bar(parts, alls),
               (count > 0 ? parts " of " alls : ""), passed, labs
        parts = alls = passed = labs = 0
    }
    !apart && index("\n" ENVIRON["ADVANCED"] "\n", "\n" $1 "\n") {
        sum("in all")
        print "\n The advanced track, for those who want more"
        apart = 1
    }
    {
        known = $1 in all
        verdict = $1 in said ? said[$1] : "not run yet: make lab-" substr($1, 1, 2)
        printf " %-19s %s %8s  %s\n", $1, bar(part[$1], all[$1]),
               known ? part[$1] " of " all[$1] : "", verdict
        labs++
        passed += verdict ~ /^PASS/
        parts += part[$1]
        alls += all[$1]
    }
    END {
        sum("in all")
        if (count == 0)
            print "  make status counts the TODOs that are closed."
    }'
