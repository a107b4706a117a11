#!/bin/sh
# measure.sh OUTDIR: what stands in this folder, measured anew on a GPU machine.
#
#   h200_ladder.csv     each solution at 4096 x 4096 x 4096, medians of 25, with
#                       cuBLAS timed in the same run
#   h200_sanitizer.txt  compute-sanitizer's four tools on each solution
#   h200_device.txt     chip, driver, toolkit, host compiler
#
# Lab names and sizes hold no blanks, so lists of them are left to be split.
# shellcheck disable=SC2046,SC2086
set -eu
out=$1
mkdir -p "$out"
labs=$(cd solutions && echo ??_*)
programs=build/gpu/solutions

make DEVICE=gpu $(for lab in $labs; do echo $programs/$lab; done)

{
    date -u +%Y-%m-%d
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem \
        --format=csv
    nvcc --version | tail -2
    g++ --version | head -1
    $programs/02_gpu_naive --card
} >"$out/h200_device.txt"

for lab in $labs; do
    $programs/$lab | tail -6
    $programs/$lab --m 37 --n 4099 --k 61 | tail -1
done

rm -f "$out/h200_ladder.csv"
for lab in $labs; do
    size=4096
    [ $lab = 01_cpu_naive ] && size=1024 # one core needs minutes at 4096
    $programs/$lab --m $size --n $size --k $size --quiet
    $programs/$lab --bench --cublas --repeat 25 \
        --m $size --n $size --k $size --csv "$out/h200_ladder.csv"
done

for lab in $labs; do
    for tool in memcheck racecheck synccheck initcheck; do
        summary=$(compute-sanitizer --tool $tool $programs/$lab --quiet \
            --m 129 --n 65 --k 257 2>&1 | grep -E 'SUMMARY|PASS|FAIL' | tr '\n' ' ')
        echo "$lab $tool 129 x 65 x 257: $summary"
    done
done | tee "$out/h200_sanitizer.txt"
