/*
 * The kernel of lab 06, whose loads are coalesced and whose tiles are free of
 * bank conflicts, for any width of a tile; and the kernel of lab 02.
 *
 * What a width costs and brings, for a block of WIDTH x WIDTH threads:
 *
 *   threads        WIDTH^2, at most 1024: 32 is the widest
 *   shared memory  2 tiles x 4 bytes x WIDTH^2: 8 KB at 32
 *   global loads   2 / WIDTH for each multiply-add
 *   lanes          a block of 2 x 2 threads fills 4 of the 32 lanes of a warp,
 *                  one of 4 x 4 fills 16
 */
#include "tiles.h"

/*
 * One thread computes one element of C.
 * Launch with block (WIDTH, WIDTH) and enough blocks to cover C: x over the
 * columns, y over the rows.
 */
template <int WIDTH>
__global__ void tiled(const float *A, const float *B, float *C, int m, int n,
                      int k)
{
    __shared__ float As[WIDTH][WIDTH];
    __shared__ float Bs[WIDTH][WIDTH];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * WIDTH + ty;
    const int col = blockIdx.x * WIDTH + tx;
    float sum = 0.0f;

    for (int t = 0; t < k; t += WIDTH) {
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0.0f;
        __syncthreads(); /* As and Bs are complete */
        for (int i = 0; i < WIDTH; i++)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads(); /* As and Bs are free */
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

/* The same without tiles, in blocks of 16 x 16. */
__global__ void untiled(const float *A, const float *B, float *C, int m, int n,
                        int k)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}

template <int WIDTH> static void launch(const struct lab_matmul *p)
{
    const dim3 block = {WIDTH, WIDTH, 1};
    const dim3 grid = {lab_ceil_div(p->n, WIDTH), lab_ceil_div(p->m, WIDTH), 1};

    tiled<WIDTH><<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}

void tiles_untiled(const struct lab_matmul *p)
{
    const dim3 block = {16, 16, 1};
    const dim3 grid = {lab_ceil_div(p->n, 16), lab_ceil_div(p->m, 16), 1};

    untiled<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}

void tiles_2(const struct lab_matmul *p)
{
    launch<2>(p);
}

void tiles_4(const struct lab_matmul *p)
{
    launch<4>(p);
}

void tiles_8(const struct lab_matmul *p)
{
    launch<8>(p);
}

void tiles_16(const struct lab_matmul *p)
{
    launch<16>(p);
}

void tiles_32(const struct lab_matmul *p)
{
    launch<32>(p);
}
