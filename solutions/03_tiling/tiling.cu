/*
 * Lab 03: tiling
 *
 * Idea    Lab 02 reads every element of A and B from global memory again and
 *         again. Here a block first copies a small square of each to shared
 *         memory; then all its threads read the copy.
 *
 *                   Bs          C = A * B, row-major
 *                 +----+        A is m x k, B is k x n, C is m x n
 *             As  |    |
 *           +----++----+        The block owns one TILE x TILE square of C.
 *           |    || C  |        As slides right along A, Bs slides down B.
 *           +----++----+
 *
 * Do      TODO 3.1 to 3.5, about 6 lines.
 * Run     make lab-03             on the device at hand
 *         make lab-03 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size, 37 x 53 x 29 included; 0.125 global loads per
 *         multiply-add, a sixteenth of lab 02's.
 * Advice  Draw As and Bs for TILE 2 and a 4 x 4 product, and write into each
 *         field which thread fills it.
 */
#include "lab.h"

#define TILE 16 /* elements per side; a block has TILE * TILE threads */

/*
 * One thread computes one element of C.
 * Launch with block (TILE, TILE) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of TILE.
 */
__global__ void matmul_tiling(const float *A, const float *B, float *C, int m,
                              int n, int k)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;   /* of A and C */
    const int col = blockIdx.x * TILE + tx;   /* of C */
    const int b_col = blockIdx.x * TILE + ty; /* of B, while loading */
    float sum = 0.0f;

    for (int t = 0; t < k; t += TILE) {
        /* TODO 3.1 (1 line): copy an element of A to As[ty][tx]: row `row`,
         * column t + tx. Where the tile hangs over an edge of A, store 0.0f. */
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;
        /* end 3.1 */

        /* TODO 3.2 (1 line): copy an element of B to Bs[tx][ty]: row t + tx,
         * column b_col. (Another thread could fetch it. Lab 04 asks which one
         * should.) Why is 0.0f right for what is outside? */
        /* A zero adds nothing to the sum. */
        Bs[tx][ty] = t + tx < k && b_col < n ? B[(t + tx) * n + b_col] : 0.0f;
        /* end 3.2 */

        /* TODO 3.3 (1 line): wait until the whole block has copied. */
        __syncthreads(); /* As and Bs are complete */
        /* end 3.3 */

        /* TODO 3.4 (2 lines): add row ty of As times column tx of Bs to sum. */
        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[i][tx];
        /* end 3.4 */

        /* TODO 3.5 (1 line): wait again. Which write would come too early? */
        __syncthreads(); /* As and Bs are free: nobody reads them any more */
        /* end 3.5 */
    }

    /* No thread has left before: each one was needed at the barriers. */
    if (row < m && col < n)
        C[row * n + col] = sum;
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {TILE, TILE, 1};
    const dim3 grid = {lab_ceil_div(p->n, TILE), lab_ceil_div(p->m, TILE), 1};

    matmul_tiling<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
