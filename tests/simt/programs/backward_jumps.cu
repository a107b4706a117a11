/*
 * How often threads go back to the beginning of a loop. The loops are written
 * such that each compiler makes the same of them: the condition stands at the
 * end, so that n rounds are n - 1 jumps.
 */
/* build: analyse */
/* expect: 0 */
/* says: no_loop: 0 backward jumps */
/* says: unrolled: 0 backward jumps */
/* says: seven_rounds: 192 backward jumps */
/* says: rounds_by_lane: 496 backward jumps */
/* says: branches: 192 backward jumps */
/* says: loop_in_loop: 352 backward jumps */
/* says: loop_in_function: 352 backward jumps */
/* says: atomics: 0 backward jumps */
#include "counted.h"

__global__ void no_loop(float *C, int)
{
    if (threadIdx.x % 2)
        C[threadIdx.x] = 1;
    else
        C[threadIdx.x] = 2;
}

__global__ void unrolled(float *C, int)
{
    float sum = 0;

#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += C[threadIdx.x] * i;
    C[threadIdx.x] = sum;
}

__global__ void seven_rounds(float *C, int n)
{
    int i = 0;

    do
        C[threadIdx.x] += i;
    while (++i < n);
}

/* Lane n jumps n times: 31 * 32 / 2. */
__global__ void rounds_by_lane(float *C, int)
{
    int i = 0;

    do
        C[threadIdx.x] += i;
    while (i++ < threadIdx.x);
}

__global__ void branches(float *C, int n)
{
    int i = 0;

    do {
        if ((i + threadIdx.x) % 2)
            C[threadIdx.x] += 3;
        else
            C[threadIdx.x] *= 2;
    } while (++i < n);
}

__global__ void loop_in_loop(float *C, int)
{
    volatile int four = 4;
    int i = 0;

    do {
        int j = 0;

        do
            C[threadIdx.x] += j;
        while (++j < four);
    } while (++i < 3);
}

__device__ __noinline__ void four_rounds(float *C, int n)
{
    int j = 0;

    do
        C[threadIdx.x] += j;
    while (++j < n - 3);
}

/* Whatever a function does in between, where it was called is remembered. */
__global__ void loop_in_function(float *C, int n)
{
    int i = 0;

    do
        four_rounds(C, n);
    while (++i < n - 4);
}

/* A thread that another one came before may try again: its own matter. */
__global__ void atomics(float *C, int)
{
    atomicAdd(&C[0], 1.0f);
    atomicAdd(&C[0], 1.0f);
}

int main()
{
    struct simt_count count;
    float *C;

    cudaMalloc(&C, 32 * sizeof *C);
    cudaMemset(C, 0, 32 * sizeof *C);
    no_loop<<<1, 32>>>(C, 7);
    unrolled<<<1, 32>>>(C, 7);
    seven_rounds<<<1, 32>>>(C, 7);
    rounds_by_lane<<<1, 32>>>(C, 7);
    branches<<<1, 32>>>(C, 7);
    loop_in_loop<<<1, 32>>>(C, 7);
    loop_in_function<<<1, 32>>>(C, 7);
    atomics<<<1, 32>>>(C, 7);
    if (cudaDeviceSynchronize() != cudaSuccess || simt_count_read(&count) != 0)
        return 2;
    for (size_t i = 0; i < count.kernels; i++)
        printf("%s: %d backward jumps\n", count.kernel[i].kernel,
               (int)count.kernel[i].backward_jumps);
    return 0;
}
