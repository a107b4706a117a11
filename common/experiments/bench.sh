#!/bin/sh
# bench.sh WHAT: measures and draws, for make bench and make plots. WHAT is
#   labs      labs at one size           sweep     labs at many sizes
#   tiles     widths of a tile           roofline  labs and the chip's limits
#   ceilings  what this GPU can do       plots     all that is at hand, no times
#   start     how long the first make lab-01 takes
#   device    how fast the CPU device is grader    what a box costs
# Every measurement goes to a CSV file of its own in RESULTS; the head of
# measure.sh says how it goes on after a break. The settings are make's, in the
# environment: DEVICE FROM RESULTS PLOTS FRESH SIZES REPEAT; LABS are those that
# this can be done with, CHOSEN those that were asked for; TIMED and COUNTED are
# their programs, and TILES that of the widths of a tile.
#
# Lists are left to be split.
# shellcheck disable=SC2086
set -u
what=$1
export FROM FRESH HOST_LABS
# One core of the host needs minutes for 4096, which a GPU does in milliseconds.
export HOST_SIDE=1024
is_gpu=
[ "$DEVICE" != gpu ] || is_gpu=1
time="--bench --cublas $HOW"

for lab in $CHOSEN; do
    case $what in labs | sweep | roofline | plots)
        case " $LABS " in *" $lab "*) ;; *)
            echo "lab ${lab%%_*} is not for this experiment: use some of $LABS" >&2
            exit 2 ;;
        esac ;;
    esac
done

measure() { sh common/experiments/measure.sh "$@" || exit; }
draw() { sh plots/draw.sh "$@" || exit; }
# pick ON_GPU ELSE
pick() { if [ "$is_gpu" ]; then echo "$1"; else echo "$2"; fi; }

time_at_one_size()
{
    measure "$RESULTS/bench.csv" "${SIZES:-$(pick 4096 256)}" "$time" $TIMED
}

draw_all()
{
    command -v gnuplot >/dev/null || { draw - "$PLOTS"; exit; }
    for plot in counts:counters_by_lab bench:ladder sweep:sweep \
        ${TILES:+tiles_counts:tile_counters} tiles:tile_width bench:roofline \
        banks:banks; do
        case $plot in
        banks:*) [ -f "$RESULTS/banks.csv" ] || continue ;;
        counts:* | *:roofline) grep -q ,PASS, "$RESULTS/counts.csv" || continue ;;
        esac
        draw "$RESULTS/${plot%:*}.csv" "$PLOTS" ${plot#*:}
    done
    for program in $COUNTED; do
        lab=${program##*/}
        # Labs 08 and 09 access memory as lab 07 does.
        [ "$CHOSEN" ] || case $lab in 08_* | 09_*) continue ;; esac
        map=$RESULTS/map_${lab%%_*}
        $program --quiet --map "$map.csv" --footprint "${map}_footprint.csv"
        case $? in
        0) draw "$map.csv" "$PLOTS" && draw "${map}_footprint.csv" "$PLOTS" ;;
        1 | 77) ;; # it is not right, or has no kernel, and has said so
        *) exit 2 ;;
        esac
    done
}

case $what in
labs)
    time_at_one_size
    draw "$RESULTS/bench.csv" "$PLOTS" ladder
    ;;
sweep)
    measure "$RESULTS/sweep.csv" "${SIZES:-$(pick '512 1024 2048 4096 8192' '64 128 256')}" \
        "$time" $TIMED
    draw "$RESULTS/sweep.csv" "$PLOTS" sweep
    ;;
tiles)
    # Counted on the CPU device; timed on a GPU alone, small, medium and large.
    measure "$RESULTS/tiles_counts.csv" "$(pick - "${SIZES:--}")" "--counters ${HOW%--repeat*}" $TILES
    draw "$RESULTS/tiles_counts.csv" "$PLOTS" tile_counters
    [ ! "$is_gpu" ] || measure "$RESULTS/tiles.csv" "${SIZES:-128 1024 4096}" "$time" \
        build/gpu/experiments/tiles
    draw "$RESULTS/tiles.csv" "$PLOTS" tile_width
    ;;
roofline)
    # Counted on the CPU device, and held against times and ceilings of a GPU.
    measure "$RESULTS/counts.csv" - --counters $COUNTED
    [ ! "$is_gpu" ] || time_at_one_size
    draw "$RESULTS/bench.csv" "$PLOTS" roofline
    ;;
plots)
    mkdir -p "$RESULTS"
    # What is at hand: a lab that is not right yet is left out.
    (measure "$RESULTS/counts.csv" "${SIZES:--}" --counters $COUNTED) || [ $? = 1 ] || exit 2
    [ ! "$TILES" ] || measure "$RESULTS/tiles_counts.csv" "${SIZES:--}" --counters $TILES
    build/tools/banks --csv "$RESULTS/banks.csv" >/dev/null || true
    draw_all
    ;;
ceilings)
    [ "$is_gpu" ] || { echo "make bench WHAT=ceilings needs a GPU and nvcc" >&2 && exit 2; }
    echo "The chip, for make why-03 CHIP=$RESULTS/chip.csv: $RESULTS/chip.csv"
    ;;
start) sh common/experiments/bench_start.sh $REPEAT ;;
device)
    mkdir -p build/results
    for build in bench_simt bench_simt-analyse; do
        build/tools/$build ${SIZES:+--sizes "$SIZES"} ${REPEAT:+--repeat $REPEAT} \
            --csv build/results/$build.part || exit 1
        echo
    done
    cd build/results || exit
    ../tools/results merge bench_simt.csv bench_simt.part bench_simt-analyse.part &&
        rm bench_simt.part bench_simt-analyse.part
    echo "The same as CSV: build/results/bench_simt.csv"
    ;;
grader)
    build/tools/box_bench && sh tests/grade/bench/class_bench.sh build/tools/grade
    ;;
esac
