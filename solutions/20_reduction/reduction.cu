/*
 * Lab 20: a sum
 *
 * Idea    All threads add to one number. An atomic operation for each element
 *         is right, and makes all of them wait for one another. Here a thread
 *         adds up its own elements in a register, a warp adds up its 32 threads
 *         by shuffles, a block its 8 warps by shared memory: one atomic
 *         operation for each block is left.
 *
 *           x       |..................................|  n elements
 *           own     + + + + + + + +      a thread's, in a register
 *           warp     \ \ | | / /         5 shuffles
 *           part[8]     \ | /            shared memory, one barrier
 *           sum[0]        +              one atomicAdd of the block
 *
 * Do      TODO 20.1 to 20.5, about 14 lines.
 * Run     make lab-20
 * Expect  PASS for every size; 64 atomic operations for 262144 elements, and
 *         one barrier.
 * Advice  Write down for 8 lanes which lane adds which other lane's number in
 *         each shuffle, and which lanes hold what nobody needs.
 */
#include "lab.h"

#define BLOCK  256 /* threads of a block */
#define WARPS  (BLOCK / 32)
#define BLOCKS 64 /* of the grid, at most */

#define ALL_LANES 0xffffffffu

/*
 * Adds the sum of x to sum[0]. Launch with blocks of BLOCK threads, as many as
 * you like: each thread takes every so many-th element.
 */
__global__ void reduce(const float *x, float *sum, int n)
{
    __shared__ float part[WARPS];

    const int first = blockIdx.x * BLOCK + threadIdx.x;
    const int stride = gridDim.x * BLOCK; /* threads of the grid */
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    float own = 0.0f;

    /* TODO 20.1 (2 lines): add to own the elements first, first + stride,
     * first + 2 * stride and so on. */
    for (int i = first; i < n; i += stride)
        own += x[i];
    /* end 20.1 */

    /* TODO 20.2 (2 lines): add up own over the warp with __shfl_down_sync, at
     * distances 16, 8, 4, 2 and 1. Which lane has the warp's sum then? */
    /* Lane 0: each other one has added numbers that count elsewhere, too. */
    for (int distance = 16; distance > 0; distance /= 2)
        own += __shfl_down_sync(ALL_LANES, own, distance);
    /* end 20.2 */

    /* TODO 20.3 (2 lines): that lane stores it to part[warp]. */
    if (lane == 0)
        part[warp] = own;
    /* end 20.3 */

    /* TODO 20.4 (1 line): wait until all warps have stored theirs. */
    __syncthreads(); /* part is complete */
    /* end 20.4 */

    /* TODO 20.5 (7 lines): in the first warp alone take part[lane] into own, 0
     * in lanes that have none; add up these as in TODO 20.2; lane 0 adds the
     * block's sum to sum[0], with atomicAdd. */
    if (warp == 0) {
        own = lane < WARPS ? part[lane] : 0.0f;
        for (int distance = 16; distance > 0; distance /= 2)
            own += __shfl_down_sync(ALL_LANES, own, distance);
        if (lane == 0)
            atomicAdd(&sum[0], own);
    }
    /* end 20.5 */
}

/* Launches the kernel. Arrays are in device memory; sum[0] is no number before,
   and atomicAdd needs one that is 0. */
void lab_launch_arrays(const struct lab_arrays *p)
{
    const unsigned wanted = lab_ceil_div(p->n, BLOCK);
    const unsigned blocks = wanted < BLOCKS ? wanted : BLOCKS;

    LAB_CHECK(cudaMemset(p->out, 0, sizeof(float)));
    reduce<<<blocks, BLOCK>>>((const float *)p->in, (float *)p->out, p->n);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
