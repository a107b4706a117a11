/*
 * exports.h: what files does a run leave for people and other programs?
 *
 * The same results give the same bytes: no time, no order of events.
 */
#ifndef GRADE_EXPORTS_H
#define GRADE_EXPORTS_H

#include <stdio.h>

#include "grade/class.h"

/* grades.csv at path: a row for each student. Returns 0, or -1 with why. */
int grade_csv_write(const char *path, const struct grade_class *class,
                    char *why, size_t size);

/*
 * Gradescope's results.json for one row, in *text for free(). Returns 1; 0 if
 * there is none, since a lab's result is GRADE_GRADER_ERROR and its points were
 * decided by nobody; -1 with errno ENOMEM.
 */
int grade_gradescope(const struct grade_class *class,
                     const struct grade_row *row, char **text);

/* The same for every row into `folder`, named as in feedback.h. */
int grade_gradescope_write(const char *folder, const struct grade_class *class,
                           char *why, size_t size);

/*
 * Files of a folder that are numbered by row. grade_numbered_name gives a row's;
 * grade_numbered_sweep removes the files of earlier runs with that ending whose
 * names no row has now. Returns 0, or -1 with why.
 */
enum {
    GRADE_NUMBERED = 80
};
void grade_numbered_name(const struct grade_class *class, size_t row,
                         const char *ending, char name[GRADE_NUMBERED]);
int grade_numbered_sweep(const char *folder, const struct grade_class *class,
                         const char *ending, char *why, size_t size);

/* The table that a run ends with, in 80 columns. */
void grade_summary(FILE *to, const struct grade_class *class);

#endif /* GRADE_EXPORTS_H */
