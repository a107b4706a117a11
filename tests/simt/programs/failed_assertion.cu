/* An assertion that does not hold in a kernel ends the launch, and no call
   works after it. */
/* expect: 0 */
/* says: failed_assertion.cu:16: assertion that fails */
/* says: synchronize: cudaErrorAssert: device-side assert triggered */
/* says: malloc: cudaErrorAssert */
/* says: after a reset: cudaSuccess */
#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>

__global__ void fill(int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    assert(i < n);
    out[i] = i;
}

int main()
{
    int *out, *more;

    cudaMalloc(&out, 7 * sizeof(int));
    fill<<<2, 4>>>(out, 7);
    cudaError_t error = cudaDeviceSynchronize();
    printf("synchronize: %s: %s\n", cudaGetErrorName(error),
           cudaGetErrorString(error));
    printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&more, sizeof(int))));
    cudaDeviceReset();
    printf("after a reset: %s\n", cudaGetErrorName(cudaGetLastError()));
    assert(out != NULL); /* in host code it is C's */
    return 0;
}
