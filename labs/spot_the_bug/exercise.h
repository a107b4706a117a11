/* exercise.h: what the exercises share; there is no mistake in here. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/* Around a CUDA call: says where one failed, and ends the program. */
#define CHECK(call)                                                       \
    do {                                                                  \
        const cudaError_t error_ = (call);                                \
        if (error_ != cudaSuccess) {                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorString(error_));                          \
            exit(2);                                                      \
        }                                                                 \
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

/* So many floats that nobody has written. */
static inline float *room(int count)
{
    float *x;

    CHECK(cudaMallocManaged(&x, count * sizeof(float)));
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
            float sum = 0.0f;

            for (int i = 0; i < k; i++)
                sum += A[row * k + i] * B[i * n + col];
            right += C[row * n + col] == sum;
        }
    }
    printf("%d of %d elements of C are right\n", right, m * n);
    return right == m * n ? 0 : 1;
}

#endif
