# shellcheck shell=sh
# verdict.sh: what did a lab's last run say? Read by other scripts.

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

# That of a student's lab, as 03_tiling; nothing if it was not run yet.
lab_verdict()
{
    lab_results=build/results/labs/$1.csv
    [ -s "$lab_results" ] || return 0
    lab_said=$(read_verdict "$lab_results")
    if [ -n "$(find "labs/$1" -name '*.cu' -newer "$lab_results")" ]; then
        lab_said="$lab_said, changed since"
    fi
    echo "$lab_said"
}
