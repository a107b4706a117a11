#!/bin/sh
# draw.sh RESULTS.csv OUTDIR: draws what a results file holds, as SVG and PNG.
# A missing gnuplot is no error: the table says the same in numbers.
set -u
if [ $# != 2 ]; then
    echo "draw.sh: call it with RESULTS.csv and OUTDIR" >&2
    exit 2
fi
csv=$1
out=$2
recorded=plots/data/h200_ladder.csv
[ -f "$recorded" ] || recorded=

if ! command -v gnuplot >/dev/null; then
    echo "plots: skipped, gnuplot is not installed: make deps"
    exit 0
fi

# draw SCRIPT [NAME SETTINGS]: draws SCRIPT.svg and .png, or NAME.svg and .png
# with more gnuplot settings. A picture is in its place only when it is complete.
draw()
{
    name=${2:-$1}
    for kind in svg png; do
        part=$out/part.$$.$kind
        if ! gnuplot -e "csv='$csv'; recorded='$recorded'; out='$part'; ${3:-}" \
            "plots/$1.gp" || ! mv "$part" "$out/$name.$kind"; then
            rm -f "$part"
            echo "plots: $name.$kind was not drawn" >&2
            exit 2
        fi
    done
    echo "plots: $out/$name.svg and .png"
}

mkdir -p "$out" || exit 2
if head -n 1 "$csv" | grep -q "^type,stride,"; then
    draw banks
    exit 0
fi
# Recorded requests, one of each memory at most, and footprints are named after
# their file.
recording=$(basename "$csv" .csv)
if head -n 1 "$csv" | grep -q ",lane,"; then
    for space in global shared; do
        if grep -q ",$space," "$csv"; then
            draw access_map "${recording}_$space" "space='$space'"
        else
            rm -f "$out/${recording}_$space.svg" "$out/${recording}_$space.png"
        fi
    done
    exit 0
fi
if head -n 1 "$csv" | grep -q ",by$"; then
    draw footprint "$recording"
    exit 0
fi
draw counters_by_lab
# Speeds are drawn where a GPU was timed.
if grep -q ',gpu,' "$csv"; then
    draw ladder
fi
