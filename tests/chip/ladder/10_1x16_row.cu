/* 16 neighbouring sums of a row, B by float4, 128 threads, 32 x 64 x 32. */
#include "lab.h"
#define D 32
__global__ void sixteen(const float *A, const float *B, float *C, int m, int n,
                        int k)
{
    __shared__ __align__(16) float As[32][D + 1], Bs[D][64];
    const int tid = threadIdx.x, ty = tid / 4, tx = tid % 4 * 16;
    const int row0 = blockIdx.y * 32, col0 = blockIdx.x * 64;
    float sum[16] = {0.0f};

    for (int t = 0; t < k; t += D) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int i = tid + j * 128;
            As[i / D][i % D] = A[(row0 + i / D) * k + t + i % D];
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = tid + j * 128;
            *(float4 *)&Bs[i / 16][i % 16 * 4] =
                *(const float4 *)&B[(t + i / 16) * n + col0 + i % 16 * 4];
        }
        __syncthreads();
#pragma unroll 8
        for (int s = 0; s < D; s++) {
            const float a = As[ty][s];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float4 b = *(const float4 *)&Bs[s][tx + 4 * j];
                sum[4 * j] += a * b.x;
                sum[4 * j + 1] += a * b.y;
                sum[4 * j + 2] += a * b.z;
                sum[4 * j + 3] += a * b.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 16; j++)
        C[(row0 + ty) * n + col0 + tx + j] = sum[j];
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {128, 1, 1},
               grid = {lab_ceil_div(p->n, 64), lab_ceil_div(p->m, 32), 1};
    sixteen<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
