/* C = A x B by tiles: A is 20 x 30, B is 30 x 28. */
#include "../../exercise.h"

#define TILE 8

__global__ void multiply(const float *A, const float *B, float *C, int m, int n,
                         int k)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < k / TILE * TILE; t += TILE) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0.0f;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < TILE; i++) {
            sum += As[ty][i] * Bs[i][tx];
        }
        __syncthreads(); /* the tiles are free */
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

int main()
{
    const int m = 20, n = 28, k = 30;
    float *A = numbers(m * k), *B = numbers(k * n), *C = room(m * n);
    const dim3 block(TILE, TILE);
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);

    multiply<<<grid, block>>>(A, B, C, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare_product(A, B, C, m, n, k);
}
