/* What could lab_verify get wrong? One test per answer. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "harness/inputs.h"
#include "harness/verify.h"
#include "product.h"

enum order {
    FORWARDS,
    BACKWARDS,
    PAIRWISE,
    ORDERS
};

static float pairwise(const float *a, const float *b, int step, int count)
{
    if (count == 1)
        return a[0] * b[0];
    return pairwise(a, b, step, count / 2) + pairwise(a + count / 2,
                                                      b + count / 2 * step,
                                                      step, count - count / 2);
}

/* In float, as a kernel does it. */
static void multiply(const struct product *p, enum order order, int terms)
{
    for (int row = 0; row < p->m; row++) {
        for (int col = 0; col < p->n; col++) {
            const float *a = &p->A[row * p->k], *b = &p->B[col];
            float sum = 0.0f;

            if (order == PAIRWISE)
                sum = pairwise(a, b, p->n, terms);
            for (int i = 0; i < terms && order != PAIRWISE; i++) {
                const int at = order == FORWARDS ? i : terms - 1 - i;

                sum += a[at] * b[at * p->n];
            }
            p->C[row * p->n + col] = sum;
        }
    }
}

/* With a right C, which each test then spoils. */
static struct product make_product(int m, int n, int k, uint64_t seed,
                                   int sampled)
{
    const struct product p =
        product_make(m, n, k, 2 * seed, seed, sampled, NULL);

    multiply(&p, FORWARDS, k);
    return p;
}

static float *at(const struct product *p, int row, int col)
{
    return &p->C[row * p->n + col];
}

static struct lab_diff expect_diff(const struct product *p, int verdict)
{
    struct lab_diff diff;
    const int got = lab_verify(p->reference, p->C, &diff);

    if (got != verdict) {
        fail_msg("%d x %d x %d: verdict %d, expected %d; %lld bad, ratio %g",
                 p->m, p->n, p->k, got, verdict, diff.bad, diff.max_ratio);
    }
    assert_int_equal(diff.bad > 0, verdict);
    return diff;
}

/* Once with every element compared, once with sums; a row between 32 and 63
   other than these two is held only if it is drawn. */
static struct product either(int sampled)
{
    return make_product(200, 90, 61, 5, sampled);
}

static int row_not_held(const struct product *p)
{
    const double *want, *mag;
    int row = 33;

    while (lab_reference_row(p->reference, row, &want, &mag) && row < 62)
        row++;
    return row;
}

TEST(test_right_results_pass_in_any_order_of_summation)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        const int m = 33 + (int)(seed % 31), n = 1 + (int)(seed % 67);
        const int k = 1 + (int)(seed * 7 % 300);

        for (int sampled = 0; sampled < 2; sampled++) {
            struct product p = make_product(m, n, k, seed, sampled);

            for (int order = 0; order < ORDERS; order++) {
                multiply(&p, (enum order)order, k);
                expect_diff(&p, 0);
            }
            product_free(&p);
        }
    }
}

TEST(test_all_that_was_compared_is_counted)
{
    struct product p = either(0);
    struct lab_diff diff = expect_diff(&p, 0);

    assert_int_equal(diff.exact, 1);
    assert_true(diff.compared == 200 * 90 && diff.sums == 0);
    assert_true(diff.max_error > 0.0 && diff.tolerance > diff.max_error);
    assert_true(diff.max_ratio > 0.0 && diff.max_ratio < 1.0);
    product_free(&p);

    p = either(1);
    diff = expect_diff(&p, 0);
    assert_int_equal(diff.exact, 0);
    assert_true(diff.compared == 32 * 90);
    assert_true(diff.sums ==
                LAB_SUM_SETS * (200 - 32) * ((90 - 1) / LAB_SUM_WIDTH + 1));
    product_free(&p);
}

/* A NaN compares false with everything: a check written as > lets it pass. */
TEST(test_nan_is_rejected)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);
        const int row = row_not_held(&p);

        *at(&p, row, 89) = NAN;
        const struct lab_diff diff = expect_diff(&p, 1);

        assert_true(diff.bad == 1 && diff.nan == 1 && diff.shown == 1);
        assert_true(diff.first[0].row == row && diff.first[0].col == 89);
        assert_true(isnan(diff.first[0].got));
        assert_true(isfinite(diff.max_error) && diff.max_ratio < 1.0);
        product_free(&p);
    }
}

TEST(test_infinities_are_rejected_even_if_they_cancel)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);
        const int row = row_not_held(&p);

        for (int col = 0; col < 8; col++)
            *at(&p, row, col) = col % 2 ? INFINITY : -INFINITY;
        const struct lab_diff diff = expect_diff(&p, 1);

        assert_true(diff.bad == 8 && diff.nan == 0);
        assert_true(diff.shown == LAB_DIFF_SHOWN);
        assert_true(isfinite(diff.max_error));
        product_free(&p);
    }
}

TEST(test_poison_everywhere_is_rejected_and_counted)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);

        lab_poison(p.C, 200 * 90);
        const struct lab_diff diff = expect_diff(&p, 1);

        assert_true(diff.bad == 200 * 90 && diff.nan == 200 * 90);
        product_free(&p);
    }
}

/* Wherever it is: each sum of the sampled check is tried. */
TEST(test_one_wrong_element_is_found_and_named)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);

        for (int place = 0; place < 200 * 90; place += 97) {
            const int row = place / 90, col = place % 90;
            const float kept = *at(&p, row, col);

            *at(&p, row, col) = kept + 0.125f;
            const struct lab_diff diff = expect_diff(&p, 1);

            assert_true(diff.bad == 1 && diff.shown == 1);
            assert_int_equal(diff.first[0].row, row);
            assert_int_equal(diff.first[0].col, col);
            assert_true(fabs(diff.max_error - 0.125) < 1e-3);
            assert_true(diff.max_ratio > 100.0);
            *at(&p, row, col) = kept;
        }
        product_free(&p);
    }
}

/* The bound by its definition, not by the code's own function. */
TEST(test_half_the_tolerance_passes_and_twice_fails)
{
    struct product p = make_product(40, 50, 300, 9, 0);

    for (int place = 0; place < 40 * 50; place += 41) {
        const int row = place / 50, col = place % 50;
        const float kept = *at(&p, row, col);
        double want, mag;

        lab_reference_span(p.reference, row, col, 1, &want, &mag);
        const double gamma = 300 * 0x1p-24 / (1.0 - 300 * 0x1p-24);

        for (int sign = -1; sign <= 1; sign += 2) {
            *at(&p, row, col) = (float)(want + sign * 0.5 * gamma * mag);
            expect_diff(&p, 0);
            *at(&p, row, col) = (float)(want + sign * 0.99 * gamma * mag);
            expect_diff(&p, 0);
            *at(&p, row, col) = (float)(want + sign * 1.01 * gamma * mag);
            expect_diff(&p, 1);
            *at(&p, row, col) = (float)(want + sign * 2.0 * gamma * mag);
            const struct lab_diff diff = expect_diff(&p, 1);

            assert_true(fabs(diff.max_ratio - 2.0) < 0.02);
            assert_true(fabs(diff.first[0].tolerance / (gamma * mag) - 1.0) <
                        1e-6);
        }
        *at(&p, row, col) = kept;
    }
    product_free(&p);
}

/* As far off as elements that pass can be, all on the side that adds up. */
TEST(test_elements_that_pass_make_sums_that_pass)
{
    struct product p = make_product(80, 90, 200, 11, 1);
    const double factor = lab_tolerance_of(LAB_FP32, 200).of_mag;

    for (int set = 0; set < LAB_SUM_SETS; set++) {
        const signed char *sign = lab_reference_signs(p.reference, set);

        for (int row = 0; row < 80; row++) {
            for (int col = 0; col < 90; col++) {
                double want, mag;
                float got;

                lab_reference_span(p.reference, row, col, 1, &want, &mag);
                got = (float)(want + sign[col] * factor * mag);
                while (!(fabs((double)got - want) <= factor * mag))
                    got = nextafterf(got, (float)want);
                *at(&p, row, col) = got;
            }
        }
        assert_true(expect_diff(&p, 0).max_ratio > 0.9);
    }
    product_free(&p);
}

/* Two errors that cancel under one set of signs show under the other. */
TEST(test_errors_that_cancel_in_one_set_are_found)
{
    struct product p = either(1);
    const signed char *one = lab_reference_signs(p.reference, 0);
    const signed char *two = lab_reference_signs(p.reference, 1);
    const int row = row_not_held(&p);
    int pairs = 0;

    for (int col = 1; col < LAB_SUM_WIDTH; col++) {
        const int product_one = one[0] * one[col];
        const int product_two = two[0] * two[col];
        const float kept = *at(&p, row, col), kept_first = *at(&p, row, 0);

        if (product_one == product_two)
            continue;
        pairs++;
        for (int sign = -1; sign <= 1; sign += 2) {
            *at(&p, row, 0) = kept_first + 1.0f;
            *at(&p, row, col) = kept + (float)sign;
            assert_true(expect_diff(&p, 1).bad == 2);
        }
        *at(&p, row, 0) = kept_first;
        *at(&p, row, col) = kept;
    }
    assert_true(pairs > 0);
    product_free(&p);
}

TEST(test_a_wrong_last_row_or_column_is_found)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);

        for (int col = 0; col < 90; col++)
            *at(&p, 199, col) = 0.0f;
        assert_true(expect_diff(&p, 1).bad == 90);
        multiply(&p, FORWARDS, 61);
        for (int row = 0; row < 200; row++)
            *at(&p, row, 89) = 0.0f;
        assert_true(expect_diff(&p, 1).bad >= 190);
        product_free(&p);
    }
}

TEST(test_two_exchanged_rows_are_found)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);
        const int row = row_not_held(&p);
        float kept[90];

        memcpy(kept, at(&p, row, 0), sizeof kept);
        memmove(at(&p, row, 0), at(&p, row + 1, 0), sizeof kept);
        memcpy(at(&p, row + 1, 0), kept, sizeof kept);
        assert_true(expect_diff(&p, 1).bad >= 60);
        product_free(&p);
    }
}

TEST(test_the_transpose_is_found)
{
    struct product p = make_product(64, 64, 50, 3, 0);

    for (int row = 0; row < 64; row++) {
        for (int col = 0; col < row; col++) {
            const float kept = *at(&p, row, col);

            *at(&p, row, col) = *at(&p, col, row);
            *at(&p, col, row) = kept;
        }
    }
    assert_true(expect_diff(&p, 1).bad == 64 * 63);
    product_free(&p);
}

TEST(test_a_shift_by_one_tile_is_found)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);

        memmove(at(&p, 0, 0), at(&p, 16, 0),
                (size_t)(200 - 16) * 90 * sizeof *p.C);
        expect_diff(&p, 1);
        multiply(&p, FORWARDS, 61);
        for (int row = 0; row < 200; row++)
            memmove(at(&p, row, 0), at(&p, row, 16), (90 - 16) * sizeof *p.C);
        expect_diff(&p, 1);
        product_free(&p);
    }
}

/* The error that a generous tolerance hides first: 100 of 100 are found. */
TEST(test_a_sum_without_its_last_term_never_passes)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct product p = make_product(37, 53, 512, seed, (int)(seed % 2));

        multiply(&p, FORWARDS, 511);
        assert_true(expect_diff(&p, 1).bad > 37 * 53 / 2);
        product_free(&p);
    }
}

TEST(test_the_first_wrong_elements_come_in_order)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = either(sampled);

        for (int i = 0; i < 9; i++)
            *at(&p, 190 - 20 * i, 10 * i) += 1.0f;
        const struct lab_diff diff = expect_diff(&p, 1);

        assert_true(diff.bad == 9 && diff.shown == LAB_DIFF_SHOWN);
        for (int i = 0; i < LAB_DIFF_SHOWN; i++) {
            assert_int_equal(diff.first[i].row, 30 + 20 * i);
            assert_int_equal(diff.first[i].col, 80 - 10 * i);
            assert_true(diff.first[i].got == *at(&p, 30 + 20 * i, 80 - 10 * i));
            assert_true(fabs(diff.first[i].want + 1.0 -
                             (double)diff.first[i].got) < 1e-4);
        }
        product_free(&p);
    }
}

/* Where all terms are 0 nothing else is right, and nothing is divided by 0. */
TEST(test_a_zero_row_allows_no_error_at_all)
{
    float A[4] = {0.0f, 0.0f, 1.0f, 1.0f}, B[2] = {0.5f, 0.25f};
    float C[2] = {0.0f, 0.75f};
    char why[200];
    struct lab_reference *r = lab_reference_new(
        (struct lab_factors){A, B, 2, 1, 2, 0}, 0, why, sizeof why);
    struct lab_diff diff;

    assert_non_null(r);
    assert_int_equal(lab_verify(r, C, &diff), 0);
    assert_true(diff.max_ratio == 0.0 && diff.max_error == 0.0);
    C[0] = -0.0f;
    assert_int_equal(lab_verify(r, C, &diff), 0);
    C[0] = 1e-45f;
    assert_int_equal(lab_verify(r, C, &diff), 1);
    assert_true(isinf(diff.max_ratio) && diff.max_error > 0.0);
    lab_reference_free(r);
}

/* gamma_k is defined only for k u < 1; near that limit it is huge. */
TEST(test_the_tolerance_is_positive_up_to_the_largest_k)
{
    double before = 0.0;

    for (int k = 4; k < 1 << 24; k = k < 1 << 23 ? 2 * k : (1 << 24) - 1) {
        assert_true(lab_tolerance_of(LAB_FP32, k).of_mag > before);
        assert_true(isfinite(lab_tolerance_of(LAB_FP32, k).of_mag));
        before = lab_tolerance_of(LAB_FP32, k).of_mag;
        if (k == (1 << 24) - 1)
            break;
    }
    /* A compensated sum of two products may be off by three roundings. */
    for (int k = 1; k <= 4; k++)
        assert_true(fabs(lab_tolerance_of(LAB_FP32, k).of_mag / 0x1p-22 - 1.0) <
                    1e-6);
}

TEST(test_nothing_to_compare_is_an_error)
{
    struct product p = make_product(2, 2, 2, 1, 0);
    struct lab_diff diff;

    errno = 0;
    assert_int_equal(lab_verify(NULL, p.C, &diff), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(lab_verify(p.reference, NULL, &diff), -1);
    assert_int_equal(lab_verify(p.reference, p.C, NULL), -1);
    product_free(&p);
}
