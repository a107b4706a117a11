#!/bin/sh
# predict.sh OUT.csv CHIP...: what the model says of all solutions and of
# kernels that were no help in finding its rules, from 512 to 8192: with nvcc's
# machine code and without. Wants what make why WHAT=predictions builds. A row
# for each kernel and size: the limit that binds.
set -eu
out=$1
shift
sizes=512,1024,2048,4096,8192
work=build/chip/predict
mkdir -p "$work" "${out%/*}"
rm -f "$work/rows"

# predict NAME PROGRAM CUBIN [KERNEL...]: on each chip.
predict()
{
    name=$1 program=$2 cubin=$3
    shift 3
    count="--program $program-analyse" # the first time
    for chip in $chips; do
        for code in "--cubin $cubin" ''; do
            # shellcheck disable=SC2086,SC2046 # words
            build/tools/chip --chip "common/chip/chips/$chip.csv" $code $count \
                $(for kernel in "$@"; do echo "--kernel $kernel"; done) \
                --csv "$work/csv" --sizes $sizes --requests "$work/r" "$name" \
                >"$work/said" || { cat "$work/said" >&2; return 1; }
            count=
            awk -F, 'NR == 1 || $(NF - 5) == 1' "$work/csv" >>"$work/rows"
        done
    done
}

chips=$*
for lab in solutions/0[2346789]_* solutions/1[01234]_*; do
    predict "$lab" "build/cpu/$lab" "build/chip/$lab.cubin"
done
for kernel in $HELD_OUT; do
    predict "mutants/$kernel" "build/cpu/mutants/$kernel" \
        "build/chip/mutants/$kernel.cubin"
done
# shellcheck disable=SC2046 # words
predict experiments/tiles build/cpu/experiments/tiles build/chip/common/experiments/tiles.cubin \
    untiled $(for width in 2 4 8 16 32; do echo "_Z5tiledILi${width}EEvPKfS1_Pfiii"; done)
awk 'NR == 1 || !/^lab,/' "$work/rows" >"$out"
