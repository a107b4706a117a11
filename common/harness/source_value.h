/*
 * source_value.h: which numbers had the variables that an access was made with?
 *
 * The thread and its launch are known, so expressions of threadIdx, blockIdx,
 * constants, arguments of the kernel and earlier such variables have one value
 * each. Loops that it needs are gone through, and calls of its function: those
 * passes and calls are taken that lead to what the access was seen to use. A
 * name that has several values then, or is set more than once, is left out.
 */
#ifndef LAB_SOURCE_VALUE_H
#define LAB_SOURCE_VALUE_H

#include "simt/host_calls.h"
#include "story.h"

/* An access of one thread of a launch. */
struct lab_seen {
    const char *file, *array;
    int line;
    const struct simt_host_call *launch;
    uint64_t block;
    int thread;
    const char *index; /* "As[ty][i]", of which the last has the value; or NULL:
                          the access begins at that byte of the array */
    long long value;
    int zeros; /* 1: what is 0 is shown, too, though it leads to no place far
                  away */
};

/* Says "row is 64 (line 87) and a_step is 0 (line 84)"; adds these lines and
   those of the calls by which the thread came there. 0: nothing is known. */
int lab_source_numbers(const struct lab_seen *seen, struct lab_lines *lines,
                       char *text, size_t size);

/* How many threads the __launch_bounds__ of the kernel allow, and its line; 0:
   that is not known. */
int lab_source_most_threads(const char *path, const char *kernel, int *line);

#endif /* LAB_SOURCE_VALUE_H */
