/*
 * Lab 14: the last per cents
 *
 * Idea    What lab 13 has gained in registers goes into more sums. With 8 x 16
 *         of them a step takes 6 loads of 16 bytes for 128 multiply-adds, where
 *         lab 13 has 4 for 64. The operands of the next step are loaded while
 *         this one is multiplied, so that none is waited for:
 *
 *           step      0    1    2    3   ...   12   ...  15    | 0
 *           B                   copy begins             wait  |
 *           A                   fetch         store           |
 *           operands  of 1 of 2 of 3 of 4 ... of 13 ... of 0  | of 1
 *
 *         The larger tile makes fewer blocks, and a small C has fewer than the
 *         chip has multiprocessors. Then several blocks share a tile of C, each
 *         takes a part of k, and they add up their sums with atomics.
 *
 * Do      TODO 14.1 to 14.4, 5 lines.
 * Run     make lab-14             on the device at hand
 *         make lab-14 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 0.0476 shared loads per multiply-add, where lab
 *         13 has 0.0625; on an H200 about the speed of cuBLAS.
 * Advice  The last step of a tile loads operands of the next tile. Which line
 *         must stand before it for that?
 */
#include "lab.h"

#include <cuda_pipeline_primitives.h>

#define ROWS         128 /* of C, a block */
#define COLS         256 /* of C, a block */
#define DEPTH        16  /* steps along k, a tile of A and of B */
#define OWN_ROWS     8   /* of C, a thread */
#define OWN_COLS     16  /* of C, a thread */
#define DOWN         8   /* lanes of a warp, one below the other */
#define ACROSS       4   /* lanes side by side */
#define WARP_ROWS    (DOWN * OWN_ROWS)
#define WARP_COLS    (ACROSS * OWN_COLS)
#define WARPS_ACROSS (COLS / WARP_COLS)
#define THREADS      (ROWS / WARP_ROWS * WARPS_ACROSS * 32) /* of a block */
#define AS_ROW       (ROWS + 4) /* a multiple of 4, for float4 */
#define FETCH_AT     2          /* the step in which the next tiles are begun */
#define STORE_AT     12         /* and that in which A's is stored */
/* Blocks that keep the chip busy: the multiprocessors of an H200. */
#define BLOCKS 132

/* --- how tiles are brought and C is stored: nothing to write ------------- */

/* What a thread brings: A_SHARE float4 of A's tile, A_APART rows from one to
   the next, and B_SHARE of B's, B_APART steps from one to the next. */
#define A_APART (THREADS / (DEPTH / 4))
#define B_APART (THREADS / (COLS / 4))
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/* A stage: A's tile, transposed, then B's; in elements. */
#define B_AT  (DEPTH * AS_ROW)
#define STAGE (B_AT + DEPTH * COLS)

/* What a thread brings next: from where, and to where. */
struct transfer {
    const float *a[A_SHARE]; /* one for each of its rows of A */
    const float *b;
    int b_last; /* elements of the row of B beyond *b */
    float *to_a, *to_b;
};

/* Which part of A's tile this thread brings, as in lab 12. */
static __device__ int fetched_row()
{
    return threadIdx.x / 2 % A_APART;
}

static __device__ int fetched_step()
{
    return (threadIdx.x % 2 + threadIdx.x / (2 * A_APART) * 2) * 4;
}

/* The four elements from `from` on, of which the first `left` count; zeros for
   the others. ALIGNED: rows begin at multiples of 16 bytes. */
template <bool ALIGNED>
static __device__ float4 fetch_four(const float *from, int left)
{
    float4 four = {0.0f, 0.0f, 0.0f, 0.0f};

    if (ALIGNED && left >= 4)
        return *(const float4 *)from;
    if (left > 0)
        four.x = from[0];
    if (left > 1)
        four.y = from[1];
    if (left > 2)
        four.z = from[2];
    if (left > 3)
        four.w = from[3];
    return four;
}

/*
 * Begins to bring the next tiles, of which `steps` steps are there; zeros for
 * the others. A's part comes into registers, B's into the stage.
 */
template <bool ALIGNED>
static __device__ void begin(struct transfer *next, int n, int steps, float4 *a)
{
    const int b_step = threadIdx.x / (COLS / 4);

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int left = steps == DEPTH ? 4 : steps - fetched_step();

        a[i] = fetch_four<ALIGNED>(next->a[i], left);
        next->a[i] += steps;
    }
#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const bool there = steps == DEPTH || b_step + i * B_APART < steps;
        float *to = next->to_b + i * B_APART * COLS;

        if (ALIGNED) {
            __pipeline_memcpy_async(to, next->b, 16, there ? 0 : 16);
        } else {
#pragma unroll
            for (int e = 0; e < 4; e++)
                __pipeline_memcpy_async(to + e, next->b + min(e, next->b_last),
                                        4, there ? 0 : 4);
        }
        next->b += (size_t)B_APART * n;
    }
    if (steps < DEPTH)
        next->b -= (size_t)(DEPTH - steps) * n;

    __pipeline_commit();
}

/* Stores A's part in the stage. */
static __device__ void store(const struct transfer *next, const float4 *a)
{
#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        float *to = next->to_a + i * A_APART;

        to[0] = a[i].x;
        to[AS_ROW] = a[i].y;
        to[2 * AS_ROW] = a[i].z;
        to[3 * AS_ROW] = a[i].w;
    }
}

/* Stores four sums at `to`, of which the first `left` are inside of C, or adds
   them to what is there. */
static __device__ void store_four(float *to, const float *sum, int left,
                                  bool aligned, bool add)
{
    if (aligned && left > 0) {
        const float4 four = {sum[0], sum[1], sum[2], sum[3]};

        if (!add) {
            *(float4 *)to = four;
            return;
        }
#if __CUDA_ARCH__ >= 900
        atomicAdd((float4 *)to, four); /* a third less time than by element */
        return;
#endif
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i < left && add)
            atomicAdd(&to[i], sum[i]);
        else if (i < left)
            to[i] = sum[i];
    }
}

/* Where this thread's transfers begin, for the block's tile of C at (row, col)
   and the part of k from k_begin on. */
template <bool ALIGNED>
static __device__ void aim(struct transfer *next, const float *A,
                           const float *B, float *shared, int row, int col,
                           int k_begin, int m, int n, int k)
{
    const int b_step = threadIdx.x / (COLS / 4);
    const int b_place = threadIdx.x % (COLS / 4) * 4;
    const int b_col = min(col + b_place, ALIGNED ? n - 4 : n - 1);

#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const int r = min(row + fetched_row() + i * A_APART, m - 1);

        next->a[i] = A + (size_t)r * k + k_begin + fetched_step();
    }
    next->b = B + (size_t)(k_begin + b_step) * n + b_col;
    next->b_last = n - 1 - b_col;
    next->to_a = shared + fetched_step() * AS_ROW + fetched_row();
    next->to_b = shared + B_AT + b_step * COLS + b_place;
}

/* Stores the sums of a thread, whose first one is that of (row, col), or adds
   them to C. */
static __device__ void store_sums(float *C, int row, int col, int m, int n,
                                  const float (*sum)[OWN_COLS], bool add)
{
#pragma unroll
    for (int r = 0; r < OWN_ROWS; r++) {
        const int c_row = row + r / 4 * 4 * DOWN + r % 4;

#pragma unroll
        for (int c = 0; c < OWN_COLS; c += 4) {
            const int c_col = col + c * ACROSS;

            if (c_row < m)
                store_four(C + (size_t)c_row * n + c_col, &sum[r][c], n - c_col,
                           n % 4 == 0, add);
        }
    }
}

/* --- new in this lab ------------------------------------------------------ */

/* Loads this thread's operands of step i, of which the first ones of step 0 are
   at As and Bs. */
static __device__ void load(const float *As, const float *Bs, int i, float *a,
                            float *b)
{
#pragma unroll
    for (int r = 0; r < OWN_ROWS; r += 4)
        *(float4 *)&a[r] = *(const float4 *)&As[i * AS_ROW + r * DOWN];
#pragma unroll
    for (int c = 0; c < OWN_COLS; c += 4) {
        /* TODO 14.1 (1 line): load the next four elements of B. How far is it
         * from four of them to the next four? */
        b[c] = Bs[i * COLS];
    }
}

/*
 * Adds the products of a and b to the sums, along a snake: so each multiply-add
 * has an operand in common with the one before, which need not be read from
 * the registers again (the handout says why that counts).
 */
static __device__ void multiply(const float *a, const float *b,
                                float (*sum)[OWN_COLS])
{
#pragma unroll
    for (int c = 0; c < OWN_COLS; c++) {
#pragma unroll
        for (int i = 0; i < OWN_ROWS; i++) {
            /* TODO 14.2 (1 line): in every other column go upwards. */
            const int r = i;

            sum[r][c] += a[r] * b[c];
        }
    }
}

/*
 * One thread computes OWN_ROWS x OWN_COLS elements of C, in squares of 4 x 4.
 * Launch with block (THREADS, 1), two stages of dynamic shared memory, and
 * enough blocks to cover C: x over the columns, y over the rows, z over parts
 * of `part` steps of k, a multiple of DEPTH. If there are several parts, C
 * begins as zeros. m, n and k need not be multiples of anything; ALIGNED: n and
 * k are multiples of 4.
 */
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS, 1)
    matmul_large(const float *A, const float *B, float *C, int m, int n, int k,
                 int part)
{
    extern __shared__ __align__(16) float shared[]; /* two stages */

    const int row = blockIdx.y * ROWS;
    const int col = blockIdx.x * COLS;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int own_row = warp / WARPS_ACROSS * WARP_ROWS + lane / 2 % DOWN * 4;
    const int own_col = warp % WARPS_ACROSS * WARP_COLS +
                        (lane % 2 + lane / (2 * DOWN) * 2) * 4;
    const int steps = min(part, k - (int)blockIdx.z * part);
    const int tiles = (steps + DEPTH - 1) / DEPTH;
    int to_other = STAGE; /* from this stage to the other one */
    struct transfer next;
    float4 next_a[A_SHARE];
    float a[2][OWN_ROWS], b[2][OWN_COLS];
    float sum[OWN_ROWS][OWN_COLS] = {{0.0f}};

    /* The first tile is the one that may be short, so that the others need not
       ask. */
    aim<ALIGNED>(&next, A, B, shared, row, col, blockIdx.z * part, m, n, k);
    begin<ALIGNED>(&next, n, steps - (tiles - 1) * DEPTH, next_a);
    store(&next, next_a);
    next.to_a += to_other;
    next.to_b += to_other;
    __pipeline_wait_prior(0);
    __syncthreads(); /* the first tiles are complete */
    /* This thread's operands in the stage in use. */
    const float *As = shared + own_row;
    const float *Bs = shared + B_AT + own_col;

    load(As, Bs, 0, a[0], b[0]);

#pragma unroll 1
    for (int t = tiles; t > 0; t--) {
        const bool more = t > 1;

#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            if (i == DEPTH - 1) { /* the load below is of the next tile */
                __pipeline_wait_prior(0);
                __syncthreads(); /* the next tiles are complete, these free */
                As += more ? to_other : 0;
                Bs += more ? to_other : 0;
                to_other = -to_other;
                next.to_a += to_other;
                next.to_b += to_other;
            }

            /* TODO 14.3 (1 line): load the operands of the step after this one,
             * which may be the next tile's first, into the half of a and b that
             * is free. */
            load(As, Bs, 0, a[1 - i % 2], b[1 - i % 2]);

            if (i == FETCH_AT && more)
                begin<ALIGNED>(&next, n, DEPTH, next_a);
            multiply(a[i % 2], b[i % 2], sum);
            if (i == STORE_AT && more)
                store(&next, next_a);
        }
    }
    store_sums(C, row + own_row, col + own_col, m, n, sum, gridDim.z > 1);
}

/* Launches the kernel. The matrices are in device memory. */
template <bool ALIGNED> static void launch(const struct lab_matmul *p)
{
    const dim3 block = {THREADS, 1, 1};
    const size_t bytes = 2 * STAGE * sizeof(float);
    const int tiles = lab_ceil_div(p->k, DEPTH);
    dim3 grid = {lab_ceil_div(p->n, COLS), lab_ceil_div(p->m, ROWS), 1};
    int parts = 1;

    /* TODO 14.4 (2 lines): double the parts of k as long as then there are at
     * most BLOCKS blocks in all, and each part has at least 4 tiles. */

    const int part = lab_ceil_div(tiles, parts) * DEPTH;

    grid.z = lab_ceil_div(p->k, part);
    if (grid.z > 1)
        LAB_CHECK(cudaMemsetAsync(p->C, 0, sizeof(float) * p->m * p->n));
    LAB_CHECK(cudaFuncSetAttribute(matmul_large<ALIGNED>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)bytes)); /* more than 48 KB */
    matmul_large<ALIGNED>
        <<<grid, block, bytes>>>(p->A, p->B, p->C, p->m, p->n, p->k, part);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}

void lab_launch(const struct lab_matmul *p)
{
    if (p->n % 4 == 0 && p->k % 4 == 0)
        launch<true>(p);
    else
        launch<false>(p);
}
