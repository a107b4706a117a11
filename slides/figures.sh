#!/bin/sh
# figures.sh: draws the figures of the slides that data change, into
# build/slides/figures: what is recorded, counted or modelled for them, first.
# Those that nothing changes are SVG files in slides/figures and, where a
# handout shows them too, in labs/pictures.
# Numbers of labs and cases need no quotes.
# shellcheck disable=SC2086
set -eu
out=build/slides
ladder=plots/data/h200_ladder.csv
mkdir -p $out/figures

# figure NAME ARGUMENT...: see draw_figure.
figure()
{
    name=$1
    shift
    build/tools/draw_figure $out/figures/"$name".svg "$@"
}

# record KIND FILE LAB [OPTION...]: as make map-NN records it, one request of a
# run or what is touched.
record()
{
    kind=$1 file=$2 lab=$3
    shift 3
    program=$(echo build/cpu/solutions/"$lab"_*-analyse)
    "$program" --quiet "--$kind" "$out/$file.csv" "$@" >/dev/null
}

build/tools/banks --csv $out/banks.csv >/dev/null
record map map_03_B 03 --map-array B
record map map_04_B 04 --map-array B
for lab in 04 06; do record map map_${lab}_shared $lab --map-array Bs; done
# Of labs 11 and 12 the load, not the store, which may take as many wavefronts.
for lab in 11 12; do
    line=$(grep -n '&Bs\[now\]\[i\]' solutions/${lab}_*/*.cu | cut -d: -f1)
    record map map_${lab}_shared $lab --map-array Bs --map-line "$line"
done
for lab in 02 03 07; do
    record footprint footprint_$lab $lab
    figure footprint_$lab footprint $out/footprint_$lab.csv
done
for lab in 03 04; do figure sectors_$lab sectors $out/map_${lab}_B.csv; done
for lab in 04 06 11 12; do figure queues_$lab queues $out/map_${lab}_shared.csv; done

figure clocks clocks slides/figures/clocks.csv
figure conflicts_old conflict $out/banks.csv 1.x
figure conflicts_today conflict $out/banks.csv today
for case in float_1 float_2 float_8 float_33 char_1 char_5; do
    figure stride_$case stride ${case%_*} ${case#*_} today
done
figure stride_char_1_old stride char 1 1.x
# The bars of a lab's ladder begin with the lab before its part of the course.
for lab in 01 02 03 04 06 07 08 09; do figure ladder_$lab ladder $ladder $lab 02 09; done
for lab in 10 11 12 13 14; do figure ladder_$lab ladder $ladder $lab 09 14; done
for lab in 15 16 17; do figure ladder_$lab ladder $ladder $lab 14 17; done
