/*
 * container.h: how does a program run in what a grading service gives it?
 *
 * A container like Docker's: root without root's rights over the machine, a
 * file system, processes and network of its own, no user namespaces, half a
 * processor and 768 MB. It is made of namespaces and of /usr and /etc of this
 * machine, which it can only read.
 */
#ifndef TESTS_GRADE_CONTAINER_H
#define TESTS_GRADE_CONTAINER_H

#include <stddef.h>

struct container {
    char root[60];         /* its files, as seen from here */
    char group[2][300];    /* control groups: processor and memory; "": none */
    const char *limits[2]; /* what is limited, in words */
};

/* Makes one, with empty folders /tmp and /autograder. Returns 0, or -1 with why
   there is none to be had here; container_remove is needed either way. */
int container_make(struct container *c, char *why, size_t size);

/* Runs a command of the shell in it and waits until all of its processes have
   ended. Returns the exit code; 128 + n: ended by signal n. */
int container_run(const struct container *c, const char *command);

void container_remove(struct container *c);

#endif /* TESTS_GRADE_CONTAINER_H */
