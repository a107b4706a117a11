/*
 * Lab 15: tensor cores
 *
 * Idea    Until now a multiply-add was an instruction of a thread. Beside the
 *         lanes a multiprocessor has tensor cores, and to them a warp gives
 *         small matrices: mma.sync multiplies 16 x 8 of A by 8 x 8 of B and
 *         adds the product to 16 x 8 of C, 1024 multiply-adds an instruction.
 *         All three lie in the warp's registers, a few elements a lane:
 *
 *             one row of C:  c0 of lane 0, c1 of lane 0, c0 of lane 1, ...
 *             g = lane / 4, t = lane % 4
 *             A  a0 (g, t)  a1 (g + 8, t)  a2 (g, t + 4)  a3 (g + 8, t + 4)
 *             B  b0 (t, g)  b1 (t + 4, g)
 *             C  c0 (g, 2t) c1 (g, 2t + 1) c2 (g + 8, 2t) c3 (g + 8, 2t + 1)
 *
 *         The price: the factors are TF32, floats whose significand has 11 bits
 *         instead of 24. Products and sums are as before.
 *
 * Do      TODO 15.1 to 15.6, about 8 lines.
 * Run     make lab-15  on the CPU device too; for its speed, a GPU of compute
 *                      capability 8.0 or later
 * Expect  PASS for every size, with the error that TF32 allows; at 4096 x 4096
 *         x 4096 on an H200 about four times the speed of lab 14.
 * Advice  Take a lane, say 5, and write down which elements it holds.
 */
#include "lab.h"

#include <cuda_pipeline_primitives.h>

#define ROWS         128 /* of C, a block */
#define COLS         128 /* of C, a block */
#define DEPTH        32  /* steps along k, a tile of A and of B */
#define WARP_ROWS    64  /* of C, a warp */
#define WARP_COLS    64
#define WARPS_ACROSS (COLS / WARP_COLS)
#define THREADS      (ROWS / WARP_ROWS * WARPS_ACROSS * 32) /* of a block */
#define BLOCKS       2 /* of a multiprocessor, at the same time */
#define STAGES       3 /* tiles that are in flight or in use */
#define GROUP        8 /* rows of blocks that take turns, with tiles in L2 */

/* The small matrices: 16 x 8 of A, 8 x 8 of B, 16 x 8 of C. */
#define DOWN   (WARP_ROWS / 16) /* of a warp, one below the other */
#define ACROSS (WARP_COLS / 8)  /* side by side */

/*
 * A stage: A's tile, then B's; in elements.
 *
 * A's rows are 8 pieces of 4 elements, and piece p of row r is at place
 * p ^ r % 8: so the same piece of 8 rows lies in 32 different banks. B's rows
 * are 8 elements longer than they need be: the four rows that a warp reads
 * at once then lie in different banks.
 */
#define PIECES (DEPTH / 4)
#define BS_ROW (COLS + 8)
#define B_AT   (ROWS * DEPTH)
#define STAGE  (B_AT + DEPTH * BS_ROW)

/* What a thread brings: pieces of 4 elements, A_APART rows of A from one to the
   next, B_APART steps of B. */
#define A_APART (THREADS / PIECES)
#define B_APART (THREADS / (COLS / 4))
#define A_SHARE (ROWS / A_APART)
#define B_SHARE (DEPTH / B_APART)

/*
 * What the launch knows of the sizes: nothing; that n and k are multiples of 4,
 * so that pieces are whole; or that all tiles are, and no copy has to ask what
 * is there.
 */
enum {
    ANY_SIZE,
    WHOLE_PIECES,
    WHOLE_TILES
};

/* What a thread brings next: its first piece of A and of B. */
struct transfer {
    const float *a, *b;
    int a_left;           /* rows of A from there on */
    int b_left;           /* columns of B from there on */
    int a_step, b_step;   /* which of the tile's steps of k they are */
    int a_place, b_place; /* where they go, in a stage */
};

/* The operands of one step of 8 along k. */
struct operands {
    unsigned a[DOWN][4];
    unsigned b[2][ACROSS];
};

/*
 * TF32 has 10 fraction bits, a float 23. The tensor core drops the last 13,
 * which rounds towards zero: half of the last bit that stays, added
 * before, makes that the nearest.
 */
static __device__ unsigned rounded(unsigned bits)
{
    /* TODO 15.1 (1 line): add that half to the bits of the float. */
    return bits + 0x1000;
    /* skeleton: return bits; */
    /* end 15.1 */
}

/* C += A B for one small matrix of each. */
static __device__ void mma(float *c, const unsigned *a, unsigned b0,
                           unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

/*
 * Loads four matrices of 8 rows x 16 bytes from shared memory: lanes 0 to 7
 * point at the rows of the first, 8 to 15 at those of the second, and so on.
 * Lane l gets word l % 4 of row l / 4 of each.
 */
static __device__ void ldmatrix(unsigned *a, const float *row)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address)
                 : "memory");
}

/* Begins to copy four elements, of which the first `left` are there; zeros for
   the others. A copy of nothing reads nothing, wherever `from` is. */
template <int FIT>
static __device__ void begin_four(float *to, const float *from, int left)
{
    const int each = FIT == ANY_SIZE ? 1 : 4;

#pragma unroll
    for (int e = 0; e < 4; e += each)
        __pipeline_memcpy_async(to + e, from + e, each * sizeof(float),
                                e < left ? 0 : each * sizeof(float));
}

/* Begins to bring the next tiles, of which `steps` steps are there, or more. */
template <int FIT>
static __device__ void begin(struct transfer *next, float *stage, int steps,
                             int n, int k)
{
#pragma unroll
    for (int i = 0; i < A_SHARE; i++) {
        const bool there = i * A_APART < next->a_left;
        const int left = there ? steps - next->a_step : 0;

        begin_four<FIT>(stage + next->a_place + i * A_APART * DEPTH,
                        next->a + (unsigned)(i * A_APART) * k,
                        FIT == WHOLE_TILES ? 4 : left);
    }
#pragma unroll
    for (int i = 0; i < B_SHARE; i++) {
        const bool there = next->b_step + i * B_APART < steps;
        const int left = there ? next->b_left : 0;

        begin_four<FIT>(stage + next->b_place + i * B_APART * BS_ROW,
                        next->b + (unsigned)(i * B_APART) * n,
                        FIT == WHOLE_TILES ? 4 : left);
    }
    next->a += DEPTH;
    next->b += (size_t)DEPTH * n;
}

/*
 * Loads this lane's operands of 8 steps, from step on, for the warp's part
 * from (row, col) of the tiles on.
 *
 * The columns of B are dealt out anew: a lane loads 4 neighbours at once, and
 * the small matrices 4 j to 4 j + 3 get one each. So the column g of small
 * matrix 4 j + e is column 32 j + 4 g + e of the warp's.
 */
static __device__ void load(const float *stage, int row, int col, int step,
                            struct operands *x)
{
    const int lane = threadIdx.x % 32;
    const int g = lane / 4, t = lane % 4;

#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        const int r = row + i * 16 + lane % 16;
        const int piece = step / 4 + lane / 16;

        /* TODO 15.2 (1 line): load a0 to a3 from `piece` of row r, which is at
         * another place of the row: see above at STAGE. */
        ldmatrix(x->a[i], stage + r * DEPTH + (piece ^ r % PIECES) * 4);
        /* skeleton: x->a[i][0] = x->a[i][1] = x->a[i][2] = x->a[i][3] = 0; */
        /* end 15.2 */
#pragma unroll
        for (int q = 0; q < 4; q++)
            x->a[i][q] = rounded(x->a[i][q]);
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int j = 0; j < ACROSS; j += 4) {
            /* TODO 15.3 (1 line): of which step are b0 (half 0) and b1 (half 1)
             * of this lane? */
            const int s = step + t + half * 4;
            /* skeleton: const int s = step; */
            /* end 15.3 */
            const float4 four = *(const float4 *)(stage + B_AT + s * BS_ROW +
                                                  col + j * 8 + g * 4);

            x->b[half][j] = rounded(__float_as_uint(four.x));
            x->b[half][j + 1] = rounded(__float_as_uint(four.y));
            x->b[half][j + 2] = rounded(__float_as_uint(four.z));
            x->b[half][j + 3] = rounded(__float_as_uint(four.w));
        }
    }
}

/* Multiplies all small matrices of 8 steps, along a snake as in lab 14. */
static __device__ void multiply(const struct operands *x,
                                float (*sum)[ACROSS][4])
{
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int across = 0; across < ACROSS; across++) {
            const int j = i % 2 ? ACROSS - 1 - across : across;

            /* TODO 15.4 (1 line): add the product of the i-th matrix of A and
             * the j-th of B to sum[i][j]. */
            mma(sum[i][j], x->a[i], x->b[0][j], x->b[1][j]);
            /* end 15.4 */
        }
    }
}

/* Stores the warp's sums, from (row, col) of C on. */
template <int FIT>
static __device__ void store(const struct lab_matmul *p, int row, int col,
                             const float (*sum)[ACROSS][4])
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;

#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int e = 0; e < 4; e++) { /* c0 to c3 */
            /* TODO 15.5 (2 lines): the row of c0 to c3, and the column that e
             * gets, if j is 0: columns are dealt out as in load. */
            const int r = row + i * 16 + g + e / 2 * 8;
            const int first = col + (2 * t + e % 2) * 4;
            /* skeleton: const int r = row + i * 16, first = col; */
            /* end 15.5 */

#pragma unroll
            for (int j = 0; j < ACROSS; j += 4) {
                const int c = first + j * 8;
                float *to = p->C + (size_t)r * p->n + c;
                const float4 four = {sum[i][j][e], sum[i][j + 1][e],
                                     sum[i][j + 2][e], sum[i][j + 3][e]};

                if (r >= p->m || c >= p->n)
                    continue;
                if (FIT != ANY_SIZE) {
                    *(float4 *)to = four;
                    continue;
                }
                to[0] = four.x;
                if (c + 1 < p->n)
                    to[1] = four.y;
                if (c + 2 < p->n)
                    to[2] = four.z;
                if (c + 3 < p->n)
                    to[3] = four.w;
            }
        }
    }
}

/* Waits for the oldest tile that nobody waited for. */
static __device__ void wait_for_tile(void)
{
    /* TODO 15.6 (2 lines): wait until at most STAGES - 2 batches are on their
     * way, then for the other threads. */
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); /* the tile is complete, the stage before it free */
    /* end 15.6 */
}

/*
 * A warp computes WARP_ROWS x WARP_COLS elements of C. Launch with block
 * (THREADS, 1), STAGES stages of dynamic shared memory, and one block for each
 * tile of C.
 *
 * The operands of a step are loaded a step before, also those of a tile's first
 * step: the tensor cores work while a warp waits for the next tile.
 */
template <int FIT>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_tensor(struct lab_matmul p)
{
    extern __shared__ __align__(16) float shared[]; /* STAGES stages */

    const int down = (p.m + ROWS - 1) / ROWS; /* tiles of C */
    const int across = (p.n + COLS - 1) / COLS;
    const int group = blockIdx.x / (GROUP * across);
    const int in_group = blockIdx.x % (GROUP * across);
    const int height = min(GROUP, down - group * GROUP);
    const int row = (group * GROUP + in_group % height) * ROWS;
    const int col = in_group / height * COLS;
    const int warp = threadIdx.x / 32;
    const int own_row = warp / WARPS_ACROSS * WARP_ROWS;
    const int own_col = warp % WARPS_ACROSS * WARP_COLS;
    const int tiles = (p.k + DEPTH - 1) / DEPTH;
    const int a_row = threadIdx.x / PIECES, a_piece = threadIdx.x % PIECES;
    const int b_step = threadIdx.x / (COLS / 4);
    const int b_col = threadIdx.x % (COLS / 4) * 4;
    struct transfer next = {p.A + (size_t)(row + a_row) * p.k + a_piece * 4,
                            p.B + (size_t)b_step * p.n + col + b_col,
                            p.m - row - a_row,
                            p.n - col - b_col,
                            a_piece * 4,
                            b_step,
                            a_row * DEPTH + (a_piece ^ a_row % PIECES) * 4,
                            B_AT + b_step * BS_ROW + b_col};
    struct operands x[2];
    float sum[DOWN][ACROSS][4] = {{{0.0f}}};

    /* The first tiles; as many batches as there would be. */
#pragma unroll
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles)
            begin<FIT>(&next, shared + t * STAGE, p.k - t * DEPTH, p.n, p.k);
        __pipeline_commit();
    }
    wait_for_tile();
    load(shared, own_row, own_col, 0, &x[0]);

    for (int t = 0; t < tiles; t++) {
        const float *stage = shared + t % STAGES * STAGE;
        const int far = t + STAGES - 1; /* the tile to begin */
        /* The tile to load from last; behind the end, this one for nothing. */
        const int after = min(t + 1, tiles - 1);

        if (far < tiles)
            begin<FIT>(&next, shared + far % STAGES * STAGE, p.k - far * DEPTH,
                       p.n, p.k);
        __pipeline_commit();

#pragma unroll
        for (int s = 8; s < DEPTH; s += 8) {
            load(stage, own_row, own_col, s, &x[s / 8 % 2]);
            multiply(&x[(s / 8 + 1) % 2], sum);
        }
        wait_for_tile();
        load(shared + after % STAGES * STAGE, own_row, own_col, 0, &x[0]);
        multiply(&x[1], sum);
    }
    store<FIT>(&p, row + own_row, col + own_col, sum);
}

/* Launches the kernel. The matrices are in device memory. */
template <int FIT> static void launch(const struct lab_matmul *p)
{
    const unsigned tiles = lab_ceil_div(p->m, ROWS) * lab_ceil_div(p->n, COLS);
    const int bytes = STAGES * STAGE * (int)sizeof(float);

    LAB_CHECK(cudaFuncSetAttribute(matmul_tensor<FIT>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   bytes)); /* more than 48 KB */
    matmul_tensor<FIT><<<tiles, THREADS, bytes>>>(*p);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}

void lab_launch(const struct lab_matmul *p)
{
    if (p->m % ROWS == 0 && p->n % COLS == 0 && p->k % DEPTH == 0)
        launch<WHOLE_TILES>(p);
    else if (p->n % 4 == 0 && p->k % 4 == 0)
        launch<WHOLE_PIECES>(p);
    else
        launch<ANY_SIZE>(p);
}
