/* Adds up 8 tiles of 32 numbers; the next one is fetched early. */
#include "../../exercise.h"

#define TILE  32
#define TILES 8

__global__ void add_up(const float *x, float *sum)
{
    float now = x[threadIdx.x], mine = 0.0f;

    for (int t = 0; t < TILES; t++) {
        const float next = x[(t + 1) * TILE + threadIdx.x];

        mine += now;
        now = next;
    }
    sum[threadIdx.x] = mine;
}

int main()
{
    float *x = numbers(TILE * TILES), *sum = room(TILE), want[TILE] = {0.0f};

    for (int i = 0; i < TILE * TILES; i++)
        want[i % TILE] += x[i];
    add_up<<<1, TILE>>>(x, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return compare(want, sum, TILE);
}
