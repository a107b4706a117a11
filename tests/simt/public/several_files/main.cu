/* A program of several files: kernels, device functions and variables that one
   file has and another uses. */
/* expect: 0 */
/* says: 100 of 100 areas right, 100 calls */
#include <cuda_runtime.h>

#include "../check.h"
#include "shapes.h"

/* The same name as a kernel of another file. */
static __global__ void areas_of(float *sides)
{
    __shared__ float start;

    if (threadIdx.x == 0)
        start = 0.5f;
    __syncthreads();
    sides[threadIdx.x] = start + threadIdx.x;
}

int main()
{
    const int n = 100;
    const float three = 3;
    float areas[n], *d_sides, *d_areas;
    int right = 0, count = 0;

    CHECK(cudaMalloc(&d_sides, n * sizeof(float)));
    CHECK(cudaMalloc(&d_areas, n * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(factor, &three, sizeof three));
    areas_of<<<1, n>>>(d_sides);
    launch_areas(d_sides, d_areas, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(areas, d_areas, sizeof areas, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, calls, sizeof count));
    for (int i = 0; i < n; i++)
        right += areas[i] == (i + 0.5f) * 2 * 3;
    printf("%d of %d areas right, %d calls\n", right, n, count);
    CHECK(cudaFree(d_sides));
    CHECK(cudaFree(d_areas));
    return right == n && count == n ? 0 : 1;
}
