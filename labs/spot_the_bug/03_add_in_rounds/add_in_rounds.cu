/* Adds up 64 numbers: 32 threads add pairs, then 16, and so on. */
#include "../../exercise.h"

#define COUNT 64

__global__ void add_up(const float *x, float *sum)
{
    __shared__ float s[COUNT];

    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); /* s is complete */
    for (int half = COUNT / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            s[threadIdx.x] += s[threadIdx.x + half];
            __syncthreads(); /* this round's sums are complete */
        }
    }
    if (threadIdx.x == 0)
        *sum = s[0];
}

int main()
{
    float *x = numbers(COUNT), *sum = room(1), want = 0.0f;

    for (int i = 0; i < COUNT; i++)
        want += x[i];
    add_up<<<1, COUNT>>>(x, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(&want, sum, 1);
}
