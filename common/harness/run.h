/*
 * run.h: what came of one run of an entry at one size?
 */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "buffers.h"
#include "verify.h"

struct lab_outcome {
    int compared;        /* 1: C was compared, and diff says with what result */
    int nothing_written; /* 1: every element of C is as it was before */
    int is_beside; /* 1: an input, or what lies behind an array, changed */
    struct lab_diff diff;
    char wrong[800];     /* what is wrong, in sentences; "": C is, see diff */
    char diagnosis[500]; /* what the wrong elements suggest, or "" */
};

/*
 * Runs an entry once and judges it. Returns 0 if it is right, 1 if it is
 * wrong, with *outcome filled, or -1 with a line in why if the harness itself
 * could not go on. After a 1 the device may refuse all work until
 * cudaDeviceReset.
 */
int lab_run(const struct course_entry *entry, struct lab_buffers *b,
            const struct lab_reference *reference, struct lab_outcome *outcome,
            char *why, size_t size);

/* Calls an entry and waits for it. Returns 0, or 1 with sentences in
   outcome->wrong if a CUDA call or the kernel failed. */
int lab_run_call(const struct course_entry *entry, const struct lab_buffers *b,
                 struct lab_outcome *outcome);

/* Judges what is in the buffers now. Returns as lab_run does. */
int lab_run_judge(const struct course_entry *entry, struct lab_buffers *b,
                  const struct lab_reference *reference,
                  struct lab_outcome *outcome, char *why, size_t size);

#endif /* LAB_RUN_H */
