/* Does lab_diagnose say what C proves, and nothing else? */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "harness/diagnose.h"
#include "harness/inputs.h"
#include "harness/verify.h"
#include "product.h"

/* A sum of terms first to end - 1 of row `row` of A and column `col` of B. */
static float sum_of(const struct product *p, int row, int col, int first,
                    int end)
{
    float sum = 0.0f;

    for (int i = first; i < end; i++)
        sum += p->A[row * p->k + i] * p->B[i * p->n + col];
    return sum;
}

/* A right C. With sampled the reference holds 32 rows; m should be larger. */
static struct product make_product(int m, int n, int k, int sampled)
{
    const struct product p = product_make(m, n, k, 1, 3, sampled, NULL);

    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++)
            p.C[row * n + col] = sum_of(&p, row, col, 0, k);
    }
    return p;
}

/* The text has this part, is whole, and is a sentence; "" for no text. */
static void expect_and_drop(struct product *p, const char *part)
{
    char text[400] = "not set";
    size_t length;

    assert_int_equal(lab_diagnose(p->reference, p->C, text, sizeof text), 0);
    length = strlen(text);
    if (part[0] == '\0' ? length != 0 : strstr(text, part) == NULL)
        fail_msg("'%s' does not say '%s'", text, part);
    assert_true(length < sizeof text - 1);
    assert_true(length == 0 || strchr(".?)", text[length - 1]) != NULL);
    product_free(p);
}

static void poison_from(struct product *p, int row, int col)
{
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->n; j++) {
            if (i >= row || j >= col)
                lab_poison(&p->C[i * p->n + j], 1);
        }
    }
}

TEST(test_a_right_product_needs_no_words)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = make_product(100, 53, 29, sampled);

        expect_and_drop(&p, "");
    }
}

TEST(test_nothing_written)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = make_product(100, 53, 29, sampled);

        poison_from(&p, 0, 0);
        expect_and_drop(&p, "No element of C was written");
    }
    struct product p = make_product(1, 1, 1, 0);

    poison_from(&p, 0, 0);
    expect_and_drop(&p, "No element of C was written");
}

static void fill_all(struct product *p, float value)
{
    for (int i = 0; i < p->m * p->n; i++)
        p->C[i] = value;
}

TEST(test_all_alike)
{
    struct product p = make_product(37, 53, 29, 0);

    fill_all(&p, 0.0f);
    expect_and_drop(&p, "Every element of C is 0.");
    p = make_product(37, 53, 29, 0);
    fill_all(&p, 3.5f);
    expect_and_drop(&p, "Every element of C is 3.5.");
    p = make_product(37, 53, 29, 0);
    fill_all(&p, NAN);
    expect_and_drop(&p, "No element of C is a number: all are NaN.");
}

TEST(test_a_margin_not_written)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = make_product(101, 53, 29, sampled);

        poison_from(&p, 96, 53);
        expect_and_drop(&p, "The rows 96 to 100 of C were never written.");
        p = make_product(101, 53, 29, sampled);
        poison_from(&p, 101, 48);
        expect_and_drop(&p, "The columns 48 to 52 of C were never written.");
        p = make_product(101, 53, 29, sampled);
        poison_from(&p, 96, 48);
        expect_and_drop(&p,
                        "All but the first 96 rows and 48 columns of C were");
        p = make_product(101, 53, 29, sampled);
        poison_from(&p, 100, 53);
        expect_and_drop(&p, "The last row of C was never written.");
    }
}

TEST(test_rows_that_end_between_held_ones_are_named_exactly)
{
    struct product p = make_product(1000, 40, 29, 1);

    poison_from(&p, 537, 40);
    expect_and_drop(&p, "The rows 537 to 999 of C were never written.");
}

TEST(test_an_edge_not_filled_with_zeros)
{
    struct product p = make_product(101, 53, 29, 0);

    for (int row = 0; row < 101; row++) {
        for (int col = 48; col < 53; col++)
            p.C[row * 53 + col] = NAN;
    }
    expect_and_drop(&p, "The columns 48 to 52 of C are NaN.");
}

/* Each wrong formula is written as a student would write it. */
typedef float wrong_element(const struct product *p, int row, int col);

static float transposed(const struct product *p, int row, int col)
{
    return sum_of(p, col, row, 0, p->k);
}

static float by_column(const struct product *p, int row, int col)
{
    const int at = row * p->n + col;

    return sum_of(p, at % p->m, at / p->m, 0, p->k);
}

static float without_rest(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, 0, p->k / 16 * 16);
}

static float without_last_term(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, 0, p->k - 1);
}

static float without_last_tile(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, 0, p->k - 16);
}

static float without_first_tile(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, 16, p->k);
}

static float first_tile_only(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, 0, 16);
}

static float last_tile_only(const struct product *p, int row, int col)
{
    return sum_of(p, row, col, p->k - 16, p->k);
}

static float goes_on(const struct product *p, int row, int col)
{
    float sum = col > 0 ? goes_on(p, row, col - 1) : 0.0f;

    for (int i = 0; i < p->k; i++)
        sum += p->A[row * p->k + i] * p->B[i * p->n + col];
    return sum;
}

/* Indices past the end read a zero here. */
static float with_indices(const struct product *p, int a, int a_step, int b,
                          int b_step)
{
    float sum = 0.0f;

    for (int i = 0; i < p->k; i++) {
        const int at_a = a + i * a_step, at_b = b + i * b_step;

        if (at_a < p->m * p->k && at_b < p->k * p->n)
            sum += p->A[at_a] * p->B[at_b];
    }
    return sum;
}

static float a_width_n(const struct product *p, int row, int col)
{
    return with_indices(p, row * p->n, 1, col, p->n);
}

static float b_width_k(const struct product *p, int row, int col)
{
    return with_indices(p, row * p->k, 1, col, p->k);
}

static float a_index_swapped(const struct product *p, int row, int col)
{
    return with_indices(p, row, p->k, col, p->n);
}

static float b_index_swapped(const struct product *p, int row, int col)
{
    return with_indices(p, row * p->k, 1, col * p->n, 1);
}

TEST(test_a_wrong_formula_is_recognised)
{
    static const struct {
        wrong_element *wrong;
        int m, n, k;
        const char *says;
    } slip[] = {
        {transposed, 64, 64, 29, "C holds the transpose"},
        {by_column, 37, 53, 29, "stored column by column"},
        {without_rest, 37, 53, 61,
         "lacks its last terms: the first 48 of 61 products"},
        {without_last_term, 37, 53, 64,
         "lacks its last terms: the first 63 of 64 products"},
        {without_last_tile, 48, 64, 64,
         "lacks its last terms: the first 48 of 64 products"},
        {without_first_tile, 48, 64, 64,
         "lacks its first terms: the last 48 of 64"},
        {first_tile_only, 48, 64, 64,
         "lacks its last terms: the first 16 of 64"},
        {last_tile_only, 48, 64, 64,
         "lacks its first terms: the last 16 of 64"},
        {goes_on, 37, 53, 29, "goes on from the element before"},
        {goes_on, 37, 200, 2, "goes on from the element before"},
        {a_width_n, 64, 48, 96, "as if its rows had n elements"},
        {b_width_k, 48, 96, 64, "as if its rows had k elements"},
        {a_index_swapped, 80, 48, 64, "A is read with row and column"},
        {b_index_swapped, 48, 64, 80, "B is read with row and column"},
    };

    for (size_t i = 0; i < sizeof slip / sizeof *slip; i++) {
        for (int sampled = 0; sampled < 2; sampled++) {
            struct product p =
                make_product(slip[i].m, slip[i].n, slip[i].k, sampled);

            for (int row = 0; row < p.m; row++) {
                for (int col = 0; col < p.n; col++)
                    p.C[row * p.n + col] = slip[i].wrong(&p, row, col);
            }
            expect_and_drop(&p, slip[i].says);
        }
    }
}

/* Spoils about one element in seven. */
static void spoil_some(struct product *p, float with)
{
    uint64_t random = 99;

    for (int i = 0; i < p->m * p->n; i++) {
        if (lab_random(&random) % 7 == 0) {
            p->C[i] =
                isnan(with)
                    ? with
                    : p->C[i] + with * (float)(1 + lab_random(&random) % 9);
        }
    }
}

TEST(test_scattered_errors_are_not_explained)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct product p = make_product(100, 53, 29, sampled);

        spoil_some(&p, 0.1f);
        expect_and_drop(&p, "");
        p = make_product(100, 53, 29, sampled);
        spoil_some(&p, NAN);
        expect_and_drop(&p, "elements of C are NaN, the first is C[");
    }
}

TEST(test_scattered_elements_not_written)
{
    struct product p = make_product(37, 53, 29, 0);

    lab_poison(&p.C[17 * 53 + 4], 1);
    lab_poison(&p.C[20 * 53 + 9], 1);
    expect_and_drop(&p, "2 of 1961 elements of C were never written, the "
                        "first is C[17][4].");
}

/* Random values fit nothing: no formula may be named. */
TEST(test_noise_is_not_explained)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct product p = make_product(37, 53, 29, 0);

        lab_fill(p.C, 37 * 53, 1000 + seed);
        expect_and_drop(&p, "");
    }
}

/* With one or two wrong elements, chance would pass for a proof. */
TEST(test_few_elements_name_no_formula)
{
    struct product p = make_product(1, 2, 5, 0);

    p.C[0] = sum_of(&p, 0, 0, 0, 4);
    p.C[1] = sum_of(&p, 0, 1, 0, 4);
    expect_and_drop(&p, "");
}

TEST(test_a_small_buffer_is_not_overrun)
{
    struct product p = make_product(4, 4, 4, 0);
    char *text = malloc(10);

    assert_non_null(text);
    fill_all(&p, 0.0f);
    assert_int_equal(lab_diagnose(p.reference, p.C, text, 10), 0);
    assert_string_equal(text, "Every ele");
    errno = 0;
    assert_int_equal(lab_diagnose(p.reference, p.C, text, 0), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(lab_diagnose(NULL, p.C, text, 10), -1);
    free(text);
    product_free(&p);
}
