/*
 * As in the public ladder of S. Boehm ("How to Optimize a CUDA Matmul Kernel",
 * 2022), step 4, written anew: a block of 512 threads computes 64 x 64 elements
 * of C, a thread 8 of a column. For matrices that are multiples of the tile.
 */
#include "lab.h"

#define SIDE  64 /* of C, a block */
#define DEPTH 8  /* steps along k, a tile */
#define OWN   8  /* rows of C, a thread */

__global__ void one_dimensional(const float *A, const float *B, float *C, int n,
                                int k)
{
    __shared__ float As[SIDE * DEPTH];
    __shared__ float Bs[DEPTH * SIDE];

    const int tid = threadIdx.x;
    const int col = tid % SIDE;
    const int row = tid / SIDE * OWN;
    const int a_row = tid / DEPTH, a_col = tid % DEPTH;
    const int b_row = tid / SIDE, b_col = tid % SIDE;
    float sum[OWN] = {0.0f};

    A += blockIdx.y * SIDE * k;
    B += blockIdx.x * SIDE;
    C += blockIdx.y * SIDE * n + blockIdx.x * SIDE;
    for (int t = 0; t < k; t += DEPTH) {
        As[a_row * DEPTH + a_col] = A[a_row * k + t + a_col];
        Bs[b_row * SIDE + b_col] = B[(t + b_row) * n + b_col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            const float b = Bs[i * SIDE + col];

#pragma unroll
            for (int r = 0; r < OWN; r++)
                sum[r] += As[(row + r) * DEPTH + i] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < OWN; r++)
        C[(row + r) * n + col] = sum[r];
}

void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {SIDE * SIDE / OWN, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, SIDE), lab_ceil_div(p->m, SIDE), 1};

    one_dimensional<<<grid, block>>>(p->A, p->B, p->C, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
