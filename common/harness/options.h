/*
 * options.h: what does the command line ask of a lab's program?
 */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "course/index.h"

enum {
    LAB_MAX_SIDE = 1 << 24, /* of a matrix; k must stay below: verify.h */
    LAB_MAX_REPEAT = 100000
};

struct lab_options {
    struct course_shape shape; /* m is 0: none given */
    int repeat;                /* 0: not given */
    int banks;                 /* rule of the banks: 1 or 9; 0: not given */
    uint64_t seed;
    const char *csv, *findings;  /* files to write; NULL: none */
    const char *places;          /* lines that --why has shown, for --try */
    const char *left;            /* changes for the counting program's --try */
    const char *map, *footprint; /* likewise; each is a mode of its own, and
                                     both go together */
    const char *map_array;       /* NULL: the costliest */
    int map_line;                /* 0: the costliest */
    int map_request;             /* of its warp, from 0 */
    int counters, checks, why, tried, explain, card, bench; /* modes */
    int resume, renew; /* what becomes of rows that csv has */
    int verbose, cublas, quiet, brief;
};

/*
 * Reads argv, whose strings must outlive *options. Returns 0, 1 if --help was
 * asked for and is shown, or -1 with one line about the first mistake in why.
 */
int lab_options_read(struct lab_options *options, int argc, char **argv,
                     char *why, size_t size);

/*
 * May m, n and k be the sides of a product? Each is at least 1, and each
 * matrix has at most INT_MAX elements, since kernels index with int.
 * Returns 0, or -1 with a line in why.
 */
int lab_shape_check(struct course_shape shape, char *why, size_t size);

#endif /* LAB_OPTIONS_H */
