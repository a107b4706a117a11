/*
 * explain.h: what may a student learn from what was counted and found?
 */
#ifndef GRADE_EXPLAIN_H
#define GRADE_EXPLAIN_H

#include "course/index.h"
#include "grade/runner/wire.h"

/* A text that grows; NULL text with failed 0 is an empty one. */
struct grade_growing {
    char *text;
    size_t length;
    int failed; /* 1: there was no memory */
};

void grade_grow(struct grade_growing *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the findings of a report that the text does not have yet, a few at
   most. */
void grade_explain_findings(const struct grade_report *report,
                            struct grade_growing *to);

/* Adds what a counted run spent most on: by line, against the least there could
   be, and the lab that is about it. `counter` has LAB_COUNTERS members. */
void grade_explain_costs(const struct course_index *index,
                         const struct course_lab *lab, const char *variant,
                         const struct grade_report *report, double fmas,
                         const double *counter, int reached,
                         struct grade_growing *to);

/* Adds how many predictions of lab 05 are right, and the first that is not. */
void grade_explain_table(const struct grade_report *report,
                         struct grade_growing *to);

#endif /* GRADE_EXPLAIN_H */
