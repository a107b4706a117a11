/* When has a run reached its lab's number, and when has it not? */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../scratch.h"
#include "harness/measure.h"

static double counter[LAB_COUNTERS];

/* Less is better: lab 03. More is better: lab 04. */
static const struct course_measure loads = {"global_loads_per_fma", 0.125, 2.0,
                                            2.0};
static const struct course_measure efficiency = {
    "global_load_sector_efficiency_B", 1.0, 0.25, 0.25};

static struct lab_score score_value(const struct course_measure *measure,
                                    double value)
{
    lab_counters_clear(counter);
    counter[lab_counter_find(measure->column)] = value;
    return lab_measure_score(measure, counter);
}

TEST(test_the_goal_itself_is_reached)
{
    assert_true(score_value(&loads, 0.125).reached);
    assert_true(score_value(&efficiency, 1.0).reached);
}

TEST(test_better_than_the_goal_is_reached)
{
    assert_true(score_value(&loads, 0.078).reached);
}

TEST(test_a_little_worse_is_not_reached)
{
    assert_false(score_value(&loads, 0.1250001).reached);
    assert_false(score_value(&efficiency, 0.9999999).reached);
}

TEST(test_a_rounding_error_is_forgiven)
{
    assert_true(score_value(&loads, 0.125 * (1.0 + 1e-12)).reached);
    assert_true(score_value(&efficiency, 1.0 - 1e-12).reached);
}

/* A kernel that the counters did not see must not get full points. */
TEST(test_nothing_seen_is_not_reached)
{
    assert_false(score_value(&loads, 0.0).reached);
    assert_false(score_value(&loads, 0.0).seen);
    assert_false(score_value(&loads, NAN).reached);
    assert_false(score_value(&efficiency, NAN).reached);
}

TEST(test_no_right_cell_is_a_number)
{
    static const struct course_measure cells = {"right_cells", 1.0, 0.0, -1.0};

    assert_true(score_value(&cells, 0.0).seen);
    assert_false(score_value(&cells, 0.0).reached);
    assert_false(score_value(&cells, 53.0 / 54.0).reached);
    assert_true(score_value(&cells, 1.0).reached);
}

TEST(test_no_asynchronous_load_is_a_number)
{
    static const struct course_measure share = {"global_load_async_share_B",
                                                1.0, 0.0, 0.0};

    assert_true(score_value(&share, 0.0).seen);
    assert_false(score_value(&share, NAN).seen);
    assert_true(score_value(&share, 1.0).reached);
}

TEST(test_an_unknown_column_is_not_reached)
{
    static const struct course_measure unknown = {"speed", 1.0, 0.0, -1.0};

    lab_counters_clear(counter);
    assert_false(lab_measure_score(&unknown, counter).reached);
}

TEST(test_all_measures_must_be_reached)
{
    const struct course_lab info = {.measures = 2,
                                    .measure = {loads, efficiency}};
    const struct course_lab none = {.measures = 0};

    lab_counters_clear(counter);
    counter[LAB_GLOBAL_LOADS_PER_FMA] = 0.125;
    counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = 0.5;
    assert_int_equal(lab_measures_reached(&info, counter), 0);
    counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = 1.0;
    assert_int_equal(lab_measures_reached(&info, counter), 1);
    assert_int_equal(lab_measures_reached(&none, counter), -1);
}

TEST(test_the_first_kernel_decides)
{
    const struct course_lab info = {.entries = 3,
                                    .entry = {{.kind = COURSE_HOST},
                                              {.kind = COURSE_LAUNCH},
                                              {.kind = COURSE_SHOWN}}};
    const struct course_lab host = {.entries = 1,
                                    .entry = {{.kind = COURSE_HOST}}};

    assert_int_equal(lab_measure_entry(&info), 1);
    assert_int_equal(lab_measure_entry(&host), -1);
}

TEST(test_a_line_tells_before_now_goal_and_whether_it_is_reached)
{
    const struct course_lab info = {.measures = 2,
                                    .measure = {loads, efficiency}};

    lab_counters_clear(counter);
    counter[LAB_GLOBAL_LOADS_PER_FMA] = 0.125;
    counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = 0.3;
    lab_measures_print(writing(), "this lab's number", &info, counter, NULL);
    assert_string_equal(
        written(),
        "  this lab's number                   before        now       goal\n"
        "  global loads per multiply-add        2.000      0.125      0.125"
        "  reached\n"
        "  sector efficiency, loads of B         25 %       30 %      100 %"
        "  not yet\n");
}

/* Lab 08's goal is 1/256: three places would show 0.004. */
TEST(test_a_small_goal_keeps_its_digits)
{
    static const struct course_measure jumps = {"backward_jumps_per_fma",
                                                0.00390625, 0.0625, -1.0};
    const struct course_lab info = {.measures = 1, .measure = {jumps}};

    lab_counters_clear(counter);
    lab_measures_print(writing(), "this lab's number", &info, counter, NULL);
    assert_string_equal(written(),
                        "  this lab's number                   before"
                        "        now       goal\n"
                        "  backward jumps per multiply-add          -"
                        "  none seen     0.0039  not yet\n");
}

TEST(test_without_a_goal_the_reason_stands_below)
{
    const struct course_lab info = {.measures = 1, .measure = {loads}};

    lab_counters_clear(counter);
    counter[LAB_GLOBAL_LOADS_PER_FMA] = 0.125;
    lab_measures_print(writing(), "this lab's number", &info, counter,
                       "another size");
    assert_string_equal(
        written(), "  this lab's number                   before        now\n"
                   "  global loads per multiply-add        2.000      0.125\n"
                   "  (no goal: another size)\n");
}

TEST(test_every_counter_has_a_name_in_words)
{
    for (int i = 0; i < LAB_COUNTERS; i++) {
        const char *label = lab_counters[i].label;

        assert_non_null(label);
        assert_null(strchr(label, '_'));
    }
}
