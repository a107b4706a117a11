/*
 * feedback.h: what does a student read?
 *
 * For each lab: what came of it, which points it earned, which case went wrong
 * and how, what the checks found, which line costs how much, and what to read
 * next. Of a hidden case a student sees its name and verdict, nothing else.
 */
#ifndef GRADE_FEEDBACK_H
#define GRADE_FEEDBACK_H

#include <stdio.h>

#include "grade/publish/class.h"

enum grade_form {
    GRADE_MARKDOWN, /* a file of feedback/ */
    GRADE_PLAIN     /* a terminal, or Gradescope */
};

/* One lab of a row. all: 1 for an instructor, who sees hidden cases whole. */
void grade_feedback_lab(FILE *to, const struct grade_class *class,
                        const struct grade_row *row, int lab,
                        enum grade_form form, int all);

/* A row with its total, and all of its labs. */
void grade_feedback_row(FILE *to, const struct grade_class *class,
                        const struct grade_row *row, enum grade_form form,
                        int all);

/* The same of a lab, or of no lab (-1) of the row, as plain text for free();
   NULL without memory. */
char *grade_feedback_text(const struct grade_class *class,
                          const struct grade_row *row, int lab);

#endif /* GRADE_FEEDBACK_H */
