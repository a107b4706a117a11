/* 2 x 2 sums in blocks of 16 x 16, columns of As walked, steps four at a time.
 */
#include "lab.h"
#define T 32
__global__ void two_by_two(const float *A, const float *B, float *C, int m,
                           int n, int k)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float s00 = 0.0f, s01 = 0.0f, s10 = 0.0f, s11 = 0.0f;

    for (int t = 0; t < k; t += T) {
#pragma unroll
        for (int i = 0; i < T; i += 16)
#pragma unroll
            for (int j = 0; j < T; j += 16) {
                As[tx + j][ty + i] = row + i < m && t + tx + j < k
                                         ? A[(row + i) * k + t + tx + j]
                                         : 0.0f;
                Bs[ty + i][tx + j] = t + ty + i < k && col + j < n
                                         ? B[(t + ty + i) * n + col + j]
                                         : 0.0f;
            }
        __syncthreads();
#pragma unroll 4
        for (int s = 0; s < T; s++) {
            const float a0 = As[s][ty], a1 = As[s][ty + 16], b0 = Bs[s][tx],
                        b1 = Bs[s][tx + 16];
            s00 += a0 * b0;
            s01 += a0 * b1;
            s10 += a1 * b0;
            s11 += a1 * b1;
        }
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = s00;
    if (row < m && col + 16 < n)
        C[row * n + col + 16] = s01;
    if (row + 16 < m && col < n)
        C[(row + 16) * n + col] = s10;
    if (row + 16 < m && col + 16 < n)
        C[(row + 16) * n + col + 16] = s11;
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {16, 16, 1},
               grid = {lab_ceil_div(p->n, T), lab_ceil_div(p->m, T), 1};
    two_by_two<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
