#!/bin/sh
# class_bench.sh GRADE: how many one-lab submissions are graded a minute?
#
# A class of 24 hands in the solution of lab 04, each with a comment of its own,
# so that none is graded by what was graded before. Nine cases each. One core
# and all of them; the controls before the class are part of the time.
set -eu
grade=$1
students=24
class=$(mktemp -d /tmp/grade_bench.XXXXXX)
trap 'rm -rf "$class"' EXIT INT TERM
printf '# of this benchmark: one lab\n' >"$class/rubric"
for lab in solutions/*/; do
    lab=$(basename "$lab")
    [ "$lab" = 04_coalescing ] || printf 'lab: %s\ngraded: no\n' "$lab" >>"$class/rubric"
done
i=0
while [ "$i" -lt "$students" ]; do
    mkdir -p "$class/in/student$i"
    { cat solutions/04_coalescing/coalescing.cu; echo "// $i"; } \
        >"$class/in/student$i/04_coalescing.cu"
    i=$((i + 1))
done
for jobs in 1 "$(nproc)"; do
    begin=$(date +%s%N)
    "$grade" "$class/in" --out "$class/out$jobs" --jobs "$jobs" \
        --rubric "$class/rubric" >"$class/log" 2>&1 || { cat "$class/log" >&2; exit 3; }
    end=$(date +%s%N)
    grep -q ',100,' "$class/out$jobs/grades.csv" || { cat "$class/out$jobs/grades.csv" >&2; exit 3; }
    echo "$students submissions, jobs $jobs: $((students * 60000000000 / (end - begin))) a minute"
done
