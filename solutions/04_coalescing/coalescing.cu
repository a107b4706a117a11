/*
 * Lab 04: coalesced loads
 *
 * Idea    A warp's load is served in sectors of 32 bytes. In lab 03 neighbours
 *         in x fetch from different rows of B, and most of each sector is
 *         thrown away. Neighbouring threads should fetch neighbouring words.
 *
 *           lab 03: tx runs down            here: tx runs along a row
 *           +--+--+--+--+-- B               +--+--+--+--+-- B
 *           | 0|  |  |  |                   | 0| 1| 2| 3|
 *           +--+--+--+--+                   +--+--+--+--+
 *           | 1|  |  |  |
 *           +--+--+--+--+                   one sector holds eight
 *           | 2|  |  |  |                   neighbours, all of them wanted
 *
 * Do      TODO 4.1 and 4.2, about 3 lines.
 * Run     make lab-04             on the device at hand
 *         make lab-04 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; sector efficiency of the loads of B 100 %
 *         (4 sectors a request), where lab 03 has 25 % (16).
 * Advice  Thread (0, 0) and thread (1, 0) stand side by side in a warp. Write
 *         down the address of B that each of them fetches.
 */
#include "lab.h"

#define TILE 16 /* elements per side; a block has TILE * TILE threads */

/*
 * One thread computes one element of C.
 * Launch with block (TILE, TILE) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of TILE.
 */
__global__ void matmul_coalesced(const float *A, const float *B, float *C,
                                 int m, int n, int k)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE]; /* B's tile transposed: Bs[col][step] */

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty; /* of A and C */
    const int col = blockIdx.x * TILE + tx; /* of B and C */
    float sum = 0.0f;

    for (int t = 0; t < k; t += TILE) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;

        /* TODO 4.1 (1 line): copy an element of B to Bs[tx][ty] again, but let
         * tx choose its column and ty its row. Outside of B, store 0.0f. */
        Bs[tx][ty] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0.0f;
        /* end 4.1 */

        __syncthreads(); /* As and Bs are complete */

        /* TODO 4.2 (2 lines): add the products to sum. The tile now lies
         * transposed: which index of Bs is the column? */
        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[tx][i];
        /* end 4.2 */

        __syncthreads(); /* As and Bs are free: nobody reads them any more */
    }

    if (row < m && col < n)
        C[row * n + col] = sum;
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {TILE, TILE, 1};
    const dim3 grid = {lab_ceil_div(p->n, TILE), lab_ceil_div(p->m, TILE), 1};

    matmul_coalesced<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
