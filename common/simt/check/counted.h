/* counted.h: prints what the analyse build counted, one line an array. */
#ifndef COUNTED_H
#define COUNTED_H

#include <cuda_runtime.h>

#include "simt/simt.h"

/* 1 if two rows differ in the source line alone. */
static inline bool same_array(const struct simt_row &a,
                              const struct simt_row &b)
{
    return strcmp(a.kernel, b.kernel) == 0 && strcmp(a.array, b.array) == 0 &&
           a.space == b.space && a.kind == b.kind;
}

/* "copy A load: 32 requests, 1024 lanes, 128 sectors" */
static inline void print_counts()
{
    struct simt_count count;

    if (simt_count_read(&count) != 0)
        exit(2);
    for (size_t i = 0, next; i < count.rows; i = next) {
        struct simt_row sum = count.row[i];
        const bool global = sum.space == SIMT_GLOBAL;

        for (next = i + 1;
             next < count.rows && same_array(sum, count.row[next]); next++) {
            sum.requests += count.row[next].requests;
            sum.lanes += count.row[next].lanes;
            sum.sectors += count.row[next].sectors;
            sum.wavefronts += count.row[next].wavefronts;
        }
        printf("%s %s %s: %d requests, %d lanes, %d %s\n", sum.kernel,
               sum.array,
               sum.kind == SIMT_LOAD    ? "load"
               : sum.kind == SIMT_STORE ? "store"
                                        : "atomic",
               (int)sum.requests, (int)sum.lanes,
               (int)(global ? sum.sectors : sum.wavefronts),
               global ? "sectors" : "wavefronts");
    }
    simt_count_reset();
}

#endif
