/*
 * Step 6 of the ladder of 10_one_dimensional.cu, written anew: as step 5, but
 * As is transposed while it is stored, and all loads and stores take four
 * elements. For matrices that are multiples of the tile.
 */
#include "lab.h"

#define SIDE    128 /* of C, a block */
#define DEPTH   8   /* steps along k, a tile */
#define OWN     8   /* rows and columns of C, a thread */
#define THREADS (SIDE / OWN * (SIDE / OWN))

__global__ void four_at_a_time(const float *A, const float *B, float *C, int n,
                               int k)
{
    __shared__ __align__(16) float As[DEPTH * SIDE];
    __shared__ __align__(16) float Bs[DEPTH * SIDE];

    const int tid = threadIdx.x;
    const int row = tid / (SIDE / OWN) * OWN;
    const int col = tid % (SIDE / OWN) * OWN;
    const int a_row = tid / (DEPTH / 4), a_col = tid % (DEPTH / 4) * 4;
    const int b_row = tid / (SIDE / 4), b_col = tid % (SIDE / 4) * 4;
    float sum[OWN][OWN] = {{0.0f}};

    A += blockIdx.y * SIDE * k;
    B += blockIdx.x * SIDE;
    C += blockIdx.y * SIDE * n + blockIdx.x * SIDE;
    for (int t = 0; t < k; t += DEPTH) {
        const float4 four = *(const float4 *)&A[a_row * k + t + a_col];

        As[(a_col + 0) * SIDE + a_row] = four.x;
        As[(a_col + 1) * SIDE + a_row] = four.y;
        As[(a_col + 2) * SIDE + a_row] = four.z;
        As[(a_col + 3) * SIDE + a_row] = four.w;
        *(float4 *)&Bs[b_row * SIDE + b_col] =
            *(const float4 *)&B[(t + b_row) * n + b_col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float a[OWN], b[OWN];

#pragma unroll
            for (int r = 0; r < OWN; r++)
                a[r] = As[i * SIDE + row + r];
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
        for (int c = 0; c < OWN; c += 4) {
            const float4 four = {sum[r][c], sum[r][c + 1], sum[r][c + 2],
                                 sum[r][c + 3]};

            *(float4 *)&C[(row + r) * n + col + c] = four;
        }
}

void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, SIDE), lab_ceil_div(p->m, SIDE), 1};

    four_at_a_time<<<grid, block>>>(p->A, p->B, p->C, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
