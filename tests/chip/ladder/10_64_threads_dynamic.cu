/* Blocks of two warps, 32 x 64 x 8 in dynamic shared memory, 4 x 8 sums. */
#include "lab.h"
#define R 32
#define W 64
#define D 8
__global__ void two_warps(const float *A, const float *B, float *C, int m,
                          int n, int k)
{
    extern __shared__ float tile[];
    float *As = tile, *Bs = tile + R * D;
    const int tid = threadIdx.x, ty = tid / 8, tx = tid % 8;
    const int row0 = blockIdx.y * R, col0 = blockIdx.x * W;
    float sum[4][8] = {{0.0f}};

    for (int t = 0; t < k; t += D) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = tid + j * 64;
            As[i] = A[(row0 + i / D) * k + t + i % D];
        }
#pragma unroll
        for (int j = 0; j < 8; j++)
            Bs[j * W + tid] = B[(t + j) * n + col0 + tid];
        __syncthreads();
#pragma unroll
        for (int s = 0; s < D; s++) {
            float b[8];
#pragma unroll
            for (int j = 0; j < 8; j++)
                b[j] = Bs[s * W + tx + 8 * j];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += As[(ty * 4 + i) * D + s] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            C[(row0 + ty * 4 + i) * n + col0 + tx + 8 * j] = sum[i][j];
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {64, 1, 1},
               grid = {lab_ceil_div(p->n, W), lab_ceil_div(p->m, R), 1};
    two_warps<<<grid, block, (R + W) * D * sizeof(float)>>>(p->A, p->B, p->C,
                                                            p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
