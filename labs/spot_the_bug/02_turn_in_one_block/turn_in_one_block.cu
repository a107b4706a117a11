/* Turns four groups of 64 numbers around, one after the other, in one block. */
#include "../../exercise.h"

#define GROUP 64

__global__ void turn(const float *x, float *y, int count)
{
    __shared__ float s[GROUP];

    for (int first = 0; first < count; first += GROUP) {
        s[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads(); /* s is complete */
        y[first + threadIdx.x] = s[GROUP - 1 - threadIdx.x];
    }
}

int main()
{
    const int count = 4 * GROUP;
    float *x = numbers(count), *y = room(count), want[count];

    for (int i = 0; i < count; i++)
        want[i] = x[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
    turn<<<1, GROUP>>>(x, y, count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, y, count);
}
