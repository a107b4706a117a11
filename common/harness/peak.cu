/*
 * The peak of a GPU: each thread runs a dozen independent chains of
 * multiply-adds on registers, which hides the latency of each, and no memory
 * is touched but for one store that never happens.
 */
#include "peak.h"

#include "best_ms.h"
#include "nvml.h"

enum {
    CHAINS = 12,
    STEPS = 4096,
    THREADS = 256,
    BLOCKS_PER_SM = 32
};

__global__ void multiply_add(float a, float b, float *never)
{
    float x[CHAINS];

    for (int c = 0; c < CHAINS; c++)
        x[c] = a + (float)(threadIdx.x + c);

        /* Unrolled, the loop's own instructions take no share worth naming. */
#pragma unroll 16
    for (int i = 0; i < STEPS; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + b;
    }

    float sum = 0.0f;

    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    if (sum == b) /* b is a NaN: never, but the compiler cannot know */
        *never = sum;
}

double lab_peak_gflops(int *clock_mhz)
{
    const float not_a_number = __builtin_nanf("");
    int device, multiprocessors, khz = 0;

    *clock_mhz = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               device) != cudaSuccess)
        return 0.0;

    const int blocks = multiprocessors * BLOCKS_PER_SM;
    const double flops = 2.0 * CHAINS * STEPS * THREADS * blocks;
    const double ms = lab_best_ms(0, [&](int run) {
        multiply_add<<<blocks, THREADS>>>(1.0f, not_a_number, NULL);
        if (run == LAB_BEST_OF - 1)
            *clock_mhz = lab_nvml_clock(device); /* while the kernel runs */
    });

    if (*clock_mhz == 0 && cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate,
                                                  device) == cudaSuccess)
        *clock_mhz = khz / 1000;
    return ms > 0.0 ? flops / ms / 1e6 : 0.0;
}
