#!/bin/sh
# status.sh LAB...: the verdict of the last run of each of a student's labs.
set -u

echo
echo "  Your labs"
for lab in "$@"; do
    results=build/results/labs/$lab.csv
    verdict=
    if [ -s "$results" ]; then
        # The column is found by its name; the last row is the last run.
        verdict=$(sed 's/"[^"]*"/quoted/g' "$results" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") v = i }
                           NR > 1 { last = $v } END { print last }')
        newer=$(find "labs/$lab" -name '*.cu' -newer "$results")
        [ -n "$newer" ] && verdict="$verdict, changed since"
    fi
    printf '  %-20s %s\n' "$lab" "${verdict:-not run yet: make lab-${lab%%_*}}"
done
