#!/bin/sh
# profile.sh OUT.csv [LAB...]: what Nsight Compute says about the kernel of each
# lab, and about the vendor library's, in one launch at 4096 x 4096 x 4096:
# where its time goes. Columns: lab,kernel,metric,unit,value. Needs nvcc, ncu
# and a GPU whose counters may be read. Run it from the top of the tree, after
#
#   make DEVICE=gpu $(ls -d solutions/* | sed 's,^,build/gpu/,')
#
# Clocks are left as they are, so times are for orientation; the other metrics
# are counts or shares. Nsight Compute's documentation names the metrics:
# https://docs.nvidia.com/nsight-compute/ProfilingGuide/#metrics-reference
#
# Lab names hold no blanks, so lists of them are left to be split; awk's program
# is not the shell's.
# shellcheck disable=SC2016,SC2086
set -u
out=${1:?usage: profile.sh OUT.csv [LAB...]}
shift
labs=${*:-02_gpu_naive 03_tiling 04_coalescing 06_conflict_free
    07_outer_product 08_unrolling 09_prefetch 10_register_tiling
    11_vectorized_loads 12_warp_tiling 13_async_copy 14_last_percents
    15_tensor_cores 16_bulk_copy 17_hopper_wgmma}
programs=build/gpu/solutions
size="--m 4096 --n 4096 --k 4096"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

stall=smsp__average_warps_issue_stalled
metrics="gpu__time_duration.sum
    launch__registers_per_thread
    launch__block_size
    launch__grid_size
    launch__shared_mem_per_block
    launch__occupancy_limit_blocks
    launch__occupancy_limit_registers
    launch__occupancy_limit_shared_mem
    launch__occupancy_limit_warps
    sm__maximum_warps_per_active_cycle_pct
    sm__warps_active.avg.pct_of_peak_sustained_active
    sm__inst_executed.sum
    smsp__issue_active.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_tensor.sum
    sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
    ${stall}_barrier_per_issue_active.ratio
    ${stall}_dispatch_stall_per_issue_active.ratio
    ${stall}_gmma_per_issue_active.ratio
    ${stall}_lg_throttle_per_issue_active.ratio
    ${stall}_long_scoreboard_per_issue_active.ratio
    ${stall}_math_pipe_throttle_per_issue_active.ratio
    ${stall}_mio_throttle_per_issue_active.ratio
    ${stall}_no_instruction_per_issue_active.ratio
    ${stall}_not_selected_per_issue_active.ratio
    ${stall}_selected_per_issue_active.ratio
    ${stall}_short_scoreboard_per_issue_active.ratio
    ${stall}_wait_per_issue_active.ratio
    smsp__inst_executed_op_global_ld.sum
    smsp__inst_executed_op_ldgsts.sum
    smsp__inst_executed_op_local_ld.sum
    smsp__inst_executed_op_local_st.sum
    smsp__inst_executed_op_shared_ld.sum
    smsp__inst_executed_op_shared_st.sum
    l1tex__data_bank_conflicts_pipe_lsu.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
    dram__bytes_read.sum
    lts__t_sectors_op_read.sum"
list=$(echo $metrics | tr ' ' ',')

# ncu's long form, a metric a line, as rows of ours.
rows='
/^"ID"/ {
    gsub(/^"|"$/, "")
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
/^"[0-9]/ {
    gsub(/^"|"$/, "")
    kernel = $(column["Kernel Name"])
    sub(/^void /, "", kernel); sub(/[<(].*/, "", kernel)
    value = $(column["Metric Value"])
    gsub(/,/, "", value)
    if (value !~ /^[0-9.]+$/)
        next
    printf "%s,%s,%s,%s,%s\n", lab, kernel, $(column["Metric Name"]),
        $(column["Metric Unit"]), value
    count++
}
END { exit count < 20 }'

# profile LAB KERNELS WORDS...: one launch of the first kernel whose name fits.
profile() {
    lab=$1 kernels=$2
    shift 2
    ncu --csv --log-file "$scratch/log" --print-units base \
        --print-kernel-base function --clock-control none \
        -k "regex:$kernels" --launch-count 1 --metrics "$list" \
        "$@" >"$scratch/said" 2>&1
    if ! awk -F'","' -v lab="$lab" "$rows" "$scratch/log" >>"$out.part"; then
        echo "profile.sh: $lab: no launch, or too few metrics:" >&2
        tail -3 "$scratch/log" "$scratch/said" >&2
        failed=1
    fi
}

echo "lab,kernel,metric,unit,value" >"$out.part"
for lab in $labs; do
    profile $lab '^matmul' $programs/$lab --quiet $size
done
# The library's kernel for each precision, called in the run of a lab of that
# precision.
for lab in $labs; do
    case $lab in
    14_* | 15_* | 17_*)
        profile cublas_of_$lab 'gemm|cutlass|nvjet' $programs/$lab --quiet \
            --bench --cublas --repeat 1 $size
        ;;
    esac
done
[ $failed = 0 ] && mv "$out.part" "$out"
