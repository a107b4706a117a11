/*
 * Lab 10: a tile in registers
 *
 * Idea    In lab 09 a thread loads an element of A from shared memory for each
 *         multiply-add. Here it owns 8 x 8 elements of C: at each step along k
 *         it loads 8 elements of A and 8 of B, and has 64 products of them. B
 *         comes through shared memory too, since now threads share it.
 *
 *                     b[0] b[1]  ...  b[7]    of row i of Bs
 *                   +----+----+-----+----+
 *              a[0] |    |    |     |    |
 *              a[1] |    |    |     |    |
 *               ... |    |    |     |    |    sum[r][c] += a[r] * b[c]
 *              a[7] |    |    |     |    |
 *                   +----+----+-----+----+
 *              of row i of As
 *
 * Do      TODO 10.1 to 10.6, about 33 lines.
 * Run     make lab-10             on the device at hand
 *         make lab-10 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 0.25 shared loads per multiply-add, where lab 09
 *         has 1.0; 1.0 wavefronts per request of the loads of As and Bs.
 * Advice  A thread's 8 columns need not be neighbours. Which columns should
 *         lanes 0, 1 and 2 of a warp read together from a row of Bs?
 */
#include "lab.h"

#define ROWS    128             /* of C, a block */
#define COLS    128             /* of C, a block */
#define DEPTH   16              /* steps along k, a tile of A and of B */
#define OWN     8               /* rows of C a thread, and columns */
#define ACROSS  (COLS / OWN)    /* threads side by side */
#define DOWN    (ROWS / OWN)    /* threads one below the other */
#define THREADS (ACROSS * DOWN) /* of a block */
#define AS_ROW  (ROWS + 2)      /* stores of As meet 32 banks (lab 07) */

/* What a thread fetches: A_SHARE elements of A's tile, A_APART rows from one to
   the next, and B_SHARE of B's, B_APART steps from one to the next. */
#define A_APART (THREADS / DEPTH)
#define B_APART (THREADS / COLS)
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/*
 * Fetches this thread's part of the tiles that begin at step t into a and b.
 * A row or column past an edge becomes the last one, and what is made of it
 * never gets into C. Past the end of k there are zeros, which add nothing.
 */
static __device__ void fetch(const float *A, const float *B, int m, int n,
                             int k, int t, float *a, float *b)
{
    const int a_row = blockIdx.y * ROWS + threadIdx.x / DEPTH;
    const int a_step = t + threadIdx.x % DEPTH;
    const int b_col = blockIdx.x * COLS + threadIdx.x % COLS;
    const int b_step = t + threadIdx.x / COLS;

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int row = min(a_row + i * A_APART, m - 1);

        a[i] = a_step < k ? A[row * k + a_step] : 0.0f;
    }

    /* TODO 10.1 (5 lines): fetch the part of B in the same way. Lanes take
     * neighbouring columns, and steps are B_APART apart. */
}

/* Stores what fetch() has fetched; As is transposed. */
static __device__ void store(float (*As)[AS_ROW], float (*Bs)[COLS],
                             const float *a, const float *b)
{
#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        As[threadIdx.x % DEPTH][threadIdx.x / DEPTH + i * A_APART] = a[i];
    }

    /* TODO 10.2 (3 lines): store the part of B. */
}

/*
 * One thread computes OWN x OWN elements of C, rows DOWN apart and columns
 * ACROSS apart.
 * Launch with block (THREADS, 1) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of anything.
 */
__global__ void __launch_bounds__(THREADS, 2)
    matmul_registers(const float *A, const float *B, float *C, int m, int n,
                     int k)
{
    __shared__ float As[2][DEPTH][AS_ROW]; /* two tiles of A, transposed */
    __shared__ float Bs[2][DEPTH][COLS];   /* two tiles of B */

    /* TODO 10.3 (2 lines): choose the first row and the first column of this
     * thread in the block. A warp that reads Bs should meet 32 banks. */
    const int own_row = 0;
    const int own_col = 0;
    float next_a[A_SHARE], next_b[B_SHARE];
    float sum[OWN][OWN] = {{0.0f}};

    fetch(A, B, m, n, k, 0, next_a, next_b);
    store(As[0], Bs[0], next_a, next_b);
    __syncthreads(); /* the first tiles are complete */

    for (int t = 0; t < k; t += DEPTH) {
        const int now = t / DEPTH % 2;
        const bool more = t + DEPTH < k;

        if (more)
            fetch(A, B, m, n, k, t + DEPTH, next_a, next_b);

#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float a[OWN], b[OWN];

            /* TODO 10.4 (8 lines): load this thread's OWN elements of row i of
             * As into a, and those of Bs into b, loops unrolled (lab 07). */

            /* TODO 10.5 (5 lines): add the OWN x OWN products, unrolled. Here
             * nothing is loaded: how many multiply-adds is that a load? */
        }

        if (more)
            store(As[1 - now], Bs[1 - now], next_a, next_b);
        __syncthreads(); /* the next tiles are complete, and these are free */
    }

    /* TODO 10.6 (10 lines): store the sums inside of C, unrolled again. */
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_registers<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
