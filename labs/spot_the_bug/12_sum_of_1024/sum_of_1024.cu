/* Adds up 1024 numbers: each of 4 blocks leaves a sum, the first adds them. */
#include "../../exercise.h"

#define BLOCK  256
#define BLOCKS 4

__global__ void add_up(const float *x, float *part, float *sum)
{
    if (threadIdx.x == 0) {
        float mine = 0.0f;

        for (int i = 0; i < BLOCK; i++)
            mine += x[blockIdx.x * BLOCK + i];
        part[blockIdx.x] = mine;
    }
    __syncthreads(); /* all parts are there */
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = part[0] + part[1] + part[2] + part[3];
}

int main()
{
    float *x = numbers(BLOCK * BLOCKS), *part = room(BLOCKS), *sum = room(1);
    float want = 0.0f;

    for (int i = 0; i < BLOCK * BLOCKS; i++)
        want += x[i];
    add_up<<<BLOCKS, BLOCK>>>(x, part, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(&want, sum, 1);
}
