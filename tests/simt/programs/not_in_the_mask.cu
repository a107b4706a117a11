/* A lane takes part in a shuffle whose mask does not name it. */
/* expect: 1 */
/* says: is lane 16, which the mask 0x0000ffff of this __shfl_sync() */
#include <cuda_runtime.h>
#include "../public/check.h"

__global__ void broadcast(int *out)
{
    out[threadIdx.x] = __shfl_sync(0x0000ffff, threadIdx.x, 0);
}

int main()
{
    int *out;

    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    broadcast<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 1 : 0;
}
