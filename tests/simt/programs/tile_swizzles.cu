/* Tiles that are copied with each swizzle are multiplied as that swizzle has
   them, and threads find their elements there; a copy of a tile brings zeros
   for what lies outside, and leaves alone what lies there. */
/* expect: 0 */
/* says: 128 bytes: 0 of 4096 sums wrong, 0 elements elsewhere */
/* says: 64 bytes: 0 of 4096 sums wrong, 0 elements elsewhere */
/* says: 32 bytes: 0 of 4096 sums wrong, 0 elements elsewhere */
/* says: 16 bytes: 0 of 4096 sums wrong, 0 elements elsewhere */
/* says: outside: 0 wrong, 0 changed */
#include <cuda_runtime.h>

#include "hopper.h"

#include <stdio.h>

#define K 16 /* of the product: A is 64 x K, B is K x 64 */

static __device__ unsigned long long describe(unsigned address, int on,
                                              int down, int width)
{
    const unsigned long long mode = width == 128  ? 1
                                    : width == 64 ? 2
                                    : width == 32 ? 3
                                                  : 0;

    return (address >> 4 & 0x3fff) | (unsigned long long)(on >> 4) << 16 |
           (unsigned long long)(down >> 4) << 32 | mode << 62;
}

/* a and b: bytes of a row of a tile of A, and of B. */
__global__ void multiply(const __grid_constant__ CUtensorMap A,
                         const __grid_constant__ CUtensorMap B, int a, int b,
                         float *D, int *elsewhere)
{
    extern __shared__ __align__(1024) unsigned char shared[];

    const unsigned As = shared_address(shared), Bs = As + 16384;
    const unsigned full = As + 32768;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d[32] = {};

    if (threadIdx.x == 0) {
        barrier_init(full, 1);
        barrier_init_done();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const int a_tiles = a < 2 * K ? 2 * K / a : 1;

        barrier_expect(full, a_tiles * 64 * a + 128 / b * K * b);
        for (int i = 0; i < a_tiles; i++)
            tile_load(As + i * 64 * a, &A, 0, i * a / 2, full);
        for (int i = 0; i < 128 / b; i++)
            tile_load(Bs + i * K * b, &B, 0, i * b / 2, full);
    }
    barrier_wait(full, 0);
    wgmma_begin();
    wgmma(d, describe(As, 64 * a, 8 * a, a), describe(Bs, K * b, 8 * b, b));
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 32; i++) {
        D[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * 64 + i / 4 * 8 +
          lane % 4 * 2 + i % 2] = d[i];
    }
    /* Element 0 of piece 1 of row 5 of B's first tile is B[5][8]. */
    if (threadIdx.x == 0 && b > 16) {
        const unsigned row = 5 * b, piece = 1 ^ (row >> 7 & (b / 16 - 1));
        const unsigned short *at =
            (const unsigned short *)(shared + 16384 + row + piece * 16);

        *elsewhere = *at != (unsigned short)(bf16_pair(5 - 8, 0) & 0xffff);
    }
}

/* Copies 8 x 8 of `from`, from (-1, 5) on, to `to`, from (1, 2) on. */
__global__ void copy(const __grid_constant__ CUtensorMap from,
                     const __grid_constant__ CUtensorMap to)
{
    extern __shared__ __align__(1024) unsigned char shared[];

    const unsigned tile = shared_address(shared), full = tile + 1024;

    barrier_init(full, 1);
    barrier_init_done();
    barrier_expect(full, 128);
    tile_load(tile, &from, -1, 5, full);
    barrier_wait(full, 0);
    tile_store(&to, 1, 2, tile);
    tile_store_wait();
}

static CUtensorMap map_of(void *data, int rows, int cols, int box_rows,
                          int box_cols, int width)
{
    const cuuint64_t size[2] = {(cuuint64_t)cols, (cuuint64_t)rows};
    const cuuint64_t apart[1] = {(cuuint64_t)(cols + 7) / 8 * 16};
    const cuuint32_t box[2] = {(cuuint32_t)box_cols, (cuuint32_t)box_rows};
    const cuuint32_t every[2] = {1, 1};
    CUtensorMap map;

    if (cuTensorMapEncodeTiled(
            &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, size, apart, box,
            every, CU_TENSOR_MAP_INTERLEAVE_NONE,
            width == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
            : width == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
            : width == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                          : CU_TENSOR_MAP_SWIZZLE_NONE,
            CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        printf("the matrix cannot be described\n");
    return map;
}

static unsigned short bf16(float x)
{
    unsigned bits;

    memcpy(&bits, &x, sizeof bits);
    return (unsigned short)(bits >> 16);
}

static void try_width(int width)
{
    const int b = width == 16 ? 128 : width;
    unsigned short *A, *B;
    float *D;
    int *elsewhere, wrong = 0;

    cudaMallocManaged(&A, 64 * 64 * 2);
    cudaMallocManaged(&B, K * 64 * 2);
    cudaMallocManaged(&D, 64 * 64 * 4);
    cudaMallocManaged(&elsewhere, 4);
    for (int i = 0; i < 64 * 64; i++)
        A[i] = bf16((float)(i / 64 % 7 - i % 64 % 5));
    for (int i = 0; i < K * 64; i++)
        B[i] = bf16((float)(i / 64 - i % 64));
    *elsewhere = 0;
    multiply<<<1, 128, 40960>>>(map_of(A, 64, 64, 64, width / 2, width),
                                map_of(B, K, 64, K, b / 2, b), width, b, D,
                                elsewhere);
    if (cudaDeviceSynchronize() != cudaSuccess)
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    for (int i = 0; i < 64 * 64; i++) {
        float sum = 0.0f;

        for (int k = 0; k < K; k++)
            sum += (float)(i / 64 % 7 - k % 5) * (float)(k - i % 64);
        wrong += D[i] != sum;
    }
    printf("%d bytes: %d of 4096 sums wrong, %d elements elsewhere\n", width,
           wrong, *elsewhere);
}

int main()
{
    unsigned short *from, *to;
    int wrong = 0, changed = 0;

    for (int width = 128; width >= 16; width /= 2)
        try_width(width);

    cudaMallocManaged(&from, 4 * 16 * 2);
    cudaMallocManaged(&to, 6 * 16 * 2);
    for (int i = 0; i < 4 * 16; i++)
        from[i] = (unsigned short)(i + 1);
    for (int i = 0; i < 6 * 16; i++)
        to[i] = 7777;
    copy<<<1, 1, 2048>>>(map_of(from, 4, 11, 8, 8, 16),
                         map_of(to, 6, 9, 8, 8, 16));
    if (cudaDeviceSynchronize() != cudaSuccess)
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    for (int i = 0; i < 6 * 16; i++) {
        const int row = i / 16 - 1, col = i % 16 - 2; /* of the tile */
        const int y = row - 1, x = col + 5;           /* of the source */

        if (row < 0 || col < 0 || i % 16 >= 9) {
            changed += to[i] != 7777;
        } else {
            wrong +=
                to[i] != (y < 0 || y >= 4 || x >= 11 ? 0 : from[y * 16 + x]);
        }
    }
    printf("outside: %d wrong, %d changed\n", wrong, changed);
    return 0;
}
