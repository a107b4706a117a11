/* Asynchronous copies to places that others still read or do not wait for. */
/* build: analyse */
/* expect: 0 */
/* says: too early: {A}: race in shared memory on s */
/* says: line {B}: thread ( */
/* says: too early: 1 found, cudaSuccess */
/* says: no barrier: {C}: race in shared memory on s */
/* says: line {D}: thread ( */
/* says: no barrier: 1 found, cudaSuccess */
/* says: right: 0 found, cudaSuccess */
#include <cuda_pipeline.h>

#include "found.h"

/* Refills the buffer that other threads may still be reading. */
__global__ void too_early(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t];                              /* B */
    __pipeline_memcpy_async(&s[t], &x[64 + t], 4); /* A */
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] += s[63 - t];
}

/* Waits for its own copies alone. */
__global__ void no_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    __pipeline_memcpy_async(&s[t], &x[t], 4); /* C */
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[t] = s[63 - t]; /* D */
}

__global__ void right(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    __pipeline_memcpy_async(&s[t], &x[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = s[63 - t];
}

int main()
{
    too_early<<<1, 64>>>(floats("x"), floats("y"));
    tell("too early");
    no_barrier<<<1, 64>>>(floats("x"), floats("y"));
    tell("no barrier");
    right<<<1, 64>>>(floats("x"), floats("y"));
    tell("right");
    return 0;
}
