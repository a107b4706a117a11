/*
 * ladder: prints what each lab gained over the one before it.
 *
 *   ladder [--index FILE] [--recorded FILE] [--plots FOLDER] [RESULTS.csv]
 *
 * Exit codes: 0 if every lab has passed or was skipped, since this device
 * cannot run it; 1 if not; 2 a wrong call or file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "table.h"

enum {
    WRONG = 2
};

struct paths {
    const char *index, *results, *plots;
    const char *recorded; /* or NULL */
};

#define AT(field) .at = offsetof(struct paths, field)

static const struct base_option known[] = {
    {"index", 'i', "FILE", "The list of the labs (labs/INDEX)", AT(index)},
    {"recorded", 'r', "FILE", "Results of an H200, shown for comparison",
     AT(recorded)},
    {"plots", 'p', "FOLDER", "Where the plots are (build/plots)", AT(plots)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, "[RESULTS.csv]",
    offsetof(struct paths, results),
    "Print what each lab gained over the one before it."
    "\vRESULTS.csv is build/results/ladder.csv unless given. Exit code: 0 "
    "if every lab has passed or was skipped, 1 if not, 2 for a wrong call "
    "or file."};

/* Reads the files and prints the table. Returns what lab_table_print does, or
   -1 with a line in why. */
static int print(const struct paths *paths, char *why, size_t size)
{
    struct course_index index = {.text = NULL};
    struct base_csv results = {.text = NULL}, recorded = {.text = NULL};
    const int has_recorded =
        paths->recorded != NULL && access(paths->recorded, F_OK) == 0;
    int result = -1;

    if (course_index_read(paths->index, &index, why, size) != 0 ||
        base_csv_read(paths->results, &results, why, size) != 0 ||
        lab_table_check(&index, &results, paths->results, why, size) != 0)
        goto out;
    if (has_recorded &&
        (base_csv_read(paths->recorded, &recorded, why, size) != 0 ||
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
    base_csv_free(&recorded);
    base_csv_free(&results);
    course_index_free(&index);
    return result;
}

int main(int argc, char **argv)
{
    struct paths paths = {.index = "labs/INDEX",
                          .results = "build/results/ladder.csv",
                          .plots = "build/plots"};
    char why[512] = "";
    int passed =
        base_options_read(&command, argc, argv, &paths, why, sizeof why);

    if (passed > 0)
        return fflush(stdout) == 0 ? 0 : WRONG;
    if (passed == 0)
        passed = print(&paths, why, sizeof why);
    if (passed < 0) {
        fprintf(stderr, "ladder: %s\n", why);
        return WRONG;
    }
    return !passed;
}
