/*
 * counters.h: what did one run of a kernel do, in the numbers of results.csv?
 *
 * Only the analyse build of the CPU device counts (common/simt/simt.h).
 */
#ifndef LAB_COUNTERS_H
#define LAB_COUNTERS_H

#include <stddef.h>

#include "simt/simt.h"

/*
 * In the order of results.csv. A request is one warp's memory instruction
 * with at least one active lane. An fma is a multiply-add of the product: there
 * are m * n * k of them, however the kernel computes. Loads per fma count
 * lanes, not requests. Efficiency is the distinct bytes asked for over the
 * bytes of the sectors touched, from 0 to 1.
 */
enum lab_counter {
    LAB_GLOBAL_LOAD_REQUESTS,
    LAB_GLOBAL_LOAD_SECTORS,
    LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST,
    LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY,
    LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_A,
    LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_B,
    LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A,
    LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B,
    LAB_GLOBAL_LOADS_PER_FMA,
    LAB_GLOBAL_STORE_REQUESTS,
    LAB_GLOBAL_STORE_SECTORS,
    LAB_SHARED_LOAD_REQUESTS,
    LAB_SHARED_LOAD_WAVEFRONTS,
    LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST,
    LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS,
    LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS,
    LAB_SHARED_STORE_REQUESTS,
    LAB_SHARED_STORE_WAVEFRONTS,
    LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST,
    LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS,
    LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS,
    LAB_SHARED_LOADS_PER_FMA,
    LAB_BARRIERS_PER_THREAD,
    LAB_BACKWARD_JUMPS_PER_FMA,
    LAB_RIGHT_CELLS, /* lab 05: share of the predictions that are right */
    LAB_GLOBAL_LOAD_LANES_PER_REQUEST, /* active ones; a warp has 32 */
    LAB_SHARED_LOAD_LANES_PER_REQUEST,
    LAB_CONSTANT_LOAD_REQUESTS,
    LAB_CONSTANT_LOAD_WAVEFRONTS_PER_REQUEST,
    LAB_FLOPS,         /* floating-point operations, a multiply-add being two */
    LAB_FLOP_PER_BYTE, /* over the bytes that lanes load from global memory */
    LAB_GLOBAL_LOAD_ASYNC_SHARE_B, /* share of the bytes that lanes load from B
                                      that are asynchronous copies' */
    LAB_FETCH_OVERLAP, /* share of one thread's shared loads that it makes while
                          a word of the next tile is on its way (log.h) */
    LAB_COUNTERS
};

/* Their names: the columns of results.csv. */
extern const char *const lab_counter_name[LAB_COUNTERS];

/* The counter of that name, or -1. */
int lab_counter_find(const char *name);

/* Sets every counter to NaN: not counted. */
void lab_counters_clear(double counter[LAB_COUNTERS]);

/* Fills counter from what was counted in one run with that many fmas. Of
   nothing there is no mean: such a counter stays NaN. */
void lab_counters_derive(const struct simt_count *count, double fmas,
                         double counter[LAB_COUNTERS]);

#endif /* LAB_COUNTERS_H */
