#!/bin/sh
# draw.sh RESULTS.csv OUTDIR: draws what a results file holds, as SVG and PNG.
set -u
csv=$1
out=$2
recorded=plots/data/h200_ladder.csv

if ! command -v gnuplot >/dev/null; then
    echo "plots: skipped, gnuplot is not installed: make deps"
    exit 0
fi

# draw NAME CSV: a picture is in its place only when it is complete.
draw()
{
    for kind in svg png; do
        part=$out/part.$kind
        if gnuplot -e "csv='$2'; recorded='$recorded'; out='$part'" \
            "plots/$1.gp"; then
            mv "$part" "$out/$1.$kind"
        else
            rm -f "$part"
            echo "plots: $1.$kind was not drawn" >&2
            exit 2
        fi
    done
    echo "plots: $out/$1.svg and .png"
}

mkdir -p "$out"
draw counters_by_lab "$csv"
# Speeds are drawn where a GPU was timed.
if grep -q ',gpu,' "$csv"; then
    draw ladder "$csv"
fi
