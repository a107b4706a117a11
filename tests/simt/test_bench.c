/* Does the benchmark of the CPU device measure and write what it says? Run at
   a tiny size; nothing is asked about the times but that they are there. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "base/csv_read.h"

#include <math.h>
#include <string.h>

#define CSV "build/tests/bench_simt.csv"

/* Runs a build of the benchmark at sizes 32 and 48 and reads its table. */
static struct base_csv run_build(const char *build)
{
    struct command run = command_run(
        "mkdir -p build/tests && rm -f " CSV " && timeout 60 "
        "build/tools/bench_simt%s --sizes '32 48' --repeat 3 --csv " CSV,
        build);
    struct base_csv csv;
    char why[200];

    command_ends(&run, 0);
    for (const char *line = run.text; *line != '\0'; line++) {
        const size_t length = strcspn(line, "\n");

        assert_true(length <= 80);
        line += length;
    }
    command_free(&run);
    if (base_csv_read(CSV, &csv, why, sizeof why) != 0)
        fail_msg("%s", why);
    return csv;
}

/* How many rows there are of that build; each is looked at. */
static int rows_of(const struct base_csv *csv, const char *build)
{
    int rows = 0;

    for (size_t i = 0; i < csv->rows; i++) {
        const double median = base_csv_number(csv, i, "ms");

        if (strcmp(base_csv_text(csv, i, "build"), build) != 0)
            continue;
        rows++;
        assert_true(base_csv_number(csv, i, "ms_min") > 0);
        assert_true(base_csv_number(csv, i, "ms_min") <= median);
        assert_true(median <= base_csv_number(csv, i, "ms_max"));
        assert_int_equal((int)base_csv_number(csv, i, "repeat"), 3);
        assert_true(base_csv_number(csv, i, "threads") >= 1);
        assert_non_null(strstr(base_csv_text(csv, i, "device"), "CPU device"));
        assert_non_null(strstr(base_csv_text(csv, i, "compiler"), "gcc"));
        assert_non_null(strstr(base_csv_text(csv, i, "date"), "T"));
    }
    return rows;
}

TEST(test_the_fast_build_is_compared_with_plain_c)
{
    struct base_csv csv = run_build("");

    assert_int_equal(rows_of(&csv, "plain"), 4);
    assert_true(rows_of(&csv, "fast") >= 4);
    assert_int_equal(rows_of(&csv, "plain") + rows_of(&csv, "fast"), csv.rows);
    for (size_t i = 0; i < csv.rows; i++)
        assert_string_equal(base_csv_text(&csv, i, "accesses"), "");
    base_csv_free(&csv);
}

TEST(test_the_analyse_build_counts_accesses)
{
    /* Loads of A and B, loads and stores of the tiles, stores of C. */
    static const double tiled = 2.0 * 32 * 32 * 32 + 4 * 32 * 32 * 2 + 32 * 32;
    static const double naive = 2.0 * 32 * 32 * 32 + 32 * 32;
    struct base_csv csv = run_build("-analyse");
    int compared = 0;

    assert_true(rows_of(&csv, "analyse") >= 4);
    assert_int_equal(rows_of(&csv, "record"), 4);
    assert_int_equal(rows_of(&csv, "analyse") + 4, csv.rows);
    for (size_t i = 0; i < csv.rows; i++) {
        const int is_naive =
            strcmp(base_csv_text(&csv, i, "kernel"), "naive") == 0;
        const double accesses = base_csv_number(&csv, i, "accesses");
        const double rate = accesses / (base_csv_number(&csv, i, "ms") / 1e3) /
                            base_csv_number(&csv, i, "threads");

        assert_true(
            fabs(base_csv_number(&csv, i, "accesses_per_second_core") / rate -
                 1.0) < 0.01);
        if (base_csv_number(&csv, i, "size") == 32.0) {
            compared++;
            assert_true(accesses == (is_naive ? naive : tiled));
        }
    }
    assert_true(compared >= 2);
    base_csv_free(&csv);
}

TEST(test_wrong_options_are_refused)
{
    static const char *const wrong[] = {
        "--sizes 17",
        "--sizes 8",
        "--sizes ''",
        "--sizes 32,x",
        "--repeat 0",
        "--repeat 3x",
        "--sizes 99999999999999999999",
        "word",
        "--no-option",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        RUN_GIVES(2, NULL, "timeout 20 build/tools/bench_simt %s", wrong[i]);
    }
}

TEST(test_a_file_that_cannot_be_written_is_an_error)
{
    RUN_GIVES(1, SAYS("build/none"),
              "timeout 20 build/tools/bench_simt --sizes "
              "16 --repeat 1 --csv build/none/x.csv");
}
