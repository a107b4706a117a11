/* Adds up each group of 64 of 100 numbers. */
#include "../../exercise.h"

#define GROUP 64

__global__ void add_up(const float *x, float *sum, int count)
{
    __shared__ float s[GROUP];
    const int i = blockIdx.x * GROUP + threadIdx.x;

    if (i < count)
        s[threadIdx.x] = x[i];
    __syncthreads(); /* s is complete */
    if (threadIdx.x == 0) {
        float mine = 0.0f;

        for (int j = 0; j < GROUP; j++)
            mine += s[j];
        sum[blockIdx.x] = mine;
    }
}

int main()
{
    const int count = 100, groups = 2;
    float *x = numbers(count), *sum = room(groups), want[groups] = {0.0f};

    for (int i = 0; i < count; i++)
        want[i / GROUP] += x[i];
    add_up<<<groups, GROUP>>>(x, sum, count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, sum, groups);
}
