/*
 * batch.h: how does a class get its grades?
 *
 * Each student's lab is a task of the engine, unless the store has its result
 * already. Before anything is graded, a program that is right must pass and one
 * that is wrong must fail in the same boxes: a box in which nothing works would
 * fail everybody, and one that lets everything pass would be no better.
 */
#ifndef GRADE_BATCH_H
#define GRADE_BATCH_H

#include "grade/publish/class.h"
#include "grade/base/digest.h"
#include "grade/batch/engine.h"
#include "grade/batch/store.h"
#include "grade/judge/verdict.h"

struct grade_batch {
    struct grade_setting setting; /* but for a slot and its folder */
    struct grade_intake *intake;
    struct grade_class *class; /* its results are filled in */
    struct grade_store *store;
    const char *work;    /* a temporary folder, absolute */
    const char *control; /* the text of common/grade/control.cu */
    const char *one;     /* of this student alone; NULL: all */
    const struct grade_share *share;
    int jobs;
    const int *slot;               /* the numbers of its slots (box.h) */
    char build[GRADE_DIGEST_TEXT]; /* of all that grades: grade_build_digest */
};

/* Returns 0 when all is done; -1 with a line in why; or the number of the
   signal that ended it. */
int grade_batch_run(struct grade_batch *batch, char *why, size_t size);

/* --- speed.c -------------------------------------------------------------- */

/* An extra beside the grades, which need no GPU. */
struct grade_speed {
    const char *out;        /* the CSV file, a row for each kernel */
    const char *nvcc;       /* as it is called in a box */
    const char *arch, *run; /* "sm_90"; options, as "--m 64 --repeat 3" */
    const struct course_index *index;
    const struct grade_intake *intake;
    int is_asked[COURSE_LABS];
    int slot;
};

/* Times a class's kernels and the solutions' on this machine's GPU, and tells.
   Returns 0; 1 if not all could be measured; or -1; with a line in why. */
int grade_speed_run(const struct grade_speed *speed, char *why, size_t size);

#endif /* GRADE_BATCH_H */
