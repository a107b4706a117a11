/* Each thread adds up 4 x 8 numbers to four sums. */
#include "../../exercise.h"

#define SUMS  4
#define STEPS 8
#define BLOCK 32

__global__ void add_up(const float *x, float *out)
{
    float sum[SUMS] = {0.0f};

    for (int i = 0; i < SUMS * STEPS; i++) {
        const int r = (int)(x[i * BLOCK + threadIdx.x] + 5.0f) % SUMS;

        sum[r] += x[i * BLOCK + threadIdx.x];
    }
    for (int r = 0; r < SUMS; r++)
        out[r * BLOCK + threadIdx.x] = sum[r];
}

int main()
{
    const int count = SUMS * STEPS * BLOCK;
    float *x = numbers(count), *out = room(SUMS * BLOCK);
    float want[SUMS * BLOCK] = {0.0f};

    for (int i = 0; i < count; i++)
        want[((int)(x[i] + 5.0f) % SUMS) * BLOCK + i % BLOCK] += x[i];
    add_up<<<1, BLOCK>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, out, SUMS * BLOCK);
}
