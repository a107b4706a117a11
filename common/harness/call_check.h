/*
 * call_check.h: lab 02: does the student look at what every CUDA call returns?
 *
 * The CPU device can make any one call fail. lab_host is run with its first
 * call failing, then with its second, and so on; LAB_CHECK around that very
 * call must end the run each time. In the last run no call fails: then lab_host
 * must have given back its device memory.
 */
#ifndef LAB_CALL_CHECK_H
#define LAB_CALL_CHECK_H

#include "course/index.h"

struct lab_call_check {
    int calls;       /* that were made to fail and were noticed */
    int leaks;       /* 1: all were, and device memory is left */
    char wrong[500]; /* the first that was not; "": none */
};

/*
 * Runs the check. No device memory may be in use: it is all freed in between.
 * Returns 0, 1 if a failure went unnoticed or memory is left, or -1 with why.
 */
int lab_call_check_run(const struct course_entry *entry,
                       struct lab_call_check *check, char *why, size_t size);

#endif /* LAB_CALL_CHECK_H */
