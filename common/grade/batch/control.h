/*
 * control.h: do the boxes themselves work?
 *
 * Two programs are graded before any student's: one that is right must pass,
 * and the same without the last step of its sums must fail. They take the ways
 * of all others: process, boxes, build, verdict.
 */
#ifndef GRADE_CONTROL_H
#define GRADE_CONTROL_H

#include "grade/batch/batch.h"

/* GRADE_BATCH_DONE, or what came instead, with a line in why. */
enum grade_batch_end grade_control_run(const struct grade_batch *batch,
                                       int *signal, char *why, size_t size);

#endif /* GRADE_CONTROL_H */
