#include "why_trial.h"

#include "device_kind.h"
#include "inputs.h"
#include "simt/host_calls.h"
#include "simt/report.h"

#include <stdio.h>

int lab_trial_is_host(const struct lab_trial *t)
{
    return t->entry->kind == COURSE_HOST;
}

float lab_trial_c(const struct lab_trial *t, int row, int col)
{
    return t->b.host[LAB_C][(size_t)row * (size_t)t->shape.n + (size_t)col];
}

void lab_trial_end(struct lab_trial *t)
{
    simt_log_free(t->log);
    simt_keep_message(0);
    cudaDeviceReset(); /* what a run that was ended left behind, and ours */
    for (int i = 0; i < LAB_MATRICES; i++)
        t->b.device[i] = NULL;
    lab_reference_free(t->reference);
    lab_identity_free(t->identity);
    lab_buffers_free(&t->b);
}

int lab_trial_begin(struct lab_trial *t)
{
    struct lab_program *program = t->program;
    const struct course_shape s = t->shape;

    cudaDeviceReset(); /* a run that was ended refuses all calls else */
    if (lab_buffers_new(&t->b, s, 1, !lab_trial_is_host(t), t->entry->precision,
                        program->why, sizeof program->why) != 0)
        return -1;
    t->identity =
        lab_identity_new(t->b.filled[LAB_A], t->b.filled[LAB_B], s.m, s.n, s.k);
    if (t->identity == NULL) {
        snprintf(program->why, sizeof program->why, "out of memory");
        return -1;
    }
    t->reference = lab_reference_new((struct lab_problem){t->b.filled[LAB_A],
                                                          t->b.filled[LAB_B],
                                                          s.m, s.n, s.k, 0},
                                     1, program->why, sizeof program->why);
    if (t->reference == NULL)
        return -1;
    t->p = lab_buffers_product(&t->b, t->entry->kind);
    return 0;
}

int lab_trial_run(struct lab_trial *t)
{
    simt_count_reset();
    simt_host_calls_begin();
    simt_keep_message(1);
    t->wrong = lab_run(t->entry, &t->b, t->reference, &t->outcome,
                       t->program->why, sizeof t->program->why);
    simt_log_stop(t->log);
    if (t->outcome.compared && t->wrong == 0) {
        /* Exact values: what rounding excuses elsewhere is wrong here. */
        for (int i = 0; i < t->shape.m && !t->wrong; i++) {
            for (int j = 0; j < t->shape.n && !t->wrong; j++) {
                t->wrong = lab_identity_is_wrong(t->identity, i, j,
                                                 lab_trial_c(t, i, j));
            }
        }
    }
    return t->wrong < 0 ? -1 : 0;
}

int lab_trial_is_unwritten(const struct lab_trial *t)
{
    const struct course_todos *open = &lab_info.open;
    int launch = 0, cut;
    size_t calls, stores;
    const struct simt_host_call *call = simt_host_calls_read(&calls);
    const struct simt_access *stored = simt_log_read(t->log, &stores, &cut);

    if (!t->outcome.nothing_written || open->count == 0)
        return 0;
    if (lab_trial_is_host(t))
        return 1;
    for (size_t i = 0; i < stores; i++) {
        if (stored[i].base == (uintptr_t)t->b.device[LAB_C])
            return 0; /* a NaN, as C was before */
    }
    for (size_t i = 0; i < calls; i++) {
        if (call[i].kind == SIMT_CALL_LAUNCH)
            launch = call[i].line;
    }
    return launch == 0 || open->todo[0].line <= launch;
}
