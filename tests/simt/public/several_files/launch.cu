#include <cuda_runtime.h>
#include "shapes.h"

static __device__ int only_here = 1;

static __global__ void areas_of(const float *sides, float *areas, int n)
{
    extern __shared__ float row[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    row[threadIdx.x] = i < n ? sides[i] : 0;
    __syncthreads();
    if (i < n)
        areas[i] = area(row[threadIdx.x], only_here + 1.0f);
}

void launch_areas(const float *sides, float *areas, int n)
{
    areas_of<<<(n + 63) / 64, 64, 64 * sizeof(float)>>>(sides, areas, n);
}
