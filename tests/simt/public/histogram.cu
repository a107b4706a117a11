/* A histogram of bytes: each block counts in shared memory, then adds what it
   has to the one in global memory. */
/* expect: 0 */
/* says: 256 of 256 bins right */
/* says: the same without shared memory: right */
#include <cuda_runtime.h>
#include "check.h"

#include <cstring>
#include <vector>

#define BINS 256

__global__ void histogram(const unsigned char *data, size_t size,
                          unsigned int *bins)
{
    __shared__ unsigned int local[BINS];
    const size_t stride = (size_t)blockDim.x * gridDim.x;

    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += stride)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) {
        if (local[i] > 0)
            atomicAdd(bins + i, local[i]);
    }
}

__global__ void histogram_global(const unsigned char *data, size_t size,
                                 unsigned int *bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < size)
        atomicAdd(&bins[data[i]], 1u);
}

int main()
{
    const size_t size = 123457;
    std::vector<unsigned char> data(size);
    unsigned expected[BINS] = {0}, bins[BINS], *d_bins, state = 3;
    unsigned char *d_data;
    int right = 0, same;

    for (size_t i = 0; i < size; i++) {
        /* Some bins are much fuller than others. */
        data[i] = (unsigned char)((next_random(&state) & 255) &
                                  (next_random(&state) & 255));
        expected[data[i]]++;
    }
    CHECK(cudaMalloc((void **)&d_data, size));
    CHECK(cudaMalloc((void **)&d_bins, sizeof bins));
    CHECK(cudaMemcpy(d_data, data.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, sizeof bins));
    histogram<<<16, 128>>>(d_data, size, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BINS; i++)
        right += bins[i] == expected[i];
    printf("%d of %d bins right\n", right, BINS);

    CHECK(cudaMemsetAsync(d_bins, 0, sizeof bins));
    histogram_global<<<(unsigned)((size + 255) / 256), 256>>>(d_data, size,
                                                              d_bins);
    CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
    same = memcmp(bins, expected, sizeof bins) == 0;
    printf("the same without shared memory: %s\n", same ? "right" : "wrong");
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_bins));
    return right == BINS && same ? 0 : 1;
}
