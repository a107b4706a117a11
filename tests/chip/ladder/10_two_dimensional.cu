/*
 * Step 5 of the ladder of 10_one_dimensional.cu, written anew: a thread
 * computes 8 x 8 neighbouring elements of C, a block of 256 threads 128 x 128.
 * For matrices that are multiples of the tile.
 */
#include "lab.h"

#define SIDE    128 /* of C, a block */
#define DEPTH   8   /* steps along k, a tile */
#define OWN     8   /* rows and columns of C, a thread */
#define THREADS (SIDE / OWN * (SIDE / OWN))

__global__ void two_dimensional(const float *A, const float *B, float *C, int n,
                                int k)
{
    __shared__ float As[SIDE * DEPTH];
    __shared__ float Bs[DEPTH * SIDE];

    const int tid = threadIdx.x;
    const int row = tid / (SIDE / OWN) * OWN;
    const int col = tid % (SIDE / OWN) * OWN;
    const int a_row = tid / DEPTH, a_col = tid % DEPTH;
    const int b_row = tid / SIDE, b_col = tid % SIDE;
    float sum[OWN][OWN] = {{0.0f}};

    A += blockIdx.y * SIDE * k;
    B += blockIdx.x * SIDE;
    C += blockIdx.y * SIDE * n + blockIdx.x * SIDE;
    for (int t = 0; t < k; t += DEPTH) {
#pragma unroll
        for (int r = 0; r < SIDE; r += THREADS / DEPTH)
            As[(a_row + r) * DEPTH + a_col] = A[(a_row + r) * k + t + a_col];
#pragma unroll
        for (int i = 0; i < DEPTH; i += THREADS / SIDE)
            Bs[(b_row + i) * SIDE + b_col] = B[(t + b_row + i) * n + b_col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float a[OWN], b[OWN];

#pragma unroll
            for (int r = 0; r < OWN; r++)
                a[r] = As[(row + r) * DEPTH + i];
#pragma unroll
            for (int c = 0; c < OWN; c++)
                b[c] = Bs[i * SIDE + col + c];
#pragma unroll
            for (int r = 0; r < OWN; r++)
#pragma unroll
                for (int c = 0; c < OWN; c++)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < OWN; r++)
#pragma unroll
        for (int c = 0; c < OWN; c++)
            C[(row + r) * n + col + c] = sum[r][c];
}

void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, SIDE), lab_ceil_div(p->m, SIDE), 1};

    two_dimensional<<<grid, block>>>(p->A, p->B, p->C, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
