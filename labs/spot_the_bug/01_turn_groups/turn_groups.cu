/* Turns each group of 64 numbers around. */
#include "../../exercise.h"

#define GROUP 64

__global__ void turn(const float *x, float *y)
{
    __shared__ float s[GROUP];
    const int first = blockIdx.x * GROUP;

    s[threadIdx.x] = x[first + threadIdx.x];
    y[first + threadIdx.x] = s[GROUP - 1 - threadIdx.x];
}

int main()
{
    const int count = 4 * GROUP;
    float *x = numbers(count), *y = room(count), want[count];

    for (int i = 0; i < count; i++)
        want[i] = x[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
    turn<<<count / GROUP, GROUP>>>(x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, y, count);
}
