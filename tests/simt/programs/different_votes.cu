/* Two halves of a warp wait at two different operations, each for all lanes. */
/* expect: 1 */
/* says: different_votes.cu:15: barrier that not all threads reach */
/* says: waits at this __ballot_sync() for the lanes of its mask 0xffffffff, but */
/* says: thread (20,0) waits at the __syncwarp() of tests/simt/programs/different_votes.cu:17, with mask 0xffffffff */
#include <cuda_runtime.h>
#include "../public/check.h"

__global__ void two_ways(unsigned *out)
{
    unsigned votes = 0;

    /* Each way should name its own lanes alone. */
    if (threadIdx.x < 20)
        votes = __ballot_sync(0xffffffff, threadIdx.x % 2);
    else
        __syncwarp();
    out[threadIdx.x] = votes;
}

int main()
{
    unsigned *out;

    CHECK(cudaMalloc(&out, 32 * sizeof(unsigned)));
    two_ways<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 1 : 0;
}
