/* Blocks of 32 x 8, four sums eight rows apart, padded tiles of 32 x 33. */
#include "lab.h"
#define T 32
__global__ void four_rows(const float *A, const float *B, float *C, int m,
                          int n, int k)
{
    __shared__ float As[T][T + 1], Bs[T][T + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int t = 0; t < k; t += T) {
        for (int r = 0; r < T; r += 8) {
            As[ty + r][tx] =
                row + r < m && t + tx < k ? A[(row + r) * k + t + tx] : 0.0f;
            Bs[ty + r][tx] =
                t + ty + r < k && col < n ? B[(t + ty + r) * n + col] : 0.0f;
        }
        __syncthreads();
        for (int s = 0; s < T; s++)
            for (int r = 0; r < 4; r++)
                sum[r] += As[ty + 8 * r][s] * Bs[s][tx];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        if (row + 8 * r < m && col < n)
            C[(row + 8 * r) * n + col] = sum[r];
}
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {32, 8, 1},
               grid = {lab_ceil_div(p->n, T), lab_ceil_div(p->m, T), 1};
    four_rows<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
