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

/* Opens the screen. quiet: only the last line is shown. Returns 0 or -1. */
int lab_screen_open(int quiet);

/* Returns 0, or -1 with errno if something could not be written. */
int lab_screen_close(void);

/* All lines but the last go here. */
FILE *lab_screen(void);

/* The word, in colour if there is one. */
const char *lab_screen_word(enum lab_verdict verdict);

/* Prints why a run is wrong: the failed call, or the first wrong elements and
   what they suggest. */
void lab_screen_wrong(const struct lab_outcome *outcome);

/* Prints the TODOs that are left, and which one is next. */
void lab_screen_todos(const char *source, const struct course_todos *open);

#endif /* LAB_SCREEN_H */
