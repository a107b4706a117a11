/* A program that fails by its own exit code, and has a mistake in its kernel as
 * well: what SIMT_REPORT says of that must not hide the code. */
/* expect: 3 */
/* says: ends with 3 */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void copy(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

int main()
{
    float *d;

    cudaMalloc(&d, 64 * sizeof(float)); /* and nobody writes to it */
    copy<<<1, 32>>>(d, d + 32);
    cudaDeviceSynchronize();
    printf("ends with 3\n");
    return 3;
}
