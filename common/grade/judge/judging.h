/*
 * judging.h: what the parts of a verdict share.
 *
 *   cases.c     which entry is run at which size
 *   points.c    what was counted, and what all of it earns
 *   verdict.c   runs the cases and puts the result together
 */
#ifndef GRADE_JUDGING_H
#define GRADE_JUDGING_H

#include "grade/judge/case.h"
#include "grade/judge/explain.h"
#include "grade/judge/verdict.h"

enum {
    GRADE_MOST_CASES = 128
};

/* One lab of one student, while it is judged. */
struct grade_judging {
    const struct grade_setting *setting;
    const struct course_lab *lab;
    const struct grade_rubric_lab *rubric;
    struct grade_program program;
    struct grade_plan plan[GRADE_MOST_CASES];
    int plans;
    struct grade_result *result;
    struct base_memory findings, costs;
    int is_right[GRADE_MOST_CASES]; /* of each plan */
    /* Of each entry of the lab: its counts were seen; they are better than
       before the lab's work. */
    int is_counted[COURSE_ENTRIES], is_changed[COURSE_ENTRIES];
    char kernel[COURSE_ENTRIES][100]; /* which did most, in a right run */
    int right, unclean, hidden_unclean, times, flags;
    int by_host; /* 1: host code computed C, so that small sizes tell nothing */
    int unnoticed; /* 1: a CUDA call failed, and lab_host did not see it */
    int failed;    /* 1: the grader's own fault, in why; 2: no memory */
    char why[400];
    double value[COURSE_MEASURES]; /* the worst of all entries; NaN: none */
};

/* Fills the plan. */
void grade_plan_cases(struct grade_judging *j);

/* Keeps which kernel an entry launches. */
void grade_keep_kernel(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);

/* Keep what a right run counted, at the size whose counts decide or at another,
   or what lab 05 predicted. */
void grade_keep_counts(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);
void grade_keep_change(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);
void grade_keep_table(struct grade_judging *j,
                      const struct grade_report *report);

/* After all cases. */
void grade_give_points(struct grade_judging *j);

#endif /* GRADE_JUDGING_H */
