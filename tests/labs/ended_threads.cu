/* Threads that return before a barrier: undefined in CUDA, and GPUs of today go
   on. Called by test_make.c, by make run. */
#include <stdio.h>

__global__ void shift(int *a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int tile[64];

    if (i >= n)
        return;
    tile[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = tile[threadIdx.x] + 1;
    __syncthreads();
    a[i] += 1;
}

int main(int argc, char **)
{
    const int n = 100;
    int h[n], *d;

    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    shift<<<2, 64>>>(d, n);
    shift<<<2, 64>>>(d, n);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("last: %d, %s\n", h[n - 1],
           cudaGetErrorString(cudaDeviceSynchronize()));
    return argc > 1 ? -1 : 0;
}
