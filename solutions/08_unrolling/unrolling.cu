/*
 * Lab 08: unrolled loops
 *
 * Idea    Of what lab 07 executes for a step along k, the loop itself is a
 *         part: count, compare, jump. Unrolled, several steps share it, and
 *         the loads of several steps can be in flight at once.
 *
 *           rolled          by four
 *           +--------+      +--------+--------+--------+--------+
 *           | step i |      | step i |   i + 1|   i + 2|   i + 3|
 *           +--------+      +--------+--------+--------+--------+
 *           |  jump  |                                 |  jump  |
 *           +--------+                                 +--------+
 *
 *         The compiler can do it where it knows the number of steps, so whole
 *         tiles and the last, shorter one get loops of their own.
 *
 * Do      TODO 8.1 to 8.4, about 17 lines.
 * Run     make lab-08             on the device at hand
 *         make lab-08 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size, both kernels; in the first a thread jumps back
 *         once for 256 multiply-adds, where in lab 07 it does for every 16.
 * Advice  Try sizes with k = 1, 2, 3, 4 and 5 first: a remainder is either
 *         forgotten or counted twice.
 */
#include "lab.h"

#define ROWS   16 /* of C, a block; each thread has that many sums */
#define COLS   64 /* of C, a block; also its threads */
#define DEPTH  16 /* steps along k, a tile of A */
#define AS_ROW 18 /* length of a row of As: no bank conflicts (lab 07) */

/* Copies A's tile from row `row` and step t on, transposed. __device__: a
 * function that a kernel calls, and the GPU runs. */
__device__ void fetch(float As[DEPTH][AS_ROW], const float *A, int row, int t,
                      int m, int k)
{
    const int step = threadIdx.x % DEPTH; /* a warp fetches 2 rows */
    const int a_row = threadIdx.x / DEPTH;

#pragma unroll
    for (int r = a_row; r < a_row + ROWS; r += COLS / DEPTH)
        As[step][r] = A[min(row + r, m - 1) * k + min(t + step, k - 1)];
}

/* Stores the sums that are inside of C. */
__device__ void store(float *C, const float sum[ROWS], int row, int col, int m,
                      int n)
{
    const int rows = col < n ? m - row : 0; /* from row on, inside of C */

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (r >= rows)
            break;
        C[(row + r) * n + col] = sum[r];
    }
}

/*
 * One thread computes ROWS elements of a column of C.
 * Launch with block (COLS, 1) and enough blocks to cover C: x over the columns,
 * y over the rows. m, n and k need not be multiples of anything: an index past
 * an edge becomes the last one, and what it fetches never gets into C.
 */
__global__ void matmul_unrolled(const float *A, const float *B, float *C, int m,
                                int n, int k)
{
    __shared__ float As[DEPTH][AS_ROW]; /* A's tile transposed */

    const int tid = threadIdx.x;
    const int row = blockIdx.y * ROWS; /* first of this block, of A and C */
    const int col = blockIdx.x * COLS + tid;
    const int b_col = min(col, n - 1);
    float sum[ROWS] = {0.0f};

    for (int t = 0; t < k; t += DEPTH) {
        fetch(As, A, row, t, m, k);
        __syncthreads(); /* As is complete */

        if (k - t >= DEPTH) {
            /* TODO 8.1 (1 line): change the pragma below, so that the compiler
             * unrolls this loop. How does it know the number of steps? */
#pragma unroll
            /* skeleton: #pragma unroll 1 */
            /* end 8.1 */
            for (int i = 0; i < DEPTH; i++) {
                const float b = B[(t + i) * n + b_col];

#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] += As[i][r] * b;
            }
        } else {
#pragma unroll 1
            for (int i = 0; i < k - t; i++) {
                const float b = B[(t + i) * n + b_col];

#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] += As[i][r] * b;
            }
        }

        __syncthreads(); /* As is free: nobody reads it any more */
    }

    store(C, sum, row, col, m, n);
}

/* The same, unrolled by hand: four steps at a time, then what is left. */
__global__ void matmul_by_hand(const float *A, const float *B, float *C, int m,
                               int n, int k)
{
    __shared__ float As[DEPTH][AS_ROW]; /* A's tile transposed */

    const int tid = threadIdx.x;
    const int row = blockIdx.y * ROWS; /* first of this block, of A and C */
    const int col = blockIdx.x * COLS + tid;
    const int b_col = min(col, n - 1);
    float sum[ROWS] = {0.0f};

    for (int t = 0; t < k; t += DEPTH) {
        const int steps = k - t < DEPTH ? k - t : DEPTH;
        int i = 0;

        fetch(As, A, row, t, m, k);
        __syncthreads(); /* As is complete */

#pragma unroll 1
        for (; i + 4 <= steps; i += 4) {
            /* TODO 8.2 (4 lines): fetch the elements of B for four steps into
             * b0, b1, b2 and b3. Why all four before the first is used? */
            const float b0 = B[(t + i) * n + b_col];
            const float b1 = B[(t + i + 1) * n + b_col];
            const float b2 = B[(t + i + 2) * n + b_col];
            const float b3 = B[(t + i + 3) * n + b_col];
            /* end 8.2 */

            /* TODO 8.3 (5 lines): add the four products to each sum[r]; let
             * the compiler unroll the loop over r. */
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                sum[r] += As[i][r] * b0 + As[i + 1][r] * b1;
                sum[r] += As[i + 2][r] * b2 + As[i + 3][r] * b3;
            }
            /* end 8.3 */
        }

        /* TODO 8.4 (7 lines): add what is left, one step at a time, in a loop
         * that is not unrolled. i stands on the first step that is left. */
#pragma unroll 1
        for (; i < steps; i++) {
            const float b = B[(t + i) * n + b_col];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sum[r] += As[i][r] * b;
        }
        /* end 8.4 */

        __syncthreads(); /* As is free: nobody reads it any more */
    }

    store(C, sum, row, col, m, n);
}

/* Launches matmul_unrolled. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {COLS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_unrolled<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}

/* Launches matmul_by_hand. */
void lab_launch_b(const struct lab_matmul *p)
{
    const dim3 block = {COLS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_by_hand<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
