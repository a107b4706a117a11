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

    /* TODO 2.1 (2 lines): find the row and the column of C that belong to this
     * thread, from blockIdx, blockDim and threadIdx. x runs along a row. */
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    /* skeleton: const int row = 0; */
    /* skeleton: const int col = 0; */
    /* end 2.1 */

    /* TODO 2.2 (2 lines): leave the kernel if the thread is outside of C. */
    if (row >= m || col >= n)
        return;
    /* end 2.2 */

    /* TODO 2.3 (2 lines): add the k products to sum, as in lab 01. */
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    /* end 2.3 */

    /* TODO 2.4 (1 line): store the sum. */
    C[row * n + col] = sum;
    /* end 2.4 */
}

/* Launches the kernel. The matrices are in device memory. */
void lab_launch(const struct lab_matmul *p)
{
    const dim3 block = {BLOCK, BLOCK, 1};

    /* TODO 2.5 (1 line): choose a grid that covers all of C, its last rows and
     * columns too. lab_ceil_div rounds up. */
    const dim3 grid = {lab_ceil_div(p->n, BLOCK), lab_ceil_div(p->m, BLOCK), 1};
    /* skeleton: const dim3 grid = {1, 1, 1}; */
    /* end 2.5 */

    /* TODO 2.6 (2 lines): launch the kernel, then ask cudaGetLastError whether
     * the launch was accepted: the launch itself returns no status. */
    matmul_naive<<<grid, block>>>(p->A, p->B, p->C, p->m, p->n, p->k);
    LAB_CHECK(cudaGetLastError());
    /* end 2.6 */
}

/* Computes C on the device. The matrices are in host memory. */
void lab_host(const struct lab_matmul *p)
{
    const size_t bytes_A = (size_t)p->m * p->k * sizeof(float);
    const size_t bytes_B = (size_t)p->k * p->n * sizeof(float);
    const size_t bytes_C = (size_t)p->m * p->n * sizeof(float);
    float *d_A = NULL, *d_B = NULL, *d_C = NULL; /* in device memory */

    /* TODO 2.7 (3 lines): allocate the three matrices in device memory. */
    LAB_CHECK(cudaMalloc(&d_A, bytes_A));
    LAB_CHECK(cudaMalloc(&d_B, bytes_B));
    LAB_CHECK(cudaMalloc(&d_C, bytes_C));
    /* end 2.7 */

    /* TODO 2.8 (2 lines): copy A and B to the device. */
    LAB_CHECK(cudaMemcpy(d_A, p->A, bytes_A, cudaMemcpyHostToDevice));
    LAB_CHECK(cudaMemcpy(d_B, p->B, bytes_B, cudaMemcpyHostToDevice));
    /* end 2.8 */

    /* TODO 2.9 (3 lines): call lab_launch with the device's three matrices,
     * then copy C back. Why is no wait needed between the two? */
    const struct lab_matmul on_device = {d_A, d_B, d_C, p->m, p->n, p->k};
    lab_launch(&on_device);
    /* This copy begins when the kernel has ended: both are in one stream. */
    LAB_CHECK(cudaMemcpy(p->C, d_C, bytes_C, cudaMemcpyDeviceToHost));
    /* end 2.9 */

    /* TODO 2.10 (3 lines): free what was allocated. */
    LAB_CHECK(cudaFree(d_A));
    LAB_CHECK(cudaFree(d_B));
    LAB_CHECK(cudaFree(d_C));
    /* end 2.10 */
}
