/*
 * Nsight Compute's names: Nsight Compute documentation, Profiling Guide,
 * "Metrics Reference", and the counters that tests/hardware/h200.csv
 * holds. Where the device counts by the source and Nsight Compute by the
 * machine code, README.md says what comes of it.
 */
#include "report.h"

#include "base/language.h"
#include "base/wrap.h"

#include <string.h>

const struct simt_metric simt_metric[] = {
    {"requests, global memory",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum "
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum "
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum "
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     N_("memory instructions of a warp, one active lane or more")},
    {"requests, shared memory",
     "smsp__inst_executed_op_shared_ld.sum "
     "smsp__inst_executed_op_shared_st.sum "
     "smsp__inst_executed_op_shared_atom.sum",
     N_("the same for shared memory")},
    {"requests, constant memory", "idc__requests.sum",
     N_("the same for constant memory")},
    {N_("lanes"), "smsp__thread_inst_executed_per_inst_executed.ratio",
     N_("active lanes of a request; a warp has 32")},
    {N_("sectors"),
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum "
     "memory_l2_theoretical_sectors_global",
     N_("32-byte pieces of global memory that a request touches")},
    {N_("sectors at best"), "memory_l2_theoretical_sectors_global_ideal",
     N_("the fewest that would hold the bytes asked for")},
    {N_("wavefronts"),
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum "
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum "
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum "
     "memory_l1_wavefronts_shared",
     N_("wavefronts of the banks of shared memory for a request")},
    {N_("wavefronts at best"), "memory_l1_wavefronts_shared_ideal",
     N_("how many it would take without a bank conflict")},
    {N_("FLOPs"),
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum "
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum "
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
     N_("floating-point operations; a multiply-add (ffma) is two")},
    {N_("FLOP per byte"), "",
     N_("FLOPs over the bytes that are loaded from global memory")},
    {N_("barriers per thread"), "",
     N_("__syncthreads() that a thread passes (BAR.SYNC)")},
    {N_("backward jumps"), "",
     N_("how often threads go back to begin a loop once more")},
};

const size_t simt_metrics = sizeof simt_metric / sizeof simt_metric[0];

void simt_metrics_explain(FILE *to)
{
    for (size_t i = 0; i < simt_metrics; i++) {
        const struct simt_metric *m = &simt_metric[i];

        fprintf(to, "%s\n    %s\n", m->name, m->means);
        for (const char *at = m->ncu; *at != '\0';) {
            const int length = (int)strcspn(at, " ");

            fprintf(to, "    ncu: %.*s\n", length, at);
            at += length;
            at += *at == ' ';
        }
        if (m->ncu[0] == '\0')
            fprintf(to, "    ncu: no counter of this name\n");
    }
}

void simt_metrics_brief(FILE *to)
{
    /* Requests are explained once; the rest of a name is its memory. */
    for (size_t i = 0; i < simt_metrics; i++) {
        const struct simt_metric *m = &simt_metric[i];
        char name[40], line[400];
        const char *said;
        int blanks;

        if (i > 0 && strncmp(m->name, "requests", 8) == 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(m->name, ","),
                 m->name);
        said = _(name);
        blanks = 21 - (int)base_columns(said, strlen(said));
        snprintf(line, sizeof line, "  %s%*s%s", said, blanks, "", _(m->means));
        base_wrap(to, "", line);
    }
}
