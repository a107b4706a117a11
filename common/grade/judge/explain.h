/*
 * explain.h: what may a student learn from what was counted and found?
 */
#ifndef GRADE_EXPLAIN_H
#define GRADE_EXPLAIN_H

#include "base/memory.h"
#include "course/index.h"
#include "grade/runner/wire.h"

/* Adds the findings of a report that the text does not have yet, a few at
   most. */
void grade_explain_findings(const struct grade_report *report,
                            struct base_memory *to);

/* Adds what a counted run spent most on: by line, against the least there could
   be, and the lab that is about it. `counter` has LAB_COUNTERS members. */
void grade_explain_costs(const struct course_index *index,
                         const struct course_lab *lab, const char *variant,
                         const struct grade_report *report, double fmas,
                         const double *counter, int reached, FILE *to);

/* Adds how many predictions of lab 05 are right, and the first that is not. */
void grade_explain_table(const struct grade_report *report, FILE *to);

#endif /* GRADE_EXPLAIN_H */
