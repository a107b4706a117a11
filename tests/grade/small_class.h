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

/* A class is freed by small_class_free. Returns 0 or -1. */
int small_class_make(struct grade_class *class);
int small_class_worst(struct grade_class *class);
void small_class_free(struct grade_class *class);

/* The labs that it has. */
const struct course_index *small_class_index(void);

/* What writes about the class into a folder, and tells `tell`. */
struct grade_papers small_class_papers(const struct grade_class *class,
                                       const char *out, FILE *tell, char *why,
                                       size_t size);

/* Gradescope's results.json of a row, in *json for free(). 0 or -1. */
int small_class_gradescope(const struct grade_class *class,
                           const struct grade_row *row, char **json);

#endif /* TESTS_GRADE_SMALL_CLASS_H */
