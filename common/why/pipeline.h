/*
 * pipeline.h: how long do warps need for a loop of machine code?
 *
 * Two answers, each for what nothing else holds up: how fast one scheduler
 * issues the loop for the warps that it has, register ports included, and how
 * long one warp alone goes round, waiting for each of its loads.
 */
#ifndef WHY_PIPELINE_H
#define WHY_PIPELINE_H

#include "sass.h"

/* A time of a warp: cycles, and how often it waits for each of these. */
struct why_chain {
    double cycles, global_loads, shared_loads, barriers;
};

/*
 * Cycles of a scheduler for one warp to go round the loop once, while `warps`
 * warps do. NaN without memory.
 */
double why_issue(const struct sass_loop *loop, int warps);

/* What one warp waits for while it goes round once. */
struct why_chain why_latency(const struct sass_loop *loop);

#endif /* WHY_PIPELINE_H */
