/*
 * case.h: what comes of one entry of a lab at one size?
 *
 * A process of its own in a box of its own. Its inputs are drawn here, after
 * the program was made; C is compared here with a product in float64.
 */
#ifndef GRADE_CASE_H
#define GRADE_CASE_H

#include "grade/judge/build.h"
#include "grade/runner/wire.h"

/* What is run. */
struct grade_plan {
    char name[48];
    enum grade_task task;
    const struct course_entry *entry;
    struct course_shape shape;
    uint64_t seed; /* of the inputs, and of the order of the warps */
    int hidden;
    int counting; /* 1: its counts decide on points */
    int launches; /* 1: kernels must do the arithmetic, not host code */
};

/* What came of it. Free it with grade_ran_free. */
struct grade_ran {
    enum grade_verdict verdict; /* a case's, or GRADER_ERROR */
    char *text;                 /* "" or sentences; NULL: no memory */
    struct grade_report report; /* empty if there was none */
};

/* Runs the program of setting->work. */
void grade_case_run(const struct grade_setting *setting,
                    const struct grade_plan *plan, struct grade_ran *ran);

void grade_ran_free(struct grade_ran *ran);

#endif /* GRADE_CASE_H */
