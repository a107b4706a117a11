/* Is a product right, whoever multiplies? */

#include <math.h>
#include <stdlib.h>

#include "../testing.h"
#include "harness/blas.h"
#include "harness/inputs.h"

enum {
    GAP = 3 /* elements between two rows of C, which nobody may touch */
};

static double *filled(size_t count, uint64_t seed)
{
    double *const x = malloc(count * sizeof *x);

    assert_non_null(x);
    for (size_t i = 0; i < count; i++)
        x[i] = (double)(int64_t)lab_random(&seed) / 0x1p63;
    return x;
}

/* By the definition, with a bound of gamma_k |A||B| in float64. */
static void check_product(int m, int n, int k, int large)
{
    const size_t step = (size_t)n + GAP, size = (size_t)m * step;
    double *const A = filled((size_t)m * (size_t)k, 1);
    double *const B = filled((size_t)k * (size_t)n, 2);
    double *const C = filled(size, 3), *const before = filled(size, 3);

    lab_blas_multiply_add(C, step, A, B, m, n, k, large);
    for (size_t i = 0; i < size; i++) {
        const size_t row = i / step, col = i % step;
        double want = before[i], most = fabs(want);

        for (size_t p = 0; col < (size_t)n && p < (size_t)k; p++) {
            const double term = A[row * (size_t)k + p] * B[p * (size_t)n + col];

            want += term;
            most += fabs(term);
        }
        if (!(fabs(C[i] - want) <=
              (col < (size_t)n) * (k + 2) * 0x1p-52 * most))
            fail_msg("%d x %d x %d: C[%zu][%zu] is %.17g, not %.17g", m, n, k,
                     row, col, C[i], want);
    }
    free(A);
    free(B);
    free(C);
    free(before);
}

/* Sizes on both sides of four rows, and one that several threads share. */
static void check_products(int large)
{
    static const int shape[][3] = {{1, 1, 1},    {3, 5, 2},      {4, 4, 4},
                                   {5, 1, 7},    {7, 33, 1},     {8, 16, 64},
                                   {37, 53, 29}, {257, 129, 300}};

    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        check_product(shape[i][0], shape[i][1], shape[i][2], large);
}

TEST(test_loops_multiply_by_the_definition)
{
    check_products(0);
}

/* By OpenBLAS, where it is installed. */
TEST(test_what_is_large_is_multiplied_by_the_definition)
{
    check_products(1);
}
