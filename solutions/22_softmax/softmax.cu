/*
 * Lab 22: softmax, row by row
 *
 * Idea    y[c] = exp(x[c] - most) / sum, where most is the largest of the row
 *         and sum that of all exp(x[c] - most). Plainly that is three passes
 *         over a row: for most, for sum, for y. Here one pass finds most and
 *         sum together: whenever a larger element comes, the sum so far is
 *         scaled down to it.
 *
 *           x        1    3    2         the row, element by element
 *           most     1    3    3         the largest so far
 *           sum      1    1 * exp(1-3) + 1
 *                         ... + exp(2-3)
 *
 *         Two lanes that have a most and a sum each put them together by the
 *         same rule.
 *
 * Do      TODO 22.1 to 22.3, about 13 lines.
 * Run     make lab-22
 * Expect  PASS for every size; 2 global loads per element, in place of 3.
 * Advice  Work out most and sum for the row 1 3 2 by hand, and then with the
 *         lanes {1 3} and {2} put together.
 */
#include "lab.h"

#define ROWS 4 /* of a block: a warp has one */

#define ALL_LANES 0xffffffffu
#define LEAST     (-3.4e38f) /* less than any element */

/*
 * A warp computes one row of y, of n elements: lane l has columns l, l + 32 and
 * so on. Launch with blocks of (32, ROWS) threads that cover the m rows.
 */
__global__ void softmax(const float *x, float *y, int m, int n)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.x * ROWS + threadIdx.y;
    float most = LEAST;
    float sum = 0.0f;

    if (row >= m)
        return; /* the whole warp does: nobody waits for it */

    /* TODO 22.1 (6 lines): for each of the lane's columns load the element;
     * larger is the larger one of it and most; sum becomes that of before,
     * times exp(most - larger), plus exp(element - larger); most is larger. */
    for (int col = lane; col < n; col += 32) {
        const float element = x[row * n + col];
        const float larger = fmaxf(most, element);
        sum = sum * expf(most - larger) + expf(element - larger);
        most = larger;
    }
    /* end 22.1 */

    /* TODO 22.2 (7 lines): put the lanes together by __shfl_xor_sync, at
     * distances 16, 8, 4, 2 and 1: take most and sum of the other lane, and do
     * as above with both sums. Why have all lanes the same in the end? */
    /* In each step two lanes exchange what they have, and compute the same. */
    for (int distance = 16; distance > 0; distance /= 2) {
        const float its = __shfl_xor_sync(ALL_LANES, most, distance);
        const float its_sum = __shfl_xor_sync(ALL_LANES, sum, distance);
        const float larger = fmaxf(most, its);
        sum = sum * expf(most - larger) + its_sum * expf(its - larger);
        most = larger;
    }
    /* end 22.2 */

    /* TODO 22.3 (2 lines): store exp(element - most) / sum for each of the
     * lane's columns, whose elements are loaded once more. */
    for (int col = lane; col < n; col += 32)
        y[row * n + col] = expf(x[row * n + col] - most) / sum;
    /* end 22.3 */
}

/* Launches the kernel. Arrays are in device memory. */
void lab_launch_arrays(const struct lab_arrays *p)
{
    const dim3 block = {32, ROWS, 1};

    softmax<<<lab_ceil_div(p->m, ROWS), block>>>((const float *)p->in,
                                                 (float *)p->out, p->m, p->n);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
