/*
 * launches.h: what did each launch of a program count?
 *
 * A program of this folder names each of its launches. On the CPU device it
 * then prints what the launch counted, a line of CSV for each quantity. On a
 * GPU Nsight Compute counts, from outside; there the program prints the names
 * alone, one a line, so that measure_counters.sh can put the two together: its
 * nth line is the name of the nth launch.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <cuda_runtime.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if a CUDA call or a launch went wrong. */
static inline void need(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(2);
    }
}

/* Device memory of `bytes` bytes, all of them 0. Copied, not set: Nsight
   Compute could take the kernel that sets them for one of the program's. */
static inline void *zeros(size_t bytes)
{
    void *memory = NULL, *host = calloc(1, bytes);

    if (host == NULL)
        exit(2);
    need(cudaMalloc(&memory, bytes));
    need(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice));
    free(host);
    return memory;
}

#ifndef SIMT_CUDA_RUNTIME_H /* the header is NVIDIA's, for a GPU */

static inline void print_counts(const char *name)
{
    puts(name);
}

static inline void expect_races()
{
}

#else

#include "simt/simt.h"

static inline void print_quantity(const char *kernel, const char *name,
                                  int launch, const char *quantity,
                                  uint64_t value)
{
    /* tile<32> is kernel tile: Nsight Compute's names are cut likewise. */
    printf("%.*s,%s,%d,%s,%llu\n", (int)strcspn(kernel, "<"), kernel, name,
           launch, quantity, (unsigned long long)value);
}

/* What the last launch counted; each quantity, 0 or not. */
static inline void print_counts(const char *name)
{
    static const char *const space[] = {"global", "shared"};
    static const char *const kind[] = {"load", "store", "atomic"};
    static const char *const what[] = {"requests", "passes", "bytes"};
    static int launch;
    uint64_t sum[2][3][3] = {}, lanes = 0;
    struct simt_count count;

    if (simt_count_read(&count) != 0 || count.kernels != 1) {
        fprintf(stderr, "%s: not one kernel was counted\n", name);
        exit(2);
    }
    if (launch++ == 0)
        puts("kernel,label,launch,quantity,value");
    for (size_t i = 0; i < count.rows; i++) {
        const struct simt_row *row = &count.row[i];

        if (row->space == SIMT_CONSTANT)
            continue;
        uint64_t *to = sum[row->space][row->kind];

        to[0] += row->requests;
        to[1] += row->sectors + row->wavefronts; /* one of them is 0 */
        to[2] += row->space == SIMT_GLOBAL
                     ? row->bytes /* each byte of a request once */
                     : row->lanes * (uint64_t)row->size;
        lanes += row->lanes;
    }
    for (int i = 0; i < 2 * 3 * 3; i++) {
        const int s = i / 9, k = i / 3 % 3, w = i % 3;
        char quantity[64];

        snprintf(quantity, sizeof quantity, "%s_%s_%s", space[s], kind[k],
                 w != 1   ? what[w]
                 : s == 0 ? "sectors"
                          : "wavefronts");
        print_quantity(count.kernel[0].kernel, name, launch, quantity,
                       sum[s][k][w]);
    }
    print_quantity(count.kernel[0].kernel, name, launch, "memory_lanes", lanes);
    print_quantity(count.kernel[0].kernel, name, launch, "flops",
                   count.kernel[0].flops);
    simt_count_reset();
}

/* Call first if threads of a launch store to one element on purpose: reports
   of that would only be in the way. */
static inline void expect_races()
{
    simt_findings_print(0);
}

#endif

/* Call after each launch, with its name in printf's form: no comma and no
   quote in it. */
static inline void launched(const char *format, ...)
{
    char name[128];
    va_list list;

    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    need(cudaGetLastError());
    need(cudaDeviceSynchronize());
    print_counts(name);
}

#endif
