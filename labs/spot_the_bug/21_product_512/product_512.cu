/* Multiplies two matrices of 512 x 512, and tells how fast that was. */
#include "../../exercise.h"

#define BLOCK 64

__global__ void multiply(const float *A, const float *B, float *C, int n)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < n; i++)
        sum += A[row * n + i] * B[i * n + col];
    C[row * n + col] = sum;
}

int main()
{
    const int n = 512;
    float *A = numbers(n * n), *B = numbers(n * n), *C = room(n * n), ms;
    const dim3 block(BLOCK, BLOCK), grid(n / BLOCK, n / BLOCK);
    cudaEvent_t start, stop;

    CHECK(cudaMemset(C, 0, n * n * sizeof(float)));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    multiply<<<grid, block>>>(A, B, C, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("%.0f GFLOP/s\n", 2.0 * n * n * n / ms / 1e6);
    return 0;
}
