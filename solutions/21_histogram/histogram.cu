/*
 * Lab 21: a histogram
 *
 * Idea    How often does each value occur? One atomic operation on global
 *         memory for each key is right, and slow where many keys are the same:
 *         all of them wait for one counter. Here each block counts in shared
 *         memory first, and adds its 256 counts to those of all at its end.
 *
 *           keys      | 3 | 0 | 3 | 7 | 3 | ...  n keys from 0 to 255
 *           part      [1][0][0][3][0][0][0][1]   a block's, in shared memory
 *           counts    [ ][ ][ ][ ][ ][ ][ ][ ]   all, in global memory
 *
 * Do      TODO 21.1 to 21.5, about 8 lines.
 * Run     make lab-21
 * Expect  PASS for every size; 64 blocks of 256 counts are 16384 atomic
 *         operations on global memory, and not one for each of 262144 keys.
 * Advice  Say of each barrier which line would come too early without it.
 */
#include "lab.h"

#define BINS   256 /* values that a key may have */
#define BLOCK  256 /* threads of a block */
#define BLOCKS 64  /* of the grid, at most */

/*
 * Adds to counts[v] how many of the keys are v. Launch with blocks of BLOCK
 * threads, as many as you like.
 */
__global__ void histogram(const int *keys, int *counts, int n)
{
    __shared__ int part[BINS];

    const int first = blockIdx.x * BLOCK + threadIdx.x;
    const int stride = gridDim.x * BLOCK; /* threads of the grid */

    /* TODO 21.1 (2 lines): set part to 0, all threads together. */
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK)
        part[bin] = 0;
    /* end 21.1 */

    /* TODO 21.2 (1 line): wait. Whose counts would be lost otherwise? */
    __syncthreads(); /* part is 0 */
    /* end 21.2 */

    /* TODO 21.3 (2 lines): count the keys first, first + stride and so on in
     * part, with atomicAdd: two threads may have the same key. */
    for (int i = first; i < n; i += stride)
        atomicAdd(&part[keys[i]], 1);
    /* end 21.3 */

    /* TODO 21.4 (1 line): wait until the whole block has counted. */
    __syncthreads(); /* part is complete */
    /* end 21.4 */

    /* TODO 21.5 (2 lines): add part to counts, with atomicAdd again: other
     * blocks do so, too. */
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK)
        atomicAdd(&counts[bin], part[bin]);
    /* end 21.5 */
}

/* Launches the kernel. Arrays are in device memory; what is in counts before is
   no number, and atomicAdd needs one that is 0. */
void lab_launch_arrays(const struct lab_arrays *p)
{
    const unsigned wanted = lab_ceil_div(p->n, BLOCK);
    const unsigned blocks = wanted < BLOCKS ? wanted : BLOCKS;

    LAB_CHECK(cudaMemset(p->out, 0, BINS * sizeof(int)));
    histogram<<<blocks, BLOCK>>>((const int *)p->in, (int *)p->out, p->n);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
