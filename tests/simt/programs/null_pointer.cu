/* A kernel that reads through a null pointer. */
/* expect: 0 */
/* says: which belongs to no array */
/* says: of block (2,0) */
/* says: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
#include <cuda_runtime.h>

__global__ void kernel(const float *in, const float *freed, float *out)
{
    const int i = threadIdx.x;

    if (blockIdx.x != 2)
        return;
    const float *volatile none = NULL;
    out[i] = none[i];
}

int main()
{
    float *in, *out, *freed;

    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMalloc(&freed, 64 * sizeof(float));
    cudaMemset(in, 0, 64 * sizeof(float));
    kernel<<<4, 64>>>(in, freed, out);
    /* The error stays until the device is reset, as CUDA's does. */
    const cudaError_t first = cudaDeviceSynchronize();
    const cudaError_t second = cudaMalloc(&in, 4);
    /* None was created, so none must be freed. */
    char no_stream[8] = "abcdefg";
    cudaStream_t stream = (cudaStream_t)no_stream;

    if (cudaStreamDestroy(stream) != first ||
        cudaEventDestroy((cudaEvent_t)no_stream) != first)
        return 2;

    printf("%s, and again %s\n", cudaGetErrorName(first),
           cudaGetErrorName(second));
    cudaDeviceReset();
    return cudaMalloc(&in, 4) == cudaSuccess ? 0 : 1;
}
