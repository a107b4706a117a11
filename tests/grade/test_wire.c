/* A report comes from a process that nobody trusts: whatever is in it, reading
   it ends well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "grade/runner/wire.h"
#include "harness/inputs.h"

static const struct simt_row row = {.kernel = "matmul",
                                    .array = "As",
                                    .file = "tiling.cu",
                                    .line = 46,
                                    .space = SIMT_SHARED,
                                    .kind = SIMT_STORE,
                                    .size = 4,
                                    .requests = 1,
                                    .lanes = 2,
                                    .bytes = 3,
                                    .sectors = 4,
                                    .sectors_ideal = 5,
                                    .wavefronts = 6,
                                    .wavefronts_ideal = UINT64_MAX,
                                    .lanes_async = 7};

static const struct simt_kernel kernel = {.kernel = "matmul",
                                          .launches = 1,
                                          .threads = 2,
                                          .barriers = 3,
                                          .basic_blocks = 4,
                                          .backward_jumps = 5,
                                          .flops = 6};

static const struct simt_finding finding = {.check = SIMT_RACE_SHARED,
                                            .kernel = "matmul",
                                            .array = "As",
                                            .file = "tiling.cu",
                                            .other_file = "tiling.cu",
                                            .line = 46,
                                            .other_line = 55,
                                            .count = 7,
                                            .text = "a race\nof two lines\n"};

static void begin_report(struct grade_wire_out *out)
{
    *out = (struct grade_wire_out){0};
    grade_wire_u32(out, GRADE_WIRE_REPORT);
}

static void end_report(struct grade_wire_out *out)
{
    grade_wire_open(out, GRADE_WIRE_END);
    grade_wire_close(out);
}

/* A report with one record of each kind. */
static void whole(struct grade_wire_out *out)
{
    begin_report(out);
    grade_wire_kernel(out, &kernel);
    grade_wire_row(out, &row);
    grade_wire_finding(out, &finding);
    grade_wire_tell(out, GRADE_WIRE_WRONG, "wrong");
    grade_wire_open(out, GRADE_WIRE_OVERLAP);
    grade_wire_u64(out, 64);
    grade_wire_u64(out, 62);
    grade_wire_close(out);
    grade_wire_open(out, GRADE_WIRE_TABLE);
    for (uint32_t i = 0; i < LAB_CELLS; i++)
        grade_wire_u32(out, i);
    grade_wire_close(out);
    end_report(out);
}

static int read_it(const struct grade_wire_out *out,
                   struct grade_report *report, char *why)
{
    return grade_report_read(out->bytes, out->size, report, why, 200);
}

static void expect_refused_report(struct grade_wire_out *out, const char *word)
{
    struct grade_report report;
    char why[200] = "";

    assert_int_equal(read_it(out, &report, why), -1);
    assert_non_null(strstr(why, word));
    assert_null(report.texts);
    free(out->bytes);
}

static void test_what_was_written_is_read(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    char why[200] = "";

    (void)state;
    whole(&out);
    assert_int_equal(read_it(&out, &report, why), 0);
    assert_true(report.ended);
    assert_int_equal(report.rows, 1);
    assert_string_equal(report.row[0].kernel, "matmul");
    assert_string_equal(report.row[0].array, "As");
    assert_string_equal(report.row[0].file, "tiling.cu");
    assert_int_equal(report.row[0].line, 46);
    assert_int_equal(report.row[0].space, SIMT_SHARED);
    assert_int_equal(report.row[0].kind, SIMT_STORE);
    assert_int_equal(report.row[0].wavefronts, 6);
    assert_true(report.row[0].wavefronts_ideal == UINT64_MAX);
    assert_int_equal(report.row[0].lanes_async, 7);
    assert_int_equal(report.kernels, 1);
    assert_int_equal(report.kernel[0].backward_jumps, 5);
    assert_int_equal(report.kernel[0].flops, 6);
    assert_int_equal(report.count.rows, 1);
    assert_int_equal(report.count.own_shared_loads, 64);
    assert_int_equal(report.count.own_overlapped_loads, 62);
    assert_int_equal(report.findings, 1);
    assert_int_equal(report.finding[0].check, SIMT_RACE_SHARED);
    assert_string_equal(report.finding[0].text, finding.text);
    assert_string_equal(report.wrong, "wrong");
    assert_null(report.crash);
    assert_true(report.has_table);
    assert_int_equal(report.table[0][0][1], 1);
    grade_report_free(&report);
    free(out.bytes);
}

static void test_a_report_without_its_end_is_not_ended(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    char why[200];

    (void)state;
    begin_report(&out);
    grade_wire_row(&out, &row);
    assert_int_equal(read_it(&out, &report, why), 0);
    assert_false(report.ended);
    grade_report_free(&report);
    free(out.bytes);
}

static void test_every_shorter_report_is_refused_or_not_ended(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    char why[200];

    (void)state;
    whole(&out);
    for (size_t size = 0; size < out.size; size++) {
        /* Of exactly that size, so that a read behind it is seen. */
        char *part = malloc(size > 0 ? size : 1);

        assert_non_null(part);
        memcpy(part, out.bytes, size);
        if (grade_report_read(part, size, &report, why, sizeof why) == 0) {
            assert_false(report.ended);
            grade_report_free(&report);
        }
        free(part);
    }
    free(out.bytes);
}

static void test_changed_bytes_do_no_harm(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    uint64_t random = 5;
    char why[200];
    int refusals = 0;

    (void)state;
    whole(&out);
    for (int round = 0; round < 20000; round++) {
        char *copy = malloc(out.size);
        const int changes = 1 + (int)(lab_random(&random) % 4);

        assert_non_null(copy);
        memcpy(copy, out.bytes, out.size);
        for (int i = 0; i < changes; i++) {
            const uint64_t drawn = lab_random(&random);

            copy[drawn % out.size] = (char)(drawn >> 32);
        }
        if (grade_report_read(copy, out.size, &report, why, sizeof why) == 0) {
            for (size_t i = 0; i < report.rows; i++)
                assert_true(strlen(report.row[i].kernel) < GRADE_WIRE_TEXT);
            grade_report_free(&report);
        } else {
            refusals++;
        }
        free(copy);
    }
    assert_true(refusals > 5000);
    free(out.bytes);
}

static void test_random_bytes_do_no_harm(void **state)
{
    struct grade_report report;
    uint64_t random = 6;
    char why[200];

    (void)state;
    for (int round = 0; round < 5000; round++) {
        const size_t size = lab_random(&random) % 400 + 4;
        char *bytes = malloc(size);

        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)(lab_random(&random) % 12);
        memcpy(bytes, &(uint32_t){GRADE_WIRE_REPORT}, 4);
        if (grade_report_read(bytes, size, &report, why, sizeof why) == 0)
            grade_report_free(&report);
        free(bytes);
    }
}

static void test_a_text_is_printable_when_it_comes_out(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    char why[200];

    (void)state;
    begin_report(&out);
    grade_wire_tell(&out, GRADE_WIRE_CRASH, "a\033[31mb\a\tc\n\x80");
    end_report(&out);
    assert_int_equal(read_it(&out, &report, why), 0);
    assert_string_equal(report.crash, "a?[31mb??c\n?");
    grade_report_free(&report);
    free(out.bytes);
}

static void test_the_first_of_two_texts_counts(void **state)
{
    struct grade_wire_out out;
    struct grade_report report;
    char why[200];

    (void)state;
    begin_report(&out);
    grade_wire_tell(&out, GRADE_WIRE_CRASH, "first");
    grade_wire_tell(&out, GRADE_WIRE_CRASH, "second");
    end_report(&out);
    assert_int_equal(read_it(&out, &report, why), 0);
    assert_string_equal(report.crash, "first");
    grade_report_free(&report);
    free(out.bytes);
}

static void test_nothing_may_stand_behind_the_end(void **state)
{
    struct grade_wire_out out;

    (void)state;
    begin_report(&out);
    end_report(&out);
    grade_wire_row(&out, &row);
    expect_refused_report(&out, "behind the end");
}

static void test_a_record_too_long_for_its_kind_is_refused(void **state)
{
    struct grade_wire_out out;

    (void)state;
    begin_report(&out);
    grade_wire_open(&out, GRADE_WIRE_END);
    grade_wire_u64(&out, 8);
    grade_wire_close(&out);
    end_report(&out);
    expect_refused_report(&out, "too many");
}

static void test_an_unknown_record_is_refused(void **state)
{
    struct grade_wire_out out;

    (void)state;
    begin_report(&out);
    grade_wire_tell(&out, 99, "");
    expect_refused_report(&out, "99");
}

static void test_a_check_that_is_none_is_refused(void **state)
{
    struct grade_wire_out out;
    struct simt_finding wrong = finding;

    (void)state;
    wrong.check = (enum simt_check)SIMT_MISTAKES;
    begin_report(&out);
    grade_wire_finding(&out, &wrong);
    expect_refused_report(&out, "a check");
}

static void test_a_negative_line_is_refused(void **state)
{
    struct grade_wire_out out;
    struct simt_row wrong = row;

    (void)state;
    wrong.line = -1;
    begin_report(&out);
    grade_wire_row(&out, &wrong);
    expect_refused_report(&out, "a line");
}

static void test_there_is_an_end_to_the_rows(void **state)
{
    struct grade_wire_out out;

    (void)state;
    begin_report(&out);
    for (int i = 0; i <= GRADE_WIRE_ROWS; i++)
        grade_wire_row(&out, &row);
    end_report(&out);
    expect_refused_report(&out, "more than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_written_is_read),
        cmocka_unit_test(test_a_report_without_its_end_is_not_ended),
        cmocka_unit_test(test_every_shorter_report_is_refused_or_not_ended),
        cmocka_unit_test(test_changed_bytes_do_no_harm),
        cmocka_unit_test(test_random_bytes_do_no_harm),
        cmocka_unit_test(test_a_text_is_printable_when_it_comes_out),
        cmocka_unit_test(test_the_first_of_two_texts_counts),
        cmocka_unit_test(test_nothing_may_stand_behind_the_end),
        cmocka_unit_test(test_a_record_too_long_for_its_kind_is_refused),
        cmocka_unit_test(test_an_unknown_record_is_refused),
        cmocka_unit_test(test_a_check_that_is_none_is_refused),
        cmocka_unit_test(test_a_negative_line_is_refused),
        cmocka_unit_test(test_there_is_an_end_to_the_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
