#!/bin/sh
# measure_counters.sh OUT.csv: what Nsight Compute counts on this machine's GPU
# for each launch of the programs of this folder, and for each solution at three
# sizes. README.md in this folder explains the metrics. Needs nvcc, ncu and a
# GPU whose counters may be read; takes some minutes. Run it from the top of the
# tree, after
#
#   make DEVICE=gpu $(ls -d solutions/* | sed 's,^,build/gpu/,')
#
# ARCH=sm_90 builds for that architecture instead of that of the GPU.
# PROGRAMS="copies solutions" measures these alone; the other rows of OUT.csv
# stay. Lists of words are left to be split; awk's program is not the shell's.
# shellcheck disable=SC2016,SC2086
set -u
out=${1:?usage: measure_counters.sh OUT.csv}
built=build/hardware
failed=0
mkdir -p $built "$(dirname "$out")"

# One list for each kind of counter; .sum is added below.
instructions="smsp__inst_executed_op_global_ld smsp__inst_executed_op_global_st
    smsp__inst_executed_op_shared_ld smsp__inst_executed_op_shared_st"
global="l1tex__t_requests_pipe_lsu_mem_global_op_ld
    l1tex__t_requests_pipe_lsu_mem_global_op_st
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld
    l1tex__t_sectors_pipe_lsu_mem_global_op_st"
shared="l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"
atomics="l1tex__t_requests_pipe_lsu_mem_global_op_red
    l1tex__t_requests_pipe_lsu_mem_global_op_atom
    l1tex__t_sectors_pipe_lsu_mem_global_op_red
    l1tex__t_sectors_pipe_lsu_mem_global_op_atom
    smsp__inst_executed_op_shared_atom
    smsp__inst_executed_op_shared_atom_dot_alu
    smsp__inst_executed_op_shared_atom_dot_cas
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"
# The others come from kernels that ncu rewrites, not from the chip's counters.
# Which of them there are depends on ncu's version and the chip.
global_bytes="smsp__sass_data_bytes_mem_global_op_ld
    smsp__sass_data_bytes_mem_global_op_st"
shared_bytes="smsp__sass_data_bytes_mem_shared_op_ld
    smsp__sass_data_bytes_mem_shared_op_st"
lanes=smsp__sass_thread_inst_executed_op_memory_pred_on
float="smsp__sass_thread_inst_executed_op_fadd_pred_on
    smsp__sass_thread_inst_executed_op_fmul_pred_on
    smsp__sass_thread_inst_executed_op_ffma_pred_on"
double="smsp__sass_thread_inst_executed_op_dadd_pred_on
    smsp__sass_thread_inst_executed_op_dmul_pred_on
    smsp__sass_thread_inst_executed_op_dfma_pred_on"

complain() {
    echo "measure_counters.sh: $*" >&2
    failed=1
}

# The metrics that this ncu knows for this chip, of those given, as ncu wants
# them: with .sum behind each and commas between. All of them, if it cannot say.
ncu --query-metrics 2>/dev/null | awk '{ print $1 }' >$built/known
[ "$(wc -l <$built/known)" -gt 100 ] || : >$built/known
known() {
    for metric in "$@"; do
        if [ ! -s $built/known ] || grep -qx "$metric" $built/known; then
            printf '%s.sum,' "$metric"
        else
            echo "measure_counters.sh: ncu knows no $metric: left out" >&2
        fi
    done | sed 's/,$//'
}

# ncu's CSV as rows of ours. The nth line of the file `names` names launch n;
# `label` is the name of all where that is given. A program may drop zeros.
rows='
FILENAME == names { name[FNR] = $0; lines = FNR; next }
/^"ID"/ {
    gsub(/^"|"$/, "")
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
/^"[0-9]/ {
    sub(/^"/, ""); sub(/"$/, "")
    if ($1 != id || launch == 0)
        launch++
    id = $1
    kernel = $(column["Kernel Name"])
    sub(/^void /, "", kernel); sub(/[<(].*/, "", kernel)
    value = $(column["Metric Value"])
    gsub(/,/, "", value)
    if (value !~ /^[0-9]+([.]0*)?$/) {
        bad = "value " value " of " $(column["Metric Name"])
        next
    }
    if (value + 0 > 0 || !drop)
        printf "%s,%s,%s,%d,%s,%.0f\n", program, kernel,
            label != "" ? label : name[launch], launch,
            $(column["Metric Name"]), value
}
END {
    if (bad == "" && label == "" && lines != launch)
        bad = lines + 0 " launches named, " launch + 0 " counted"
    if (bad == "" && launch == 0)
        bad = "no launch counted"
    if (bad != "") {
        print "measure_counters.sh: " program ": " bad >"/dev/stderr"
        exit 1
    }
}'

# Runs ncu on a command. What it says goes to the file `log`, what the command
# prints to the file `names`.
run_ncu() {
    rm -f $built/log $built/names
    ncu --csv --log-file $built/log --print-units base \
        --print-kernel-base function --clock-control none \
        --cache-control none --metrics "$@" >$built/names
}

# count PROGRAM LABEL METRICS WORDS...: counts one run of a program. If ncu
# cannot rewrite its kernels, the chip's own counters are better than nothing.
count() {
    program=$1 label=$2 metrics=$3
    shift 3
    if ! is_wanted "$program"; then
        awk -F, -v p="$program" -v l="$label" \
            '$1 == p && (l == "" || $3 == l)' "$out" >>"$out.part"
        return
    fi
    began=$(date +%s)
    if ! run_ncu "$metrics" "$@"; then
        complain "$program: ncu failed:"
        grep '^==' $built/log >&2
        run_ncu "$(echo "$metrics" | sed 's/,smsp__sass[^,]*//g')" "$@" ||
            return
    fi
    awk -F'","' -v names=$built/names -v program="$program" -v label="$label" \
        -v drop="$(test $program = bank_patterns && echo 1)" "$rows" \
        $built/names $built/log >>"$out.part" || failed=1
    echo "$program $label: $(($(date +%s) - began)) s" >&2
}

programs="copies matrices shared divergence flops atomics bank_patterns"
wanted_programs=" ${PROGRAMS:-$programs solutions} "
gpu="# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
if [ -n "${PROGRAMS:-}" ] && ! grep -qxF "$gpu" "$out"; then
    echo "measure_counters.sh: $out is not of this GPU: leave PROGRAMS out" >&2
    exit 2
fi
for program in $wanted_programs; do
    case " $programs solutions " in *" $program "*) continue ;; esac
    echo "measure_counters.sh: there is no $program: use $programs solutions" >&2
    exit 2
done
is_wanted() {
    case $wanted_programs in *" ${1%%/*} "*) ;; *) return 1 ;; esac
}

for program in $programs; do
    is_wanted $program || continue
    rm -f $built/$program
    nvcc -std=c++17 -O3 -lineinfo -arch=${ARCH:-native} -Icommon \
        -Icommon/simt/check tests/hardware/$program.cu -o $built/$program &
done
wait

# Is each measured request one instruction of the right width?
widths=$(cuobjdump -sass $built/bank_patterns 2>/dev/null | awk '
    /Function :/ { kernel = $3 }
    match($0, /(LDS|STS)[.A-Z0-9]*/) {
        print kernel, substr($0, RSTART, RLENGTH)
    }' | sort | tr '\n' ';')
wanted="_Z4loadI6float2EvPKjjPT_ LDS.64;_Z4loadI6float4EvPKjjPT_ LDS.128;"
wanted="${wanted}_Z4loadIfEvPKjjPT_ LDS;_Z5storeI6float2EvPKjjPKT_ STS.64;"
wanted="${wanted}_Z5storeI6float4EvPKjjPKT_ STS.128;"
wanted="${wanted}_Z5storeIfEvPKjjPKT_ STS;"
! is_wanted bank_patterns || [ "$widths" = "$wanted" ] ||
    complain "bank_patterns is compiled to $widths"

{
    echo "# Made by tests/hardware/measure_counters.sh on $(date -u +%Y-%m-%d)"
    echo "$gpu"
    echo "# Nsight Compute $(ncu --version | sed -n 's/^Version //p')"
    echo "# nvcc$(nvcc --version | sed -n 's/^.*release/ release/p')"
    echo "program,kernel,label,launch,metric,value"
} >"$out.part"

count copies "" "$(known $global $global_bytes)" $built/copies
count matrices "" "$(known $global $shared $instructions $global_bytes \
    $shared_bytes $lanes $float)" $built/matrices
count shared "" "$(known $shared $instructions)" $built/shared
count divergence "" "$(known $global $instructions $global_bytes $lanes)" \
    $built/divergence
count flops "" "$(known $float $double)" $built/flops
count atomics "" "$(known $atomics)" $built/atomics
count bank_patterns "" "$(known $shared)" $built/bank_patterns

# Of each kernel the first launch: the one that is checked.
for size in 256x384x512 512x512x512 129x65x257; do
    m=${size%%x*} k=${size##*x} n=${size#*x}
    for lab in solutions/[0-9][0-9]_*; do
        case $lab in */01_* | */05_* | */2?_*) continue ;; esac
        count $lab $size "$(known $global $shared $instructions $float)" \
            --kernel-name-base function --kernel-id '::regex:matmul.*:1' \
            build/gpu/$lab --quiet --m $m --n ${n%x*} --k $k
    done
done
[ $failed = 0 ] || echo "measure_counters.sh: see above; rows so far:" >&2
mv "$out.part" "$out"
wc -l "$out"
exit $failed
