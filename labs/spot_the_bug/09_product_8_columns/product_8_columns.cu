/* C = A x B, a thread for each element: A is 16 x 24, B is 24 x 8. */
#include "../../exercise.h"

#define BLOCK 8

__global__ void multiply(const float *A, const float *B, float *C, int m, int n,
                         int k)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0.0f;

    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += A[row * n + i] * B[i * n + col];
    C[row * n + col] = sum;
}

int main()
{
    const int m = 16, n = 8, k = 24;
    float *A = numbers(m * k), *B = numbers(k * n), *C = room(m * n);
    const dim3 block(BLOCK, BLOCK);
    const dim3 grid((n + BLOCK - 1) / BLOCK, (m + BLOCK - 1) / BLOCK);

    multiply<<<grid, block>>>(A, B, C, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare_product(A, B, C, m, n, k);
}
