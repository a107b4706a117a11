/*
 * Lab 07: an outer product in registers
 *
 * Idea    In lab 06 each multiply-add needs two loads from shared memory. Here
 *         a thread owns 16 elements of C, one below the other. An element b
 *         of B, in a register, serves all 16; and the column of A that it
 *         meets is the same for all threads: a broadcast.
 *
 *                                  b
 *                         +--------*---------------+  row t + i of B
 *           column t + i
 *           of A   +-+    +--------*---------------+  -
 *                  |*|    |        *               |
 *                  |*|    |        *               |  16 rows of C
 *                  |*|    |        *               |
 *                  +-+    +--------*---------------+  -
 *                         64 columns, one a thread
 *
 * Do      TODO 7.1 to 7.5, about 12 lines.
 * Run     make lab-07             on the device at hand
 *         make lab-07 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 1.0 shared loads per multiply-add, where lab 06
 *         has 2.0; 1.0 wavefronts per request of As's stores.
 * Advice  A register has a name, not an address. A sum stays in one if the
 *         compiler knows its index: hence #pragma unroll.
 */
#include "lab.h"

#define ROWS  16 /* of C, a block; each thread has that many sums */
#define COLS  64 /* of C, a block; also its threads */
#define DEPTH 16 /* steps along k, a tile of A */

/* TODO 7.1 (1 line): choose the length of a row of As. A warp stores 16 steps
 * of 2 rows, (step, row) to As[step][row], and should meet 32 banks. Compare
 * 16, 17 and 18 on paper. */
#define AS_ROW 18 /* stores: 16 take 8 wavefronts, 17 and 20 take 2, 18 one */
/* skeleton: #define AS_ROW ROWS */
/* end 7.1 */

/*
 * One thread computes ROWS elements of a column of C.
 * Launch with block (COLS, 1) and enough blocks to cover C: x over the columns,
 * y over the rows. m, n and k need not be multiples of anything: by min(),
 * which is CUDA's own, an index past an edge becomes the last one, and what it
 * fetches never gets into C.
 */
__global__ void matmul_outer(const float *A, const float *B, float *C, int m,
                             int n, int k)
{
    __shared__ float As[DEPTH][AS_ROW]; /* A's tile transposed */

    const int tid = threadIdx.x;
    const int row = blockIdx.y * ROWS; /* first of this block, of A and C */
    const int col = blockIdx.x * COLS + tid;
    const int b_col = min(col, n - 1);
    const int step = tid % DEPTH; /* while loading: a warp fetches 2 rows */
    const int a_row = tid / DEPTH;
    float sum[ROWS] = {0.0f};

    for (int t = 0; t < k; t += DEPTH) {
        const int steps = k - t < DEPTH ? k - t : DEPTH;

#pragma unroll
        for (int r = a_row; r < a_row + ROWS; r += COLS / DEPTH) {
            const float a = A[min(row + r, m - 1) * k + min(t + step, k - 1)];

            /* TODO 7.2 (1 line): store a, which is row r of the tile. */
            As[step][r] = a;
            /* end 7.2 */
        }

        __syncthreads(); /* As is complete */

#pragma unroll 1
        for (int i = 0; i < steps; i++) {
            /* TODO 7.3 (1 line): instead of 0.0f, take this thread's element of
             * row t + i of B, from global memory. Why b_col and not col? */
            const float b = B[(t + i) * n + b_col];
            /* skeleton: const float b = 0.0f; */
            /* end 7.3 */

            /* TODO 7.4 (3 lines): add to each sum[r] its product with b; let
             * the compiler unroll the loop. */
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sum[r] += As[i][r] * b;
            /* end 7.4 */
        }

        __syncthreads(); /* As is free: nobody reads it any more */
    }

    /* Rows of C from row on, maybe more than ROWS; none right of C. */
    const int rows = col < n ? m - row : 0;

    /* TODO 7.5 (6 lines): for r from 0 to ROWS, in a loop that the compiler
     * unrolls: store sum[r], and leave the loop once r is not below rows. */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (r >= rows)
            break;
        C[(row + r) * n + col] = sum[r];
    }
    /* end 7.5 */
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {COLS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_outer<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
