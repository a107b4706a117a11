/* Constant memory answers one address a pass: a request takes as many passes as
   its lanes have addresses (CUDA C++ Programming Guide, "Constant Memory"). */
/* build: analyse */
/* expect: 0 */
/* says: same table load: 2 requests, 64 lanes, 2 wavefronts */
/* says: four table load: 2 requests, 64 lanes, 8 wavefronts */
/* says: each table load: 2 requests, 64 lanes, 64 wavefronts */
/* says: part table load: 1 requests, 5 lanes, 5 wavefronts */
#include "counted.h"

__constant__ float table[64];

__global__ void same(float *y, int i)
{
    y[threadIdx.x] = table[i];
}

__global__ void four(float *y)
{
    y[threadIdx.x] = table[threadIdx.x % 4];
}

__global__ void each(float *y)
{
    y[threadIdx.x] = table[threadIdx.x];
}

__global__ void part(float *y)
{
    y[threadIdx.x] = table[2 * threadIdx.x];
}

int main()
{
    static float host[64];
    float *y;

    cudaMalloc(&y, sizeof host);
    cudaMemcpyToSymbol(table, host, sizeof host);
    same<<<1, 64>>>(y, 3);
    four<<<1, 64>>>(y);
    each<<<1, 64>>>(y);
    part<<<1, 5>>>(y);
    print_counts();
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
