/* What could the reference itself get wrong? One test per answer. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "harness/inputs.h"
#include "harness/reference.h"

static float *filled(int rows, int cols, uint64_t seed)
{
    const size_t count = (size_t)rows * (size_t)cols;
    float *x = malloc(count * sizeof *x);

    assert_non_null(x);
    lab_fill(x, count, seed);
    return x;
}

static struct lab_reference *reference_of(const float *A, const float *B, int m,
                                          int n, int k, int sampled)
{
    char why[200] = "";
    struct lab_reference *r = lab_reference_new(
        (struct lab_factors){A, B, m, n, k, sampled}, 3, why, sizeof why);

    if (r == NULL)
        fail_msg("%s", why);
    return r;
}

/* By the definition, one element at a time. */
static void expect_near(const struct lab_reference *r, int row, int col,
                        double want, double mag)
{
    const struct lab_factors *q = lab_reference_factors(r);
    double sum = 0.0, size = 0.0;

    for (int p = 0; p < q->k; p++) {
        const double term =
            (double)q->A[row * q->k + p] * (double)q->B[p * q->n + col];

        sum += term;
        size += fabs(term);
    }
    if (!(fabs(sum - want) <= 1e-12 * size) ||
        !(fabs(size - mag) <= 1e-12 * size)) {
        fail_msg("element (%d, %d) is %.17g, size %.17g; by definition %.17g, "
                 "size %.17g",
                 row, col, want, mag, sum, size);
    }
}

static void check_held_rows(const struct lab_reference *r)
{
    const int n = lab_reference_factors(r)->n;
    int rows;
    const int *row = lab_reference_rows(r, &rows);

    for (int i = 0; i < rows; i++) {
        const double *want, *mag;

        assert_true(i == 0 || row[i] > row[i - 1]);
        assert_int_equal(lab_reference_row(r, row[i], &want, &mag), 1);
        for (int col = 0; col < n; col++)
            expect_near(r, row[i], col, want[col], mag[col]);
    }
}

/* Sizes on both sides of the panels (256 rows, 256 of k, 512 columns). */
TEST(test_products_of_all_shapes_equal_the_definition)
{
    const int shape[][3] = {{1, 1, 1},      {1, 7, 5},      {7, 1, 5},
                            {16, 16, 16},   {37, 53, 29},   {257, 3, 2},
                            {3, 513, 257},  {300, 40, 300}, {129, 65, 257},
                            {256, 384, 512}};

    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const int m = shape[i][0], n = shape[i][1], k = shape[i][2];
        float *A = filled(m, k, 1), *B = filled(k, n, 2);
        struct lab_reference *r = reference_of(A, B, m, n, k, 0);
        int rows;

        lab_reference_rows(r, &rows);
        assert_int_equal(rows, m);
        assert_null(lab_reference_signs(r, 0));
        check_held_rows(r);
        lab_reference_free(r);
        free(A);
        free(B);
    }
}

TEST(test_a_span_equals_the_definition)
{
    float *A = filled(20, 30, 1), *B = filled(30, 40, 2);
    struct lab_reference *r = reference_of(A, B, 20, 40, 30, 0);
    double want[7], mag[7];

    lab_reference_span(r, 19, 33, 7, want, mag);
    for (int j = 0; j < 7; j++)
        expect_near(r, 19, 33 + j, want[j], mag[j]);
    lab_reference_free(r);
    free(A);
    free(B);
}

static int held(const struct lab_reference *r, int row)
{
    const double *want, *mag;

    return lab_reference_row(r, row, &want, &mag);
}

TEST(test_edge_rows_are_held_and_right)
{
    const int m = 2011, n = 77, k = 61;
    float *A = filled(m, k, 1), *B = filled(k, n, 2);
    struct lab_reference *r = reference_of(A, B, m, n, k, 1);
    const int edge[] = {0,   15,   16,   63,   64,   127,
                        128, 1983, 1984, 1999, 2000, m - 1};
    int rows;

    lab_reference_rows(r, &rows);
    assert_int_equal(rows, 32);
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        assert_true(held(r, edge[i]));
    check_held_rows(r);
    lab_reference_free(r);
    free(A);
    free(B);
}

/* A block's sums, the last and shorter block's too, by their definition. */
TEST(test_sums_equal_the_definition)
{
    const int m = 203, n = 77, k = 301;
    const int blocks = (n - 1) / LAB_SUM_WIDTH + 1;
    float *A = filled(m, k, 1), *B = filled(k, n, 2);
    struct lab_reference *r = reference_of(A, B, m, n, k, 1);
    double *want = calloc((size_t)n, sizeof *want);
    double *mag = calloc((size_t)n, sizeof *mag);

    assert_non_null(want);
    assert_non_null(mag);
    for (int row = 0; row < m; row += 13) {
        lab_reference_span(r, row, 0, n, want, mag);
        for (int at = 0; at < LAB_SUM_SETS * blocks; at++) {
            const int set = at / blocks, block = at % blocks;
            const int first = block * LAB_SUM_WIDTH;
            const signed char *sign = lab_reference_signs(r, set);
            double sum = 0.0, size = 0.0, got, got_size;

            for (int j = first; j < n && j < first + LAB_SUM_WIDTH; j++) {
                assert_true(sign[j] == 1 || sign[j] == -1);
                sum += sign[j] * want[j];
                size += mag[j];
            }
            lab_reference_sum(r, set, row, block, &got, &got_size);
            assert_true(fabs(sum - got) <= 1e-12 * size);
            assert_true(fabs(size - got_size) <= 1e-12 * size);
        }
    }
    free(want);
    free(mag);
    lab_reference_free(r);
    free(A);
    free(B);
}

TEST(test_signs_are_mixed_and_the_sets_differ)
{
    const int m = 40, n = 640, k = 2;
    float *A = filled(m, k, 1), *B = filled(k, n, 2);
    struct lab_reference *r = reference_of(A, B, m, n, k, 1);
    const signed char *one = lab_reference_signs(r, 0);
    const signed char *two = lab_reference_signs(r, 1);
    int sum = 0, same = 0;

    for (int j = 0; j < n; j++) {
        sum += one[j];
        same += one[j] == two[j];
    }
    assert_true(abs(sum) < 130); /* 5 sigma */
    assert_true(abs(2 * same - n) < 130);
    lab_reference_free(r);
    free(A);
    free(B);
}

TEST(test_few_rows_are_all_held)
{
    float *A = filled(5, 9, 1), *B = filled(9, 4, 2);
    struct lab_reference *r = reference_of(A, B, 5, 4, 9, 1);
    int rows;

    lab_reference_rows(r, &rows);
    assert_int_equal(rows, 5);
    check_held_rows(r);
    lab_reference_free(r);
    free(A);
    free(B);
}

static void expect_refused(const float *A, const float *B, int m, int n, int k,
                           const char *part)
{
    char why[200] = "";

    assert_null(lab_reference_new((struct lab_factors){A, B, m, n, k, 0}, 0,
                                  why, sizeof why));
    if (strstr(why, part) == NULL)
        fail_msg("the reason is '%s', without '%s'", why, part);
}

TEST(test_sizes_that_cannot_be_checked_are_refused)
{
    const float one[1] = {1.0f};

    expect_refused(one, one, 0, 1, 1, "at least 1");
    expect_refused(one, one, 1, 0, 1, "at least 1");
    expect_refused(one, one, 1, 1, 0, "at least 1");
    expect_refused(one, one, -1, 1, 1, "at least 1");
    expect_refused(one, one, 1, 1, 1 << 24, "2^24");
}

TEST(test_inputs_that_are_not_finite_are_refused)
{
    const float good[2] = {1.0f, 2.0f};
    const float nan[2] = {1.0f, NAN}, infinite[2] = {1.0f, -INFINITY};

    expect_refused(nan, good, 1, 1, 2, "NaN");
    expect_refused(good, infinite, 1, 1, 2, "infinity");
}

TEST(test_freeing_nothing_is_allowed)
{
    lab_reference_free(NULL);
}
