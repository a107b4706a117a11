/*
 * guess.h: what would nvcc make of a kernel's loop?
 *
 * A loop as nvcc's for those who have none: loads, stores, barriers and
 * products are those that were counted, their order is a rule.
 */
#ifndef CHIP_GUESS_H
#define CHIP_GUESS_H

#include "sass.h"

/* Of one warp, each step of k but for `steps`. */
struct guess_counts {
    double steps;    /* of a tile */
    int barriers;    /* of a tile: 0, 1 or 2 */
    double products, /* of a thread */
        globals, stores, loads[3];
    int globals_first; /* 1: products wait for global loads */
};

/* Returns 0, or -1 without memory. sass_loop_free takes it. */
int guess_loop(const struct guess_counts *counts, struct sass_loop *loop);

#endif /* CHIP_GUESS_H */
