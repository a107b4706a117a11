/*
 * Lab 11: four elements at a time
 *
 * Idea    In lab 10 one instruction in five loads an element, and an
 *         instruction takes its turn however little it loads. A float4 is four
 *         neighbours of a row in one instruction, if its address is a multiple
 *         of 16 bytes.
 *
 *           float      |a|  |a|  |a|  |a|     4 instructions
 *           float4     | x    y    z    w |   1
 *
 *         A row of A begins at such an address only if k is a multiple of 4,
 *         and one of B or C only if n is. Other sizes go element by element.
 *
 * Do      TODO 11.1 to 11.5, about 18 lines.
 * Run     make lab-11             on the device at hand
 *         make lab-11 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 0.0625 shared loads per multiply-add, where
 *         lab 10 has 0.25; at 256 x 384 x 512 6,912 requests to global memory,
 *         where it has 27,648.
 * Advice  Where does the fourth element of a float4 lie, in A and in As? Only
 *         one of the two matrices can be copied as it is.
 */
#include "lab.h"

#define ROWS    128             /* of C, a block */
#define COLS    128             /* of C, a block */
#define DEPTH   16              /* steps along k, a tile of A and of B */
#define OWN     8               /* rows of C a thread, and columns */
#define ACROSS  (COLS / OWN)    /* threads side by side */
#define DOWN    (ROWS / OWN)    /* threads one below the other */
#define THREADS (ACROSS * DOWN) /* of a block */
#define AS_ROW  (ROWS + 4)      /* a multiple of 4, for float4 */
#define A_QUADS (DEPTH / 4)     /* float4 in a row of A's tile */
#define B_QUADS (COLS / 4)      /* and of B's */

/* What a thread fetches: A_SHARE float4 of A's tile, A_APART rows from one to
   the next, and B_SHARE of B's, B_APART steps from one to the next. */
#define A_APART (THREADS / A_QUADS)
#define B_APART (THREADS / B_QUADS)
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/*
 * The four elements from `from` on, of which the first `left` are in the
 * matrix; zeros for the others. `aligned` is true if rows begin at multiples of
 * 16 bytes; then left is a multiple of 4.
 */
static __device__ float4 fetch_four(const float *from, int left, bool aligned)
{
    float4 four = {0.0f, 0.0f, 0.0f, 0.0f};

    if (aligned) {
        /* TODO 11.1 (2 lines): fetch them with one instruction, unless there
         * are none left. */
    } else {
        if (left > 0)
            four.x = from[0];
        if (left > 1)
            four.y = from[1];
        if (left > 2)
            four.z = from[2];
        if (left > 3)
            four.w = from[3];
    }
    return four;
}

/*
 * Fetches this thread's part of the tiles that begin at step t into a and b.
 * A row past the edge becomes the last one, and what is made of it never gets
 * into C. Past the other edges there are zeros.
 */
static __device__ void fetch(const float *A, const float *B, int m, int n,
                             int k, int t, float4 *a, float4 *b)
{
    const int a_row = blockIdx.y * ROWS + threadIdx.x / A_QUADS;
    const int a_step = t + threadIdx.x % A_QUADS * 4;
    const int b_col = blockIdx.x * COLS + threadIdx.x % B_QUADS * 4;
    const int b_step = t + threadIdx.x / B_QUADS;

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int row = min(a_row + i * A_APART, m - 1);

        a[i] = fetch_four(&A[row * k + a_step], k - a_step, k % 4 == 0);
    }
#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const int step = b_step + i * B_APART;
        const int left = step < k ? n - b_col : 0;

        b[i] = fetch_four(&B[step * n + b_col], left, n % 4 == 0);
    }
}

/* Stores what fetch() has fetched; As is transposed. */
static __device__ void store(float (*As)[AS_ROW], float (*Bs)[COLS],
                             const float4 *a, const float4 *b)
{
    const int a_step = threadIdx.x % A_QUADS * 4;

    /* TODO 11.2 (8 lines): store the four elements of each a[i]: in As they
     * lie one below the other. */

#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const int step = threadIdx.x / B_QUADS + i * B_APART;

        /* TODO 11.3 (1 line): store b[i] with one instruction. */
    }
}

/* Stores four sums at `to`, of which the first `left` are inside of C. */
static __device__ void store_four(float *to, const float *sum, int left,
                                  bool aligned)
{
    if (aligned && left > 0) {
        *(float4 *)to = make_float4(sum[0], sum[1], sum[2], sum[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i < left)
            to[i] = sum[i];
    }
}

/*
 * One thread computes OWN x OWN neighbouring elements of C.
 * Launch with block (THREADS, 1) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of anything. A, B
 * and C begin at multiples of 16 bytes, as cudaMalloc() promises.
 */
__global__ void __launch_bounds__(THREADS, 2)
    matmul_vectorized(const float *A, const float *B, float *C, int m, int n,
                      int k)
{
    __shared__ __align__(16) float As[2][DEPTH][AS_ROW]; /* transposed */
    __shared__ __align__(16) float Bs[2][DEPTH][COLS];

    const int own_row = threadIdx.x / ACROSS * OWN;
    const int own_col = threadIdx.x % ACROSS * OWN;
    float4 next_a[A_SHARE], next_b[B_SHARE];
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

            /* TODO 11.4 (5 lines): load the elements of row i of As and of Bs,
             * four at a time: *(float4 *)&a[0] is the first four of a. */

#pragma unroll
            for (int r = 0; r < OWN; r++)
#pragma unroll
                for (int c = 0; c < OWN; c++)
                    sum[r][c] += a[r] * b[c];
        }

        if (more)
            store(As[1 - now], Bs[1 - now], next_a, next_b);
        __syncthreads(); /* the next tiles are complete, and these are free */
    }

#pragma unroll
    for (int r = 0; r < OWN; r++) {
        const int row = blockIdx.y * ROWS + own_row + r;

#pragma unroll
        for (int c = 0; c < OWN; c += 4) {
            const int col = blockIdx.x * COLS + own_col + c;

            /* TODO 11.5 (2 lines): store four sums, if row is one of C's,
             * instead of this call. */
            store_four(C, &sum[r][c], 0, false);
        }
    }
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_vectorized<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
