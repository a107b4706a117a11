/*
 * course_table.h: what has a class reached in a whole term, over all downloads?
 *
 * course.csv in the folder of the class (CLASS=): a row for each student, and
 * of each lab, and of the report, the points and the days late that counted;
 * the sums of both, what is missing and what nobody decided yet. A run of `make
 * grade` replaces the columns that it has graded, and leaves the others. The
 * row of points that are possible has no student.
 */
#ifndef GRADE_COURSE_TABLE_H
#define GRADE_COURSE_TABLE_H

#include "grade/publish/papers.h"

/*
 * Adds the columns of this class to the table in `folder`, which is made, and
 * tells of it. Labs that are withheld, and students who are not on the roster,
 * are left out. Returns 0, or -1 with a line in papers->why; the table is as it
 * was then.
 */
int grade_course_add(const struct grade_papers *papers,
                     const struct course_index *index, const char *folder);

/*
 * Tells how many students have what in that table, and makes a class of it, to
 * be exported: with points, and without feedback. It and all in it stay until
 * the program ends. Returns 0, or -1 with a line in why.
 */
int grade_course_class(struct grade_class *class,
                       const struct course_index *index, const char *folder,
                       FILE *tell, char *why, size_t size);

#endif /* GRADE_COURSE_TABLE_H */
