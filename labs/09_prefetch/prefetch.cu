/*
 * Lab 09: prefetching
 *
 * Idea    In lab 08 loads and arithmetic take turns: fetch, wait, compute,
 *         wait. With two buffers the next tile is in flight from global
 *         memory while this one is computed on, and one barrier a tile does.
 *
 *           fetch   | tile 0 | tile 1 | tile 2 | tile 3 |        |
 *           compute |        | tile 0 | tile 1 | tile 2 | tile 3 |
 *           buffer           |   0    |   1    |   0    |   1    |
 *                   prologue          time -->             last
 *
 * Do      TODO 9.1 to 9.6, about 18 lines.
 * Run     make lab-09             on the device at hand
 *         make lab-09 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 33 barriers a thread at k = 512, where lab 08
 *         has 64; 122,880 global load requests, as before: no tile is fetched
 *         that nobody needs.
 * Advice  Play it through for two tiles, and write down at each barrier which
 *         buffer is complete and which is free.
 */
#include "lab.h"

#define ROWS   16 /* of C, a block; each thread has that many sums */
#define COLS   64 /* of C, a block; also its threads */
#define DEPTH  16 /* steps along k, a tile of A */
#define AS_ROW 18 /* length of a row of As: no bank conflicts (lab 07) */
#define APART  (COLS / DEPTH) /* rows from one fetched element to the next */
#define SHARE  (ROWS / APART) /* elements of a tile that one thread fetches */

/*
 * One thread computes ROWS elements of a column of C.
 * Launch with block (COLS, 1) and enough blocks to cover C: x over the columns,
 * y over the rows. m, n and k need not be multiples of anything: an index past
 * an edge becomes the last one, and what it fetches never gets into C.
 */
__global__ void matmul_prefetch(const float *A, const float *B, float *C, int m,
                                int n, int k)
{
    __shared__ float As[2][DEPTH][AS_ROW]; /* two tiles of A, transposed */

    const int tid = threadIdx.x;
    const int row = blockIdx.y * ROWS; /* first of this block, of A and C */
    const int col = blockIdx.x * COLS + tid;
    const int b_col = min(col, n - 1);
    const int step = tid % DEPTH; /* while loading: a warp fetches 2 rows */
    const int a_row = tid / DEPTH;
    float next[SHARE] = {0.0f}; /* this thread's part of the next tile */
    float sum[ROWS] = {0.0f};

    /* TODO 9.1 (4 lines): the prologue: copy element (row + r, step) of A to
     * As[0][step][r], for r = a_row, a_row + APART and so on; min() keeps both
     * indices inside of A, as in lab 08. Then wait. */

    for (int t = 0; t < k; t += DEPTH) {
        /* TODO 9.2 (1 line): instead of 0, the buffer that holds the tile of t:
         * 0, 1, 0 and so on. */
        const int now = 0;

        /* TODO 9.3 (1 line): instead of false: is there a tile after this? */
        const bool more = false;

        /* TODO 9.4 (6 lines): if so, fetch this thread's part of it: next[i] is
         * A's element in row row + a_row + i * APART and column t + DEPTH +
         * step, with min() again. Nothing waits here: the loads run on while
         * the sums are computed. */

        if (k - t >= DEPTH) {
#pragma unroll
            for (int i = 0; i < DEPTH; i++) {
                const float b = B[(t + i) * n + b_col];

#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] += As[now][i][r] * b;
            }
        } else {
#pragma unroll 1
            for (int i = 0; i < k - t; i++) {
                const float b = B[(t + i) * n + b_col];

#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] += As[now][i][r] * b;
            }
        }

        /* TODO 9.5 (5 lines): if there is a next tile, store it in the other
         * buffer. Who else might still be reading there? */

        /* TODO 9.6 (1 line): wait. Why is one barrier a tile enough now? */
    }

    const int rows = col < n ? m - row : 0; /* from row on, inside of C */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (r >= rows)
            break;
        C[(row + r) * n + col] = sum[r];
    }
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {COLS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_prefetch<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
