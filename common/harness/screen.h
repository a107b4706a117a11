/*
 * screen.h: how does a lab's program talk to a person?
 *
 * In lines of at most 80 columns, with the verdict first and in colour where
 * stdout is a terminal and NO_COLOR is not set (https://no-color.org).
 */
#ifndef LAB_SCREEN_H
#define LAB_SCREEN_H

#include <stdio.h>

#include "course/todo.h"
#include "results.h"
#include "run.h"

/* Opens the screen. quiet: only the last line is shown; brief: nothing before
   one of the next three is called. Returns 0 or -1. */
int lab_screen_open(int quiet, int brief);

/* In brief: shows all that was written; or the verdict, if there is a reason,
   and the summary; or nothing of it. What comes then is shown at once. */
void lab_screen_show_all(void);
void lab_screen_show_summary(enum lab_verdict verdict, const char *reason);
void lab_screen_drop(void);

/* What is shown in brief, too, goes here. */
FILE *lab_screen_summary(void);

/* Returns 0, or -1 with errno if something could not be written. */
int lab_screen_close(void);

/* All lines but the last go here. */
FILE *lab_screen(void);

/* The word, in colour if there is one. */
const char *lab_screen_word(enum lab_verdict verdict);

/* Decimal places that show three digits or more: 0.0298, 1.23, 45.6, 3380. */
int lab_screen_decimals(double value);

/* Prints a verdict and its reason, in lines of 80 columns; bold where there is
   colour. */
void lab_screen_verdict(enum lab_verdict verdict, const char *reason);

/* Prints why a run is wrong: the failed call, or the first wrong elements and
   what they suggest. */
void lab_screen_wrong(const struct lab_outcome *outcome);

/* Prints the TODOs that are left, and which one is next; there is one. */
void lab_screen_todos(void);
/* The latter alone. */
void lab_screen_next(void);

#endif /* LAB_SCREEN_H */
