/*
 * Lab 13: copies that go on by themselves
 *
 * Idea    In lab 12 each element of B is loaded into a register, waits there
 *         while a tile is multiplied, and is then stored to shared memory. An
 *         asynchronous copy needs neither the register nor the store: the
 *         thread begins it, multiplies, and waits for it before the barrier.
 *
 *           step      0    1    2    3   ...   12    13   ...  15
 *           stage 0   multiply        ...                          | wait,
 *           B              copy to stage 1 goes on ...             | barrier
 *           A              fetch           ...   store to stage 1  |
 *
 *         A stage is the room for one tile of A and one of B. While one stage
 *         is multiplied, the other one is filled; then they change places. A is
 *         transposed on its way, and a copy moves bytes as they are: so A still
 *         goes through registers. All else is as in lab 12.
 *
 * Do      TODO 13.1 to 13.5, 7 lines.
 * Run     make lab-13             on the device at hand
 *         make lab-13 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; all loads of B are asynchronous, where lab 12
 *         has none.
 * Advice  A wait concerns the thread's own copies. Which two lines together say
 *         that the whole tile is there?
 */
#include "lab.h"

#include <cuda_pipeline_primitives.h>

/* --- as in lab 12: nothing to write, and nothing new ---------------------- */

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

/* What a thread brings: A_SHARE float4 of A's tile, A_APART rows from one to
   the next, and B_SHARE of B's, B_APART steps from one to the next. */
#define A_APART (THREADS / A_QUADS)
#define B_APART (THREADS / B_QUADS)
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/* Which part of A's tile this thread fetches first, so that a warp's stores to
   As meet 32 banks. */
static __device__ int fetched_row()
{
    return threadIdx.x / 2 % A_APART;
}

static __device__ int fetched_step()
{
    return (threadIdx.x % 2 + threadIdx.x / (2 * A_APART) * 2) * 4;
}

/* The four elements from `from` on, of which the first `left` are in the
   matrix; zeros for the others. */
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

/* Fetches this thread's part of A's tile that begins at step t. */
static __device__ void fetch(const float *A, int m, int k, int t, float4 *a)
{
    const int a_row = blockIdx.y * ROWS + fetched_row();
    const int a_step = t + fetched_step();

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int row = min(a_row + i * A_APART, m - 1);

        a[i] = fetch_four(&A[row * k + a_step], k - a_step, k % 4 == 0);
    }
}

/* Stores what fetch() has fetched; As is transposed. */
static __device__ void store(float (*As)[AS_ROW], const float4 *a)
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
}

/* Adds the products of one step to the sums of this thread, whose elements of
   it begin at a and b. */
static __device__ void multiply(const float *As, const float *Bs,
                                float (*sum)[OWN])
{
    float a[OWN], b[OWN];

#pragma unroll
    for (int e = 0; e < OWN; e += 4) {
        *(float4 *)&a[e] = *(const float4 *)&As[e * DOWN];
        *(float4 *)&b[e] = *(const float4 *)&Bs[e * ACROSS];
    }

#pragma unroll
    for (int r = 0; r < OWN; r++)
#pragma unroll
        for (int c = 0; c < OWN; c++)
            sum[r][c] += a[r] * b[c];
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

/* --- new in this lab ------------------------------------------------------ */

#define BEGIN_AT 1  /* the step in which the next tiles are begun */
#define STORE_AT 12 /* and that in which A's is stored */

/*
 * Begins to copy four elements to shared memory, of which the first `left` are
 * in the matrix; zeros for the others. A copy of nothing reads nothing,
 * wherever `from` is.
 */
static __device__ void begin_four(float *to, const float *from, int left,
                                  bool aligned)
{
    if (aligned) {
        /* TODO 13.1 (1 line): begin a copy of 16 bytes from `from` to `to`. If
         * none are left, all 16 become zeros: the last argument. */
        __pipeline_memcpy_async(to, from, 16, left > 0 ? 0 : 16);
        /* end 13.1 */
    } else {
#pragma unroll
        for (int e = 0; e < 4; e++)
            __pipeline_memcpy_async(to + e, from + e, 4, e < left ? 0 : 4);
    }
}

/* Begins to copy this thread's part of B's tile that begins at step t to Bs. */
static __device__ void begin(const float *B, int n, int k, int t,
                             float (*Bs)[COLS])
{
    const int b_step = threadIdx.x / B_QUADS;
    const int b_place = threadIdx.x % B_QUADS * 4;
    const int b_col = blockIdx.x * COLS + b_place;

#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const int step = b_step + i * B_APART;
        const int left = t + step < k ? n - b_col : 0;

        begin_four(&Bs[step][b_place], &B[(t + step) * n + b_col], left,
                   n % 4 == 0);
    }

    /* TODO 13.2 (1 line): what has been begun is one batch, to wait for. */
    __pipeline_commit();
    /* end 13.2 */
}

/*
 * One thread computes OWN x OWN elements of C, in squares of 4 x 4.
 * Launch with block (THREADS, 1) and enough blocks to cover C: x over the
 * columns, y over the rows. m, n and k need not be multiples of anything. A, B
 * and C begin at multiples of 16 bytes, as cudaMalloc() promises.
 */
__global__ void __launch_bounds__(THREADS, 2)
    matmul_async(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ __align__(16) float As[2][DEPTH][AS_ROW]; /* transposed */
    __shared__ __align__(16) float Bs[2][DEPTH][COLS];

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int own_row = warp / WARPS_ACROSS * WARP_ROWS + lane / 2 % DOWN * 4;
    const int own_col = warp % WARPS_ACROSS * WARP_COLS +
                        (lane % 2 + lane / (2 * DOWN) * 2) * 4;
    float4 next_a[A_SHARE];
    float sum[OWN][OWN] = {{0.0f}};

    begin(B, n, k, 0, Bs[0]);
    fetch(A, m, k, 0, next_a);
    store(As[0], next_a);
    /* TODO 13.3 (2 lines): wait for this thread's copies, and then for the
     * other threads. */
    __pipeline_wait_prior(0);
    __syncthreads(); /* the first tiles are complete */
    /* end 13.3 */

    for (int t = 0; t < k; t += DEPTH) {
        const int now = t / DEPTH % 2; /* the stage that is multiplied */
        const bool more = t + DEPTH < k;

#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            if (i == BEGIN_AT && more) {
                /* TODO 13.4 (1 line): begin to copy B's next tile. Which of the
                 * two stages is free, and at which step does the tile begin? */
                begin(B, n, k, t + DEPTH, Bs[1 - now]);
                /* end 13.4 */
                fetch(A, m, k, t + DEPTH, next_a);
            }
            multiply(&As[now][i][own_row], &Bs[now][i][own_col], sum);
            if (i == STORE_AT && more)
                store(As[1 - now], next_a);
        }

        /* TODO 13.5 (2 lines): the same two as in 13.3. What else may begin
         * once all threads are here? */
        __pipeline_wait_prior(0);
        __syncthreads(); /* the next tiles are complete, and these are free */
        /* end 13.5 */
    }

#pragma unroll
    for (int r = 0; r < OWN; r++) {
        const int row = blockIdx.y * ROWS + own_row + r / 4 * 4 * DOWN + r % 4;

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

    matmul_async<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
