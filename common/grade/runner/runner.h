/*
 * runner.h: what does the program in a box do beside the student's code?
 *
 * runner.c reads the request, calls the lab, and sends C and the report. What
 * the lab calls is in module/.
 */
#ifndef GRADE_RUNNER_H
#define GRADE_RUNNER_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program after a report that says why, in words for the student: as
   a crash of its own making. */
void grade_runner_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* The same because it asked for more memory than there is. */
void grade_runner_no_memory(void) __attribute__((noreturn));

/* Copies of the student's host code that were of single words, one for each
   row: those of a column. */
extern uint64_t grade_column_copies;

#endif /* GRADE_RUNNER_H */
