/*
 * answers.h: what did the class answer to each question of the handouts?
 *
 * A page for each question that somebody answered, for a person who reads all
 * answers to one question after the other: the question, the key
 * (solutions/NN_name/answers.txt, if it is there), and what each student has
 * written in answers.txt.
 */
#ifndef GRADE_ANSWERS_H
#define GRADE_ANSWERS_H

#include <stdio.h>

#include "grade/publish/class.h"

/* Gives each row a code that says nothing of whose it is; the same seed gives
   the same codes. */
void grade_class_code(struct grade_class *class, unsigned long long seed);

/*
 * Writes the pages into the folder out/answers, if there are answers, and tells
 * how many, and whose cannot be read. Run at the top of the tree. is_hidden:
 * codes stand for the names, and in their order. Returns 0, or -1 with why.
 */
int grade_answers_write(const char *out, struct grade_class *class,
                        const struct course_index *index,
                        struct grade_intake *intake, int is_hidden, FILE *tell,
                        char *why, size_t size);

#endif /* GRADE_ANSWERS_H */
