/*
 * out = transpose of in: a second problem for what you know of memory.
 * labs/transpose/README.md says what to do. Run it with
 *
 *     make run FILE=labs/transpose/transpose.cu
 */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#define TILE 32 /* elements per side; a block moves one tile */
#define ROWS 8  /* a block has 32 x 8 threads, so each moves 4 elements */
/* TODO 2 (1 line): choose the length of a row of the tile in shared memory, in
   elements, so that the 32 lanes of a warp meet 32 different banks in both
   directions. */
#define ROW TILE

/* Ends the program if a CUDA call has failed, and says which one. */
#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudaGetErrorString(error));
        exit(2);
    }
}

/* in has m rows of n elements, out has n rows of m; both are multiples of TILE.
   A warp loads 32 neighbours of a row, and stores them m elements apart. */
__global__ void transpose_naive(const float *in, float *out, int m, int n)
{
    const int col = blockIdx.x * TILE + threadIdx.x; /* of in */

    for (int i = threadIdx.y; i < TILE; i += ROWS) {
        const int row = blockIdx.y * TILE + i; /* of in */

        out[col * m + row] = in[row * n + col];
    }
}

/* The same by way of a tile in shared memory. */
__global__ void transpose_tile(const float *in, float *out, int m, int n)
{
    __shared__ float tile[TILE][ROW];

    const int tx = threadIdx.x;
    const int in_row = blockIdx.y * TILE; /* the first row and column of */
    const int in_col = blockIdx.x * TILE; /* the block's tile of in      */

    for (int i = threadIdx.y; i < TILE; i += ROWS)
        tile[i][tx] = in[(in_row + i) * n + in_col + tx];
    /* TODO 1 (3 lines): wait until the whole tile is there. Then store it, so
       that neighbouring lanes store neighbouring elements of out. Row
       in_col + i of out begins at out[(in_col + i) * m], and it is column i
       of the tile. */
}

/* Prints the first element of out that is wrong. */
static void print_first_wrong(const float *in, const float *out, int m, int n)
{
    for (int i = 0; i < m * n; i++) {
        const int row = i / m, col = i % m; /* of out */

        if (out[i] != in[col * n + row]) {
            printf("  out[%d][%d] is %g, and in[%d][%d] is %g\n", row, col,
                   out[i], col, row, in[col * n + row]);
            return;
        }
    }
}

/* Says how many of the elements are right, and forgets them. Returns 1 if all
   are. */
static int compare(const char *name, const float *in, float *d_out, int m,
                   int n)
{
    const size_t bytes = (size_t)m * n * sizeof(float);
    float *const out = (float *)malloc(bytes);
    int right = 0;

    if (out == NULL)
        exit(2);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++)
            right += out[col * m + row] == in[row * n + col];
    }
    printf("%-15s %5d of %d elements are right\n", name, right, m * n);
    print_first_wrong(in, out, m, n);
    CHECK(cudaMemset(d_out, 0, bytes));
    free(out);
    return right == m * n;
}

int main(void)
{
    const int m = 256, n = 192; /* whole tiles: full sectors everywhere */
    const size_t bytes = (size_t)m * n * sizeof(float);
    const dim3 block(TILE, ROWS);
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    float *const in = (float *)malloc(bytes);
    float *d_in, *d_out;
    int all;

    if (in == NULL)
        return 2;
    for (int i = 0; i < m * n; i++)
        in[i] = (float)(i + 1);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_out, 0, bytes));

    transpose_naive<<<grid, block>>>(d_in, d_out, m, n);
    all = compare("transpose_naive", in, d_out, m, n);
    transpose_tile<<<grid, block>>>(d_in, d_out, m, n);
    all &= compare("transpose_tile", in, d_out, m, n);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(in);
    return !all;
}
