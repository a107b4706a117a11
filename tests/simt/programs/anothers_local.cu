/* A thread reaches into a local array of another one. */
/* build: analyse */
/* expect: 0 */
/* says: anothers_local.cu:{A}: access to memory that a kernel cannot reach */
/* says: reads a local variable of another thread */
/* says: cudaErrorIllegalAddress */
#include <stdio.h>

__global__ void pass_on(float *out)
{
    __shared__ float *where;
    volatile float mine[4];

    mine[threadIdx.x % 4] = (float)threadIdx.x;
    if (threadIdx.x == 0)
        where = (float *)mine;
    __syncthreads();
    if (threadIdx.x == 1)
        out[0] = where[0]; /* A */
}

int main()
{
    float *out;

    cudaMalloc(&out, sizeof(float));
    pass_on<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
