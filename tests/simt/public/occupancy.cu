/* How many blocks fit, which block is best, more shared memory than 48 KB. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

__global__ void plain(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

/* Reverses a block's numbers, in as much shared memory as the launch gives. */
template <class T> __global__ void large(T *out, int n)
{
    extern __shared__ float4 memory[];
    T *s = (T *)memory;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = s[n - 1 - i];
}

struct shared_of {
    __host__ __device__ size_t operator()(int threads) const
    {
        return threads * sizeof(int);
    }
};

int main()
{
    cudaDeviceProp prop;
    cudaFuncAttributes attributes;
    int blocks = 0, grid = 0, threads = 0, value = 0, wrong = 0;

    CHECK(cudaGetDeviceProperties(&prop, 0));
    CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
    wrong += blocks * 256 != prop.maxThreadsPerMultiProcessor;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0));
    wrong += blocks < 1 || blocks > 32;
    /* Shared memory leaves room for fewer. */
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64,
                                                        40 * 1024));
    wrong += blocks != (int)(prop.sharedMemPerMultiprocessor / (41 * 1024));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, plain, 0, 0));
    wrong += threads <= 0 || threads % 32 || threads > prop.maxThreadsPerBlock;
    wrong += grid % prop.multiProcessorCount != 0 || grid <= 0;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &threads, plain,
                                                         shared_of()));
    wrong += threads <= 0;
    CHECK(cudaFuncGetAttributes(&attributes, plain));
    wrong += attributes.maxThreadsPerBlock != 1024;
    CHECK(cudaDeviceGetAttribute(&value,
                                 cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    wrong += (size_t)value != prop.sharedMemPerBlockOptin;

    /* 64 KB: only after it is asked for. */
    const int n = 16 * 1024;
    const size_t bytes = n * sizeof(int);
    int *out = (int *)malloc(bytes), *d_out;

    CHECK(cudaMalloc(&d_out, bytes));
    large<int><<<1, 256, bytes>>>(d_out, n);
    wrong += cudaGetLastError() != cudaErrorInvalidValue;
    CHECK(cudaFuncSetAttribute(
        large<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    large<<<1, 256, bytes>>>(d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        wrong += out[i] != n - 1 - i;
    wrong += cudaFuncSetAttribute(large<int>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  1 << 20) != cudaErrorInvalidValue;
    printf("%d wrong\n", wrong);
    free(out);
    CHECK(cudaFree(d_out));
    return wrong ? 1 : 0;
}
