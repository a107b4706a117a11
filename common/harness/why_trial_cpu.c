/* What a run is given, and what came of it: see why.h. */
#include "why.h"

#include "device_kind.h"
#include "inputs.h"

#include "base/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    free(t->call);
    lab_reference_free(t->reference);
    lab_identity_free(t->identity);
    lab_buffers_free(&t->b);
}

int lab_trial_begin(struct lab_trial *t)
{
    struct lab_program *program = t->program;
    const struct course_shape s = t->shape;
    const struct lab_layout layout = lab_problem_layout(lab_info.problem, s);
    const int is_product = lab_info.lab->problem == NULL;

    cudaDeviceReset(); /* a run that was ended refuses all calls else */
    if (lab_buffers_new(&t->b, s, &layout, 1, !lab_trial_is_host(t),
                        t->entry->precision, program->why,
                        sizeof program->why) != 0)
        return -1;
    lab_problem_fill(lab_info.problem, t->b.filled, &layout, 1);
    if (t->is_changed)
        t->b.filled[t->input][t->at] = t->value;
    if (is_product && t->entry->precision != LAB_BF16) {
        t->identity = lab_identity_new(t->b.filled[LAB_A], t->b.filled[LAB_B],
                                       s.m, s.n, s.k);
        if (t->identity == NULL) {
            snprintf(program->why, sizeof program->why, _("out of memory"));
            return -1;
        }
    }
    t->reference =
        lab_reference_of(lab_info.problem, s, (const float *const *)t->b.filled,
                         1, program->why, sizeof program->why);
    if (t->reference == NULL)
        return -1;
    if (is_product && t->identity == NULL)
        lab_reference_allow(t->reference, t->entry->precision);
    t->p = lab_buffers_product(&t->b, t->entry->kind);
    return 0;
}

int lab_trial_run(struct lab_trial *t)
{
    simt_count_reset();
    simt_findings_print(0);
    simt_host_calls_begin();
    simt_keep_message(1);
    t->wrong = lab_run(t->entry, &t->b, t->reference, &t->outcome,
                       t->program->why, sizeof t->program->why);
    simt_log_stop(t->log);
    if (t->outcome.compared && t->wrong == 0 && t->identity != NULL) {
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

int lab_trial_keep(struct lab_trial *t)
{
    const struct simt_host_call *call = simt_host_calls_read(&t->calls);
    int cut;

    t->stored = simt_log_read(t->log, &t->stores, &cut);
    t->call = malloc((t->calls + 1) * sizeof *call);
    if (t->call == NULL) {
        snprintf(t->program->why, sizeof t->program->why, _("out of memory"));
        return -1;
    }
    memcpy(t->call, call, t->calls * sizeof *call);
    return 0;
}

const struct simt_host_call *lab_trial_launch(const struct lab_trial *t)
{
    for (size_t i = t->calls; i-- > 0;) {
        if (t->call[i].kind == SIMT_CALL_LAUNCH)
            return &t->call[i];
    }
    return NULL;
}

int lab_trial_is_unwritten(const struct lab_trial *t)
{
    const struct course_todos *open = &lab_info.open;
    const struct simt_host_call *launch = lab_trial_launch(t);

    if (!t->outcome.nothing_written || open->count == 0)
        return 0;
    for (size_t i = 0; i < t->stores && !lab_trial_is_host(t); i++) {
        if (t->stored[i].base == (uintptr_t)t->b.device[LAB_C])
            return 0; /* a NaN, as C was before */
    }
    return lab_trial_is_host(t) || launch == NULL ||
           open->todo[0].line <= launch->line;
}
