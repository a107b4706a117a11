/* Times a kernel of 2 x 64 x 65536 operations with the host's clock. */
#include "../../exercise.h"

#include <chrono>

#define BLOCK 64
#define STEPS 65536

__global__ void work(float *x)
{
    float value = x[threadIdx.x];

    for (int i = 0; i < STEPS; i++)
        value = value * 0.5f + 1.0f;
    x[threadIdx.x] = value;
}

static double milliseconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();

    return std::chrono::duration<double, std::milli>(now).count();
}

int main()
{
    float *x = numbers(BLOCK);
    const double start = milliseconds();

    work<<<1, BLOCK>>>(x);
    const double stop = milliseconds();

    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double waited = milliseconds();

    printf("it took %.2f ms; together with waiting %.2f ms\n", stop - start,
           waited - start);
    return x[0] == 2.0f ? 0 : 1;
}
