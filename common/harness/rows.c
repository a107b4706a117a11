#define _GNU_SOURCE
#include "rows.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_same_text(const struct base_csv *csv, size_t a, size_t b,
                        const char *column)
{
    return base_csv_is(csv, a, column, base_csv_text(csv, b, column));
}

static int is_same_size(const struct base_csv *csv, size_t a, size_t b)
{
    return is_same_text(csv, a, b, "m") && is_same_text(csv, a, b, "n") &&
           is_same_text(csv, a, b, "k");
}

int lab_row_has_counts(const struct base_csv *csv, size_t row)
{
    return !base_csv_is(csv, row, "measure_ok", "") ||
           !base_csv_is(csv, row, "global_load_requests", "");
}

int lab_row_is_right(const struct base_csv *csv, size_t row)
{
    return base_csv_is(csv, row, "verdict", "PASS");
}

/* A file without the column has no other precision. What has no product, as a
   row that was skipped, has none at all. */
static int is_single(const struct base_csv *csv, size_t row)
{
    return base_csv_column(csv, "precision") < 0 ||
           base_csv_is(csv, row, "precision", "fp32");
}

static int is_square(const struct base_csv *csv, size_t row)
{
    const char *const n = base_csv_text(csv, row, "n");

    return *n != '\0' && base_csv_is(csv, row, "m", n) &&
           base_csv_is(csv, row, "k", n);
}

static double volume(const struct base_csv *csv, size_t row)
{
    return base_csv_number(csv, row, "m") * base_csv_number(csv, row, "n") *
           base_csv_number(csv, row, "k");
}

/* Is the row of the kind and lab that are asked for? */
static int is_row_wanted(const struct base_csv *csv, size_t row,
                         const struct lab_rows *which)
{
    const int on_gpu = base_csv_is(csv, row, "device", "gpu");

    return (which->of == LAB_TIMED ? on_gpu
                                   : !on_gpu || lab_row_has_counts(csv, row)) &&
           (which->lab == NULL || base_csv_is(csv, row, "lab", which->lab));
}

/* The row with the variant that counts, of the same lab and kind: the first,
   but not host code, which is timed with its copies, if there is a kernel. */
static size_t first_of(const struct base_csv *csv, size_t row,
                       const struct lab_rows *which)
{
    size_t first = csv->rows;

    for (size_t i = 0; i < csv->rows; i++) {
        if (!is_row_wanted(csv, i, which) || !is_same_text(csv, i, row, "lab"))
            continue;
        if (!base_csv_is(csv, i, "variant", "host"))
            return i;
        if (first == csv->rows)
            first = i;
    }
    return first;
}

/* May the row count? */
static int may_count(const struct base_csv *csv, size_t row,
                     const struct lab_rows *which)
{
    if (!is_row_wanted(csv, row, which) ||
        (which->of == LAB_TIMED &&
         !(base_csv_number(csv, row, "kernel_ms") > 0.0)) ||
        (which->right && !lab_row_is_right(csv, row)) ||
        (which->single && !is_single(csv, row)) ||
        (which->square && !is_square(csv, row)))
        return 0;
    if (which->variant != NULL)
        return base_csv_is(csv, row, "variant", which->variant);
    return which->every_variant ||
           is_same_text(csv, row, first_of(csv, row, which), "variant");
}

/* A later row takes the place of an earlier one. But a run that only checks
   takes none of one that counted, and of times the largest product counts. */
static int takes_place(const struct base_csv *csv, size_t of, size_t row,
                       const struct lab_rows *which)
{
    double difference = 0.0;

    if (!may_count(csv, row, which) || !is_same_text(csv, row, of, "lab") ||
        (which->every_variant && !is_same_text(csv, row, of, "variant")) ||
        (which->every_size && !is_same_size(csv, row, of)))
        return 0;
    if (which->of == LAB_TIMED)
        difference = volume(csv, row) - volume(csv, of);
    if (which->of == LAB_COUNTED)
        difference = lab_row_has_counts(csv, row) - lab_row_has_counts(csv, of);
    return difference > 0.0 || (row > of && !(difference < 0.0));
}

int lab_row_counts(const struct base_csv *csv, size_t row,
                   const struct lab_rows *which)
{
    if (!may_count(csv, row, which))
        return 0;
    for (size_t i = 0; i < csv->rows; i++) {
        if (takes_place(csv, row, i, which))
            return 0;
    }
    return 1;
}

long lab_row(const struct base_csv *csv, const struct lab_rows *which)
{
    for (size_t i = 0; i < csv->rows; i++) {
        if (lab_row_counts(csv, i, which))
            return (long)i;
    }
    return -1;
}

/* --- verdicts ----- */

enum {
    PASSED = 1, /* the last of these that is no failure */
    VERDICTS = 4
};

/* 0 is the best. What was skipped on one device may be right on another, so a
   PASS says more; and what is wrong outweighs what is not written yet. A word
   that is not known is the worst. */
static int verdict_severity(const char *verdict)
{
    static const char *const word[VERDICTS] = {"SKIPPED", "PASS", "UNFINISHED",
                                               "FAIL"};
    int i = 0;

    while (i < VERDICTS && strcmp(verdict, word[i]) != 0)
        i++;
    return i;
}

struct lab_judgement lab_judge(const struct base_csv *csv, const char *lab)
{
    struct lab_judgement j = {.verdict = NULL};

    for (size_t i = 0; i < csv->rows; i++) {
        const char *const verdict = base_csv_text(csv, i, "verdict");

        if (lab != NULL && !base_csv_is(csv, i, "lab", lab))
            continue;
        if (j.verdict == NULL ||
            verdict_severity(verdict) > verdict_severity(j.verdict))
            j.verdict = verdict;
        j.asked |= !base_csv_is(csv, i, "measure_ok", "");
        j.missed |= base_csv_is(csv, i, "measure_ok", "0");
    }
    j.passed = j.verdict != NULL && verdict_severity(j.verdict) <= PASSED;
    if (j.verdict == NULL)
        j.verdict = "not run";
    return j;
}

static int is_later(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
            a->st_mtim.tv_nsec > b->st_mtim.tv_nsec);
}

int lab_changed_since(const char *labs, const char *lab, const char *results)
{
    struct stat then, source;
    glob_t found = {0};
    char *pattern;
    int changed = 0;

    if (stat(results, &then) != 0 ||
        asprintf(&pattern, "%s/%s/*.cu", labs, lab) < 0)
        return 0;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            changed |= stat(found.gl_pathv[i], &source) == 0 &&
                       is_later(&source, &then);
        }
    }
    globfree(&found);
    free(pattern);
    return changed;
}
