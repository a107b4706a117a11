/*
 * Lab 01: a matrix product on one core
 *
 * Idea    An element of C is a row of A times a column of B. A matrix lies in
 *         memory row after row, and the place of an element has to be computed.
 *
 *                    col
 *                 0   1   2
 *               +---+---+---+      the same six values in memory:
 *         row 0 | a | b | c |
 *               +---+---+---+      a b c d e f
 *             1 | d | e | f |              ^
 *               +---+---+---+      (1, 1) is at 1 * 3 + 1 = 4
 *
 * Do      TODO 1.1 and 1.2, about 5 lines.
 * Run     make lab-01
 * Expect  PASS, and a speed in GFLOP/s, which later labs are compared with.
 * Advice  Three lengths, three widths: ask of each index how far it may run,
 *         and of each matrix how wide its rows are.
 */
#include "lab.h"

/* The element of C at (row, col). */
static inline float element(const struct lab_matmul *p, int row, int col)
{
    float sum = 0.0f;

    /* TODO 1.1 (2 lines): walk along this row of A and down this column of B,
     * k steps, and add the products to sum. */
    for (int i = 0; i < p->k; i++)
        sum += p->A[row * p->k + i] * p->B[i * p->n + col];
    /* end 1.1 */

    return sum;
}

/* Computes all of C. The matrices are in host memory. */
void lab_host(const struct lab_matmul *p)
{
    /* TODO 1.2 (3 lines): visit each element of C, row after row, and store
     * element(p, row, col) there. How far apart are two neighbours of a row in
     * memory, and two of a column? */
    for (int row = 0; row < p->m; row++)
        for (int col = 0; col < p->n; col++)
            p->C[row * p->n + col] = element(p, row, col);
    /* end 1.2 */
}
