/*
 * control.cu: a product that is right, and with DROPPED 1 one that is wrong.
 *
 * The grader puts a line with DROPPED before it (batch/control.c). It is slow
 * and plain, and meant to be: one thread fills a row of C element by element.
 */
#include "lab.h"

#define BLOCK 32 /* threads */

__global__ void fill_rows(const float *A, const float *B, float *C, int m,
                          int n, int k)
{
    const int mine = blockIdx.x * BLOCK + threadIdx.x;

    if (mine >= m)
        return;
    for (int at = 0; at < n; at++) {
        float total = 0.0f;

        for (int step = 0; step < k - DROPPED; step++)
            total += A[mine * k + step] * B[step * n + at];
        C[mine * n + at] = total;
    }
}

void lab_launch(const struct lab_matmul *p)
{
    fill_rows<<<lab_ceil_div(p->m, BLOCK), BLOCK>>>(p->A, p->B, p->C, p->m,
                                                    p->n, p->k);
    LAB_CHECK(cudaGetLastError());
}
