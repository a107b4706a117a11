#!/bin/sh
# status.sh LAB...: the verdict of the last run of each of a student's labs.
set -u

# The verdicts of a results file, columns found by their names. A device's name
# is quoted and may hold a comma.
read_verdict()
{
    sed 's/"[^"]*"/quoted/g' "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["verdict"] != "PASS" { verdict = $column["verdict"] }
        $column["measure_ok"] != "" { counted = 1 }
        $column["measure_ok"] == "0" { missed = 1 }
        END {
            if (verdict) print verdict
            else if (missed) print "right, goal not reached yet"
            else if (counted) print "PASS, goal reached"
            else print "PASS"
        }'
}

echo
echo "  Your labs"
for lab in "$@"; do
    results=build/results/labs/$lab.csv
    verdict=
    if [ -s "$results" ]; then
        verdict=$(read_verdict "$results")
        newer=$(find "labs/$lab" -name '*.cu' -newer "$results")
        [ -n "$newer" ] && verdict="$verdict, changed since"
    fi
    printf '  %-20s %s\n' "$lab" "${verdict:-not run yet: make lab-${lab%%_*}}"
done
