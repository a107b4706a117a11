/* Which row counts, and which verdict comes of several? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "harness/rows.h"

static const char header[] = "lab,variant,device,m,n,k,verdict,kernel_ms,"
                             "measure_ok,global_load_requests,precision\n";

static struct base_csv csv;

/* Takes rows of these columns. */
static void read_rows(const char *rows)
{
    char text[2000], why[200] = "";

    snprintf(text, sizeof text, "%s%s", header, rows);
    base_csv_parse("rows", text, &csv, why, sizeof why);
    assert_string_equal(why, "");
}

static int forget_rows(void **state)
{
    (void)state;
    base_csv_free(&csv);
    return 0;
}

static struct lab_judgement judge_rows(const char *rows)
{
    base_csv_free(&csv);
    read_rows(rows);
    return lab_judge(&csv, "03_tiling");
}

/* One row of lab 03 with that verdict. */
#define ROW(verdict) "03_tiling,kernel,cpu,1,1,1," verdict ",,,,\n"

TEST(test_the_worst_verdict_counts)
{
    assert_string_equal(judge_rows(ROW("PASS") ROW("FAIL") ROW("PASS")).verdict,
                        "FAIL");
    assert_string_equal(judge_rows(ROW("FAIL") ROW("UNFINISHED")).verdict,
                        "FAIL");
    assert_string_equal(judge_rows(ROW("UNFINISHED") ROW("FAIL")).verdict,
                        "FAIL");
    assert_string_equal(judge_rows(ROW("PASS") ROW("UNFINISHED")).verdict,
                        "UNFINISHED");
    assert_string_equal(judge_rows(ROW("FAIL") ROW("crash")).verdict, "crash");
}

/* Another device has run it. */
TEST(test_a_pass_says_more_than_a_skip)
{
    assert_string_equal(judge_rows(ROW("PASS") ROW("SKIPPED")).verdict, "PASS");
    assert_string_equal(judge_rows(ROW("SKIPPED") ROW("PASS")).verdict, "PASS");
    assert_string_equal(judge_rows(ROW("SKIPPED")).verdict, "SKIPPED");
    assert_true(judge_rows(ROW("SKIPPED")).passed);
    assert_true(judge_rows(ROW("PASS")).passed);
    assert_false(judge_rows(ROW("PASS") ROW("UNFINISHED")).passed);
}

TEST(test_without_a_row_a_lab_was_not_run)
{
    const struct lab_judgement j =
        judge_rows("04_b,kernel,cpu,1,1,1,FAIL,,,,\n");

    assert_string_equal(j.verdict, "not run");
    assert_false(j.passed);
    assert_string_equal(lab_judge(&csv, NULL).verdict, "FAIL");
}

TEST(test_a_number_is_asked_for_or_missed)
{
    assert_false(judge_rows(ROW("PASS")).asked);
    assert_true(judge_rows("03_tiling,kernel,cpu,1,1,1,PASS,,1,7,\n").asked);
    assert_false(judge_rows("03_tiling,kernel,cpu,1,1,1,PASS,,1,7,\n").missed);
    assert_true(judge_rows("03_tiling,a,cpu,1,1,1,PASS,,1,7,\n"
                           "03_tiling,b,cpu,1,1,1,PASS,,0,7,\n")
                    .missed);
}

/* The row that counts among all of lab 03, from 0. */
static long row(struct lab_rows which, const char *rows)
{
    base_csv_free(&csv);
    read_rows(rows);
    which.lab = "03_tiling";
    return lab_row(&csv, &which);
}

TEST(test_counts_outweigh_a_run_that_only_checks)
{
    static const char rows[] = "03_tiling,a,cpu,9,9,9,PASS,,1,7,\n"
                               "03_tiling,a,cpu,1,1,1,PASS,,1,8,\n"
                               "03_tiling,a,cpu,2,2,2,PASS,,,,\n"
                               "03_tiling,b,cpu,2,2,2,PASS,,1,9,\n"
                               "04_b,a,cpu,2,2,2,PASS,,1,9,\n";

    assert_int_equal(row((struct lab_rows){.of = LAB_COUNTED}, rows), 1);
    assert_int_equal(
        row((struct lab_rows){.of = LAB_COUNTED, .variant = "b"}, rows), 3);
    assert_int_equal(
        row((struct lab_rows){.of = LAB_COUNTED, .variant = "c"}, rows), -1);
    assert_int_equal(row((struct lab_rows){.of = LAB_TIMED}, rows), -1);
    assert_int_equal(row((struct lab_rows){.of = LAB_COUNTED}, ROW("PASS")), 0);
}

TEST(test_times_are_a_gpus_and_of_the_largest_product)
{
    static const char rows[] = "03_tiling,a,cpu,9,9,9,PASS,1,,,fp32\n"
                               "03_tiling,a,gpu,1,1,1,PASS,1,,,fp32\n"
                               "03_tiling,a,gpu,8,8,8,PASS,1,,,fp32\n"
                               "03_tiling,a,gpu,8,8,8,PASS,2,,,fp32\n"
                               "03_tiling,a,gpu,2,2,2,PASS,1,,,fp32\n"
                               "03_tiling,a,gpu,9,9,9,PASS,,,,fp32\n"
                               "03_tiling,b,gpu,9,9,9,PASS,1,,,fp32\n";

    assert_int_equal(row((struct lab_rows){.of = LAB_TIMED}, rows), 3);
    assert_int_equal(
        row((struct lab_rows){.of = LAB_TIMED, .variant = "b"}, rows), 6);
}

/* Host code is timed with its copies; alone it is what the lab has. */
TEST(test_a_kernel_counts_before_host_code)
{
    static const char both[] = "03_tiling,host,gpu,1,1,1,PASS,1,,,\n"
                               "03_tiling,kernel,gpu,1,1,1,PASS,1,,,\n";
    static const char host[] = "03_tiling,host,gpu,1,1,1,PASS,1,,,\n";

    assert_int_equal(row((struct lab_rows){.of = LAB_TIMED}, both), 1);
    assert_int_equal(row((struct lab_rows){.of = LAB_TIMED}, host), 0);
}

/* Were the second one taken, nobody would see that the first is wrong. */
TEST(test_a_wrong_first_variant_leaves_nothing)
{
    static const char rows[] = "03_tiling,a,gpu,1,1,1,FAIL,,,,\n"
                               "03_tiling,b,gpu,1,1,1,PASS,1,,,\n";

    assert_int_equal(row((struct lab_rows){.of = LAB_TIMED, .right = 1}, rows),
                     -1);
}

TEST(test_a_gpus_answers_count_without_a_kernel)
{
    assert_int_equal(row((struct lab_rows){.of = LAB_COUNTED},
                         "03_tiling,banks,gpu,,,,PASS,,1,,\n"),
                     0);
}

/* How many rows count of these three sizes, two variants and two precisions. */
static int count_rows(struct lab_rows which)
{
    int count = 0;

    base_csv_free(&csv);
    read_rows("03_tiling,a,gpu,1,1,1,PASS,1,,,fp32\n"
              "03_tiling,a,gpu,1,2,1,PASS,1,,,fp32\n"
              "03_tiling,b,gpu,1,1,1,PASS,1,,,fp32\n"
              "04_b,a,gpu,1,1,1,FAIL,1,,,fp32\n"
              "05_c,a,gpu,1,1,1,PASS,1,,,tf32\n"
              "05_c,a,gpu,1,1,1,PASS,1,,,tf32\n");
    for (size_t i = 0; i < csv.rows; i++)
        count += lab_row_counts(&csv, i, &which);
    return count;
}

TEST(test_each_lab_has_a_row_or_what_is_asked_for)
{
    assert_int_equal(count_rows((struct lab_rows){.of = LAB_TIMED}), 3);
    assert_int_equal(count_rows((struct lab_rows){.of = LAB_TIMED, .right = 1}),
                     2);
    assert_int_equal(
        count_rows((struct lab_rows){.of = LAB_TIMED, .single = 1}), 2);
    assert_int_equal(
        count_rows((struct lab_rows){.of = LAB_TIMED, .every_size = 1}), 4);
    assert_int_equal(count_rows((struct lab_rows){
                         .of = LAB_TIMED, .every_size = 1, .square = 1}),
                     3);
    assert_int_equal(count_rows((struct lab_rows){
                         .of = LAB_TIMED, .every_size = 1, .every_variant = 1}),
                     5);
}

/* --- the tool ------------------------------------------------------------- */

#define TOOL "build/tools/results "

TEST(test_a_table_is_words_quotes_and_nan)
{
    RUN_GIVES(
        ANY_CODE,
        SAYS("\"03_tiling\" \"a 'b', c\" \"M = N = K = 2\" 2\n"
             "\"04_b\" NaN \"2 x 3 x 4\" 2\n",
             "nothing was timed on a GPU", "no column 'gflops'",
             "not there or empty", "\n2\n"),
        "{ d=$(mktemp -d) && printf '%%s\\n' lab,variant,device,device_name,m,n,k,"
        "verdict 03_tiling,a,cpu,'\"a \"\"b\"\", c\"',2,2,2,PASS "
        "04_b,a,cpu,,2,3,4,PASS >$d/x.csv && " TOOL
        "table counted $d/x.csv lab device_name shape m; " TOOL
        "table timed $d/x.csv lab; " TOOL "table all $d/x.csv gflops; " TOOL
        "table all $d/none.csv lab; echo $?; rm -r $d; }");
}

TEST(test_files_with_other_columns_are_not_merged)
{
    RUN_GIVES(ANY_CODE,
              SAYS("a,b\n1,2\n3,4\n", "other columns than in the files before",
                   "\n3\n"),
              "{ d=$(mktemp -d) && printf 'a,b\\n1,2\\n' >$d/1 && : >$d/2 && "
              "printf 'a,b\\n3,4\\n' >$d/3 && printf 'a,c\\n' >$d/4 && " TOOL
              "merge $d/all $d/2 $d/1 $d/3 && cat $d/all && ! " TOOL
              "merge $d/all $d/1 $d/4 && wc -l <$d/all; rm -r $d; }");
}

ALL_TESTS(NULL, forget_rows);
