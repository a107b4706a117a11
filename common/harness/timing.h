/*
 * timing.h: how long does an entry take?
 */
#ifndef LAB_TIMING_H
#define LAB_TIMING_H

#include "cublas.h"
#include "run.h"

/* Milliseconds. */
struct lab_times {
    double median, min, max; /* a launch entry: the kernel alone, by CUDA's
                                events; a host entry: the whole call, by the
                                wall clock */
    double copies;       /* A and B to the device, C back; NaN: host entry */
    double cublas;       /* median; NaN: not timed */
    double cublas_error; /* the largest of its C; likewise */
    int runs;            /* that were timed */
    int sets; /* copies of A, B and C that the runs took in turn, so that none
                 finds its data in the L2; 1: all have the same; 0: not on a
                 GPU */
};

/*
 * Warms up, then runs the entry `repeat` times, taking turns with cuBLAS if
 * that is not NULL, which computes in the entry's precision; its C is judged
 * here. With repeat 0 it runs 20 times on a GPU and 5 times elsewhere, but once
 * where host code or the CPU device needs 50 ms for one run. The buffers are
 * reset before and hold the last run's C afterwards: judge it again. Returns 0,
 * 1 with outcome->wrong if a run failed, or -1 with a line in why.
 */
int lab_time(const struct course_entry *entry, struct lab_buffers *b,
             int repeat, const struct lab_reference *reference,
             struct lab_cublas *cublas, struct lab_times *times,
             struct lab_outcome *outcome, char *why, size_t size);

#endif /* LAB_TIMING_H */
