#!/bin/sh
# lab.sh LAB PROGRAM COUNTING RUN COUNT: checks a lab, as labs/03_tiling, for
# make lab-03. First whether PROGRAM is right, on the device at hand. If it is,
# what COUNTING counts, and whether it is clean, which only the CPU device can
# tell; if it is finished and wrong, what the checks say. COUNTING is empty for
# a lab that only a GPU can run. RUN and COUNT are the options of both.
set -u
program=$2 counting=$3 run=$4 count=$5
results=build/results/$1.csv
findings=build/results/checks/$1.csv
mkdir -p "${results%/*}" "${findings%/*}" && rm -f "$results" "$findings" || exit 2

# shellcheck disable=SC2086 # options are words
"$program" $run --csv "$results"
code=$?
[ $code != 77 ] || exit 0 # the device cannot run this lab, and has said so
if [ $code = 0 ] && [ -n "$counting" ]; then
    # shellcheck disable=SC2086
    "$counting" --counters $count --csv "$results" --findings "$findings"
    code=$?
    [ $code != 77 ] || exit 0
elif [ $code != 0 ] && [ "$counting" != "${counting%-analyse}" ] &&
    build/tools/results failed "$results"; then
    "$counting" --checks --findings "$findings"
fi
exit $code
