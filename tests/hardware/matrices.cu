/*
 * Transposes by way of global and of shared memory, and records that are kept
 * as one array of structures or as one array for each member: what do their
 * loads and stores cost?
 */
#include "launches.h"

enum {
    SIDE = 128 /* of a matrix; records: SIDE * SIDE */
};

/* Blocks of TILE x TILE threads, one element each. Neighbouring lanes load
   neighbours and store a whole row apart. */
template <int TILE> __global__ void transpose_store(const float *A, float *C)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    C[x * SIDE + y] = A[y * SIDE + x];
}

/* The other way round: loads a row apart. */
template <int TILE> __global__ void transpose_load(const float *A, float *C)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    C[y * SIDE + x] = A[x * SIDE + y];
}

/* By way of a tile whose rows are ROW elements long. */
template <int TILE, int ROW>
__global__ void transpose_tiled(const float *A, float *C)
{
    __shared__ float tile[TILE][ROW];
    const int x = threadIdx.x, y = threadIdx.y;

    tile[y][x] = A[(blockIdx.y * TILE + y) * SIDE + blockIdx.x * TILE + x];
    __syncthreads(); /* the tile is complete */
    C[(blockIdx.x * TILE + y) * SIDE + blockIdx.y * TILE + x] = tile[x][y];
}

struct point {
    float x, y, z;
};

/* One array of structures of 12 bytes. */
__global__ void structures(const struct point *p, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = p[i].x * p[i].y + p[i].z;
}

/* One member of each. */
__global__ void one_member(const struct point *p, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = p[i].y;
}

/* An array for each member. */
__global__ void arrays(const float *x, const float *y, const float *z, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = x[i] * y[i] + z[i];
}

int main()
{
    const int count = SIDE * SIDE;
    float *A = (float *)zeros(3 * count * sizeof(float));
    float *C = (float *)zeros(count * sizeof(float));
    const dim3 block_16(16, 16), block_32(32, 32);
    const dim3 grid_16(SIDE / 16, SIDE / 16), grid_32(SIDE / 32, SIDE / 32);

    transpose_store<16><<<grid_16, block_16>>>(A, C);
    launched("16 wide");
    transpose_store<32><<<grid_32, block_32>>>(A, C);
    launched("32 wide");
    transpose_load<16><<<grid_16, block_16>>>(A, C);
    launched("16 wide");
    transpose_load<32><<<grid_32, block_32>>>(A, C);
    launched("32 wide");
    transpose_tiled<16, 16><<<grid_16, block_16>>>(A, C);
    launched("16 wide");
    transpose_tiled<16, 17><<<grid_16, block_16>>>(A, C);
    launched("16 wide rows of 17");
    transpose_tiled<16, 18><<<grid_16, block_16>>>(A, C);
    launched("16 wide rows of 18");
    transpose_tiled<32, 32><<<grid_32, block_32>>>(A, C);
    launched("32 wide");
    transpose_tiled<32, 33><<<grid_32, block_32>>>(A, C);
    launched("32 wide rows of 33");
    structures<<<count / 256, 256>>>((const struct point *)A, C);
    launched("all members");
    one_member<<<count / 256, 256>>>((const struct point *)A, C);
    launched("one member");
    arrays<<<count / 256, 256>>>(A, A + count, A + 2 * count, C);
    launched("all members");
    return 0;
}
