#!/bin/sh
# doctor.sh: what can be done on this machine, task by task, and what to type
# for the rest, for make deps WHAT=list. The list is NEEDS.
set -u
# shellcheck source=common/course/needs.sh disable=SC1091
. "${0%/*}/needs.sh"
device=cpu
! command -v nvcc >/dev/null || ! nvidia-smi -L >/dev/null 2>&1 || device=gpu

echo "What this machine is ready for"
sed -n '/^task /s/^task *\([^ |]*\) *| *\([^ |*]*\)[^|]*| *\(.*\)$/\1|\2|\3/p' "$list" |
    while IFS='|' read -r task goal words; do
        missing "$task" | awk -F'|' -v words="$words" -v goal="$goal" '
            function add(text, part) { return text (text == "" ? "" : ", ") part }
            function tell_needed(  part, i, n, line) {
                n = split(needed, part, ", ")
                line = "           needs "
                for (i = 1; i <= n; i++) {
                    if (length(line part[i]) > 78) { sub(/ $/, "", line); print line; line = "             " }
                    line = line part[i] (i < n ? ", " : "")
                }
                print line
            }
            $3 == "" { needed = add(needed, $1) }
            $3 != "" { lost[++count] = $1 ": " substr($3, 3) }
            $3 ~ /^[+]/ { partly = 1 }
            $3 ~ /^[+]/ || $3 == "" { install = 1 }
            $3 ~ /^-/ && $2 != "-" { lost[count] = lost[count] " (" $2 ")" }
            END {
                if (goal ~ /-$/) goal = goal "01"
                sub(/=/, " WHAT=", goal)
                printf "  %-9s%s%s\n", needed != "" ? "missing" : partly ? "partly" : "ready", words,
                    install ? sprintf("%*s", 40 - length(words), "") "make deps " goal : ""
                if (needed != "") tell_needed()
                for (i = 1; i <= count; i++) {
                    if (length(lost[i]) <= 58) print "           without " lost[i]
                    else { at = index(lost[i], ":")
                        print "           without " substr(lost[i], 1, at)
                        print "             " substr(lost[i], at + 2) }
                }
            }'
    done
echo
if ! command -v nvcc >/dev/null; then
    echo "No nvcc: kernels run on the CPU device, which needs no CUDA toolkit."
elif ! nvidia-smi -L >/dev/null 2>&1; then
    echo "nvcc, but no GPU answers: no times of a GPU. The counts that are graded"
    echo "come without one."
fi
if [ "$device" = gpu ]; then
    echo "DEVICE is gpu: $(nvidia-smi --query-gpu=name,driver_version \
        --format=csv,noheader 2>/dev/null || echo 'no GPU answers')"
    echo "Labs are checked and timed there, and counted on the CPU device."
else
    echo "DEVICE is cpu: kernels run on $(nproc) cores of this machine, are"
    echo "checked, and are counted as a GPU would see them. Their times say"
    echo "nothing about a GPU."
fi
