/* Threads that race to store: what is equal does no harm, what differs does,
   if in one element alone. Called by test_make.c, by make run. */
#include <stdio.h>

__global__ void twice(const int *a, int *b)
{
    b[threadIdx.x] = a[threadIdx.x] * 2;
}

__global__ void share(int *b)
{
    __shared__ int tile[32];

    tile[threadIdx.x] = 7 + threadIdx.x;
    __syncthreads();
    if (threadIdx.y == 0)
        b[threadIdx.x] = tile[threadIdx.x];
}

__global__ void differ(int *b)
{
    b[threadIdx.x] = threadIdx.x == 5 ? threadIdx.y : 3;
}

int main()
{
    int h[32], *a, *b;

    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemset(a, 1, sizeof h);
    twice<<<1, dim3(32, 4)>>>(a, b);
    share<<<1, dim3(32, 4)>>>(b);
    differ<<<1, dim3(32, 4)>>>(b);
    return cudaDeviceSynchronize();
}
