/* What could a problem that is no product get wrong? One test per answer. */
#include "../testing.h"
#include "harness/buffers.h"
#include "harness/inputs.h"
#include "harness/verify.h"
#include "problem/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counts of three values, and twice each of a matrix. */
static void want_counts(struct course_shape size, const float *const in[2],
                        double *want, double *tolerance)
{
    (void)tolerance;
    for (int i = 0; i < size.n; i++)
        want[(int)in[0][i]] += 1.0;
}

static void want_twice(struct course_shape size, const float *const in[2],
                       double *want, double *tolerance)
{
    for (int i = 0; i < size.m * size.n; i++) {
        want[i] = 2.0 * (double)in[0][i];
        tolerance[i] = 0.25;
    }
}

static void fill_keys(int i, float *x, size_t count, uint64_t seed)
{
    (void)i;
    for (size_t at = 0; at < count; at++)
        x[at] = (float)(lab_random(&seed) % 3);
}

static const struct lab_problem counts = {
    .array = {[LAB_A] = {"keys", .is_int = 1, .cols = LAB_N},
              [LAB_C] = {"counts", .is_int = 1, .cols = 3}},
    .fill = fill_keys,
    .want = want_counts};

static const struct lab_problem twice = {
    .array = {[LAB_A] = {"x", .rows = LAB_M, .cols = LAB_N},
              [LAB_C] = {"y", .rows = LAB_M, .cols = LAB_N}},
    .want = want_twice};

TEST(test_a_layout_has_the_arrays_of_the_size)
{
    const struct course_shape s = {2, 5, 7};
    struct lab_layout l = lab_problem_layout(&lab_product, s);

    assert_true(l.count[LAB_A] == 14 && l.count[LAB_B] == 35 &&
                l.count[LAB_C] == 10);
    assert_string_equal(l.name[LAB_B], "B");
    l = lab_problem_layout(&counts, s);
    assert_true(l.count[LAB_A] == 5 && l.count[LAB_B] == 0 &&
                l.count[LAB_C] == 3);
    assert_true(l.is_int[LAB_A] && !l.is_int[LAB_B] && l.is_int[LAB_C]);
    assert_string_equal(l.name[LAB_B], "");
}

TEST(test_elements_are_called_as_the_problem_calls_them)
{
    char text[LAB_ELEMENT_TEXT];

    assert_string_equal(lab_problem_element(&lab_product, LAB_C, 2, 3, text),
                        "C[2][3]");
    assert_string_equal(lab_problem_element(&counts, LAB_C, 0, 2, text),
                        "counts[2]");
}

TEST(test_the_labs_problems_are_found_by_their_names)
{
    assert_ptr_equal(lab_problem_find(NULL), &lab_product);
    assert_non_null(lab_problem_find("reduction"));
    assert_null(lab_problem_find("no such problem"));
}

static struct lab_reference *reference_of(const struct lab_problem *problem,
                                          int m, int n,
                                          const float *const in[2])
{
    char why[200];
    struct lab_reference *const r = lab_reference_of(
        problem, (struct course_shape){m, n, 1}, in, 1, why, sizeof why);

    assert_non_null(r);
    return r;
}

TEST(test_a_reference_holds_what_the_problem_wants)
{
    const float keys[] = {0, 2, 2, 1, 2};
    const float *const in[2] = {keys, NULL};
    float got[] = {1, 1, 3};
    struct lab_diff diff;
    struct lab_reference *r = reference_of(&counts, 1, 5, in);

    assert_int_equal(lab_verify(r, got, &diff), 0);
    got[2] = 4;
    assert_int_equal(lab_verify(r, got, &diff), 1);
    assert_true(diff.bad == 1 && diff.first[0].row == 0 &&
                diff.first[0].col == 2);
    got[2] = NAN;
    assert_int_equal(lab_verify(r, got, &diff), 1);
    lab_reference_free(r);
}

TEST(test_the_tolerance_is_the_problems)
{
    const float x[] = {1, 2, 3, 4, 5, 6};
    const float *const in[2] = {x, NULL};
    float got[] = {2, 4, 6, 8, 10, 12.25f};
    struct lab_diff diff;
    struct lab_reference *r = reference_of(&twice, 2, 3, in);

    assert_int_equal(lab_verify(r, got, &diff), 0);
    got[5] = 12.5f;
    assert_int_equal(lab_verify(r, got, &diff), 1);
    assert_true(diff.first[0].row == 1 && diff.first[0].col == 2);
    lab_reference_free(r);
}

TEST(test_ints_come_to_the_device_and_back)
{
    const struct lab_layout l =
        lab_problem_layout(&counts, (struct course_shape){1, 5, 1});
    struct lab_buffers b;
    char why[200];
    int keys[5];

    assert_int_equal(lab_buffers_new(&b, (struct course_shape){1, 5, 1}, &l, 1,
                                     1, LAB_FP32, why, sizeof why),
                     0);
    lab_problem_fill(&counts, b.filled, &l, 1);
    assert_int_equal(lab_buffers_reset(&b, COURSE_LAUNCH, why, sizeof why), 0);
    assert_null(b.device[LAB_B]);
    cudaMemcpy(keys, b.device[LAB_A], sizeof keys, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; i++)
        assert_true(keys[i] == (int)b.filled[LAB_A][i]);
    keys[0] = 77;
    cudaMemcpy((int *)b.device[LAB_C] + 1, keys, sizeof keys[0],
               cudaMemcpyHostToDevice);
    assert_int_equal(lab_buffers_fetch(&b, why, sizeof why), 0);
    assert_true(b.host[LAB_C][1] == 77.0f);
    assert_true(lab_is_poison(b.host[LAB_C][0])); /* which nobody wrote */
    assert_int_equal(lab_buffers_intact(&b, COURSE_LAUNCH, why, sizeof why), 1);
    lab_buffers_free(&b);
}

TEST(test_a_rounding_is_gamma)
{
    assert_true(fabs(lab_rounding(1) / 0x1p-24 - 1.0) < 1e-6);
    assert_true(isnan(lab_rounding(0x1p24)));
}
