#!/bin/sh
# run.sh PROGRAM FOLDER REPORT ENDLESS ARGUMENTS...: runs a program in that
# folder, as it is, and then PROGRAM-analyse, which counts. Ends as it did; with
# 1 if that was 0 and a mistake was found. A kernel that does not end in ENDLESS
# seconds (0: any) ends all with 124.
program=$1 folder=$2
export SIMT_REPORT="$3" SIMT_IN_STEP=1
endless=$4
shift 4

# Both read the same: what comes through a pipe is kept for the second.
input=/dev/stdin
if [ -p /dev/stdin ]; then
    input=$program.input
    cat >"$input"
fi
# Their lines come as they are written, in a pipe too.
lines=$(command -v stdbuf >/dev/null && echo 'stdbuf -oL')
cd "$folder" || exit 2
SIMT_REPORT='' SIMT_ENDLESS=$endless $lines "$program" "$@" <"$input"
code=$?
[ $code != 124 ] || exit 124
# Of higher ones there is no signal: main returned -1, as 255.
[ $code -le 128 ] || [ $code -gt 192 ] ||
    echo "the program was ended by signal $((code - 128))" >&2
echo
echo "counted:"
$lines "$program-analyse" "$@" <"$input"
counted=$?
[ $code != 0 ] || code=$counted
exit $code
