#!/bin/sh
# count.sh OUT.csv: what Nsight Compute counts on a GPU for each solution's
# kernels at 256 x 384 x 512, the size whose counts are graded.
set -eu
out=$1
metrics=smsp__inst_executed_op_global_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,smsp__inst_executed_op_shared_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum

echo '"lab","kernel","metric","value"' >"$out.part"
for lab in solutions/0[2-9]_*; do
    lab=${lab#solutions/}
    [ "$lab" = 05_bank_conflicts ] && continue
    # Fields 5, 13 and 15 of ncu's CSV: kernel name, metric, value.
    ncu --csv --clock-control none --kernel-name-base function \
        --kernel-id '::regex:matmul.*:1' --metrics "$metrics" \
        "build/gpu/solutions/$lab" --quiet --m 256 --n 384 --k 512 |
        grep '^"[0-9]' | sed 's/,\([0-9]\)/\1/g' |
        awk -F'","' -v lab="$lab" \
            '{ gsub(/["]/, "", $NF); print "\"" lab "\",\"" $5 "\",\"" $(NF - 2) "\",\"" $NF "\"" }' \
            >>"$out.part"
done
mv "$out.part" "$out"
