/*
 * Lab 06: a tile without bank conflicts
 *
 * Idea    Lab 04 keeps B's tile transposed, and a warp that reads down a
 *         column of it meets two of the 32 banks only: 8 wavefronts. Two cures:
 *         (a) store the tile straight, so that a warp reads along its
 *         rows; (b) keep it transposed and make its rows a little longer.
 *
 *           row length 16            row length 16 + p
 *           bank of (row, 0)         bank of (row, 0)
 *           row 0:  0 | . . .        row 0:  0      | . . . : pad
 *           row 1: 16 | . . .        row 1: 16 +  p | . . . : pad
 *           row 2:  0 | . . .        row 2:      2p | . . . : pad
 *           row 3: 16 | . . .        row 3: 16 + 3p | . . . : pad
 *
 * Do      TODO 6.1 to 6.5, about 7 lines.
 * Run     make lab-06             on the device at hand
 *         make lab-06 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size, both kernels; 1.0 wavefronts per request of Bs,
 *         loads and stores, where lab 04 has 8.0 and 8.0.
 * Advice  A warp is two rows of threads. A row length that suits the first
 *         half may still collide with the second: try 17 on paper.
 */
#include "lab.h"

#define TILE 16 /* elements per side; a block has TILE * TILE threads */

/*
 * (a) B's tile lies straight: Bs[step][col].
 *
 * One thread computes one element of C.
 * Launch with block (TILE, TILE) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of TILE.
 */
__global__ void matmul_straight(const float *A, const float *B, float *C, int m,
                                int n, int k)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty; /* of A and C */
    const int col = blockIdx.x * TILE + tx; /* of B and C */
    float sum = 0.0f;

    for (int t = 0; t < k; t += TILE) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;

        /* TODO 6.1 (1 line): fetch the element that lab 04 fetches, and store
         * it where it stands in B: in which row of Bs? */

        __syncthreads(); /* As and Bs are complete */

        /* TODO 6.2 (2 lines): add the products to sum. */

        __syncthreads(); /* As and Bs are free: nobody reads them any more */
    }

    if (row < m && col < n)
        C[row * n + col] = sum;
}

/* TODO 6.3 (1 line): choose the length of a row of the transposed tile, in
 * elements, so that lanes (tx, ty) of a warp meet 32 different banks when they
 * store to Bs[tx][ty]. */
#define BS_ROW TILE

/* (b) B's tile lies transposed, with longer rows: Bs[col][step]. The rest is
 * as in (a). */
__global__ void matmul_padded(const float *A, const float *B, float *C, int m,
                              int n, int k)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][BS_ROW];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty; /* of A and C */
    const int col = blockIdx.x * TILE + tx; /* of B and C */
    float sum = 0.0f;

    for (int t = 0; t < k; t += TILE) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;

        /* TODO 6.4 (1 line): store B's element transposed, as in lab 04. */

        __syncthreads(); /* As and Bs are complete */

        /* TODO 6.5 (2 lines): add the products to sum, as in lab 04. Does
         * the padding enter any index? */

        __syncthreads(); /* As and Bs are free: nobody reads them any more */
    }

    if (row < m && col < n)
        C[row * n + col] = sum;
}

/* Launches kernel (a). The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {TILE, TILE, 1};
    const dim3 grid = {lab_ceil_div(p->n, TILE), lab_ceil_div(p->m, TILE), 1};

    matmul_straight<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}

/* Launches kernel (b). */
void lab_launch_b(const struct lab_matmul *p)
{
    const dim3 block = {TILE, TILE, 1};
    const dim3 grid = {lab_ceil_div(p->n, TILE), lab_ceil_div(p->m, TILE), 1};

    matmul_padded<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
