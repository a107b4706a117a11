/* Cooperative groups: a block, tiles of a warp, the lanes that come along. */
/* expect: 0 */
/* says: sum 499500: right */
/* says: 0 wrong */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "check.h"

namespace cg = cooperative_groups;

template <class Group> __device__ int sum_of(const Group &group, int value)
{
    for (int i = group.size() / 2; i > 0; i /= 2)
        value += group.shfl_down(value, i);
    return value; /* of the first thread */
}

__global__ void sum(const int *in, int *out, int n)
{
    __shared__ int partial[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int value = 0;

    for (int i = blockIdx.x * block.size() + block.thread_rank(); i < n;
         i += gridDim.x * block.size())
        value += in[i];
    value = cg::reduce(warp, value, cg::plus<int>());
    if (warp.thread_rank() == 0)
        partial[warp.meta_group_rank()] = value;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        value = warp.thread_rank() < warp.meta_group_size()
                    ? partial[warp.thread_rank()]
                    : 0;
        value = sum_of(warp, value);
        if (warp.thread_rank() == 0)
            atomicAdd(out, value);
    }
}

#define EXPECT(condition)        \
    do {                         \
        if (!(condition))        \
            atomicAdd(wrong, 1); \
    } while (0)

__global__ void tiles(int *wrong)
{
    __shared__ int numbers[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(warp);
    auto both = cg::tiled_partition<64>(block);
    const unsigned rank = tile.thread_rank(), t = block.thread_rank();

    EXPECT(block.group_index().x == blockIdx.x);
    EXPECT(block.thread_index().x == threadIdx.x);
    EXPECT(t == threadIdx.x && block.size() == blockDim.x);
    EXPECT(rank == t % 8 && tile.size() == 8 && tile.num_threads() == 8);
    EXPECT(tile.meta_group_rank() == t / 8 && tile.meta_group_size() == 8);
    EXPECT(four.meta_group_rank() == t % 32 / 4 && four.meta_group_size() == 8);
    EXPECT(both.thread_rank() == t && both.size() == 64);
    EXPECT(both.meta_group_rank() == 0 && both.meta_group_size() == 1);
    EXPECT(tile.shfl(t, 2) == t / 8 * 8 + 2);
    EXPECT(tile.shfl_xor(rank, 3) == (rank ^ 3));
    EXPECT(tile.shfl_up(rank, 1) == (rank ? rank - 1 : 0));
    EXPECT(tile.shfl_down(rank * 0.5f, 2) ==
           (rank < 6 ? rank + 2 : rank) * 0.5f);
    EXPECT(tile.ballot(rank == 1) == 2);
    EXPECT(tile.any(t == 3) == (t < 8));
    EXPECT(tile.all(t >= 8) == (t >= 8));
    EXPECT(four.match_any(t % 2) == (t % 2 ? 0xau : 0x5u));
    EXPECT(cg::reduce(tile, rank, cg::greater<unsigned>()) == 7);

    numbers[t] = t;
    tile.sync();
    EXPECT(numbers[t ^ 7] == (int)(t ^ 7));
    cg::sync(block);
    EXPECT(numbers[63 - t] == (int)(63 - t));
    both.sync();
    numbers[t] = 0;

    if (t % 4 == 1) {
        auto active = cg::coalesced_threads();

        EXPECT(active.size() == 8 && active.thread_rank() == t % 32 / 4);
        EXPECT(active.shfl(t, 1) == t / 32 * 32 + 5);
        EXPECT(active.ballot(1) == 0xff);
        EXPECT(active.any(t == 1) == (t < 32));
    }
}

int main()
{
    const int n = 1000;
    int in[n], *d_in, *d_out, out = 0, wrong = 0;

    for (int i = 0; i < n; i++)
        in[i] = i;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, 2 * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, 2 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    sum<<<3, 128>>>(d_in, d_out, n);
    tiles<<<2, 64>>>(d_out + 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&wrong, d_out + 1, sizeof wrong, cudaMemcpyDeviceToHost));
    printf("sum %d: %s\n", out, out == n * (n - 1) / 2 ? "right" : "wrong");
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return out == n * (n - 1) / 2 && wrong == 0 ? 0 : 1;
}
