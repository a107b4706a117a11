/*
 * tell.h: what does the grader print when it is done?
 */
#ifndef GRADE_TELL_H
#define GRADE_TELL_H

#include "grade/publish/class.h"

/* Of one's own labs: what there is to say about those that are not full (all:
   about each, and whole), then a table. */
void grade_tell_own(const struct grade_class *class, int all);

/* All about the student of that name, or about everybody (NULL). */
void grade_tell_rows(const struct grade_class *class, const char *one, int all);

/* Of a class: a table, what a person should look at, and where the grades are.
 */
void grade_tell_class(const struct grade_class *class, const char *out);

/* Is every lab of this row right, clean and at its goal? */
int grade_row_is_full(const struct grade_class *class, size_t row);

#endif /* GRADE_TELL_H */
