/*
 * why_trial.h: one run of an entry with values that tell which element they
 * are, and what came of it.
 *
 * A trial is begun, given a log if its accesses are wanted (simt/log.h), run,
 * read and ended, even if it could not be begun. What went wrong stands in
 * program->why.
 */
#ifndef LAB_WHY_TRIAL_H
#define LAB_WHY_TRIAL_H

#include "cause.h"
#include "program.h"
#include "run.h"

struct lab_trial {
    struct lab_program *program;
    const struct course_entry *entry;
    struct course_shape shape;
    struct lab_buffers b;
    struct lab_identity *identity;
    struct lab_reference *reference;
    struct lab_outcome outcome;
    struct lab_matmul p;
    struct simt_log *log; /* of its run; or NULL */
    int wrong;            /* as lab_run has it */
    int is_loaded;        /* 1: kernels have loaded from global memory */
};

int lab_trial_is_host(const struct lab_trial *t);

/* C[row][col], as the run has left it. */
float lab_trial_c(const struct lab_trial *t, int row, int col);

/* Takes and fills the matrices: program, entry and shape are set, the rest is
   0. Returns 0, or -1. */
int lab_trial_begin(struct lab_trial *t);

/* Runs the entry. Returns 0, or -1. */
int lab_trial_run(struct lab_trial *t);

/* Nothing came to C. Is more to be written of what makes it? All of a kernel
   is, if what is open stands below its launch. */
int lab_trial_is_unwritten(const struct lab_trial *t);
void lab_trial_end(struct lab_trial *t);

#endif /* LAB_WHY_TRIAL_H */
