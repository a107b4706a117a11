/* exercise.h: what the exercises share; there is no mistake in here. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/* Around a CUDA call: says where one failed, and ends the program. */
#define CHECK(call)                                                          \
    do {                                                                     \
        const cudaError_t error_ = (call);                                   \
        if (error_ != cudaSuccess) {                                         \
            fprintf(stderr, "%s:%d: %s:\n  %s\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorString(error_));                             \
            exit(2);                                                         \
        }                                                                    \
    } while (0)

/* So many floats that host and device can use: small whole numbers, whose sums
   and products are exact in any order. */
static inline float *numbers(int count)
{
    float *x;

    CHECK(cudaMallocManaged(&x, count * sizeof(float)));
    for (int i = 0; i < count; i++)
        x[i] = (float)(i * 7 % 11 - 5);
    return x;
}

/* So many floats without a value: each is "not a number" until it is stored. */
static inline float *room(int count)
{
    float *x;

    CHECK(cudaMallocManaged(&x, count * sizeof(float)));
    for (int i = 0; i < count; i++)
        x[i] = NAN;
    return x;
}

/* Tells how many of the elements differ; the program's exit code. */
static inline int compare(const float *want, const float *got, int count)
{
    int right = 0;

    for (int i = 0; i < count; i++)
        right += got[i] == want[i];
    printf("%d of %d elements are right\n", right, count);
    return right == count ? 0 : 1;
}

/* The same for C = A x B, which it computes on the host. */
static inline int compare_product(const float *A, const float *B,
                                  const float *C, int m, int n, int k)
{
    int right = 0;

    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++) {
            const float *const a = A + row * k, *const b = B + col;
            float expected = 0.0f;

            for (int step = 0; step < k; step++)
                expected += a[step] * b[step * n];
            right += C[row * n + col] == expected;
        }
    }
    printf("%d of %d elements of C are right\n", right, m * n);
    return right == m * n ? 0 : 1;
}

#endif
