/*
 * bench.h: how fast is the CPU device?
 *
 * One program for each of its builds: the fast one is compared with plain C,
 * the analyse build says how many accesses of a kernel a core records and
 * checks in a second. Both say what more cores bring.
 *
 *   bench.c     options, and what is measured
 *   measure.c   one measurement
 *   report.c    the table, and the same as CSV
 *   kernels.cu, plain.c    what is timed (products.h)
 */
#ifndef SIMT_BENCH_H
#define SIMT_BENCH_H

#include "simt/include/cuda_runtime_api.h"
#include "products.h"

#include <stddef.h>
#include <stdint.h>

/* One line of the table. */
struct bench_row {
    const char *build; /* "plain", "fast", "record" or "analyse" */
    const char *kernel;
    int size, threads;
    double median, min, max; /* milliseconds */
    uint64_t accesses;       /* of one run; 0: the build counts none */
};

typedef void product(const float *A, const float *B, float *C, int n);

struct algorithm {
    const char *name;
    product *plain, *launch;
    uint64_t (*accesses)(uint64_t n); /* of the kernel */
};

/* What the measurements share. */
struct bench {
    struct cudaDeviceProp device;
    int repeat;          /* timed runs of a measurement */
    double *ms;          /* of each */
    int n;               /* side of the matrices */
    float *A, *B;        /* in host memory */
    float *C, *right;    /* the kernel's, and plain C's */
    float *dA, *dB, *dC; /* in device memory */
    struct bench_row *row;
    size_t rows;
    char why[300]; /* after a -1, in one line */
};

/*
 * Fills the times and accesses of a row that says what to run. Before the timed
 * runs there is one that is looked at instead: is C right, are there as many
 * accesses as the algorithm makes, has the device found a mistake where none
 * is? Returns 0, or -1 with bench->why.
 */
int bench_measure(struct bench *b, const struct algorithm *algorithm,
                  struct bench_row *row);

void bench_print_header(const struct bench *b);

/* A row, beside plain C and beside the same on one core; either may be NULL. */
void bench_print_row(const struct bench_row *row, const struct bench_row *plain,
                     const struct bench_row *one);

/* All rows. Returns 0, or -1 with bench->why. */
int bench_write_csv(struct bench *b, const char *path);

#endif /* SIMT_BENCH_H */
