/*
 * ladder: prints what each lab gained over the one before it.
 *
 *   ladder [--index FILE] [--recorded FILE] [--plots FOLDER] [RESULTS.csv]
 *
 * Exit codes: 0 if every lab has passed or was skipped, since this device cannot
 * run it; 1 if not; 2 a wrong call or file.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "table.h"

enum {
    WRONG = 2
};

struct paths {
    const char *index, *results, *plots;
    const char *recorded; /* or NULL */
};

static const struct argp_option known[] = {
    {"index", 'i', "FILE", 0, "The list of the labs (labs/INDEX)", 0},
    {"recorded", 'r', "FILE", 0, "Results of an H200, shown for comparison", 0},
    {"plots", 'p', "FOLDER", 0, "Where the plots are (build/plots)", 0},
    {0, 0, 0, 0, 0, 0}};

static error_t take(int key, char *value, struct argp_state *state)
{
    struct paths *const paths = state->input;

    switch (key) {
    case 'i':
        paths->index = value;
        return 0;
    case 'r':
        paths->recorded = value;
        return 0;
    case 'p':
        paths->plots = value;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) {
            argp_error(state, "one file of results, please: what is '%s'?",
                       value);
        }
        paths->results = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Reads the files and prints the table. Returns what lab_table_print does, or -1
   with a line in why. */
static int print(const struct paths *paths, char *why, size_t size)
{
    struct course_index index = {.text = NULL};
    struct lab_csv results = {.text = NULL}, recorded = {.text = NULL};
    const int has_recorded =
        paths->recorded != NULL && access(paths->recorded, F_OK) == 0;
    int result = -1;

    if (course_index_read(paths->index, &index, why, size) != 0 ||
        lab_csv_read(paths->results, &results, why, size) != 0 ||
        lab_table_check(&index, &results, paths->results, why, size) != 0)
        goto out;
    if (has_recorded &&
        (lab_csv_read(paths->recorded, &recorded, why, size) != 0 ||
         lab_table_check_recorded(&recorded, paths->recorded, why, size) != 0))
        goto out;
    result = lab_table_print(stdout, &index, &results,
                             has_recorded ? &recorded : NULL);
    if (paths->recorded != NULL && !has_recorded)
        printf("No recorded speeds: %s is not there\n", paths->recorded);
    printf("\nResults: %s\n", paths->results);
    if (access(paths->plots, F_OK) == 0)
        printf("Plots:   %s\n", paths->plots);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        snprintf(why, size, "standard output: %s", strerror(errno));
        result = -1;
    }
out:
    lab_csv_free(&recorded);
    lab_csv_free(&results);
    course_index_free(&index);
    return result;
}

int main(int argc, char **argv)
{
    const struct argp parser = {
        known,
        take,
        "[RESULTS.csv]",
        "Print what each lab gained over the one before it."
        "\vRESULTS.csv is build/results/ladder.csv unless given. Exit code: 0 "
        "if every lab has passed or was skipped, 1 if not, 2 for a wrong call "
        "or file.",
        NULL,
        NULL,
        NULL};
    struct paths paths = {.index = "labs/INDEX",
                          .results = "build/results/ladder.csv",
                          .plots = "build/plots"};
    char why[512] = "";
    int passed;

    argp_err_exit_status = WRONG;
    argp_program_version = course_version;
    if (argp_parse(&parser, argc, argv, 0, NULL, &paths) != 0)
        return WRONG;
    passed = print(&paths, why, sizeof why);
    if (passed < 0) {
        fprintf(stderr, "ladder: %s\n", why);
        return WRONG;
    }
    return !passed;
}
