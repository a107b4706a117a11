/* Adds two vectors of 1000 elements. */
#include "../../exercise.h"

#define BLOCK 256

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    c[i] = a[i] + b[i];
}

int main()
{
    const int n = 1000;
    float *a = numbers(n), *b = numbers(n), *c = room(n), want[n];

    for (int i = 0; i < n; i++)
        want[i] = a[i] + b[i];
    add<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, c, n);
}
