/* Whatever the order in which warps and lanes take turns: shuffles, votes and
   barriers, in blocks whose last warp is not full. */
/* expect: 0 */
/* says: 0 of 80 wrong */
#include <cuda_runtime.h>

#include <initializer_list>

#include "../public/check.h"
#include "simt/simt.h"

/* The sum of 0 to blockDim.x - 1, in a way that takes them all. */
__global__ void sum(int *out)
{
    __shared__ int partial[32];
    const int t = threadIdx.x, lane = t % 32, warps = (blockDim.x + 31) / 32;
    const unsigned mask = __ballot_sync(0xffffffff, 1);
    const int lanes = __popc(mask);
    int value = t;

    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_down_sync(mask, value, step);

        if (lane + step < lanes)
            value += other;
    }
    if (lane == 0)
        partial[t / 32] = value;
    if (__syncthreads_count(lane == 0) != warps)
        value = -1000;
    if (t < 32) {
        const int here = blockDim.x < 32 ? blockDim.x : 32;

        value = 0;
        if (t % 2)
            __syncwarp(0xaaaaaaaa);
        for (int i = t; i < warps; i += here)
            value += partial[i];
        value = __reduce_add_sync(0xffffffff, value);
    }
    if (t == 0)
        out[blockIdx.x] = value;
}

int main()
{
    int wrong = 0, *d_out, out[3];

    CHECK(cudaMalloc(&d_out, sizeof out));
    for (int seed = 0; seed < 10; seed++) {
        simt_set_seed((uint64_t)seed);
        for (int threads : {1, 31, 32, 33, 100, 256, 527, 1024}) {
            const int expected = threads * (threads - 1) / 2;

            sum<<<3, threads>>>(d_out);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
            wrong +=
                out[0] != expected || out[1] != expected || out[2] != expected;
        }
    }
    printf("%d of 80 wrong\n", wrong);
    return wrong ? 1 : 0;
}
