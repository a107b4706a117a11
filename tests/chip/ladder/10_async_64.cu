/* Asynchronous copies, 64 x 64 x 32, two stages, 4 x 4 sums. */
#include "lab.h"
#include <cuda_pipeline_primitives.h>
#define T 64
#define D 32
__global__ void async_64(const float *A, const float *B, float *C, int m, int n,
                         int k)
{
    __shared__ __align__(16) float As[2][T][D + 4], Bs[2][D][T];
    const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
    const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float sum[4][4] = {{0.0f}};

    for (int t = -D; t < k; t += D) {
        const int now = t / D & 1, next = 1 - now;
        if (t + D < k) {
#pragma unroll
            for (int j = 0; j < 2; j++) {
                const int i = tid + j * 256;
                __pipeline_memcpy_async(
                    &As[next][i / 8][i % 8 * 4],
                    &A[(row0 + i / 8) * k + t + D + i % 8 * 4], 16);
                __pipeline_memcpy_async(
                    &Bs[next][i / 16][i % 16 * 4],
                    &B[(t + D + i / 16) * n + col0 + i % 16 * 4], 16);
            }
            __pipeline_commit();
        }
        if (t >= 0) {
#pragma unroll
            for (int s = 0; s < D; s++) {
                const float4 y = *(const float4 *)&Bs[now][s][tx * 4];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const float x = As[now][ty * 4 + i][s];
                    sum[i][0] += x * y.x;
                    sum[i][1] += x * y.y;
                    sum[i][2] += x * y.z;
                    sum[i][3] += x * y.w;
                }
            }
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            C[(row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = sum[i][j];
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {256, 1, 1},
               grid = {lab_ceil_div(p->n, T), lab_ceil_div(p->m, T), 1};
    async_64<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
