#!/bin/sh
# map.sh PROGRAM NAME OPTION...: records by PROGRAM, a lab's for the CPU device
# that counts, who accesses what: NAME.csv, one request of a warp lane by lane,
# and NAME_footprint.csv, what a thread, a warp and a block touch. Draws both.
set -u
program=$1 name=$2
shift 2
mkdir -p "${name%/*}"
"$program" --map "$name.csv" --footprint "${name}_footprint.csv" "$@"
code=$?
[ $code != 77 ] || exit 0 # it has no kernel, and has said so
[ $code = 0 ] || exit $code
echo
sh plots/draw.sh "$name.csv" build/plots || exit
if [ "$(wc -l <"${name}_footprint.csv")" -lt 2 ]; then
    echo 'No thread loads or stores global memory itself: it has no footprint.'
    exit
fi
! command -v gnuplot >/dev/null || sh plots/draw.sh "${name}_footprint.csv" build/plots
