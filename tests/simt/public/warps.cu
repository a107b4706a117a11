/* Shuffles, votes and barriers: of a warp, of parts of it, of a block. */
/* expect: 0 */
/* says: shuffles: 0 wrong */
/* says: votes: 0 wrong */
/* says: parts: 0 wrong */
/* says: blocks: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

#define FULL 0xffffffffu

/* Counts in *wrong what is not as it must be. */
#define EXPECT(condition)        \
    do {                         \
        if (!(condition))        \
            atomicAdd(wrong, 1); \
    } while (0)

__global__ void shuffles(int *wrong)
{
    const int lane = threadIdx.x % 32;
    const int group = lane / 8 * 8, place = lane % 8;

    EXPECT(__shfl_sync(FULL, lane * 3, 5) == 15);
    EXPECT(__shfl_sync(FULL, lane * 3, 37) == 15); /* modulo the width */
    EXPECT(__shfl_sync(FULL, lane, 2, 8) == group + 2);
    EXPECT(__shfl_up_sync(FULL, lane, 1) == (lane ? lane - 1 : 0));
    EXPECT(__shfl_up_sync(FULL, lane, 3, 8) == (place < 3 ? lane : lane - 3));
    EXPECT(__shfl_down_sync(FULL, lane, 4) == (lane < 28 ? lane + 4 : lane));
    EXPECT(__shfl_down_sync(FULL, lane, 3, 8) == (place < 5 ? lane + 3 : lane));
    EXPECT(__shfl_xor_sync(FULL, lane, 17) == (lane ^ 17));
    EXPECT(__shfl_xor_sync(FULL, lane, 2, 4) == (lane ^ 2));
    /* An earlier group may be read, a later one not. */
    EXPECT(__shfl_xor_sync(FULL, lane, 8, 8) == (lane & 8 ? lane ^ 8 : lane));

    EXPECT(__shfl_sync(FULL, lane * 0.5f, 9) == 4.5f);
    EXPECT(__shfl_sync(FULL, lane * 0.1, 9) == 9 * 0.1);
    EXPECT(__shfl_sync(FULL, (unsigned)lane << 28, 13) == 13u << 28);
    EXPECT(__shfl_sync(FULL, (long long)lane << 40, 7) == 7LL << 40);
    EXPECT(__shfl_down_sync(FULL, ~0ull - lane, 1) ==
           ~0ull - (lane < 31 ? lane + 1 : lane));
    EXPECT(__shfl_sync(FULL, -(long)lane, 31) == -31L);
}

__global__ void votes(int *wrong)
{
    const int lane = threadIdx.x % 32;
    int all_same;

    EXPECT(__ballot_sync(FULL, lane % 2) == 0xaaaaaaaau);
    EXPECT(__ballot_sync(FULL, lane & 16) == 0xffff0000u);
    EXPECT(__all_sync(FULL, lane < 32));
    EXPECT(!__all_sync(FULL, lane < 31));
    EXPECT(__any_sync(FULL, lane == 31));
    EXPECT(!__any_sync(FULL, lane == 32));
    EXPECT(__match_any_sync(FULL, lane / 4) == 0xfu << lane / 4 * 4);
    EXPECT(__match_any_sync(FULL, lane % 2 ? 1.5 : -2.5) ==
           (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
    EXPECT(__match_all_sync(FULL, 7u, &all_same) == FULL && all_same);
    EXPECT(__match_all_sync(FULL, lane, &all_same) == 0 && !all_same);
    EXPECT(__reduce_add_sync(FULL, lane - 16) == -16);
    EXPECT(__reduce_add_sync(FULL, 0x10000000u) == 0); /* modulo 2^32 */
    EXPECT(__reduce_min_sync(FULL, lane - 20) == -20);
    EXPECT(__reduce_max_sync(FULL, -lane - 1) == -1);
    EXPECT(__reduce_min_sync(FULL, (unsigned)lane - 1) == 0);
    EXPECT(__reduce_max_sync(FULL, (unsigned)lane - 1) == FULL);
    EXPECT(__reduce_and_sync(FULL, 0xf0u | lane) == 0xf0u);
    EXPECT(__reduce_or_sync(FULL, 1u << lane) == FULL);
    EXPECT(__reduce_xor_sync(FULL, 1u << lane / 2) == 0);
}

/* Lanes that go different ways, each with those that go with it. */
__global__ void parts(int *wrong)
{
    __shared__ int from_even[64];
    const int lane = threadIdx.x % 32;
    const unsigned odd = 0xaaaaaaaau, even = 0x55555555u;
    int sum = 0;

    if (lane % 2) {
        EXPECT(__ballot_sync(odd, 1) == odd);
        EXPECT(__shfl_sync(odd, lane, 3) == 3);
        for (int i = 0; i < lane / 8; i++)
            sum += i;
        __syncwarp(odd);
    } else {
        EXPECT(__activemask() == even);
        EXPECT(__reduce_add_sync(even, 1) == 16);
        from_even[threadIdx.x] = lane;
        __syncwarp(even);
        EXPECT(from_even[threadIdx.x ^ 2] == (lane ^ 2));
    }
    __syncwarp();
    EXPECT(__activemask() == FULL);

    /* Lanes that are gone do not count any more. */
    if (lane >= 24)
        return;
    EXPECT(__ballot_sync(FULL, 1) == 0x00ffffffu);
    EXPECT(__ballot_sync(0x00ffffffu, lane < 3) == 7u);

    /* As many rounds as the lane's number: the rest of the warp waits. */
    for (int i = 0; i < lane; i++) {
        const unsigned mask = 0x00ffffffu & ~((2u << i) - 1);

        EXPECT(__shfl_sync(mask, lane, i + 1) == i + 1);
    }
    if (sum < 0)
        EXPECT(false);
}

__global__ void blocks(int *wrong)
{
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;

    EXPECT(__syncthreads_count(t < 7) == 7);
    EXPECT(__syncthreads_count(2 * t) == threads - 1);
    EXPECT(__syncthreads_and(t >= 0));
    EXPECT(!__syncthreads_and(t != 13));
    EXPECT(__syncthreads_or(t == 99));
    EXPECT(!__syncthreads_or(t < 0));
    for (int i = 0; i < 5; i++) {
        EXPECT(__syncthreads_count(t < i) == i);
        __threadfence_block();
    }
    /* 100 threads: the last warp has four. */
    EXPECT(__any_sync(FULL, t % 32 == 3));
    EXPECT(t < 96 || __ballot_sync(FULL, 1) == 0xfu);
}

static int count(const char *what, int *d_wrong)
{
    int wrong = -1;

    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    printf("%s: %d wrong\n", what, wrong);
    CHECK(cudaMemset(d_wrong, 0, sizeof wrong));
    return wrong;
}

int main()
{
    int *d_wrong, wrong = 0;

    CHECK(cudaMalloc(&d_wrong, sizeof(int)));
    CHECK(cudaMemset(d_wrong, 0, sizeof(int)));
    shuffles<<<2, 96>>>(d_wrong);
    wrong += count("shuffles", d_wrong);
    votes<<<2, 64>>>(d_wrong);
    wrong += count("votes", d_wrong);
    parts<<<3, 64>>>(d_wrong);
    wrong += count("parts", d_wrong);
    blocks<<<2, dim3(10, 10)>>>(d_wrong);
    wrong += count("blocks", d_wrong);
    CHECK(cudaFree(d_wrong));
    return wrong ? 1 : 0;
}
