/*
 * Does the CPU device count what an H200 counted (h200.csv)? Each program and
 * each solution that was measured there runs here anew, and every row of its
 * counts is equal, or differs within the bounds of a line of differences.csv.
 * Large sizes take long: they run where HARDWARE_SIZES is all, as in make
 * test WHAT=all. test_labs.c counts the solutions at the second one.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../scratch.h"
#include "../command.h"
#include "compare.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 200
};

/* The first one takes moments. */
static const char *const sizes[] = {"129x65x257", "256x384x512", "512x512x512"};

enum {
    SIZES = sizeof sizes / sizeof sizes[0]
};

static int is_long; /* all sizes run */
static struct compare_table gpu;
static struct compare_differences known;

/* "copies", or "solutions/03_tiling" at a size. */
struct measured {
    const char *program, *label; /* NULL: all labels */
};

/* A file of this folder as one string. */
FIXTURE(read_tables)
{
    char *counted = file_text("tests/hardware/h200.csv");
    char *differences = file_text("tests/hardware/differences.csv");
    char why[256];

    if (compare_read(&gpu, "tests/hardware/h200.csv", counted, why,
                     sizeof why) != 0 ||
        compare_differences_read(&known, "tests/hardware/differences.csv",
                                 differences, why, sizeof why) != 0) {
        print_error("%s\n", why);
        return -1;
    }
    free(counted);
    free(differences);
    return 0;
}

FIXTURE(free_tables)
{
    compare_free(&gpu);
    compare_differences_free(&known);
    return 0;
}

/* A solution's results file in the form of launches.h: a launch for each row,
   a quantity for each column that holds a number of one. */
static char *as_launches(const char *results, const char *label)
{
    struct base_csv csv;
    char *text = NULL, why[256];
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    if (base_csv_parse("results", results, &csv, why, sizeof why) != 0)
        fail_msg("%s", why);
    fprintf(stream, "kernel,label,launch,quantity,value\n");
    for (size_t row = 0; row < csv.rows; row++) {
        for (size_t i = 0; i < csv.columns; i++) {
            const double value = base_csv_number(&csv, row, csv.cell[i]);

            if (value >= 0) {
                fprintf(stream, ",%s,%zu,%s,%.17g\n", label, row + 1,
                        csv.cell[i], value);
            }
        }
    }
    fclose(stream);
    base_csv_free(&csv);
    return text;
}

/* What the CPU device counts of it. */
static char *run_here(const struct measured *measured)
{
    struct command run;
    char *text;

    if (measured->label == NULL) {
        run = command_run("build/cpu/hardware/%s-analyse", measured->program);
        command_ends(&run, 0);
        return run.text;
    }
    run = command_run(
        "set -- $(echo %s | tr x ' '); csv=$(mktemp -u) && "
        "build/cpu/%s-analyse --quiet --counters --m $1 --n $2 --k $3 "
        "--csv $csv >$csv.log 2>&1 || { cat $csv.log; exit 1; }; "
        "cat $csv; rm $csv $csv.log",
        measured->label, measured->program);
    command_ends(&run, 0);
    text = as_launches(run.text, measured->label);
    command_free(&run);
    return text;
}

static void every_count_is_equal_or_explained(void **state)
{
    const struct measured *measured = *state;
    char *text = run_here(measured), why[256];
    struct compare_table ours;
    int wrong;

    if (compare_read(&ours, measured->program, text, why, sizeof why) != 0)
        fail_msg("%s", why);
    wrong = compare_program(&gpu, measured->program, measured->label, &ours,
                            &known, writing());
    if (wrong < 0)
        fail_msg("it was not measured on the GPU");
    if (wrong > 0) {
        fputs(written(), stderr); /* print_error would cut it short */
        fail_msg("%d counts that nothing explains", wrong);
    }
    free(text);
    compare_free(&ours);
}

/* After all others, of all sizes: only then is it known which are needed. */
static void every_known_difference_is_needed(void **state)
{
    const int unused = compare_unused(&known, writing());
    const char *const lines = written();

    (void)state;
    if (unused > 0) {
        fputs(lines, stderr); /* print_error would cut it short */
        fail_msg("%d lines of differences.csv say what is not so", unused);
    }
}

/* A row that nobody compared would be believed unseen: each was found equal or
   explained, is of a size that takes long, or test_bank_patterns.c has it. */
static void every_row_was_compared(void **state)
{
    int patterns = 0, left = 0, others = 0;

    (void)state;
    for (size_t i = 0; i < gpu.rows; i++) {
        const struct compare_row *row = &gpu.row[i];
        int is_left = 0;

        for (size_t j = 1; j < SIZES; j++)
            is_left |= !is_long && strcmp(row->label, sizes[j]) == 0;
        if (strcmp(row->program, "bank_patterns") == 0)
            patterns += row->parts;
        else if (is_left)
            left += row->parts;
        else
            others += row->parts;
    }
    assert_int_equal(patterns + left + others, gpu.csv.rows);
    assert_int_equal(known.equal + known.explained, others);
    printf("# of %zu counts %d are equal, %d differ as explained; %d are in "
           "test_bank_patterns, %d of large sizes in make test WHAT=all\n",
           gpu.csv.rows, known.equal, known.explained, patterns, left);
}

/* 01 has no kernel; 05's are those of shared.cu; those from 20 on were not
   counted on a GPU, and what needs a GPU is not counted on the CPU device. */
static int is_uncounted(const char *lab)
{
    static const char *const labs[] = {"01", "05"};

    for (size_t i = 0; i < sizeof labs / sizeof labs[0]; i++) {
        if (strncmp(lab, labs[i], 2) == 0)
            return 1;
    }
    return strncmp(lab, "20", 2) >= 0 || command_lab_needs_gpu(lab);
}

static void add_measured(void)
{
    static struct measured measured[MOST];
    const char *wanted = getenv("HARDWARE_SIZES");
    size_t count = 0;
    glob_t found;

    is_long = wanted != NULL && strcmp(wanted, "all") == 0;

    if (glob("tests/hardware/*.cu", 0, NULL, &found) != 0 ||
        glob("solutions/[0-9]*", GLOB_APPEND, NULL, &found) != 0)
        exit(2);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = found.gl_pathv[i];

        if (strncmp(path, "solutions/", 10) != 0) {
            path = strrchr(path, '/') + 1;
            *strrchr(path, '.') = '\0';
            if (strcmp(path, "bank_patterns") != 0) /* it has its own test */
                measured[count++] = (struct measured){path, NULL};
            continue;
        }
        if (is_uncounted(path + 10))
            continue;
        for (size_t j = 0; j < (is_long ? SIZES : 1); j++)
            measured[count++] = (struct measured){path, sizes[j]};
    }
    for (size_t i = 0; i < count; i++) {
        testing_add_case(every_count_is_equal_or_explained, &measured[i],
                         "%s %s: every_count_is_equal_or_explained",
                         measured[i].program,
                         measured[i].label == NULL ? "" : measured[i].label);
    }
    testing_add_case(every_row_was_compared, NULL, "every_row_was_compared");
    if (is_long)
        testing_add_case(every_known_difference_is_needed, NULL,
                         "every_known_difference_is_needed");
}

MORE_TESTS(add_measured);
ALL_TESTS(read_tables, free_tables);
