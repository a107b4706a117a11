/*
 * counters.h: what did one run of a kernel do, in the numbers of results.csv?
 *
 * Only the analyse build of the CPU device counts (common/simt/simt.h).
 */
#ifndef LAB_COUNTERS_H
#define LAB_COUNTERS_H

#include <stddef.h>

#include "simt/simt.h"

enum lab_counter {
#define COUNTER(id, ...) LAB_##id,
#include "harness/counters.def"
#undef COUNTER
    LAB_COUNTERS
};

enum lab_unit {
    LAB_UNIT_NUMBER,
    LAB_UNIT_COUNT,
    LAB_UNIT_PERCENT,
    LAB_UNIT_SHARE
};

/* What counters.def says of each. */
extern const struct lab_counter_entry {
    const char *name;
    enum lab_unit unit;
    const char *label, *ladder, *report, *ncu;
} lab_counters[LAB_COUNTERS];

/* The counter of that name, or -1. */
int lab_counter_find(const char *name);

/* Sets every counter to NaN: not counted. */
void lab_counters_clear(double counter[LAB_COUNTERS]);

/* Fills counter from what was counted in one run with that many fmas. Of
   nothing there is no mean: such a counter stays NaN. */
void lab_counters_derive(const struct simt_count *count, double fmas,
                         double counter[LAB_COUNTERS]);

/*
 * Those that are a sum over the words that blocks store, divided by as many
 * words as the result has: each element of C has the barriers of a thread of
 * its block, and the work of its launch that waits for a tile. So a launch or a
 * block more, for nothing or for a part of the sums, makes no number better.
 * lab_counters_derive() divides by the words that were stored: a mean, for who
 * does not know how many elements the result has.
 */
void lab_counters_of_results(const struct simt_count *count, double results,
                             double counter[LAB_COUNTERS]);

#endif /* LAB_COUNTERS_H */
