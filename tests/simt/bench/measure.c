#define _GNU_SOURCE
#include "bench.h"

#include "simt/simt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* One run of the kernel, or of plain C. Returns 0, or -1 with bench->why. */
static int run_algorithm(struct bench *b, const struct algorithm *algorithm,
                         int is_plain)
{
    cudaError_t error;

    if (is_plain) {
        algorithm->plain(b->A, b->B, b->C, b->n);
        return 0;
    }
    algorithm->launch(b->dA, b->dB, b->dC, b->n);
    error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error != cudaSuccess) {
        snprintf(b->why, sizeof b->why, "kernel %s: %s", algorithm->name,
                 cudaGetErrorString(error));
        return -1;
    }
    return 0;
}

/* Compares C with plain C's, which adds in the same order. */
static int check_result(struct bench *b, const struct algorithm *algorithm)
{
    const size_t count = (size_t)b->n * (size_t)b->n;
    /* Both lie within K u |A||B| of the exact sum, and |A||B| is at most K. */
    const double allowed = 2.0 * b->n * b->n * 0x1p-24;

    if (cudaMemcpy(b->C, b->dC, count * sizeof *b->C, cudaMemcpyDeviceToHost) !=
        cudaSuccess) {
        snprintf(b->why, sizeof b->why, "C cannot be copied");
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (fabs((double)b->C[i] - (double)b->right[i]) <= allowed)
            continue;
        snprintf(b->why, sizeof b->why,
                 "kernel %s, n = %d: C[%zu] is %g instead of %g",
                 algorithm->name, b->n, i, (double)b->C[i],
                 (double)b->right[i]);
        return -1;
    }
    return 0;
}

/* Looks at what the device counted and found in one run. */
static int check_counts(struct bench *b, const struct algorithm *algorithm,
                        uint64_t *accesses)
{
    const uint64_t expected = algorithm->accesses((uint64_t)b->n);
    struct simt_findings findings;
    struct simt_count count;

    *accesses = 0;
    if (simt_count_read(&count) != 0) {
        snprintf(b->why, sizeof b->why, "not enough memory");
        return -1;
    }
    for (size_t i = 0; i < count.rows; i++)
        *accesses += count.row[i].lanes;
    if (*accesses != expected) {
        snprintf(b->why, sizeof b->why,
                 "kernel %s, n = %d: %" PRIu64 " accesses counted, %" PRIu64
                 " made",
                 algorithm->name, b->n, *accesses, expected);
        return -1;
    }
    simt_findings_read(&findings);
    if (findings.count > 0) {
        snprintf(b->why, sizeof b->why, "kernel %s, n = %d: %s, where none is",
                 algorithm->name, b->n,
                 simt_check_name[findings.finding[0].check]);
        return -1;
    }
    return 0;
}

/* Says on a terminal what runs. */
static void show_progress(const struct bench_row *row, int number, int of)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s %s %d, %d thread%s: run %d of %d ", row->build,
                row->kernel, row->size, row->threads,
                row->threads == 1 ? "" : "s", number, of);
    }
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%60s\r", "");
}

/* The run that is looked at. Returns 0, or -1 with bench->why. */
static int warm_up(struct bench *b, const struct algorithm *algorithm,
                   int is_plain, struct bench_row *row)
{
    simt_set_threads(row->threads);
    simt_count_reset();
    if (run_algorithm(b, algorithm, is_plain) != 0)
        return -1;
    if (!is_plain && check_result(b, algorithm) != 0)
        return -1;
    if (simt_can_count() && check_counts(b, algorithm, &row->accesses) != 0)
        return -1;
    return 0;
}

int bench_measure(struct bench *b, const struct algorithm *algorithm,
                  struct bench_row *row)
{
    const int is_plain = strcmp(row->build, "plain") == 0;
    int status;

    show_progress(row, 0, b->repeat);
    status = warm_up(b, algorithm, is_plain, row);
    simt_set_record_only(strcmp(row->build, "record") == 0);
    for (int i = 0; i < b->repeat && status == 0; i++) {
        double begin;

        show_progress(row, i + 1, b->repeat);
        begin = milliseconds();
        status = run_algorithm(b, algorithm, is_plain);
        b->ms[i] = milliseconds() - begin;
    }
    simt_set_record_only(0);
    end_progress();
    if (status != 0)
        return -1;
    qsort(b->ms, (size_t)b->repeat, sizeof *b->ms, compare_doubles);
    row->median = (b->ms[(b->repeat - 1) / 2] + b->ms[b->repeat / 2]) / 2.0;
    row->min = b->ms[0];
    row->max = b->ms[b->repeat - 1];
    return 0;
}
