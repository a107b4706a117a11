/* What could be wrong with the inputs? One test per answer. */

#include <math.h>
#include <string.h>

#include "../testing.h"
#include "harness/inputs.h"

enum {
    COUNT = 100000
};

static float x[COUNT], y[COUNT];

/* The values are fixed: an instructor's run must be a student's run. */
TEST(test_a_seed_gives_the_same_values_everywhere)
{
    uint64_t random = 1234567;

    /* The generator's first output for this state, from its definition. */
    assert_true(lab_random(&random) == 6457827717110365317u);
    lab_fill(x, 4, 1);
    lab_fill(y, 4, 1);
    assert_memory_equal(x, y, 4 * sizeof *x);
    lab_fill(y, 4, 2);
    assert_memory_not_equal(x, y, 4 * sizeof *x);
}

TEST(test_a_longer_fill_begins_with_the_shorter_one)
{
    lab_fill(x, COUNT, 7);
    lab_fill(y, 10, 7);
    assert_memory_equal(x, y, 10 * sizeof *x);
}

/* Uniform over (-1, 1): mean 0, mean square 1/3, each to 5 sigma. */
TEST(test_values_are_spread_over_both_signs)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        double sum = 0.0, squares = 0.0;

        lab_fill(x, COUNT, seed);
        for (int i = 0; i < COUNT; i++) {
            assert_true(x[i] > -1.0f && x[i] < 1.0f);
            /* Odd, so never zero. */
            assert_true(fmodf(x[i] * 0x1p24f, 2.0f) != 0.0f);
            sum += (double)x[i];
            squares += (double)x[i] * (double)x[i];
        }
        assert_true(fabs(sum / COUNT) < 5.0 * sqrt(1.0 / 3.0 / COUNT));
        assert_true(fabs(squares / COUNT - 1.0 / 3.0) <
                    5.0 * sqrt(4.0 / 45.0 / COUNT));
    }
}

/* Seeds of A and B are often neighbours, or a generator's step apart. */
TEST(test_streams_of_near_seeds_do_not_overlap)
{
    const uint64_t apart[] = {1, 2, 0x9e3779b97f4a7c15};

    lab_fill(x, 1000, 42);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        lab_fill(y, 1000, 42 + apart[i]);
        for (size_t shift = 0; shift < 16; shift++) {
            assert_memory_not_equal(x + shift, y, 8 * sizeof *x);
            assert_memory_not_equal(x, y + shift, 8 * sizeof *x);
        }
    }
}

TEST(test_poison_is_nan_and_nothing_else_is_poison)
{
    const uint32_t gpu_nan = 0x7fffffff, cpu_device_nan = 0xffffffff;
    float other;

    lab_poison(x, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(isnan(x[i]) && lab_is_poison(x[i]));
    memcpy(&other, &gpu_nan, sizeof other);
    assert_false(lab_is_poison(other));
    memcpy(&other, &cpu_device_nan, sizeof other);
    assert_false(lab_is_poison(other));
    assert_false(lab_is_poison(NAN));
    assert_false(lab_is_poison(0.0f));
    assert_false(lab_is_poison(INFINITY));
}

TEST(test_nothing_is_written_past_the_count)
{
    x[3] = 5.0f;
    lab_fill(x, 3, 1);
    assert_true(x[3] == 5.0f);
    lab_poison(x, 3);
    assert_true(x[3] == 5.0f);
    lab_fill(x, 0, 1);
    lab_poison(x, 0);
    assert_true(lab_is_poison(x[0]));
}
