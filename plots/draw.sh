#!/bin/sh
# draw.sh RESULTS.csv OUTDIR [PLOT...]: draws what a results file holds, as SVG,
# PNG and PDF. Without a PLOT its columns and rows tell which.
#
# FROM, labs or solutions, says whose labs the results are of.
#
# A plot of speeds needs a GPU's. Where RESULTS.csv has none, or is not there,
# those of an H200 are drawn that stand in plots/data/, and the title says so.
# A missing gnuplot is no error: the table says the same in numbers.
set -u
if [ $# -lt 2 ]; then
    echo "draw.sh: call it with RESULTS.csv and OUTDIR" >&2
    exit 2
fi
given=$1
csv=$given
out=$2
shift 2
recorded=plots/data/h200_ladder.csv
[ -f "$recorded" ] || recorded=
results=${csv%/*} # counts and ceilings stand beside it
[ "$results" != "$csv" ] || results=.

if ! command -v gnuplot >/dev/null; then
    echo "plots: skipped, gnuplot is not installed: make deps"
    exit 0
fi

# draw SCRIPT [SETTINGS [NAME]]: SCRIPT's picture with more gnuplot settings, as
# NAME.svg, .png and .pdf. A picture is in its place only when it is complete.
draw()
{
    name=${3:-$1}
    for kind in svg png pdf; do
        part=$out/part.$$.$kind
        if ! gnuplot -e "csv='$csv'; recorded='$recorded'; out='$part'; \
whose='${FROM-}'; ${2-}" \
            "plots/$1.gp" || ! mv "$part" "$out/$name.$kind"; then
            rm -f "$part"
            echo "plots: $name.$kind was not drawn" >&2
            exit 2
        fi
    done
    echo "plots: $out/$name.svg, .png and .pdf"
}

has_gpu()
{
    build/tools/results table timed "$1" lab >/dev/null 2>&1
}

# choose RECORDED: sets csv to a file with a GPU's times, and remark.
choose()
{
    remark=
    if ! has_gpu "$csv"; then
        if [ ! -f "$1" ]; then
            echo "plots: $plot is not drawn: nothing was timed on a GPU"
            return 1
        fi
        csv=$1
        remark=' (recorded)'
        echo "plots: $plot shows times of $1: none on a GPU here"
    fi
}

draw_one()
{
    plot=$1
    csv=$given
    case $plot in
    ladder)
        choose plots/data/h200_ladder.csv && draw ladder "remark='$remark'"
        ;;
    sweep)
        choose plots/data/h200_sweep.csv || return 0
        predicted="remark='$remark'; why='plots/data/why_predicted.csv'"
        if [ -z "$remark" ]; then
            draw sweep "$predicted"
            return 0
        fi
        # All that was recorded in two plots; 4096 stands in the ladder's file.
        csv=$out/part.$$.csv
        build/tools/results merge "$csv" plots/data/h200_sweep.csv "$recorded" ||
            exit 2
        draw sweep "$predicted; only='02 03 04 06 07 08 09'"
        draw sweep "$predicted; only='09 10 11 12 13 14'" advanced
        rm "$csv"
        ;;
    tile_width)
        choose plots/data/h200_tiles.csv && draw tile_width "remark='$remark'"
        ;;
    roofline)
        # The ceilings must be those of the chip that was timed.
        ceilings=$results/ceilings.csv
        [ -f "$ceilings" ] || csv=
        choose plots/data/h200_ladder.csv || return 0
        [ -z "$remark" ] || ceilings=plots/data/h200_ceilings.csv
        draw roofline "remark='$remark'; ceilings='$ceilings'; \
counts='$results/counts.csv'"
        ;;
    why) draw why "" "$(basename "$csv" .csv)" ;;
    banks) draw banks "whose=''" ;; # a model, no lab
    *) draw "$plot" ;;
    esac
    return 0
}

mkdir -p "$out" || exit 2
if [ $# -gt 0 ]; then
    for plot in "$@"; do
        draw_one "$plot"
    done
    exit 0
fi
if head -n 1 "$csv" | grep -q "^type,stride,"; then
    draw_one banks
    exit 0
fi
# Recorded requests, one of each memory at most, and footprints are named after
# their file.
recording=$(basename "$csv" .csv)
if head -n 1 "$csv" | grep -q ",lane,"; then
    for space in global shared; do
        if grep -q ",$space," "$csv"; then
            draw access_map "space='$space'" "${recording}_$space"
        else
            rm -f "$out/${recording}_$space".*
        fi
    done
    exit 0
fi
if head -n 1 "$csv" | grep -q ",by$"; then
    draw footprint "" "$recording"
    exit 0
fi
draw counters_by_lab
if has_gpu "$csv"; then
    draw ladder
fi
