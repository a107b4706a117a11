/*
 * Lab 17: a multiplication by four warps
 *
 * Idea    In lab 16 mma.sync still wants its operands in registers, and every
 *         warp loads them there. wgmma takes them from shared memory: four
 *         warps together multiply 64 x 16 of A by 16 x 256 of B, and go on
 *         while the tensor cores work. So the threads have little left to do
 *         but to wait, and the warps of a block divide that:
 *
 *           producer   waits for a stage to be empty, begins the copies to it
 *           consumers  wait for a stage to be full, multiply, give it back
 *
 *             stage      0      1      2      3      0      1
 *             producer   copy   copy   copy   copy   wait   copy ...
 *             consumers         mult.  mult.  mult.  mult.  mult. ...
 *
 *         The barrier `full` of a stage is that of lab 16. A second one,
 *         `empty`, takes the place of __syncthreads: each warp of the consumers
 *         arrives there when the stage may be overwritten.
 *
 * Do      TODO 17.1 to 17.4, 7 lines.
 * Run     make lab-17  on the CPU device too; for its speed, nvcc 12.5 or later
 *                      and a GPU of compute capability 9.0: H100, H200
 * Expect  PASS for every size, with 7 of 8 multiplications begun while the last
 *         one goes on; at 4096 x 4096 x 4096 on an H200 about the speed of
 *         cuBLAS with the same elements.
 * Advice  Which barrier does each side wait for, and who completes it? Draw it
 *         before you write. The CPU device says who waits for whom if nobody
 *         can go on; a GPU stops the kernel after two seconds with an error.
 */
#include "lab.h"

#include "hopper.h"

#define ROWS      128 /* of C, a tile */
#define COLS      256 /* of C, a tile */
#define DEPTH     64  /* steps along k, a tile of A and of B */
#define STAGES    4   /* tiles that are in flight or in use */
#define GROUP     16 /* rows of tiles that take turns: they share tiles in L2 */
#define CONSUMERS 2  /* warpgroups that multiply, each 64 rows of C */
#define THREADS   ((1 + CONSUMERS) * 128)
#define ARRIVALS  (CONSUMERS * 4) /* of each warp one, for an empty stage */
#define SUMS      (COLS / 2)      /* of a thread: 64 x COLS of 128 threads */

/* In bytes. A row of a tile in shared memory has 128, the most that is
   swizzled: 64 elements. So A's tile is one part, B's has COLS / 64, each with
   its 64 columns of all steps, and C is stored in parts of 64 x 64. */
#define ROW    128
#define A_TILE (ROWS * ROW)
#define B_PART (DEPTH * ROW)
#define C_PART (64 * ROW)
#define STAGE  (A_TILE + COLS / 64 * B_PART)
#define C_PARTS \
    (CONSUMERS * 2 * C_PART) /* two parts a consumer: one is filled
                                            while the other is copied */
#define SHARED (STAGES * STAGE + C_PARTS + 2 * STAGES * 8)

/* Where in shared memory stage s, its two barriers and C's parts are. */
struct layout {
    unsigned stages, c_parts, full, empty;
};

/* Which stage is in use, and the parity of its barriers' phase. */
struct turn {
    int stage, parity;
};

struct maps {
    CUtensorMap A, B, C;
};

/* --- phases, the order of tiles, and how C is stored: nothing to write ---- */

/* The next stage; the first one again after the last, in the next phase. */
static __device__ void advance(struct turn *turn)
{
    turn->stage++;
    if (turn->stage == STAGES) {
        turn->stage = 0;
        turn->parity ^= 1;
    }
}

/* The place of the number-th tile of C. Tiles that are near each other in
   number use the same tiles of A or B, which are then in the L2 cache. */
static __device__ void find_tile(int number, int m, int n, int *row, int *col)
{
    const int down = (m + ROWS - 1) / ROWS;
    const int across = (n + COLS - 1) / COLS;
    const int group = number / (GROUP * across);
    const int in_group = number % (GROUP * across);
    const int height = min(GROUP, down - group * GROUP);

    *row = (group * GROUP + in_group % height) * ROWS;
    *col = in_group / height * COLS;
}

/* Stores a consumer's sums as bf16, from (row, col) of C on: by way of shared
   memory, 64 columns at a time. */
static __device__ void store(const CUtensorMap *C, const struct layout *at,
                             int w, int row, int col, const float (&sum)[SUMS])
{
    const int thread = threadIdx.x % 128; /* of the warpgroup */
    const int lane = thread % 32;
    const int r = thread / 32 * 16 + lane % 16; /* whose pieces it points at */

#pragma unroll
    for (int part = 0; part < COLS / 64; part++) {
        const unsigned Cs = at->c_parts + (w * 2 + part % 2) * C_PART;

        if (thread == 0) /* of 64 columns one tile after another has part 0 */
            tile_store_wait_read<COLS == 64 ? 0 : 1>();
        warpgroup_sync(1 + w); /* the part is free */
#pragma unroll
        for (int piece = 0; piece < 8; piece += 2) {
            const float *d = &sum[part * 32 + piece * 4];
            /* Rows 0 to 7 and 8 to 15, then the same of the next piece. */
            const unsigned x[4] = {bf16_pair(d[0], d[1]), bf16_pair(d[2], d[3]),
                                   bf16_pair(d[4], d[5]),
                                   bf16_pair(d[6], d[7])};
            const int p = piece + lane / 16;

            /* Piece p of row r is at its swizzled place. */
            stmatrix(Cs + r * ROW + (p ^ r % 8) * 16, x);
        }
        shared_written();
        warpgroup_sync(1 + w); /* the part is complete */
        if (thread == 0)
            tile_store(C, row + w * 64, col + part * 64, Cs);
    }
}

/* The same from registers, where no copy of a tile can: rows of C that do not
   begin at multiples of 16 bytes. wgmma says which lane has what. */
static __device__ void store_any(unsigned short *C, int m, int n, int w,
                                 int row, int col, const float (&sum)[SUMS])
{
    const int lane = threadIdx.x % 32;
    const int r = row + w * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4;
    const int c = col + lane % 4 * 2;

#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        const int i_row = r + i / 2 % 2 * 8;
        const int i_col = c + i / 4 * 8 + i % 2;

        if (i_row < m && i_col < n)
            C[(size_t)i_row * n + i_col] = bf16_pair(sum[i], 0.0f) & 0xffff;
    }
}

static int multiprocessors()
{
    int device, count;

    LAB_CHECK(cudaGetDevice(&device));
    LAB_CHECK(
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

/* --- new in this lab ------------------------------------------------------ */

/* Brings the tiles of A and B for one tile of C. One thread does it. */
static __device__ void produce(const struct maps *maps, const struct layout *at,
                               int row, int col, int k, struct turn *turn)
{
    for (int step = 0; step < k; step += DEPTH) {
        const unsigned full = at->full + turn->stage * 8;
        const unsigned empty = at->empty + turn->stage * 8;
        const unsigned As = at->stages + turn->stage * STAGE;
        const unsigned Bs = As + A_TILE;

        /* TODO 17.1 (1 line): wait until the stage is empty. The stages begin
         * empty: which parity counts as complete before the first phase
         * (lab 16)? */

        /* As in lab 16. */
        barrier_expect(full, STAGE);
        tile_load(As, &maps->A, row, step, full);
        for (int i = 0; i < COLS / 64; i++)
            tile_load(Bs + i * B_PART, &maps->B, step, col + i * 64, full);
        advance(turn);
    }
}

/* Multiplies 64 rows of A's tile by B's, for all of k. The tiles of consumer w
   begin w * 64 rows further down. */
static __device__ void multiply(const struct layout *at, int w, int k,
                                struct turn *turn, float (&sum)[SUMS])
{
    const bool lane_0 = threadIdx.x % 32 == 0; /* of its warp */
    unsigned last = 0; /* the barrier `empty` of the stage before; 0: none */

    /* In front of the loop: between batches ptxas would have to wait for them
       before it may touch the sums. */
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] = 0.0f;
    for (int step = 0; step < k; step += DEPTH) {
        const unsigned As = at->stages + turn->stage * STAGE + w * 64 * ROW;
        const unsigned Bs = at->stages + turn->stage * STAGE + A_TILE;

        /* TODO 17.2 (1 line): wait until the stage is full. */

        wgmma_begin();
#pragma unroll
        for (int i = 0; i < DEPTH; i += 16) {
            /* TODO 17.3 (2 lines): multiply 16 steps from step i on. How many
             * bytes after As do A's begin, whose rows go along k? And B's, of
             * which a step is a row? From 64 columns to the next are B_PART
             * bytes; A has no more than 64, and 0 will do. */
        }
        wgmma_commit();

        /* TODO 17.4 (3 lines): this batch may go on. When the one before it is
         * done, its stage is empty: one thread of each warp says so. */
        wgmma_wait<0>();
        last = at->empty + turn->stage * 8;
        advance(turn);
    }
    wgmma_wait<0>();
    if (lane_0)
        barrier_arrive(last);
}

/*
 * Computes tiles of C, each block its share. Launch with block (THREADS, 1),
 * SHARED bytes of dynamic shared memory, and as many blocks as there are
 * multiprocessors, or tiles if these are fewer. C is used, and not its map, if
 * n is no multiple of 8.
 */
__global__ void __launch_bounds__(THREADS, 1)
    matmul_warpgroups(const __grid_constant__ struct maps maps,
                      unsigned short *C, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char shared[]; /* SHARED */

    const int tiles = (m + ROWS - 1) / ROWS * ((n + COLS - 1) / COLS);
    const int warpgroup = threadIdx.x / 128;
    struct turn turn = {0, 0};
    struct layout at;
    int row, col;

    at.stages = shared_address(shared);
    at.c_parts = at.stages + STAGES * STAGE;
    at.full = at.c_parts + C_PARTS;
    at.empty = at.full + STAGES * 8;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(at.full + s * 8, 1); /* the producer, and the bytes */
            barrier_init(at.empty + s * 8, ARRIVALS);
        }
        barrier_init_done();
    }
    __syncthreads(); /* the barriers are there */

    if (warpgroup == 0) {
        registers_fewer<40>();
        for (int t = blockIdx.x; threadIdx.x == 0 && t < tiles;
             t += gridDim.x) {
            find_tile(t, m, n, &row, &col);
            produce(&maps, &at, row, col, k, &turn);
        }
    } else {
        float sum[SUMS];

        registers_more<232>();
        for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
            find_tile(t, m, n, &row, &col);
            multiply(&at, warpgroup - 1, k, &turn, sum);
            if (n % 8 == 0)
                store(&maps.C, &at, warpgroup - 1, row, col, sum);
            else
                store_any(C, m, n, warpgroup - 1, row, col, sum);
        }
        if (threadIdx.x % 128 == 0)
            tile_store_wait();
    }
}

/* Launches the kernel, after copies of A and B if their rows need that. The
   matrices are in device memory. */
void lab_launch_bf16(const struct lab_matmul_bf16 *p)
{
    const struct matrix A = align(p->A, p->m, p->k);
    const struct matrix B = align(p->B, p->k, p->n);
    const struct matrix C = {p->C, p->m, p->n, p->n};
    const int tiles =
        (int)(lab_ceil_div(p->m, ROWS) * lab_ceil_div(p->n, COLS));
    struct maps maps = {};

    maps.A = describe(&A, ROWS);
    maps.B = describe(&B, DEPTH);
    if (p->n % 8 == 0)
        maps.C = describe(&C, 64);
    LAB_CHECK(cudaFuncSetAttribute(matmul_warpgroups,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   SHARED)); /* more than 48 KB */
    matmul_warpgroups<<<min(tiles, multiprocessors()), THREADS, SHARED>>>(
        maps, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
    take_back(&A);
    take_back(&B);
}
