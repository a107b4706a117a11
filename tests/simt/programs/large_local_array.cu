/* A thread with more local memory than it has here. */
/* expect: 0 */
/* says: take more than */
/* says: cudaErrorLaunchFailure */
#include <cuda_runtime.h>

__global__ void fill(float *out, int n)
{
    volatile float large[40000];

    for (int i = n - 1; i >= 0; i--)
        large[i] = (float)i;
    out[threadIdx.x] = large[threadIdx.x];
}

int main()
{
    float *out;

    cudaMalloc(&out, 32 * sizeof(float));
    fill<<<1, 32>>>(out, 40000);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
