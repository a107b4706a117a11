/*
 * pipeline.h: how long do the warps of a multiprocessor need for a loop of
 * machine code?
 *
 * They are run, cycle by cycle: four schedulers that each issue an instruction
 * a cycle, one load/store unit for all, memory that answers after a while, and
 * barriers. What can be asked is what all of that takes together, or what one
 * unit takes where the others take nothing.
 */
#ifndef CHIP_PIPELINE_H
#define CHIP_PIPELINE_H

#include "sass.h"

/* What a multiprocessor runs, and what each of its units takes: cycles. */
struct chip_units {
    int blocks, warps; /* at once; of a block */
    double load[3];    /* the load/store unit, for a shared load, by width */
    double store;      /* for a shared store */
    double global;     /* for a load of global memory */
    double l2;         /* the L2's share, for what such a load misses */
    double fresh;      /* the share of such loads that wait for `far` */
    double far, near;  /* until a global load has its value */
    double shared;     /* until a shared load has its value */
    double barrier;    /* after the last warp has come */
};

/*
 * Cycles in which each warp of the multiprocessor goes round the loop once.
 * NaN without memory.
 */
double chip_round(const struct sass_loop *loop, const struct chip_units *units);

#endif /* CHIP_PIPELINE_H */
