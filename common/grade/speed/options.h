/*
 * options.h: what is to be measured?
 */
#ifndef GRADE_SPEED_OPTIONS_H
#define GRADE_SPEED_OPTIONS_H

#include "course/index.h"

#include <stddef.h>

struct speed_options {
    const char *submissions;
    const char *out;  /* NULL: SUBMISSIONS.speed.csv */
    const char *labs; /* "04 06"; NULL: all */
    const char *nvcc, *arch;
    struct course_shape shape;
    int runs;
};

/* Reads the command line; --help is answered. Returns 0; 1 if there is nothing
   more to do; -1 with a line in why. */
int speed_options_read(struct speed_options *options, int argc, char **argv,
                       char *why, size_t size);

/* Is this lab among "04 06 7 09_prefetch"? NULL has all. */
int speed_options_has(const char *labs, const char *lab);

#endif /* GRADE_SPEED_OPTIONS_H */
