#!/bin/sh
# why.sh LAB PROGRAM CHIP SIZES [code]: which limit of a chip binds a lab's
# kernel, for make why-03. LAB is 03_tiling, PROGRAM labs/03_tiling or
# another's; SIZES as 512 1024x64x512. Where there is nvcc, its machine code of
# PROGRAM is in build/chip; with code that is shown instead.
set -u
lab=$1 program=$2 chip=$3 sizes=$4 what=${5-}
number=${lab%%_*}
cubin=build/chip/$program.cubin

if [ "$what" = code ]; then
    [ -f "$cubin" ] && exec build/tools/chip --code --cubin "$cubin"
    echo "make why-$number WHAT=code needs nvcc, though no GPU: labs/SASS.md shows" \
        "what it prints" >&2
    exit 2
fi

file=common/chip/chips/$chip.csv
[ -f "$file" ] || file=$chip
if [ ! -f "$file" ]; then
    known=$(cd common/chip/chips && echo *.csv | sed 's/\.csv//g')
    echo "CHIP is '$chip': use one of $known," >&2
    echo "or a file that make bench WHAT=ceilings wrote" >&2
    exit 2
fi

# Recorded code is that of the solutions alone.
set --
if [ -f "$cubin" ]; then
    set -- --cubin "$cubin"
else
    case $program in (solutions/*) set -- --facts common/chip/facts.csv ;; esac
fi
csv=build/results/why_$number.csv
case $program in (mutants/*) csv=build/results/why_${program#*/}.csv ;; esac
mkdir -p build/results build/chip
build/tools/chip --chip "$file" "$@" --csv "$csv" \
    --sizes "$(echo "${sizes:-512 1024 2048 8192 4096}" | tr ' ' ,)" \
    --requests "build/chip/$(echo "$program" | tr / _)" \
    --program "build/cpu/$program-analyse" "$lab"
code=$?
[ $code != 77 ] || exit 0 # it cannot run here, and has said so
[ $code = 0 ] || exit $code
! grep -q '^measured,1' "$file" || { echo && FROM=${program%%/*} sh plots/draw.sh "$csv" "$PLOTS" why; }
