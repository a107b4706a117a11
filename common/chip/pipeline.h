/*
 * pipeline.h: how long do warps need for a loop of machine code?
 *
 * Two answers, each for what nothing else holds up: how fast one scheduler
 * issues the loop for the warps that it has, register ports included, and how
 * long one warp alone goes round, waiting for each of its loads.
 */
#ifndef CHIP_PIPELINE_H
#define CHIP_PIPELINE_H

#include "sass.h"

/* A time of a warp: cycles, and how often it waits for each of these. */
struct chip_chain {
    double cycles, global_loads, shared_loads, barriers;
};

/*
 * Cycles of a scheduler for one warp to go round the loop once, while `warps`
 * warps do. NaN without memory.
 */
double chip_issue(const struct sass_loop *loop, int warps);

/* What one warp waits for while it goes round once. */
struct chip_chain chip_latency(const struct sass_loop *loop);

#endif /* CHIP_PIPELINE_H */
