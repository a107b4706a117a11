/*
 * Lab 16: one thread copies a tile
 *
 * Idea    In lab 15 all threads of a block bring a tile together, 16 bytes each
 *         at a time, and each computes where its pieces come from and go to. On
 *         a Hopper GPU one instruction of one thread copies the whole tile. It
 *         puts the pieces in their swizzled places, and zeros where the matrix
 *         has ended. The other threads only have to know when it has come:
 *
 *           barrier of a stage   phase 0           phase 1           phase 2
 *           one thread           announce, copy    announce, copy    ...
 *           bytes to come        32768 ... 0       32768 ... 0
 *           all threads          wait(0) returns   wait(1) returns
 *
 *         A barrier in shared memory counts the bytes. A phase is complete when
 *         the announced bytes have come; then the next one begins. The elements
 *         are bf16, the sums float; C is rounded to bf16 at the end. All else
 *         is as in lab 15: mma.sync, three stages, two blocks a multiprocessor.
 *
 * Do      TODO 16.1 to 16.5, 8 lines.
 * Run     make lab-16  on the CPU device too; for its speed, a GPU of compute
 *                      capability 9.0 or later
 * Expect  PASS for every size; 0.0312 bytes copied for each multiply-add, and
 *         no load instruction for A or B.
 * Advice  Stage 0 has the tiles 0, 3, 6 and so on. Write down which phase of
 *         its barrier each of them is.
 */
#include "lab.h"

#include "hopper.h"

#define ROWS         128 /* of C, a block */
#define COLS         128 /* of C, a block */
#define DEPTH        64  /* steps along k, a tile of A and of B */
#define WARP_ROWS    64  /* of C, a warp */
#define WARP_COLS    64
#define WARPS_ACROSS (COLS / WARP_COLS)
#define THREADS      (ROWS / WARP_ROWS * WARPS_ACROSS * 32) /* of a block */
#define BLOCKS       2 /* of a multiprocessor, at the same time */
#define STAGES       3 /* tiles that are in flight or in use */
#define GROUP        8 /* rows of blocks that take turns, with tiles in L2 */

/* The small matrices: 16 x 16 of A, 16 x 8 of B, 16 x 8 of C. */
#define DOWN   (WARP_ROWS / 16) /* of a warp, one below the other */
#define ACROSS (WARP_COLS / 8)  /* side by side */

/* In bytes. A row of a tile in shared memory has 128, the most that a copy
   swizzles: 64 elements. So A's tile is one part, with rows along k; B's has
   two, each with its 64 columns of all steps. Piece p of row r is at place
   p ^ r % 8 of its row. */
#define ROW    128
#define A_TILE (ROWS * ROW)
#define B_PART (DEPTH * ROW)
#define STAGE  (A_TILE + COLS / 64 * B_PART)
#define SHARED (STAGES * STAGE + STAGES * 8)

struct maps {
    CUtensorMap A, B;
};

/* The operands of one step of 16 along k. */
struct operands {
    unsigned a[DOWN][4];
    unsigned b[ACROSS / 2][4]; /* of two side by side */
};

/* --- as in lab 15: nothing to write --------------------------------------- */

/* Which tile of C this block computes. */
static __device__ void find_tile(int m, int n, int *row, int *col)
{
    const int down = (m + ROWS - 1) / ROWS;
    const int across = (n + COLS - 1) / COLS;
    const int group = blockIdx.x / (GROUP * across);
    const int in_group = blockIdx.x % (GROUP * across);
    const int height = min(GROUP, down - group * GROUP);

    *row = (group * GROUP + in_group % height) * ROWS;
    *col = in_group / height * COLS;
}

/* Multiplies all small matrices of 16 steps, along a snake. */
static __device__ void multiply(const struct operands *x,
                                float (*sum)[ACROSS][4])
{
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int across = 0; across < ACROSS; across++) {
            const int j = i % 2 ? ACROSS - 1 - across : across;

            mma(sum[i][j], x->a[i], x->b[j / 2][j % 2 * 2],
                x->b[j / 2][j % 2 * 2 + 1]);
        }
    }
}

/* Stores the warp's sums as bf16, from (row, col) of C on: c0 and c1 of a small
   matrix are neighbours in a row, c2 and c3 are 8 rows below. */
static __device__ void store(unsigned short *C, int m, int n, int row, int col,
                             const float (*sum)[ACROSS][4])
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;

#pragma unroll
    for (int i = 0; i < DOWN * 2; i++) {
        const int r = row + i * 8 + g;

#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            const float *pair = &sum[i / 2][j][i % 2 * 2];
            const unsigned two = bf16_pair(pair[0], pair[1]);
            const int c = col + j * 8 + t * 2;
            unsigned short *to = C + (size_t)r * n + c;

            if (r >= m || c >= n)
                continue;
            if (n % 2 == 0) {
                *(unsigned *)to = two;
                continue;
            }
            to[0] = two & 0xffff;
            if (c + 1 < n)
                to[1] = two >> 16;
        }
    }
}

/* --- new in this lab ------------------------------------------------------ */

/* Begins to copy tile t of A and of B to its stage, for the tile of C at (row,
   col). One thread does it. */
static __device__ void begin(const struct maps *maps, unsigned stages,
                             unsigned barriers, int t, int row, int col)
{
    const unsigned full = barriers + t % STAGES * 8;
    const unsigned As = stages + t % STAGES * STAGE;
    const unsigned Bs = As + A_TILE;

    /* TODO 16.1 (1 line): announce to the barrier how many bytes will come: all
     * of a stage, those outside of the matrix too. */
    barrier_expect(full, STAGE);
    /* end 16.1 */

    /* TODO 16.2 (3 lines): begin to copy A's tile, from row `row` and step t *
     * DEPTH on, and each of B's parts, from step t * DEPTH and its first
     * column on. */
    tile_load(As, &maps->A, row, t * DEPTH, full);
    for (int j = 0; j < COLS / 64; j++)
        tile_load(Bs + j * B_PART, &maps->B, t * DEPTH, col + j * 64, full);
    /* end 16.2 */
}

/* Loads this lane's operands of 16 steps, from step on, for the warp's part
   from (row, col) of the tiles on. */
static __device__ void load(unsigned stage, int row, int col, int step,
                            struct operands *x)
{
    const int lane = threadIdx.x % 32;
    const unsigned Bs = stage + A_TILE + col / 64 * B_PART;

    /* A: lanes 0 to 15 point at the piece of 8 steps, 16 to 31 at the next. */
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        const int r = row + i * 16 + lane % 16;
        const int p = step / 8 + lane / 16;

        ldmatrix(x->a[i], stage + r * ROW + (p ^ r % 8) * 16);
    }
    /* B: rows are steps, and pieces columns. Two small matrices at once. */
#pragma unroll
    for (int j = 0; j < ACROSS / 2; j++) {
        const int s = step + lane % 16;
        const int p = col % 64 / 8 + j * 2 + lane / 16;

        /* TODO 16.3 (1 line): load b0 and b1 of two small matrices from piece
         * p of row s, transposed: mma wants neighbours along k. */
        ldmatrix_transposed(x->b[j], Bs + s * ROW + (p ^ s % 8) * 16);
        /* skeleton: x->b[j][0] = x->b[j][1] = s; */
        /* skeleton: x->b[j][2] = x->b[j][3] = p; */
        /* end 16.3 */
    }
}

/*
 * A warp computes WARP_ROWS x WARP_COLS elements of C. Launch with block
 * (THREADS, 1), SHARED bytes of dynamic shared memory, and one block for each
 * tile of C.
 */
__global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_bulk(const __grid_constant__ struct maps maps, unsigned short *C,
                int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char shared[]; /* SHARED */

    const unsigned stages = shared_address(shared);
    const unsigned barriers = stages + STAGES * STAGE;
    const int warp = threadIdx.x / 32;
    const int own_row = warp / WARPS_ACROSS * WARP_ROWS;
    const int own_col = warp % WARPS_ACROSS * WARP_COLS;
    const int tiles = (k + DEPTH - 1) / DEPTH;
    struct operands x[2];
    float sum[DOWN][ACROSS][4] = {{{0.0f}}};
    int row, col;

    find_tile(m, n, &row, &col);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(barriers + s * 8, 1); /* one announces the bytes */
        barrier_init_done();
        for (int t = 0; t < STAGES - 1 && t < tiles; t++)
            begin(&maps, stages, barriers, t, row, col);
    }
    __syncthreads(); /* the barriers are there */

    for (int t = 0; t < tiles; t++) {
        const unsigned stage = stages + t % STAGES * STAGE;
        const int far = t + STAGES - 1; /* the tile to begin */

        /* TODO 16.4 (1 line): tile t is the how-manieth in its stage? Phases
         * are counted from 0, and their parity is 0, 1, 0, 1, ... */
        const int parity = t / STAGES % 2;
        /* skeleton: const int parity = 0; */
        /* end 16.4 */

        /* TODO 16.5 (2 lines): wait until tile t is there, and then for the
         * other threads. */
        barrier_wait(barriers + t % STAGES * 8, parity);
        __syncthreads(); /* all are done with the tile before: it is free */
        /* end 16.5 */

        if (threadIdx.x == 0 && far < tiles)
            begin(&maps, stages, barriers, far, row, col);

        load(stage, own_row, own_col, 0, &x[0]);
#pragma unroll
        for (int s = 0; s < DEPTH; s += 16) {
            if (s + 16 < DEPTH)
                load(stage, own_row, own_col, s + 16, &x[(s / 16 + 1) % 2]);
            multiply(&x[s / 16 % 2], sum);
        }
    }
    store(C, m, n, row + own_row, col + own_col, sum);
}

/* Launches the kernel, after copies of A and B if their rows need that. The
   matrices are in device memory; tile_maps.h describes them. */
void lab_launch_bf16(const struct lab_matmul_bf16 *p)
{
    const struct matrix A = align(p->A, p->m, p->k);
    const struct matrix B = align(p->B, p->k, p->n);
    const unsigned tiles = lab_ceil_div(p->m, ROWS) * lab_ceil_div(p->n, COLS);
    const struct maps maps = {describe(&A, ROWS), describe(&B, DEPTH)};

    LAB_CHECK(cudaFuncSetAttribute(matmul_bulk,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   SHARED)); /* more than 48 KB */
    matmul_bulk<<<tiles, THREADS, SHARED>>>(maps, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
    take_back(&A);
    take_back(&B);
}
