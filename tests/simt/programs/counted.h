/* counted.h: prints what the analyse build counted, one line an array. */
#ifndef COUNTED_H
#define COUNTED_H

#include <cuda_runtime.h>

#include "simt/simt.h"

/* "copy A load: 32 requests, 1024 lanes, 128 sectors" */
static inline void print_counts()
{
    const struct simt_row *row;
    const struct simt_kernel *kernel;
    size_t rows, kernels;

    if (simt_count_read(&row, &rows, &kernel, &kernels) != 0)
        exit(2);
    for (size_t i = 0; i < rows; i++) {
        const bool shared = row[i].space == SIMT_SHARED;

        printf("%s %s %s: %d requests, %d lanes, %d %s\n", row[i].kernel,
               row[i].array, row[i].kind == SIMT_LOAD ? "load" : "store",
               (int)row[i].requests, (int)row[i].lanes,
               (int)(shared ? row[i].wavefronts : row[i].sectors),
               shared ? "wavefronts" : "sectors");
    }
    simt_count_reset();
}

#endif
