/*
 * Does it matter which version of g++ a student has? compilers.csv holds what
 * lab 08 counts with each that was tried: its goal must be reached by the
 * solutions, and missed by lab 07's form of the loop, with all of them. With
 * the compiler at hand, and with others that are installed (g++-11 and so on,
 * for which make has built the solutions), the table is compared with what is
 * counted now, and all other counts with those of the compiler at hand.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "base/csv_read.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JUMPS "backward_jumps_per_fma"

static struct base_csv table;
static char machine[32],
    here[16]; /* "x86_64" and, the compiler's version, "12" */

/* The first line that a command prints. */
static void first_line_of(const char *command, char *line, size_t size)
{
    struct command run = command_run("%s", command);

    command_ends(&run, 0);
    snprintf(line, size, "%.*s", (int)strcspn(run.text, "\n"), run.text);
    command_free(&run);
}

FIXTURE(read_expected)
{
    char why[200];

    if (base_csv_read("tests/labs/compilers.csv", &table, why, sizeof why) != 0)
        fail_msg("%s", why);
    first_line_of("uname -m", machine, sizeof machine);
    first_line_of("g++ -dumpversion | cut -d. -f1", here, sizeof here);
    return 0;
}

FIXTURE(free_table)
{
    base_csv_free(&table);
    return 0;
}

/* full or zero of lab 08, of labs/INDEX. */
static double limit(const char *which)
{
    char command[120], text[40];

    snprintf(
        command, sizeof command,
        "sed -n '/^lab: 08_/,/^$/s/^measure:.* %s \\([^ ]*\\).*/\\1/p' labs/INDEX",
        which);
    first_line_of(command, text, sizeof text);
    return atof(text);
}

TEST(every_compiler_reaches_the_goal_and_lab_07_misses_it)
{
    const double full = limit("full"), zero = limit("zero");

    assert_true(full > 0 && zero > full);
    for (size_t i = 0; i < table.rows; i++) {
        const char *program = base_csv_text(&table, i, "program");
        const char *variant = base_csv_text(&table, i, "variant");
        const double jumps = base_csv_number(&table, i, JUMPS);

        if (strcmp(variant, "by_hand") == 0) {
            assert_true(jumps > full && jumps < zero / 2);
        } else if (strcmp(program, "solutions/08_unrolling") == 0) {
            assert_true(jumps <= full);
        } else { /* some compilers save the last of a loop's jumps */
            assert_true(jumps > 0.99 * zero);
        }
    }
}

/* Runs a program and reads what it counts; the file's name must be free. */
static void count_program(const char *program, const char *size,
                          struct base_csv *csv)
{
    char path[] = "/tmp/test_compilers_XXXXXX", why[200];
    struct command run;

    assert_non_null(mkdtemp(path));
    run = command_run("build/cpu/%s-analyse --counters %s --csv %s/counts.csv",
                      program, size, path);
    command_free(&run); /* ends 1 where a goal is missed */
    run = command_run("cat %s/counts.csv; rm -r %s", path, path);
    if (base_csv_parse(program, run.text, csv, why, sizeof why) != 0)
        fail_msg("%s", why);
    command_free(&run);
}

/* The row of that entry of a lab. */
static size_t row_of_variant(const struct base_csv *csv, const char *variant)
{
    size_t row = 0;

    while (row < csv->rows &&
           strcmp(base_csv_text(csv, row, "variant"), variant) != 0)
        row++;
    assert_true(row < csv->rows);
    return row;
}

/* Where make has built what this compiler makes of a program; 0: nowhere. */
static int find_program(const char *version, const char *program, char *path,
                        size_t size)
{
    FILE *file;
    char name[200];

    if (strcmp(version, here) == 0) {
        snprintf(path, size, "%s", program);
    } else {
        snprintf(path, size, "by/g++-%s/%s", version, program);
    }
    snprintf(name, sizeof name, "build/cpu/%s-analyse", path);
    file = fopen(name, "r");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

static void the_table_says_what_this_compiler_counts(void **state)
{
    const char *version = *state;
    int compared = 0;

    for (size_t i = 0; i < table.rows; i++) {
        const char *program = base_csv_text(&table, i, "program");
        const char *variant = base_csv_text(&table, i, "variant");
        struct base_csv counted;
        char path[100];
        double jumps;

        if (strcmp(base_csv_text(&table, i, "compiler"), version) != 0 ||
            strcmp(base_csv_text(&table, i, "machine"), machine) != 0 ||
            !find_program(version, program, path, sizeof path))
            continue;
        count_program(path, "--m 64 --n 128 --k 512", &counted);
        jumps =
            base_csv_number(&counted, row_of_variant(&counted, variant), JUMPS);
        if (!(fabs(jumps - base_csv_number(&table, i, JUMPS)) < 1e-12))
            fail_msg("g++ %s: %s %s counts %.10g", version, program, variant,
                     jumps);
        base_csv_free(&counted);
        compared++;
    }
    if (compared == 0)
        skip(); /* not installed, or not in the table */
    assert_true(compared >= 3);
}

static int is_counted(const char *column)
{
    static const char *const parts[] = {"global_",  "shared_", "constant_",
                                        "barriers", "flop",    "right_cells"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strncmp(column, parts[i], strlen(parts[i])) == 0)
            return 1;
    }
    return 0;
}

/* 128 rows and columns are a block of the largest tiles. K is a multiple of the
   tiles: g++ 11 peels loops that end early, and loads some of B twice there. */
static void all_other_counts_are_those_of_the_compiler_at_hand(void **state)
{
    const char *version = *state;
    const char *size = "--m 128 --n 128 --k 48";
    glob_t labs;
    int compared = 0;

    assert_int_equal(glob("solutions/[01][0-9]_*", 0, NULL, &labs), 0);
    for (size_t i = 0; i < labs.gl_pathc; i++) {
        const char *program = labs.gl_pathv[i];
        struct base_csv ours, theirs;
        char path[100];

        if (strcmp(version, here) == 0 || strstr(program, "/01_") != NULL ||
            !find_program(version, program, path, sizeof path))
            continue; /* lab 01 has no kernel */
        count_program(program, size, &ours);
        count_program(path, size, &theirs);
        assert_int_equal(ours.rows, theirs.rows);
        for (size_t j = 0; j < ours.rows * ours.columns; j++) {
            const char *column = ours.cell[j % ours.columns];
            const char *our = ours.cell[ours.columns + j];
            const char *their = theirs.cell[ours.columns + j];

            if (is_counted(column) && strcmp(our, their) != 0)
                fail_msg("g++ %s: %s, %s: %s, not %s", version, program, column,
                         their, our);
        }
        base_csv_free(&ours);
        base_csv_free(&theirs);
        compared++;
    }
    globfree(&labs);
    if (compared == 0)
        skip(); /* not installed, or the one at hand */
}

static void add_compilers(void)
{
    static const char version[][4] = {"11", "12", "13", "14", "15", "16"};

    for (size_t i = 0; i < sizeof version / sizeof version[0]; i++) {
        testing_add_case(the_table_says_what_this_compiler_counts, version[i],
                         "the_table_says_what_g++_%s_counts", version[i]);
        testing_add_case(all_other_counts_are_those_of_the_compiler_at_hand,
                         version[i], "g++_%s_counts_as_the_compiler_at_hand",
                         version[i]);
    }
}

MORE_TESTS(add_compilers);
ALL_TESTS(read_expected, free_table);
