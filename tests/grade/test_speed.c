/* What a program told of its speed comes from a process that nobody trusts. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/speed/measure.h"
#include "grade/speed/options.h"
#include "grade/speed/order.h"
#include "grade/speed/table.h"
#include "harness/inputs.h"

enum {
    M = 5,
    N = 7,
    K = 3,
    RUNS = 4
};

/* A product and a program that tells the truth about it. */
struct told {
    float A[M * K], B[K * N], C[M * N];
    struct lab_reference *reference;
    struct {
        struct speed_answer answer;
        float ms[RUNS];
    } report;
};

static void begin(struct told *t)
{
    char why[200];

    lab_reference_free(t->reference);

    lab_fill(t->A, M * K, 1);
    lab_fill(t->B, K * N, 2);
    for (int row = 0; row < M; row++) {
        for (int col = 0; col < N; col++) {
            float sum = 0.0f;

            for (int step = 0; step < K; step++)
                sum += t->A[row * K + step] * t->B[step * N + col];
            t->C[row * N + col] = sum;
        }
    }
    t->reference = lab_reference_new(t->A, t->B, M, N, K, 3, why, sizeof why);
    assert_non_null(t->reference);
    t->report.answer = (struct speed_answer){.magic = SPEED_ANSWER,
                                             .runs = RUNS,
                                             .major = 9,
                                             .multiprocessors = 132,
                                             .clock = 1980000,
                                             .device = "NVIDIA H200"};
    for (int i = 0; i < RUNS; i++)
        t->report.ms[i] = (float)(RUNS - i);
}

static struct speed_result judge(const struct told *t, size_t C_size,
                                 size_t report_size, double seconds)
{
    struct speed_result result = {.verdict = SPEED_RIGHT};

    speed_judge(t->reference, RUNS, t->C, C_size, &t->report, report_size,
                seconds, &result);
    return result;
}

static struct speed_result judge_all(const struct told *t)
{
    return judge(t, sizeof t->C, sizeof t->report, 1.0);
}

static void a_right_product_has_its_median_and_its_speed(void **state)
{
    struct told t = {.reference = NULL};
    struct speed_result r;

    (void)state;
    begin(&t);
    r = judge_all(&t);
    assert_int_equal(r.verdict, SPEED_RIGHT);
    assert_true(r.median == 2.5 && r.shortest == 1.0 && r.longest == 4.0);
    assert_true(fabs(r.gflops - 2.0 * M * N * K / 2.5e6) < 1e-12);
    /* 132 multiprocessors, 128 lanes, 2 operations, 1.98 GHz */
    assert_true(fabs(r.peak - 66908.16) < 0.01);
    assert_string_equal(r.device, "NVIDIA H200");
    assert_string_equal(r.flag, "");
    lab_reference_free(t.reference);
}

static void a_wrong_product_has_no_speed(void **state)
{
    struct told t = {.reference = NULL};

    (void)state;
    begin(&t);
    t.C[M * N - 1] = NAN;
    assert_int_equal(judge_all(&t).verdict, SPEED_WRONG);
    t.C[M * N - 1] = 17.0f;
    assert_int_equal(judge_all(&t).verdict, SPEED_WRONG);
    assert_non_null(strstr(judge_all(&t).text, "element (4, 6) is 17, not"));
    lab_reference_free(t.reference);
}

static void who_did_not_tell_all_failed(void **state)
{
    struct told t = {.reference = NULL};

    (void)state;
    begin(&t);
    for (size_t less = 1; less < sizeof t.C; less += 4)
        assert_int_equal(
            judge(&t, sizeof t.C - less, sizeof t.report, 1.0).verdict,
            SPEED_FAILED);
    for (size_t less = 1; less < sizeof t.report; less += 4)
        assert_int_equal(
            judge(&t, sizeof t.C, sizeof t.report - less, 1.0).verdict,
            SPEED_FAILED);
    lab_reference_free(t.reference);
}

static void nonsense_is_not_read(void **state)
{
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    struct told t = {.reference = NULL};

    (void)state;
    begin(&t);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        t.report.ms[2] = bad[i];
        assert_int_equal(judge_all(&t).verdict, SPEED_FAILED);
    }
    begin(&t);
    t.report.answer.runs = RUNS + 1;
    assert_int_equal(judge_all(&t).verdict, SPEED_FAILED);
    begin(&t);
    t.report.answer.multiprocessors = -1;
    assert_int_equal(judge_all(&t).verdict, SPEED_FAILED);
    begin(&t);
    t.report.answer.magic++;
    assert_int_equal(judge_all(&t).verdict, SPEED_FAILED);
    lab_reference_free(t.reference);
}

static void a_name_of_control_bytes_cannot_move_the_cursor(void **state)
{
    struct told t = {.reference = NULL};
    struct speed_result r;

    (void)state;
    begin(&t);
    memset(t.report.answer.device, '\033', sizeof t.report.answer.device);
    r = judge_all(&t);
    assert_int_equal(r.verdict, SPEED_RIGHT);
    assert_null(strchr(r.device, '\033'));
    lab_reference_free(t.reference);
}

static void what_cannot_be_is_flagged_for_a_person(void **state)
{
    struct told t = {.reference = NULL};

    (void)state;
    begin(&t);
    /* 1 + 2 + 3 + 4 ms of runs in a box that was there for 9 ms. */
    assert_non_null(strstr(judge(&t, sizeof t.C, sizeof t.report, 0.009).flag,
                           "more time than it ran"));
    assert_string_equal(judge(&t, sizeof t.C, sizeof t.report, 0.011).flag, "");
    for (int i = 0; i < RUNS; i++)
        t.report.ms[i] = 1e-9f;
    assert_non_null(
        strstr(judge_all(&t).flag, "faster than the chip's arithmetic"));
    lab_reference_free(t.reference);
}

static void labs_are_chosen_by_number_or_name(void **state)
{
    (void)state;
    assert_true(speed_options_has(NULL, "03_tiling"));
    assert_true(speed_options_has("3", "03_tiling"));
    assert_true(speed_options_has("02, 03", "03_tiling"));
    assert_true(speed_options_has("03_tiling", "03_tiling"));
    assert_false(speed_options_has("3", "13_async_copy"));
    assert_false(speed_options_has("13", "03_tiling"));
    assert_false(speed_options_has("03_til", "03_tiling"));
    assert_false(speed_options_has("", "03_tiling"));
}

static int options(const char *size, const char *runs, char *why, size_t room)
{
    char program[] = "speed", nvcc[] = "--nvcc=/n", arch[] = "--arch=sm_90";
    char folder[] = "class", sizes[60], times[60];
    char *argv[] = {program, nvcc, arch, sizes, times, folder, NULL};
    struct speed_options o;

    snprintf(sizes, sizeof sizes, "--size=%s", size);
    snprintf(times, sizeof times, "--runs=%s", runs);
    return speed_options_read(&o, 6, argv, why, room);
}

static void a_wrong_number_is_named(void **state)
{
    static const char *const bad[] = {"",      "0",    "-1",       "12x",
                                      "1x2",   "1x2x", "1x2x3x4",  "8193",
                                      "2048 ", "+5",   "0x10x1x1", "x"};
    char why[300];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(options(bad[i], "5", why, sizeof why), -1);
        assert_non_null(strstr(why, "--size"));
    }
    assert_int_equal(options("17", "1001", why, sizeof why), -1);
    assert_non_null(strstr(why, "--runs"));
    assert_int_equal(options("17", "5", why, sizeof why), 0);
    assert_int_equal(options("17x5x9", "1000", why, sizeof why), 0);
}

static void a_name_is_no_formula_in_the_table(void **state)
{
    const struct course_lab lab = {.name = "03_tiling"};
    const struct course_entry entry = {.variant = "kernel"};
    const struct course_shape shape = {M, N, K};
    const struct speed_row row = {
        .student = "=1+1",
        .lab = &lab,
        .entry = &entry,
        .result = {.verdict = SPEED_FAILED, .text = "a\nb"},
        .of_solution = 2.0};
    char path[] = "/tmp/test_speed_XXXXXX", why[200], text[500] = "";
    const int file = mkstemp(path);
    FILE *from;

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(speed_table_write(path, &row, 1, &shape, why, sizeof why),
                     0);
    from = fopen(path, "re");
    assert_non_null(from);
    assert_true(fread(text, 1, sizeof text - 1, from) > 0);
    fclose(from);
    remove(path);
    assert_non_null(
        strstr(text, "\n'=1+1,03_tiling,kernel,5,7,3,FAILED,,,,,,,,a\\nb\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_product_has_its_median_and_its_speed),
        cmocka_unit_test(a_wrong_product_has_no_speed),
        cmocka_unit_test(who_did_not_tell_all_failed),
        cmocka_unit_test(nonsense_is_not_read),
        cmocka_unit_test(a_name_of_control_bytes_cannot_move_the_cursor),
        cmocka_unit_test(what_cannot_be_is_flagged_for_a_person),
        cmocka_unit_test(labs_are_chosen_by_number_or_name),
        cmocka_unit_test(a_wrong_number_is_named),
        cmocka_unit_test(a_name_is_no_formula_in_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
