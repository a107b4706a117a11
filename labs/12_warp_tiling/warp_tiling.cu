/*
 * Lab 12: a tile for each warp
 *
 * Idea    Lab 11 needs few load instructions. But a warp's float4 of Bs lie 32
 *         bytes apart: half the banks are idle, and the others work twice.
 *         Here a warp owns a compact part of C, 64 rows by 32 columns. A lane
 *         has 8 x 8 elements of it, four squares of 4 x 4, so that lanes side
 *         by side read float4 side by side.
 *
 *                    |  16 columns   |  the same
 *                    +---+---+---+---+---+---+---
 *             4 rows | 0 | 1 |16 |17 | 0 | 1 | ...
 *                    +---+---+---+---+---+---+---
 *                    | 2 | 3 |18 |19 | 2 | 3 | ...
 *                    +---+---+---+---+---+---+---
 *                     ... to 14, 15, 30, 31, then once more
 *
 *         A request of 16 bytes is served by quarters of a warp, but by halves
 *         if lanes 0 and 1, 2 and 3, ... read the same 16 bytes, or lanes 0
 *         and 2, 1 and 3, ... (common/banks). Here both As and Bs have that.
 *
 * Do      TODO 12.1 to 12.5, about 10 lines.
 * Run     make lab-12             on the device at hand
 *         make lab-12 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 2.0 wavefronts per request of the loads of As
 *         and of Bs, where lab 11 has 2.0 and 8.0; 1.0 for the stores of As,
 *         where it has 2.0.
 * Advice  make map-12 draws which lane meets which bank in which wavefront.
 */
#include "lab.h"

#define ROWS         128          /* of C, a block */
#define COLS         128          /* of C, a block */
#define DEPTH        16           /* steps along k, a tile of A and of B */
#define OWN          8            /* rows of C a thread, and columns */
#define ACROSS       4            /* lanes of a warp side by side */
#define DOWN         8            /* lanes one below the other */
#define WARP_ROWS    (DOWN * OWN) /* of C, a warp */
#define WARP_COLS    (ACROSS * OWN)
#define WARPS_ACROSS (COLS / WARP_COLS)
#define THREADS      (ROWS / WARP_ROWS * WARPS_ACROSS * 32) /* of a block */
#define AS_ROW       (ROWS + 4)  /* a multiple of 4, for float4 */
#define A_QUADS      (DEPTH / 4) /* float4 in a row of A's tile */
#define B_QUADS      (COLS / 4)  /* and of B's */

/* What a thread fetches: A_SHARE float4 of A's tile, A_APART rows from one to
   the next, and B_SHARE of B's, B_APART steps from one to the next. */
#define A_APART (THREADS / A_QUADS)
#define B_APART (THREADS / B_QUADS)
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/* Which part of A's tile this thread fetches first: two lanes share 32 bytes of
   a row, a warp has 16 rows, so that its stores to As meet 32 banks. */
static __device__ int fetched_row()
{
    /* TODO 12.1 (1 line): choose the row, so that a warp has 16 of them. What
     * stands here is lab 11's: 8 rows, four lanes each. */
    return threadIdx.x / A_QUADS;
}

static __device__ int fetched_step()
{
    /* TODO 12.2 (1 line): choose the first of its four steps to go with that.
     * All threads together bring each element once. */
    return threadIdx.x % A_QUADS * 4;
}

/*
 * The four elements from `from` on, of which the first `left` are in the
 * matrix; zeros for the others. `aligned` is true if rows begin at multiples of
 * 16 bytes; then left is a multiple of 4.
 */
static __device__ float4 fetch_four(const float *from, int left, bool aligned)
{
    float4 four = {0.0f, 0.0f, 0.0f, 0.0f};

    if (aligned) {
        if (left > 0)
            four = *(const float4 *)from;
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
    const int a_row = blockIdx.y * ROWS + fetched_row();
    const int a_step = t + fetched_step();
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
    const int a_step = fetched_step();

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int row = fetched_row() + i * A_APART;

        As[a_step][row] = a[i].x;
        As[a_step + 1][row] = a[i].y;
        As[a_step + 2][row] = a[i].z;
        As[a_step + 3][row] = a[i].w;
    }

#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const int step = threadIdx.x / B_QUADS + i * B_APART;

        *(float4 *)&Bs[step][threadIdx.x % B_QUADS * 4] = b[i];
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
 * One thread computes OWN x OWN elements of C, in squares of 4 x 4.
 * Launch with block (THREADS, 1) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of anything. A, B
 * and C begin at multiples of 16 bytes, as cudaMalloc() promises.
 */
__global__ void __launch_bounds__(THREADS, 2)
    matmul_warps(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ __align__(16) float As[2][DEPTH][AS_ROW]; /* transposed */
    __shared__ __align__(16) float Bs[2][DEPTH][COLS];

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    /* TODO 12.3 (2 lines): find the lane's place in the drawing: which of DOWN
     * rows of squares it has, and which of ACROSS columns. */
    const int down = lane / ACROSS;
    const int across = lane % ACROSS;
    const int own_row = warp / WARPS_ACROSS * WARP_ROWS + down * 4;
    const int own_col = warp % WARPS_ACROSS * WARP_COLS + across * 4;
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

            /* TODO 12.4 (5 lines): load the elements of row i of As and of Bs.
             * Each four of them lie side by side. The next square is 4 * DOWN
             * rows on, and 4 * ACROSS columns. */

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
        /* TODO 12.5 (1 line): find the row of C that sum[r] is of. */
        const int row = m;

#pragma unroll
        for (int c = 0; c < OWN; c += 4) {
            const int col = blockIdx.x * COLS + own_col + c * ACROSS;

            if (row < m)
                store_four(&C[row * n + col], &sum[r][c], n - col, n % 4 == 0);
        }
    }
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};

    matmul_warps<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
