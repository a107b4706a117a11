/*
 * exports.h: what files does a run leave for people and other programs?
 *
 * The same results give the same bytes: no order of events, and no time but
 * the execution_time that Gradescope asks for.
 */
#ifndef GRADE_EXPORTS_H
#define GRADE_EXPORTS_H

#include <stdio.h>

#include "grade/publish/class.h"

/* grades.csv at path: a row for each student. Returns 0, or -1 with why. */
int grade_csv_write(const char *path, const struct grade_class *class,
                    char *why, size_t size);

/* Puts a row into a file of its own. Returns 0, or -1 without memory. */
typedef int grade_put_row(FILE *to, const struct grade_class *class,
                          const struct grade_row *row);

/* A file of feedback/. */
grade_put_row grade_feedback_markdown;

/*
 * Gradescope's results.json. If a lab's result is GRADE_GRADER_ERROR and its
 * points were decided by nobody, it says so and holds neither a score nor
 * tests, from which Gradescope would add one up.
 */
grade_put_row grade_gradescope;

/*
 * Files of a folder that are numbered by row. grade_numbered_name gives a
 * row's; grade_numbered_write writes all, and removes files of earlier runs
 * with that ending whose names no row has now. Returns 0, or -1 with why.
 */
enum {
    GRADE_NUMBERED = 80
};
void grade_numbered_name(const struct grade_class *class, size_t row,
                         const char *ending, char name[GRADE_NUMBERED]);
int grade_numbered_write(const char *folder, const struct grade_class *class,
                         const char *ending, grade_put_row *put, char *why,
                         size_t size);

/*
 * class.csv in the folder `out`: how many students have how many points, and
 * what was failed most; no name is in it. From it class.svg, if gnuplot is
 * there; if not, says so on `tell`. Returns 0, or -1 with why if the table
 * cannot be written.
 */
int grade_class_plot(const char *out, const struct grade_class *class,
                     FILE *tell, char *why, size_t size);

/* All files of a class, into the folder `out`. Returns 0, or -1 with why. */
int grade_exports_write(const char *out, const struct grade_class *class,
                        char *why, size_t size);

/* The table that a run ends with, in 80 columns. */
void grade_summary(FILE *to, const struct grade_class *class);

#endif /* GRADE_EXPORTS_H */
