/* Launches and calls that CUDA refuses: each gives CUDA's error and a line. */
/* expect: 0 */
/* says: block of 2048: cudaErrorInvalidConfiguration */
/* says: 2048 x 1 x 1 = 2048 threads, the limit is 1024 */
/* says: empty grid: cudaErrorInvalidConfiguration */
/* says: the grid is 0 x 1 x 1 blocks */
/* says: freed twice: cudaErrorInvalidValue */
/* says: copy too long: cudaErrorInvalidValue */
/* says: fewer bytes than are to be copied */
/* says: wrong direction: cudaErrorInvalidValue */
/* says: too much memory: cudaErrorMemoryAllocation */
/* says: no such device: cudaErrorInvalidDevice */
/* says: after all: cudaSuccess */
#include <stdio.h>

__global__ void nothing()
{
}

static void show(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main()
{
    float *d, host[8];
    int device = 0;

    nothing<<<1, 2048>>>();
    show("block of 2048", cudaGetLastError());
    nothing<<<0, 32>>>();
    show("empty grid", cudaGetLastError());

    cudaMalloc(&d, 4 * sizeof(float));
    show("copy too long",
         cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
    show("wrong direction",
         cudaMemcpy(d, host, 4 * sizeof(float), cudaMemcpyDeviceToHost));
    cudaFree(d);
    show("freed twice", cudaFree(d));
    show("too much memory", cudaMalloc(&d, (size_t)1 << 50));
    show("no such device", cudaSetDevice(7));
    cudaGetLastError();
    nothing<<<1, 32>>>();
    show("after all", cudaGetLastError());
    return cudaGetDevice(&device) == cudaSuccess ? 0 : 1;
}
