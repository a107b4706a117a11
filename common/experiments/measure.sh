#!/bin/sh
# measure.sh CSV "SIZES" "OPTIONS" PROGRAM...: runs every program at every size
# and gathers the rows in one file.
#
#   SIZES    4096 for square matrices, 256x384x512 for M x N x K, - for the
#            size that the program itself would choose
#   OPTIONS  for the programs: --bench or --counters, and others
#   FRESH    (environment) 1: measure again what the file holds already
#   HOST_LABS  (environment) labs without a kernel: of these no square is larger
#            than HOST_SIDE (environment)
#
# A row is written as soon as it is measured. So a run that was cut short goes
# on where it stopped, since a program keeps the rows of its own build, chip and
# compiler. Exit codes: 0 done, 1 a lab is not right, 2 it cannot go on.
#
# Lists of sizes and options are left to be split.
# shellcheck disable=SC2086
set -u
if [ $# -lt 4 ]; then
    echo 'usage: measure.sh CSV "SIZES" "OPTIONS" PROGRAM...' >&2
    exit 2
fi
csv=$1
sizes=$2
options=$3
shift 3
keep=--resume
[ "${FRESH:-}" = 1 ] && keep=--renew

mkdir -p "$(dirname "$csv")" || exit 2
# Two measurements at once would disturb each other.
exec 9<build || exit 2
if ! flock -n 9; then
    echo "measure: waits for another measurement to end"
    flock 9
fi

set -f
all=0
for size in $sizes; do
    all=$((all + $#))
done
if [ $all = 0 ]; then
    echo "measure: no size was given: set SIZES='512 1024'" >&2
    exit 2
fi
at=0
wrong=0
for size in $sizes; do
    for program in "$@"; do
        at=$((at + 1))
        side=$size
        case " ${HOST_LABS-} " in
        *" ${program##*/} "*)
            ! [ "$size" -gt "$HOST_SIDE" ] 2>/dev/null || side=$HOST_SIDE
            ;;
        esac
        shape=
        case $side in
        -) ;;
        *x*x*)
            shape="--m ${side%%x*} --k ${side##*x}"
            side=${side#*x}
            shape="$shape --n ${side%x*}"
            ;;
        *) shape="--m $side --n $side --k $side" ;;
        esac
        printf '[%d/%d] ' $at $all
        "$program" --quiet $options $shape $keep --csv "$csv" 9<&-
        code=$?
        case $code in
        0 | 77) ;;
        2) exit 2 ;;
        *)
            [ $code = 1 ] || echo "$program ended with code $code"
            wrong=$((wrong + 1))
            ;;
        esac
    done
done
echo "Results: $csv"
if [ $wrong != 0 ]; then
    echo "measure: $wrong of $all runs are not right: no times of these" >&2
    exit 1
fi
