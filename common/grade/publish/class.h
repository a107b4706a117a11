/*
 * class.h: who has which grade?
 *
 * The table that the exports write: a row for each student, and in it a result
 * for each lab that is graded.
 */
#ifndef GRADE_CLASS_H
#define GRADE_CLASS_H

#include "course/index.h"
#include "grade/box/box.h"
#include "grade/intake/intake.h"
#include "grade/base/result.h"
#include "grade/intake/roster.h"
#include "grade/base/rubric.h"

struct grade_row {
    const char *student; /* bytes of any kind */
    const char *name;    /* the roster's; "" */
    int handed_in;       /* 0: there is no folder of that name */
    int listed;          /* 0: a folder whose name the roster has not */
    char *unknown;       /* files that belong to no lab, as a text; "" */
    struct grade_result *result;            /* one for each lab of the class */
    const struct grade_decision **decision; /* the same; NULL: none */
    double *seconds; /* that each lab took in this run; 0: known before */
};

struct grade_class {
    const struct course_lab *lab[COURSE_LABS]; /* those that are graded */
    double of[COURSE_LABS];                    /* points of each */
    int labs;
    enum grade_isolation isolation;
    struct grade_row *row;
    size_t rows;
};

/*
 * Makes the rows, in the order of the roster, and behind them the folders that
 * it does not name; without a roster (NULL) each folder has a row. Of the labs
 * those are graded that the rubric and `chosen` have (NULL: all; else a list of
 * `choices`). The names stay those of roster and intake. Returns 0, or -1 with
 * errno ENOMEM.
 */
int grade_class_make(struct grade_class *class,
                     const struct course_index *index,
                     const struct grade_rubric *rubric,
                     const struct course_lab *const *chosen, int choices,
                     const struct grade_roster *roster,
                     const struct grade_intake *intake);

void grade_class_free(struct grade_class *class);

/*
 * Hands each decision to its row; a student is named as the folder is, or as
 * grades.csv shows it. Returns 0, or -1 with a line in why if a decision is
 * about somebody who has no row.
 */
int grade_class_decide(struct grade_class *class,
                       const struct grade_manual *manual, const char *path,
                       char *why, size_t size);

/* Points of a row's lab as they count: a person's decision or the grader's,
   to two places. */
double grade_row_points(const struct grade_row *row, int lab);
double grade_row_total(const struct grade_class *class,
                       const struct grade_row *row);

/* Time that a row's labs took in this run. */
double grade_row_seconds(const struct grade_class *class,
                         const struct grade_row *row);

/* Are all points of a row decided? Those of a GRADE_GRADER_ERROR are not, until
   a person does it. */
int grade_row_is_decided(const struct grade_class *class,
                         const struct grade_row *row);

#endif /* GRADE_CLASS_H */
