/* A shuffle in a branch names lanes that wait at the barrier behind it. */
/* expect: 1 */
/* says: waits at this __shfl_down_sync() for the lanes of its mask 0xffffffff, but */
/* says: thread (16,0) waits at the __syncthreads() of tests/simt/programs/stuck_shuffle.cu:19 */
/* says: branch that only some of them take */
/* says: unspecified launch failure */
#include <cuda_runtime.h>
#include "../public/check.h"

__global__ void half_of_a_warp(int *out)
{
    int value = threadIdx.x;

    /* The mask should be 0x0000ffff. */
    if (threadIdx.x < 16) {
        for (int delta = 8; delta > 0; delta /= 2)
            value += __shfl_down_sync(0xffffffff, value, delta);
    }
    __syncthreads();
    out[threadIdx.x] = value;
}

int main()
{
    int *out;

    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    half_of_a_warp<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return cudaGetLastError() == cudaErrorLaunchFailure ? 1 : 0;
}
