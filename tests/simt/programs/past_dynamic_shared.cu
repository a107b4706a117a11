/* A kernel that reads past the end of its dynamic shared memory, where a page
   stands that nobody may touch. */
/* build: fast */
/* expect: 0 */
/* says: past_dynamic_shared.cu:15: access to memory that a kernel cannot reach */
/* says: which belongs to no array */
/* says: cudaErrorIllegalAddress */
#include <stdio.h>

__global__ void kernel(float *out)
{
    extern __shared__ float tile[];

    tile[threadIdx.x] = 1.0f;
    out[threadIdx.x] = tile[threadIdx.x + 64];
}

int main()
{
    float *out;

    cudaMalloc(&out, 64 * sizeof(float));
    kernel<<<1, 64, 64 * sizeof(float)>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
