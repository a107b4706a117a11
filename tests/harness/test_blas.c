/* Is a product right, whoever multiplies? */

#include <math.h>
#include <stdlib.h>

#include "../testing.h"
#include "harness/blas.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "harness/verify.h"

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
static void check_product(int m, int n, int k)
{
    const size_t step = (size_t)n + GAP, size = (size_t)m * step;
    double *const A = filled((size_t)m * (size_t)k, 1);
    double *const B = filled((size_t)k * (size_t)n, 2);
    double *const C = filled(size, 3), *const before = filled(size, 3);

    lab_blas_multiply_add(C, step, A, B, m, n, k, 0);
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
static void check_products(void)
{
    static const int shape[][3] = {{1, 1, 1},    {3, 5, 2},      {4, 4, 4},
                                   {5, 1, 7},    {7, 33, 1},     {8, 16, 64},
                                   {37, 53, 29}, {257, 129, 300}};

    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        check_product(shape[i][0], shape[i][1], shape[i][2]);
}

static int reset(void **state)
{
    (void)state;
    return lab_blas_choose(LAB_BLAS_AS_FITS);
}

EACH_TEST(NULL, reset);

TEST(test_loops_multiply_by_the_definition)
{
    assert_int_equal(lab_blas_choose(LAB_BLAS_LOOPS), 0);
    check_products();
}

TEST(test_openblas_multiplies_by_the_definition)
{
    if (lab_blas_choose(LAB_BLAS_LIBRARY) != 0)
        skip(); /* no OpenBLAS on this machine */
    check_products();
}

/* A C that is just wrong enough is found by both, and one that is right by
   none: their references differ by far less than a tolerance. */
TEST(test_verdicts_are_the_same)
{
    enum {
        M = 200,
        N = 150,
        K = 300
    };
    static float A[M * K], B[K * N], C[M * N];
    static const enum lab_blas choices[] = {LAB_BLAS_LOOPS, LAB_BLAS_LIBRARY};

    lab_fill(A, M * K, 1);
    lab_fill(B, K * N, 2);
    for (size_t i = 0; i < 2; i++) {
        struct lab_reference *reference;
        struct lab_diff diff;
        char why[200] = "";

        if (lab_blas_choose(choices[i]) != 0)
            continue;
        reference = lab_reference_new(A, B, M, N, K, 1, why, sizeof why);
        assert_string_equal(why, "");
        for (int row = 0; row < M; row++) {
            const double *want, *mag;

            assert_int_equal(lab_reference_row(reference, row, &want, &mag), 1);
            for (int col = 0; col < N; col++)
                C[row * N + col] = (float)want[col];
        }
        assert_int_equal(lab_verify(reference, C, &diff), 0);
        C[77] += (float)(4.0 * diff.tolerance);
        assert_int_equal(lab_verify(reference, C, &diff), 1);
        lab_reference_free(reference);
    }
}
