/* Adds a matrix of 20 x 20 to C, which is zero at first. */
#include "../../exercise.h"

__global__ void add_to(const float *A, float *C, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        C[i] += A[i];
}

int main()
{
    const int n = 20;
    float *A = numbers(n * n), *C, result[n * n];

    CHECK(cudaMalloc(&C, n * n * sizeof(float)));
    CHECK(cudaMemset(C, 0, n * sizeof(float)));
    add_to<<<4, 128>>>(A, C, n * n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, C, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(C));
    return compare(A, result, n * n);
}
