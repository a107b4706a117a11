/* A kernel that reads one element past the end of an array whose size is no
 * multiple of 256 bytes: no page ends there, but the analyse build sees it. The
 * store that would come next lies outside as well. */
/* build: analyse */
/* expect: 0 */
/* says: line 15: thread (64,0) reads element 65 of in, which has 65 */
/* says: cudaErrorIllegalAddress */
#include <stdio.h>

__global__ void shift(const float *in, float *out)
{
    const int i = threadIdx.x;

    if (i < 65)
        out[i] = in[i + 1];
}

int main()
{
    float *in, *out;

    cudaMalloc(&in, 65 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(in, 0, 65 * sizeof(float));
    shift<<<1, 96>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
