/*
 * small_class.h: a class of three for tests of what is written about it.
 *
 * Labs 03_tiling and 04_coalescing. alice: all of 03, half of 04's number; a
 * student whose name does harm, not on the roster: 03 fails, with a hidden case
 * that says what it must not, and 04 is the grader's own fault; ghost, who
 * handed in nothing.
 */
#ifndef TESTS_GRADE_SMALL_CLASS_H
#define TESTS_GRADE_SMALL_CLASS_H

#include "grade/publish/papers.h"

#define HARMFUL_NAME "=cmd|'\n<b>`*$(touch X)"

/*
 * The other class has the worst names (worst_names.h), and no roster; a
 * compiler has said of 03 what the name is, and 04 is as alice's, but that it
 * is the grader's own fault for every fifth student, the first included.
 */

/* The class, and what writes about it into the current folder; what is wrong
   then goes to why. */
extern struct grade_class class;
extern struct grade_papers papers;
extern char why[700];

/* Set-ups and tear-down: makes a folder (folder.h), and in it the class. */
int small_class_begin(void **state);
int small_class_begin_worst(void **state);
int small_class_end(void **state);

/* The labs that it has. */
const struct course_index *small_class_index(void);

/* What was told since the last call; until the next one. */
const char *told(void);

/* Gradescope's results.json of a row; for free(). */
char *small_class_gradescope(size_t row);

#endif /* TESTS_GRADE_SMALL_CLASS_H */
