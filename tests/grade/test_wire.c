/* A report comes from a process that nobody trusts: whatever is in it, reading
   it ends well. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "grade/runner/report.h"
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
                                          .backward_jumps = 5,
                                          .flops = 6,
                                          .loop_file = "loop.cu",
                                          .loop_line = 31};

static const struct simt_finding finding = {.check = SIMT_RACE_SHARED,
                                            .kernel = "matmul",
                                            .array = "As",
                                            .file = "tiling.cu",
                                            .other_file = "tiling.cu",
                                            .line = 46,
                                            .other_line = 55,
                                            .count = 7,
                                            .text = "a race\nof two lines\n"};

/* A report with one of each kind. */
static struct grade_report full_report(void)
{
    struct grade_report report = {
        .has_table = 1,
        .wrong = "wrong",
        .count = {.row = &row,
                  .rows = 1,
                  .kernel = &kernel,
                  .kernels = 1,
                  .own_shared_loads = 64,
                  .own_idle_words = 62},
        .findings = {.finding = &finding, .count = 1}};

    for (int i = 0; i < LAB_CELLS; i++)
        (&report.table[0][0][0])[i] = i;
    return report;
}

/* Writes it. Returns the bytes, for free(). */
static char *write_it(const struct grade_report *report, size_t *size)
{
    char *const bytes = grade_report_write(report, size);

    assert_non_null(bytes);
    return bytes;
}

/* Writes it and reads that, successfully; grade_report_free afterwards. */
static struct grade_report come_back(const struct grade_report *report)
{
    struct grade_report same;
    char why[200] = "";
    size_t size;
    char *const bytes = write_it(report, &size);

    assert_int_equal(grade_report_read(bytes, size, &same, why, sizeof why), 0);
    free(bytes);
    return same;
}

static void expect_refused_report(const struct grade_report *report,
                                  const char *word)
{
    struct grade_report read;
    char why[200] = "";
    size_t size;
    char *const bytes = write_it(report, &size);

    assert_int_equal(grade_report_read(bytes, size, &read, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, word));
    assert_null(read.count.row);
    free(bytes);
}

TEST(test_what_was_written_is_read)
{
    const struct grade_report written = full_report();
    struct grade_report report = come_back(&written);

    assert_int_equal(report.count.rows, 1);
    assert_string_equal(report.count.row[0].kernel, "matmul");
    assert_string_equal(report.count.row[0].array, "As");
    assert_string_equal(report.count.row[0].file, "tiling.cu");
    assert_int_equal(report.count.row[0].line, 46);
    assert_int_equal(report.count.row[0].space, SIMT_SHARED);
    assert_int_equal(report.count.row[0].kind, SIMT_STORE);
    assert_int_equal(report.count.row[0].wavefronts, 6);
    assert_true(report.count.row[0].wavefronts_ideal == UINT64_MAX);
    assert_int_equal(report.count.row[0].lanes_async, 7);
    assert_int_equal(report.count.kernels, 1);
    assert_int_equal(report.count.kernel[0].backward_jumps, 5);
    assert_int_equal(report.count.kernel[0].flops, 6);
    assert_string_equal(report.count.kernel[0].loop_file, "loop.cu");
    assert_int_equal(report.count.kernel[0].loop_line, 31);
    assert_int_equal(report.count.own_shared_loads, 64);
    assert_true(report.count.own_idle_words == 62.0);
    assert_int_equal(report.findings.count, 1);
    assert_int_equal(report.findings.finding[0].check, SIMT_RACE_SHARED);
    assert_string_equal(report.findings.finding[0].text, finding.text);
    assert_string_equal(report.wrong, "wrong");
    assert_null(report.crash);
    assert_null(report.memory);
    assert_true(report.has_table);
    assert_int_equal(report.table[0][0][1], 1);
    grade_report_free(&report);
}

/* A process that cannot be trusted chose them. */
TEST(test_no_other_address_comes_out)
{
    struct grade_report written = full_report();
    struct grade_report report;

    written.count.flops = (const struct simt_flops *)(uintptr_t)8;
    written.count.flops_lines = 1;
    written.count.launch = (const struct simt_launch_count *)(uintptr_t)8;
    written.count.launches = 1;
    report = come_back(&written);
    assert_null(report.count.flops);
    assert_int_equal(report.count.flops_lines, 0);
    assert_null(report.count.launch);
    assert_int_equal(report.count.launches, 0);
    assert_null(report.findings.finding[0].kernel);
    assert_null(report.findings.finding[0].file);
    grade_report_free(&report);
}

TEST(test_every_shorter_report_is_refused)
{
    const struct grade_report written = full_report();
    struct grade_report report;
    char why[200];
    size_t whole;
    char *const bytes = write_it(&written, &whole);

    for (size_t size = 0; size < whole; size++) {
        /* Of exactly that size, so that a read behind it is seen. */
        char *part = malloc(size > 0 ? size : 1);

        assert_non_null(part);
        memcpy(part, bytes, size);
        assert_int_equal(
            grade_report_read(part, size, &report, why, sizeof why), -1);
        free(part);
    }
    free(bytes);
}

TEST(test_changed_bytes_do_no_harm)
{
    const struct grade_report written = full_report();
    struct grade_report report;
    uint64_t random = 5;
    char why[200];
    int refusals = 0;
    size_t size;
    char *const bytes = write_it(&written, &size);

    for (int round = 0; round < 20000; round++) {
        char *copy = malloc(size);
        const int changes = 1 + (int)(lab_random(&random) % 4);

        assert_non_null(copy);
        memcpy(copy, bytes, size);
        for (int i = 0; i < changes; i++) {
            const uint64_t drawn = lab_random(&random);

            copy[drawn % size] = (char)(drawn >> 32);
        }
        if (grade_report_read(copy, size, &report, why, sizeof why) == 0) {
            for (size_t i = 0; i < report.count.rows; i++) {
                assert_true(strlen(report.count.row[i].kernel) <=
                            GRADE_REPORT_TEXT);
            }
            grade_report_free(&report);
        } else {
            refusals++;
        }
        free(copy);
    }
    assert_true(refusals > 5000);
    free(bytes);
}

TEST(test_random_bytes_do_no_harm)
{
    struct grade_report report;
    uint64_t random = 6;
    char why[200];

    for (int round = 0; round < 5000; round++) {
        const size_t size = lab_random(&random) % 1200 + 4;
        char *bytes = malloc(size);

        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)(lab_random(&random) % 64 == 0);
        if (grade_report_read(bytes, size, &report, why, sizeof why) == 0)
            grade_report_free(&report);
        free(bytes);
    }
}

TEST(test_a_text_is_printable_when_it_comes_out)
{
    struct grade_report report =
        come_back(&(struct grade_report){.crash = "a\033[31mb\a\tc\n\x80"});

    assert_string_equal(report.crash, "a?[31mb??c\n?");
    grade_report_free(&report);
}

TEST(test_a_long_text_is_cut)
{
    char text[2 * GRADE_REPORT_TEXT] = "";
    struct grade_report report;

    memset(text, 'a', sizeof text - 1);
    report = come_back(&(struct grade_report){.crash = text});
    assert_int_equal(strlen(report.crash), GRADE_REPORT_TEXT);
    grade_report_free(&report);
}

TEST(test_a_text_longer_than_a_text_may_be_is_refused)
{
    char text[GRADE_REPORT_TEXT + 1] = "", why[200] = "", *bytes, *length;
    const struct grade_report written = {.crash = text};
    const uint32_t most = GRADE_REPORT_TEXT, more = most + 1;
    struct grade_report report;
    size_t size;

    memset(text, 'a', sizeof text - 1);
    bytes = write_it(&written, &size);
    length = memmem(bytes, size, &most, sizeof most);
    assert_non_null(length);
    memcpy(length, &more, sizeof more);
    assert_int_equal(grade_report_read(bytes, size, &report, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "too long"));
    free(bytes);
}

TEST(test_a_check_that_is_none_is_refused)
{
    struct grade_report report = full_report();
    struct simt_finding wrong = finding;

    wrong.check = (enum simt_check)SIMT_MISTAKES;
    report.findings.finding = &wrong;
    expect_refused_report(&report, "a number");
}

TEST(test_a_negative_line_is_refused)
{
    struct grade_report report = full_report();
    struct simt_row wrong = row;

    wrong.line = -1;
    report.count.row = &wrong;
    expect_refused_report(&report, "a number");
}

TEST(test_there_is_an_end_to_the_rows)
{
    static struct simt_row rows[GRADE_REPORT_ROWS + 1];
    struct grade_report report = full_report();

    report.count.row = rows;
    report.count.rows = GRADE_REPORT_ROWS + 1;
    expect_refused_report(&report, "more members");
}
