/* Tiles of 96 x 96 that do not divide C, 6 x 6 sums a thread, guards. */
#include "lab.h"
#define T 96
#define D 8
__global__ void tile_96(const float *A, const float *B, float *C, int m, int n,
                        int k)
{
    __shared__ float As[D][T], Bs[D][T];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float sum[6][6] = {{0.0f}};

    for (int t = 0; t < k; t += D) {
#pragma unroll
        for (int j = 0; j < T * D / 256; j++) {
            const int i = tid + j * 256;
            const int r = row0 + i / D, s = t + i % D, c = col0 + i % T,
                      q = t + i / T;
            As[i % D][i / D] = r < m && s < k ? A[r * k + s] : 0.0f;
            Bs[i / T][i % T] = q < k && c < n ? B[q * n + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < D; s++)
#pragma unroll
            for (int i = 0; i < 6; i++)
#pragma unroll
                for (int j = 0; j < 6; j++)
                    sum[i][j] += As[s][ty + 16 * i] * Bs[s][tx + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            if (row0 + ty + 16 * i < m && col0 + tx + 16 * j < n)
                C[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = sum[i][j];
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {16, 16, 1},
               grid = {lab_ceil_div(p->n, T), lab_ceil_div(p->m, T), 1};
    tile_96<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
