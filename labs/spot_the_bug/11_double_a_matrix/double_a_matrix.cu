/* Doubles a matrix of 40 x 40, with a thread for each element. */
#include "../../exercise.h"

__global__ void make_double(const float *A, float *C, int n)
{
    const int i = threadIdx.y * n + threadIdx.x;

    C[i] = 2.0f * A[i];
}

int main()
{
    const int n = 40;
    float *A = numbers(n * n), *C = room(n * n), want[n * n];

    for (int i = 0; i < n * n; i++)
        want[i] = 2.0f * A[i];
    CHECK(cudaMemset(C, 0, n * n * sizeof(float)));
    make_double<<<1, dim3(n, n)>>>(A, C, n);
    CHECK(cudaDeviceSynchronize());
    return compare(want, C, n * n);
}
