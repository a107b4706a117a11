/* found.h: prints what the analyse build found wrong with a kernel. */
#ifndef FOUND_H
#define FOUND_H

#include <cuda_runtime.h>

#include "simt/simt.h"

/* A device array of n elements that nobody has written. */
template <typename T> static inline T *fresh(const char *name, size_t n)
{
    T *array;

    if (cudaMalloc(&array, n * sizeof(T)) != cudaSuccess)
        exit(2);
    simt_name_array(array, name);
    return array;
}

/* A device array of 1024 zeros. */
template <typename T> static inline T *zeros(const char *name)
{
    T *array = fresh<T>(name, 1024);

    if (cudaMemset(array, 0, 1024 * sizeof(T)) != cudaSuccess)
        exit(2);
    return array;
}

static inline float *floats(const char *name)
{
    return zeros<float>(name);
}

static inline int *ints(const char *name)
{
    return zeros<int>(name);
}

static inline char *chars(const char *name)
{
    return zeros<char>(name);
}

/*
 * Prints the messages since the last call, each from its line number on, as
 * "WHAT: 12: race in shared memory ...", then "WHAT: 1 found, cudaSuccess".
 * Frees all arrays.
 */
static inline void tell(const char *what)
{
    const cudaError_t error = cudaDeviceSynchronize();
    struct simt_findings findings;
    uint64_t seen = 0;

    simt_findings_read(&findings);
    for (size_t i = 0; i < findings.count; i++) {
        const struct simt_finding *f = &findings.finding[i];
        /* With its folders, or without. */
        const size_t file = f->file[0] != 0 ? strcspn(f->text, ":") : 0;

        printf("%s: %s", what, f->text + (file > 0 ? file + 1 : 0));
    }
    for (int i = 0; i < SIMT_CHECKS; i++)
        seen += findings.seen[i];
    printf("%s: %d found%s, %s\n", what, (int)findings.count,
           seen == 0 ? ", nothing seen" : "", cudaGetErrorName(error));
    simt_count_reset();
    cudaDeviceReset();
}

#endif
