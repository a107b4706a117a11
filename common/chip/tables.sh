#!/bin/sh
# tables.sh: the tables of README.md beside this file, from the predictions and
# the times in plots/data/: make why WHAT=tables. Nothing is run or timed.
set -eu
data=plots/data
# Kernels of the held-out programs that are a solution's own.
known='tiles untiled,tiles 16,06_rows_of_17 straight,06_still_transposed padded'
known="$known,08_not_unrolled by_hand"

# compare CHIP CODE WHAT MEASURED...: of the chip's files of these names. WHAT
# is table, pairs, or how a row of sums begins.
compare()
{
    of=$1 code=$2 what=$3
    shift 3
    case $of in (H200) files=h200 ;; (*) files=h100 ;; esac
    for name in "$@"; do
        set -- "$@" "$data/${files}_$name.csv"
        shift
    done
    awk -F, -v chip="$of" -v code="$code" -v skip="$known" -v what="$what" \
        -f common/chip/compare.awk "$data/why_predicted.csv" "$@"
}

# every WHAT MEASURED...: a row for each chip, with nvcc and without.
every()
{
    for with in nvcc rule; do
        for chip in H200 H100; do
            compare $chip $with "$@"
        done
    done
}

printf '| | %s | %s | %s | %s |\n|---|---|---|---|---|\n' 'kernels and sizes' \
    'mean error' largest 'in the printed range'
for with in nvcc rule; do
    compare H200 $with 'not seen before, ' unseen
done
every 'labs 02 to 14, ' ladder sweep
every 'others, ' held_out tiles
printf '\n| at 4096 | %s | %s | %s |\n|---|---|---|---|\n' kernels \
    'pairs that differ by more than 15 %' 'in the wrong order'
every pairs ladder sweep tiles held_out
for files in unseen 'ladder sweep' 'tiles held_out'; do
    echo
    # shellcheck disable=SC2086 # words
    compare H200 nvcc table $files
done

# Speeds, and the share of cuBLAS in the same run and precision.
printf '\n| H200, TFLOP/s (share of cuBLAS) | 512 | 1024 | 2048 | 4096 | 8192 |\n'
echo '|---|---|---|---|---|---|'
awk -F, '
    FNR == 1 {
        for (i = 1; i <= NF; i++)
            column[$i] = i
        next
    }
    $column["buffer_sets"] > 0 {
        name = $1
        if ($column["variant"] != "kernel")
            name = name " " $column["variant"]
        if (!(name in known))
            order[++names] = name
        known[name] = 1
        rate = $column["gflops"] / 1000
        cell[name, $column["m"]] = sprintf(rate < 100 ? "%.1f (%.2f)" : \
            "%.0f (%.2f)", rate, $column["gflops"] / $column["cublas_gflops"])
    }
    END {
        for (i = 1; i <= names; i++) {
            printf "| %s |", order[i]
            for (m = 512; m <= 8192; m *= 2)
                printf " %s |", cell[order[i], m]
            print ""
        }
    }' "$data/h200_ladder.csv" "$data/h200_sweep.csv"
