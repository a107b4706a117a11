/*
 * Lab 02: one thread for each element
 *
 * Idea    The two outer loops of lab 01 disappear. A grid of threads covers C,
 *         and each thread computes the one element it stands on.
 *
 *                 blockIdx.x:  0        1        2
 *                          +--------+--------+-----.--+
 *         blockIdx.y:   0  |        |        |     :  |   C ends at the dots:
 *                          +--------+--------+-----:--+   the grid is rounded
 *                       1  |        |   *    |     :  |   up, and a thread
 *                          |........|........|.....:  |   outside of C has
 *                          +--------+--------+--------+   nothing to do.
 *
 *         The GPU computes on its own memory, so A and B go there first and C
 *         comes back afterwards.
 *
 * Do      TODO 2.1 to 2.10, about 20 lines: the kernel, then the host code.
 * Run     make lab-02             on the device at hand
 *         make lab-02 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS for every size; 2.000 global loads per multiply-add.
 *         Then swap x and y in TODO 2.1 and in the grid, and read how many
 *         sectors a request for A takes: 2.00 becomes 16.00.
 * Advice  A CUDA call that fails says nothing by itself. Put LAB_CHECK around
 *         each one, from the first line on.
 */
#include "lab.h"

#define BLOCK 16 /* threads per side; a block has BLOCK * BLOCK threads */

/*
 * One thread computes one element of C.
 * Launch with block (BLOCK, BLOCK) and enough blocks to cover C: x over the
 * columns, y over the rows.
 */
__global__ void matmul_naive(const float *A, const float *B, float *C, int m,
                             int n, int k)
{
    float sum = 0.0f;

    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= m || col >= n)
        return;

    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];

    C[row * n + col] = sum;
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {BLOCK, BLOCK, 1};

    const dim3 grid = {lab_ceil_div(p->n, BLOCK), lab_ceil_div(p->m, BLOCK), 1};

    matmul_naive<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}

/* Computes C on the device. The matrices are in host memory. */
void lab_host(const struct lab_matmul *p)
{
    const size_t bytes_A = (size_t)p->m * p->k * sizeof(float);
    const size_t bytes_B = (size_t)p->k * p->n * sizeof(float);
    const size_t bytes_C = (size_t)p->m * p->n * sizeof(float);
    float *d_A = NULL, *d_B = NULL, *d_C = NULL; /* in device memory */

    LAB_CHECK(cudaMalloc(&d_A, bytes_A));
    LAB_CHECK(cudaMalloc(&d_B, bytes_B));
    LAB_CHECK(cudaMalloc(&d_C, bytes_C));

    LAB_CHECK(cudaMemcpy(p->A, d_A, bytes_A, cudaMemcpyHostToDevice));
    LAB_CHECK(cudaMemcpy(p->B, d_B, bytes_B, cudaMemcpyHostToDevice));

    struct lab_matmul d = {d_A, d_B, d_C, p->m, p->n, p->k};
    lab_launch(&d);
    LAB_CHECK(cudaMemcpy(p->C, d_C, bytes_C, cudaMemcpyDeviceToHost));

    LAB_CHECK(cudaFree(d_A));
    LAB_CHECK(cudaFree(d_B));
    LAB_CHECK(cudaFree(d_C));
}
