#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include "guard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    WARM_UP = 50
}; /* ms: a GPU raises its clock in the meantime */

static double wall_clock(void) /* ms */
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double lab_median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare);
    return (value[(count - 1) / 2] + value[count / 2]) / 2.0;
}

/* What all the timed runs of one entry share. */
struct stopwatch {
    const struct lab_entry *entry;
    struct lab_buffers *b;
    cudaEvent_t start, stop;
    struct lab_outcome *outcome;
    char *why;
    size_t size;
};

static int cuda_failed(const struct stopwatch *w, const char *what,
                       cudaError_t error)
{
    snprintf(w->why, w->size, "%s: %s: %s", what, cudaGetErrorName(error),
             cudaGetErrorString(error));
    return -1;
}

/* Times one run between two events. cublas NULL: of the entry. 0, 1 or -1. */
static int time_launch(const struct stopwatch *w, struct lab_cublas *cublas,
                       const struct lab_matmul *p, double *ms)
{
    float elapsed = 0.0f;
    cudaError_t error = cudaEventRecord(w->start, NULL);
    int failed = 0;

    if (error != cudaSuccess)
        return cuda_failed(w, "cudaEventRecord", error);
    if (cublas != NULL) {
        failed = lab_cublas_launch(cublas, w->entry->precision, p);
    } else {
        struct lab_failure failure;

        if (lab_guard_entry(w->entry, p, &failure) != 0) {
            snprintf(w->outcome->wrong, sizeof w->outcome->wrong, "%s",
                     failure.text);
            return 1;
        }
    }
    if (failed != 0) {
        snprintf(w->why, w->size, "cublasGemmEx failed with %d", failed);
        return -1;
    }
    error = cudaEventRecord(w->stop, NULL);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(w->stop);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&elapsed, w->start, w->stop);
    if (error != cudaSuccess) {
        snprintf(w->outcome->wrong, sizeof w->outcome->wrong,
                 "A timed run failed: %s: %s.", cudaGetErrorName(error),
                 cudaGetErrorString(error));
        return 1;
    }
    *ms = (double)elapsed;
    return 0;
}

static int time_call(const struct stopwatch *w, double *ms)
{
    const double start = wall_clock();
    const int failed = lab_run_call(w->entry, w->b, w->outcome);

    *ms = wall_clock() - start;
    return failed;
}

/* One run of the entry. */
static int time_entry(const struct stopwatch *w, double *ms)
{
    const struct lab_matmul p = lab_buffers_product(w->b, w->entry->kind);

    if (w->entry->kind == LAB_ENTRY_HOST)
        return time_call(w, ms);
    return time_launch(w, NULL, &p, ms);
}

static int time_copies(const struct stopwatch *w, double *ms)
{
    double each[3];

    for (int i = 0; i < 3; i++) {
        const double start = wall_clock();

        if (lab_buffers_copy(w->b, w->why, w->size) != 0)
            return -1;
        each[i] = wall_clock() - start;
    }
    *ms = lab_median(each, 3);
    return 0;
}

/* The runs that count; own and theirs have room for repeat times each. */
static int time_all(const struct stopwatch *w, int repeat,
                    struct lab_cublas *cublas, void *cublas_C, double *own,
                    double *theirs)
{
    struct lab_matmul p = lab_buffers_product(w->b, w->entry->kind);
    const double begin = wall_clock();
    double unused;
    int failed = 0;

    p.C = cublas_C;
    do {
        failed = time_entry(w, &unused);
        if (failed == 0 && cublas != NULL)
            failed = time_launch(w, cublas, &p, &unused);
    } while (failed == 0 && wall_clock() - begin < WARM_UP);

    for (int i = 0; failed == 0 && i < repeat; i++) {
        failed = time_entry(w, &own[i]);
        if (failed == 0 && cublas != NULL)
            failed = time_launch(w, cublas, &p, &theirs[i]);
    }
    return failed;
}

/* A speed counts only if the result is right, the library's too. */
static int judge_cublas(const struct stopwatch *w,
                        const struct lab_reference *reference,
                        const void *cublas_C, double *max_error)
{
    struct lab_diff diff;

    if (lab_buffers_fetch_other(w->b, cublas_C, w->why, w->size) != 0)
        return -1;
    if (lab_verify(reference, w->b->host[LAB_C], &diff) == 0) {
        *max_error = diff.max_error;
        return 0;
    }
    snprintf(w->why, w->size, "cuBLAS computed a wrong C");
    return -1;
}

int lab_time(const struct lab_entry *entry, struct lab_buffers *b, int repeat,
             const struct lab_reference *reference, struct lab_cublas *cublas,
             struct lab_times *times, struct lab_outcome *outcome, char *why,
             size_t size)
{
    struct stopwatch w = {entry, b, NULL, NULL, outcome, why, size};
    double *own = calloc(2 * (size_t)repeat, sizeof *own);
    void *cublas_C = NULL; /* so that cuBLAS cannot mend a wrong C */
    int failed = -1;

    *times =
        (struct lab_times){.copies = NAN, .cublas = NAN, .cublas_error = NAN};
    if (own == NULL) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    if (lab_buffers_reset(b, entry->kind, why, size) != 0)
        goto done;
    if (entry->kind != LAB_ENTRY_HOST) {
        cudaError_t error = cudaEventCreate(&w.start);

        if (error == cudaSuccess)
            error = cudaEventCreate(&w.stop);
        if (error == cudaSuccess && cublas != NULL) {
            error = cudaMalloc(
                &cublas_C, b->count[LAB_C] * lab_precision_bytes(b->precision));
        }
        if (error != cudaSuccess) {
            failed = cuda_failed(&w, "preparing to time", error);
            goto done;
        }
        if (time_copies(&w, &times->copies) != 0)
            goto done;
        /* The copies took C away and brought nothing back: poison it anew. */
        if (lab_buffers_reset(b, entry->kind, why, size) != 0)
            goto done;
    } else {
        cublas = NULL;
    }
    failed = time_all(&w, repeat, cublas, cublas_C, own, own + repeat);
    if (failed == 0) {
        times->median = lab_median(own, repeat);
        times->min = own[0];
        times->max = own[repeat - 1];
        if (cublas != NULL) {
            times->cublas = lab_median(own + repeat, repeat);
            failed =
                judge_cublas(&w, reference, cublas_C, &times->cublas_error);
        }
    }
done:
    if (cublas_C != NULL)
        cudaFree(cublas_C);
    if (w.start != NULL)
        cudaEventDestroy(w.start);
    if (w.stop != NULL)
        cudaEventDestroy(w.stop);
    free(own);
    return failed;
}
