/* Does the ladder's table say what the results hold? */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "base/file.h"
#include "harness/counters.h"
#include "base/csv_read.h"
#include "harness/table.h"

#include "../command.h"

#define SAMPLE "tests/plots/sample_results.csv"

#define INDEX                                                           \
    "shapes: 1x1x1\ncounting: 256x384x512\n"                            \
    "lab: 01_one\ntitle: T\nentry: host f host\npoints: 80 20 0\n"      \
    "lab: 02_two\ntitle: T\nentry: kernel f launch\npoints: 60 20 20\n" \
    "measure: global_loads_per_fma full 2 zero 3\n"                     \
    "lab: 03_bank\ntitle: T\nentry: banks f banks\npoints: 60 20 20\n"  \
    "measure: right_cells full 1 zero 0\n"                              \
    "lab: 04_last\ntitle: T\nentry: a f launch\nentry: b g launch\n"    \
    "points: 60 20 20\n"                                                \
    "measure: global_loads_per_fma full 0.125 zero 2 before 2\n"
#define HEADER                                                       \
    "lab,variant,device,device_name,m,n,k,verdict,kernel_ms,gflops," \
    "peak_gflops,cublas_gflops,global_loads_per_fma,right_cells\n"
#define COUNTED                                                   \
    "01_one,host,cpu,\"CPU, 2 cores\",8,8,8,PASS,77.5,66.5,,,,\n" \
    "02_two,kernel,cpu,c,256,384,512,PASS,55.5,44.5,,,2,\n"       \
    "03_bank,banks,cpu,c,,,,PASS,,,,,,1\n"
#define LAST      "04_last,a,cpu,c,256,384,512,PASS,,,,,0.125,\n"
#define LAST_FAIL "04_last,b,cpu,c,256,384,512,FAIL,,,,,0.875,\n"
#define GPU                                                 \
    "01_one,host,gpu,chip,8,8,8,PASS,100,2,1000,400,,\n"    \
    "02_two,kernel,gpu,chip,8,8,8,PASS,50,100,1000,400,,\n" \
    "04_last,a,gpu,chip,8,8,8,PASS,25,200,1000,400,,\n"

static struct course_index parsed(const char *text)
{
    struct course_index index;
    char why[200] = "";

    course_index_parse("INDEX", text, &index, why, sizeof why);
    assert_string_equal(why, "");
    return index;
}

/* The table of a text; recorded may be NULL. */
static char *table_of(const char *index_text, const char *text,
                      const char *recorded_text, int *passed)
{
    struct course_index index = parsed(index_text);
    struct base_csv results, recorded = {.text = NULL};
    char why[200] = "";
    char *table = NULL;
    size_t length;
    FILE *to = open_memstream(&table, &length);

    assert_non_null(to);
    base_csv_parse("results", text, &results, why, sizeof why);
    assert_string_equal(why, "");
    lab_table_check(&index, &results, "results", why, sizeof why);
    assert_string_equal(why, "");
    if (recorded_text != NULL)
        base_csv_parse("recorded", recorded_text, &recorded, why, sizeof why);
    assert_string_equal(why, "");
    *passed = lab_table_print(to, &index, &results,
                              recorded_text != NULL ? &recorded : NULL);
    fclose(to);
    base_csv_free(&recorded);
    base_csv_free(&results);
    course_index_free(&index);
    return table;
}

/* The first line that begins with a word, up to its end. Freed by the test. */
static char *line_with(const char *table, const char *word)
{
    const char *at = strstr(table, word);

    if (at == NULL)
        fail_msg("no line of '%s' in:\n%s", word, table);
    return strndup(at, strcspn(at, "\n"));
}

static void expect_words(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void has_not(const char *text, const char *words)
{
    if (strstr(text, words) != NULL)
        fail_msg("'%s' is in:\n%s", words, text);
}

/* Results with a row on each device for each lab of the index; for free(). */
static char *results_of_all(const struct course_index *index)
{
    char *text = NULL;
    size_t length;
    FILE *const to = open_memstream(&text, &length);

    assert_non_null(to);
    fputs("lab,variant,device,device_name,m,n,k,verdict,kernel_ms,gflops,"
          "peak_gflops,cublas_gflops",
          to);
    for (int i = 0; i < LAB_COUNTERS; i++)
        fprintf(to, ",%s", lab_counters[i].name);
    fputc('\n', to);
    for (int row = 0; row < 2 * index->labs; row++) {
        fprintf(to, "%s,a,%s,chip,256,384,512,PASS,1.5,12345,54321,54321",
                index->lab[row / 2].name, row % 2 ? "gpu" : "cpu");
        for (int i = 0; i < LAB_COUNTERS; i++)
            fputs(",0.0123456", to);
        fputc('\n', to);
    }
    fclose(to);
    return text;
}

TEST(test_real_index_gives_a_row_a_lab_in_80_columns)
{
    struct course_index index;
    char why[200] = "";
    char *table, *results, *text;
    int passed;

    assert_int_equal(course_index_read("labs/INDEX", &index, why, sizeof why),
                     0);
    assert_true(index.labs >= 9);
    text = base_read_file("labs/INDEX", why, sizeof why);
    results = results_of_all(&index);
    table = table_of(text, results, results, &passed);
    assert_int_equal(passed, 1);
    for (int i = 0; i < index.labs; i++) {
        char start[40];
        const char *at;

        snprintf(start, sizeof start, "\n%s ", index.lab[i].name);
        at = strstr(table, start);
        assert_non_null(at);
        at = strstr(at + 1, start); /* the speeds' row */
        assert_non_null(at);
        assert_null(strstr(at + 1, start));
    }
    for (const char *at = table; *at != '\0';) {
        const size_t columns = strcspn(at, "\n");

        if (columns > 80)
            fail_msg("%zu columns: %.*s", columns, (int)columns, at);
        at += columns + 1;
    }
    free(table);
    free(results);
    free(text);
    course_index_free(&index);
}

TEST(test_long_words_still_fit)
{
    int passed;
    char *table = table_of(
        INDEX,
        HEADER COUNTED
        "04_last,a,cpu,c,16384,16385,16384,UNFINISHED,,,,,0.0001234567,\n",
        HEADER GPU, &passed);

    for (const char *at = table; *at != '\0'; at += strcspn(at, "\n") + 1)
        assert_true(strcspn(at, "\n") <= 80);
    expect_words(table, "UNFINISHED");
    assert_int_equal(passed, 0);
    free(table);
}

TEST(test_the_advanced_track_stands_below_a_line_of_its_own)
{
    int passed;
    char *table =
        table_of("advanced: 4\n" INDEX, HEADER COUNTED LAST GPU, NULL, &passed);
    const char *const line = "\nthe advanced track:\n04_last ";
    const char *const first = strstr(table, line);

    expect_words(table, line);
    expect_words(first + 1, line); /* of the speeds, too */
    assert_null(strstr(strstr(first + 1, line) + strlen(line), "advanced"));
    free(table);
    table = table_of(INDEX, HEADER COUNTED LAST, NULL, &passed);
    has_not(table, "advanced");
    free(table);
}

/* A lab that this device cannot run is no failure, and no pass either. */
TEST(test_a_skipped_lab_is_no_failure)
{
    int passed;
    char *table =
        table_of(INDEX, HEADER COUNTED "04_last,a,cpu,c,,,,SKIPPED,,,,,,\n",
                 NULL, &passed);
    char *line = line_with(table, "04_last");

    expect_words(line, "SKIPPED");
    has_not(line, "PASS");
    assert_int_equal(passed, 1);
    free(line);
    free(table);
    table = table_of(INDEX,
                     HEADER COUNTED
                     "04_last,a,cpu,c,,,,SKIPPED,,,,,,\n"
                     "04_last,a,gpu,chip,8,8,8,PASS,25,200,1000,400,,\n",
                     NULL, &passed);
    line = line_with(table, "04_last");
    expect_words(line, "PASS"); /* a GPU could */
    free(line);
    free(table);
}

TEST(test_before_passes_over_the_lab_without_matrices)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST, NULL, &passed);
    char *line = line_with(table, "04_last");

    expect_words(line, " 2 -> 0.125");
    assert_int_equal(passed, 1);
    free(line);
    line = line_with(table, "02_two");
    expect_words(line, " - -> 2");
    free(line);
    line = line_with(table, "03_bank");
    expect_words(line, "-> 100 %");
    free(line);
    free(table);
}

TEST(test_worst_verdict_of_the_variants_is_shown)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST LAST_FAIL, NULL, &passed);
    char *line = line_with(table, "04_last");

    expect_words(line, "FAIL");
    expect_words(line, "-> 0.125"); /* of the first variant */
    has_not(line, "0.875");
    assert_int_equal(passed, 0);
    free(line);
    free(table);
}

TEST(test_number_of_a_wrong_run_is_not_shown)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST_FAIL, NULL, &passed);

    has_not(table, "0.875");
    assert_int_equal(passed, 0);
    free(table);
}

/* The run said FAIL then, though C was right. */
TEST(test_a_missed_number_is_a_failure)
{
    static const char header[] =
        "lab,variant,device,device_name,m,n,k,verdict,kernel_ms,gflops,"
        "peak_gflops,cublas_gflops,global_loads_per_fma,right_cells,"
        "measure_ok\n"
        "01_one,host,cpu,c,8,8,8,PASS,77.5,66.5,,,,,\n"
        "02_two,kernel,cpu,c,8,8,8,PASS,55.5,44.5,,,2,,%d\n"
        "03_bank,banks,cpu,c,,,,PASS,,,,,,1,1\n"
        "04_last,a,cpu,c,8,8,8,PASS,,,,,0.125,,1\n";
    char text[1000], *table, *line;
    int passed;

    for (int ok = 0; ok <= 1; ok++) {
        snprintf(text, sizeof text, header, ok);
        table = table_of(INDEX, text, NULL, &passed);
        line = line_with(table, "02_two");
        expect_words(line, ok ? "PASS" : "FAIL");
        has_not(line, ok ? "FAIL" : "PASS");
        assert_int_equal(passed, ok);
        free(line);
        free(table);
    }
}

TEST(test_missing_lab_is_not_run)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED, NULL, &passed);
    char *line = line_with(table, "04_last");

    expect_words(line, "not run");
    assert_int_equal(passed, 0);
    free(line);
    free(table);
}

TEST(test_no_speed_of_the_cpu_device_is_shown)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST, NULL, &passed);

    has_not(table, "66.5");
    has_not(table, "44.5");
    has_not(table, "55.5");
    has_not(table, "GFLOP/s");
    has_not(table, "H200");
    free(table);
}

TEST(test_gpu_speeds_are_compared)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST GPU, NULL, &passed);
    char *line = line_with(strstr(table, "Timed on chip"), "04_last");

    expect_words(table, " /lab 02 ");
    /* 200 of 100 twice, of 1000 and of 400 GFLOP/s */
    expect_words(line, "25      200       2       2   20 %   50 %");
    free(line);
    /* What one core reaches is told, and compared with nothing. */
    line = line_with(strstr(table, "Timed on chip"), "01_one");
    expect_words(line, "100        2       -       -      -      -");
    free(line);
    line = line_with(strstr(table, "Timed on chip"), "02_two");
    expect_words(line, "50      100       1       -   10 %   25 %");
    free(line);
    free(table);
}

TEST(test_share_of_nothing_is_not_shown)
{
    int passed;
    char *table = table_of(INDEX,
                           HEADER COUNTED LAST
                           "02_two,kernel,gpu,chip,8,8,8,PASS,50,100,0,400,,\n",
                           NULL, &passed);
    char *line = line_with(strstr(table, "Timed on chip"), "02_two");

    expect_words(line, "50      100       1       -      -   25 %");
    free(line);
    free(table);
}

TEST(test_recorded_speeds_of_another_precision_are_named)
{
    int passed;
    char *table = table_of(
        INDEX, HEADER COUNTED LAST,
        "lab,variant,device,device_name,m,n,k,verdict,kernel_ms,gflops,"
        "precision\n"
        "01_one,host,gpu,H,8,8,8,PASS,1,9000,fp32\n"
        "02_two,a,gpu,H,8,8,8,PASS,1,9000,fp32\n"
        "04_last,a,gpu,H,8,8,8,PASS,1,21700,bf16\n",
        &passed);

    expect_words(table, "not this machine\n  of them 04_last in bf16\n");
    free(table);
}

TEST(test_recorded_speed_is_named_as_such)
{
    int passed;
    char *table = table_of(INDEX, HEADER COUNTED LAST,
                           HEADER "01_one,host,gpu,H,8,8,8,PASS,1,9000,,,,\n"
                                  "04_last,a,gpu,H,8,8,8,PASS,1,21700,,,,\n",
                           &passed);
    char *line = line_with(table, "04_last");

    expect_words(table, "H200*");
    expect_words(table, "* TFLOP/s on H at 8^3: recorded, not this machine");
    expect_words(line, " 21.7");
    free(line);
    line = line_with(table, "01_one");
    has_not(line, "9");
    free(line);
    free(table);
}

/* Where a GPU was timed here, the first table has its speeds. */
TEST(test_speeds_of_this_machine_come_before_recorded_ones)
{
    int passed;
    char *table =
        table_of(INDEX, HEADER COUNTED LAST GPU,
                 HEADER "04_last,a,gpu,H,8,8,8,PASS,1,21700,,,,\n", &passed);
    char *line = line_with(table, "04_last");

    expect_words(table, "here*");
    expect_words(table, "* TFLOP/s on chip at 8^3: timed here");
    expect_words(line, " 0.2");
    has_not(table, "H200*");
    has_not(line, "21.7");
    free(line);
    free(table);
}

TEST(test_counts_are_found_behind_the_times)
{
    int passed;
    char *table = table_of(INDEX, HEADER GPU COUNTED LAST, NULL, &passed);
    char *line = line_with(table, "04_last");

    expect_words(line, "256x384x512");
    expect_words(line, " 2 -> 0.125");
    free(line);
    free(table);
}

/* What the check says about a text of results. */
static void is_refused(const char *text, const char *words)
{
    struct course_index index = parsed(INDEX);
    struct base_csv csv;
    char why[200] = "";

    if (base_csv_parse("file", text, &csv, why, sizeof why) == 0) {
        assert_int_equal(lab_table_check(&index, &csv, "file", why, sizeof why),
                         -1);
        base_csv_free(&csv);
    }
    expect_words(why, words);
    course_index_free(&index);
}

TEST(test_wrong_header_is_refused)
{
    is_refused("lab,variant\n02_two,kernel\n", "no column 'device'");
    is_refused("", "empty");
}

TEST(test_lab_of_no_index_is_refused)
{
    is_refused(HEADER "99_other,a,cpu,c,8,8,8,PASS,,,,,,\n", "'99_other'");
}

TEST(test_broken_csv_is_refused)
{
    is_refused("a,b\n1\n", "row 2 has not 2 cells");
    is_refused("a,b\n1,\"2\n", "a quote is out of place");
    is_refused("a,b\n1,\"2\"x\n", "a quote is out of place");
}

/* --- the program, as make calls it ---------------------------------------- */

/* The sample has the nine labs, so this index has no more. */
static char nine[] = "/tmp/test_ladder.XXXXXX";

static int write_nine(void **state)
{
    const int file = mkstemp(nine);

    (void)state;
    if (file < 0)
        return -1;
    close(file);
    RUN_GIVES(0, NULL, "sed '/^lab: 1[0-9]_/,/^$/d' labs/INDEX >%s", nine);
    return 0;
}

static int remove_nine(void **state)
{
    (void)state;
    return unlink(nine);
}

TEST(test_program_says_where_things_are)
{
    struct command command =
        command_run("results=$PWD/build/tools/results sample=$PWD/" SAMPLE
                    " && cd $(mktemp -d) && cp $sample a.csv && "
                    "$results ladder %s a.csv && mkdir -p build/plots && "
                    "$results ladder %s a.csv && rm -r $PWD",
                    nine, nine);
    const char *first = strstr(command.text, "\nResults: a.csv\n");

    command_ends(&command, 0);
    assert_non_null(first);
    /* Without gnuplot there are none. */
    assert_ptr_not_equal(strstr(first, "Plots:"), first + 16);
    command_says(&command, "\nResults: a.csv\nPlots:   build/plots\n");
    command_free(&command);
}

TEST(test_program_does_without_a_record)
{
    struct command command = command_run(
        "build/tools/results ladder %s " SAMPLE " /not/there", nine);

    command_ends(&command, 0);
    command_says(&command, "No recorded speeds: /not/there is not there\n");
    has_not(command.text, "H200*");
    command_free(&command);
}

TEST(test_program_ends_with_1_where_a_lab_is_not_run)
{
    RUN_GIVES(1, SAYS("not run"),
              "grep -v 03_tiling " SAMPLE
              " | build/tools/results ladder %s /dev/stdin",
              nine);
}

TEST(test_program_ends_with_2_at_a_wrong_header)
{
    struct command command =
        command_run("sed 1s/verdict/other/ " SAMPLE
                    " | build/tools/results ladder %s /dev/stdin",
                    nine);

    command_ends(&command, 2);
    command_says(&command, "results: /dev/stdin: no column 'verdict'");
    /* one line */
    assert_ptr_equal(strchr(command.text, '\n'),
                     command.text + strlen(command.text) - 1);
    command_free(&command);
}

ALL_TESTS(write_nine, remove_nine);
