#include "products.h"

#include <cuda_runtime.h>

/* One thread computes one element of C. */
__global__ void naive(const float *A, const float *B, float *C, int n)
{
    const int row = blockIdx.y * PRODUCT_TILE + threadIdx.y;
    const int col = blockIdx.x * PRODUCT_TILE + threadIdx.x;
    float sum = 0.0f;

    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

/* The same; A and B go through shared memory. */
__global__ void tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[PRODUCT_TILE][PRODUCT_TILE];
    __shared__ float Bs[PRODUCT_TILE][PRODUCT_TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * PRODUCT_TILE + ty;
    const int col = blockIdx.x * PRODUCT_TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < n; t += PRODUCT_TILE) {
        As[ty][tx] = A[row * n + t + tx];
        Bs[ty][tx] = B[(t + ty) * n + col];
        __syncthreads(); /* both tiles are complete */
        for (int k = 0; k < PRODUCT_TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads(); /* both tiles are free */
    }
    C[row * n + col] = sum;
}

void launch_naive(const float *A, const float *B, float *C, int n)
{
    const dim3 block(PRODUCT_TILE, PRODUCT_TILE);
    const dim3 grid(n / PRODUCT_TILE, n / PRODUCT_TILE);

    naive<<<grid, block>>>(A, B, C, n);
}

void launch_tiled(const float *A, const float *B, float *C, int n)
{
    const dim3 block(PRODUCT_TILE, PRODUCT_TILE);
    const dim3 grid(n / PRODUCT_TILE, n / PRODUCT_TILE);

    tiled<<<grid, block>>>(A, B, C, n);
}
