#!/bin/sh
# measure.sh OUTDIR [PART...]: what stands in this folder, measured anew on a
# GPU machine. Without a PART all are measured.
#
#   device       h200_device.txt     chip, driver, toolkit, host compiler
#   ladder       h200_ladder.csv     each solution at 4096^3, medians of 25
#                h200_sweep.csv      and from 512 to 8192; cuBLAS of the same
#                                    precision in turn, in the same run
#   sanitizer    h200_sanitizer.txt  compute-sanitizer's four tools on each
#   experiments  h200_ceilings.csv   peak and bandwidths
#                h200_tiles.csv      widths of a tile, medians of 15
#   profile      h200_profile.csv    what Nsight Compute says (profile.sh)
#
# README.md beside this file says what each file is for, and of those that are
# not measured here where they come from.
#
# A part that is measured is in OUTDIR at once, and `experiments` goes on where
# it stopped if it was cut short. FRESH=1 measures all of it again.
#
# Lab names and sizes hold no blanks, so lists of them are left to be split.
# shellcheck disable=SC2046,SC2086
set -eu
out=$1
shift
mkdir -p "$out"
labs=$(cd solutions && echo ??_*)
programs=build/gpu/solutions

device()
{
    make DEVICE=gpu $programs/02_gpu_naive
    {
        date -u +%Y-%m-%d
        nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem \
            --format=csv
        nvcc --version | tail -2
        g++ --version | head -1
        $programs/02_gpu_naive --card
    } >"$out/h200_device.txt"
}

ladder()
{
    make DEVICE=gpu $(for lab in $labs; do echo $programs/$lab; done)
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
    keep sweep sweep LABS='02-04 06-17' SIZES='512 1024 2048 8192' REPEAT=25
}

sanitizer()
{
    make DEVICE=gpu $(for lab in $labs; do echo $programs/$lab; done)
    for lab in $labs; do
        for tool in memcheck racecheck synccheck initcheck; do
            summary=$(compute-sanitizer --tool $tool $programs/$lab --quiet \
                --m 129 --n 65 --k 257 2>&1 | grep -E 'SUMMARY|PASS|FAIL' | tr '\n' ' ')
            echo "$lab $tool 129 x 65 x 257: $summary"
        done
    done | tee "$out/h200_sanitizer.txt"
}

# keep NAME TARGET SETTINGS...: makes the target, and takes its CSV file along.
keep()
{
    name=$1
    shift
    make DEVICE=gpu FROM=solutions "$@"
    cp "build/results/$name.csv" "$out/h200_$name.csv"
}

experiments()
{
    keep ceilings build/results/ceilings.csv
    keep tiles tiles REPEAT=15
}

profile()
{
    make DEVICE=gpu $(for lab in $labs; do echo $programs/$lab; done)
    sh plots/data/profile.sh "$out/h200_profile.csv"
}

for part in "${@:-device ladder sanitizer experiments profile}"; do
    for name in $part; do
        case $name in
        device | ladder | sanitizer | experiments | profile) $name ;;
        *)
            echo "measure.sh: there is no part '$name': device, ladder," \
                "sanitizer, experiments, profile" >&2
            exit 2
            ;;
        esac
    done
done
