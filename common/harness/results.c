#define _POSIX_C_SOURCE 200809L
#include "results.h"

#include "base/csv_read.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/print.h"
#include "base/replace_file.h"
#include "base/values.h"
#include "base/version.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum cell_type {
    TEXT,
    SIDE,
    FLAG,
    NUMBER
};

/* The columns in front of the counters. */
static const struct {
    const char *name;
    enum cell_type type;
    size_t offset; /* in struct lab_result */
} columns[] = {
    {"lab", TEXT, offsetof(struct lab_result, lab)},
    {"variant", TEXT, offsetof(struct lab_result, variant)},
    {"device", TEXT, offsetof(struct lab_result, device)},
    {"device_name", TEXT, offsetof(struct lab_result, device_name)},
    {"m", SIDE, offsetof(struct lab_result, m)},
    {"n", SIDE, offsetof(struct lab_result, n)},
    {"k", SIDE, offsetof(struct lab_result, k)},
    {"verdict", TEXT, offsetof(struct lab_result, verdict)},
    {"max_error", NUMBER, offsetof(struct lab_result, max_error)},
    {"tolerance", NUMBER, offsetof(struct lab_result, tolerance)},
    {"kernel_ms", NUMBER, offsetof(struct lab_result, kernel_ms)},
    {"kernel_ms_min", NUMBER, offsetof(struct lab_result, kernel_ms_min)},
    {"kernel_ms_max", NUMBER, offsetof(struct lab_result, kernel_ms_max)},
    {"copies_ms", NUMBER, offsetof(struct lab_result, copies_ms)},
    {"gflops", NUMBER, offsetof(struct lab_result, gflops)},
    {"peak_gflops", NUMBER, offsetof(struct lab_result, peak_gflops)},
    {"sm_clock_mhz", NUMBER, offsetof(struct lab_result, sm_clock_mhz)},
    {"cublas_gflops", NUMBER, offsetof(struct lab_result, cublas_gflops)},
    {"measure_ok", FLAG, offsetof(struct lab_result, measure_ok)},
    {"driver", TEXT, offsetof(struct lab_result, driver)},
    {"compiler", TEXT, offsetof(struct lab_result, compiler)},
    {"program", TEXT, offsetof(struct lab_result, program)},
    {"date", TEXT, offsetof(struct lab_result, date)},
    {"precision", TEXT, offsetof(struct lab_result, precision)},
    {"cublas_max_error", NUMBER, offsetof(struct lab_result, cublas_error)},
    {"course", TEXT, offsetof(struct lab_result, course)},
    {"buffer_sets", NUMBER, offsetof(struct lab_result, buffer_sets)},
};

enum {
    FIRST_COUNTER = sizeof columns / sizeof columns[0]
};

static const char *column_name(int column)
{
    return column < FIRST_COUNTER ? columns[column].name
                                  : lab_counters[column - FIRST_COUNTER].name;
}

/* A column of a result. text is NULL if it is a number, and number is NaN if
   there is none. */
struct cell {
    const char *text;
    double number;
};

static struct cell read_cell(const struct lab_result *result, int column)
{
    struct cell cell = {NULL, (double)NAN};
    int whole;

    if (column >= FIRST_COUNTER) {
        cell.number = result->counter[column - FIRST_COUNTER];
        return cell;
    }
    const char *at = (const char *)result + columns[column].offset;

    switch (columns[column].type) {
    case TEXT:
        memcpy(&cell.text, at, sizeof cell.text);
        break;
    case SIDE:
        memcpy(&whole, at, sizeof whole);
        if (whole > 0)
            cell.number = whole;
        break;
    case FLAG:
        memcpy(&whole, at, sizeof whole);
        if (whole >= 0)
            cell.number = whole;
        break;
    case NUMBER:
        memcpy(&cell.number, at, sizeof cell.number);
        break;
    }
    return cell;
}

const char *lab_verdict_word(enum lab_verdict verdict)
{
    static const char *const word[] = {"PASS", "FAIL", "UNFINISHED", "SKIPPED"};

    return word[verdict];
}

void lab_result_clear(struct lab_result *result)
{
    *result = (struct lab_result){.measure_ok = -1, .course = base_version};
    result->max_error = result->tolerance = NAN;
    result->kernel_ms = result->kernel_ms_min = result->kernel_ms_max = NAN;
    result->copies_ms = result->gflops = result->peak_gflops = NAN;
    result->sm_clock_mhz = result->cublas_gflops = NAN;
    result->cublas_error = result->buffer_sets = NAN;
    lab_counters_clear(result->counter);
}

/* --- CSV ------------------------------------------------------------------ */

enum {
    COLUMNS = FIRST_COUNTER + LAB_COUNTERS
};

static void write_csv_row(FILE *file, const struct lab_result *result)
{
    for (int i = 0; i < COLUMNS; i++) {
        const struct cell cell = read_cell(result, i);

        if (i > 0)
            fputc(',', file);
        if (cell.text != NULL) {
            base_put_csv_text(file, cell.text);
        } else {
            base_put_csv_number(file, cell.number);
        }
    }
    fputc('\n', file);
}

static void write_header(FILE *file)
{
    for (int i = 0; i < COLUMNS; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", column_name(i));
    fputc('\n', file);
}

/* The text of a file of results, for free(); "" if there is none. NULL with a
   line in why if it cannot be read, or has other columns than ours. */
static char *read_results(const char *path, char *why, size_t size)
{
    struct base_memory header;
    struct stat status;
    char *text = NULL, *ours = NULL;

    if (stat(path, &status) != 0 && errno == ENOENT) {
        text = strdup("");
    } else {
        text = base_read_file(path, why, size);
        if (text == NULL)
            return NULL;
    }
    if (base_memory_open(&header) != NULL) {
        write_header(header.file);
        ours = base_memory_close(&header);
    }
    if (text == NULL || ours == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
    } else if (*text != '\0' && strncmp(text, ours, strlen(ours)) != 0) {
        snprintf(why, size,
                 "%s: its columns are from another version (move it away, or "
                 "name another file)",
                 path);
    } else {
        free(ours);
        return text;
    }
    free(ours);
    free(text);
    return NULL;
}

static int is_text(const struct base_csv *csv, size_t row, const char *column,
                   const char *text)
{
    return base_csv_is(csv, row, column, text != NULL ? text : "");
}

static int is_side(const struct base_csv *csv, size_t row, const char *column,
                   int side)
{
    const double number = base_csv_number(csv, row, column);

    return side > 0 ? number == side : isnan(number);
}

static int is_timed(const struct base_csv *csv, size_t row)
{
    return !isnan(base_csv_number(csv, row, "kernel_ms"));
}

/* Is a row of the same lab, device and size, and timed or counted as asked? */
static int is_same_run(const struct base_csv *csv, size_t row,
                       const struct lab_result *run, int timed)
{
    return is_text(csv, row, "lab", run->lab) &&
           is_text(csv, row, "device", run->device) &&
           is_side(csv, row, "m", run->m) && is_side(csv, row, "n", run->n) &&
           is_side(csv, row, "k", run->k) && is_timed(csv, row) == timed;
}

/* Is the row replaced by one of the results? */
static int is_replaced(const struct base_csv *csv, size_t row,
                       const struct lab_result *result, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_text(csv, row, "variant", result[i].variant) &&
            is_same_run(csv, row, &result[i], !isnan(result[i].kernel_ms)))
            return 1;
    }
    return 0;
}

/* Copies the old rows that are not replaced. */
static void copy_rows(FILE *to, const struct base_csv *csv,
                      const struct lab_result *result, size_t count)
{
    write_header(to);
    for (size_t row = 0; row < csv->rows; row++) {
        if (is_replaced(csv, row, result, count))
            continue;
        for (size_t i = 0; i < COLUMNS; i++) {
            base_print(to, BASE_CSV, i > 0 ? ",%s" : "%s",
                       csv->cell[(row + 1) * COLUMNS + i]);
        }
        fputc('\n', to);
    }
}

/* Writes the new text of a file that holds the old one. Returns 0, or -1 with a
   line in why. */
static int write_results(FILE *to, const char *path, const char *old,
                         const struct lab_result *result, size_t count,
                         int replaces, char *why, size_t size)
{
    struct base_csv csv;
    char ignored[200];

    if (*old == '\0') {
        write_header(to);
    } else if (old[strlen(old) - 1] != '\n') {
        snprintf(why, size,
                 "%s: its last line is not complete (repair it, or name "
                 "another file)",
                 path);
        return -1;
    } else if (replaces &&
               base_csv_parse(path, old, &csv, ignored, sizeof ignored) == 0) {
        copy_rows(to, &csv, result, count);
        base_csv_free(&csv);
    } else { /* what cannot be read is not replaced */
        fputs(old, to);
    }
    for (size_t i = 0; i < count; i++)
        write_csv_row(to, &result[i]);
    return 0;
}

int lab_results_write_csv(const char *path, const struct lab_result *result,
                          size_t count, int replaces, char *why, size_t size)
{
    struct base_replacement r;
    char *old;
    int ok;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    old = read_results(path, why, size); /* under the lock */
    ok = old != NULL && write_results(r.file, path, old, result, count,
                                      replaces, why, size) == 0;
    free(old);
    if (base_replace_end(&r, ok, why, size) != 0)
        return -1;
    return ok ? 0 : -1;
}

int lab_results_known(const char *path, const struct lab_result *run, int timed,
                      char date[32], char *why, size_t size)
{
    char *const text = read_results(path, why, size);
    struct base_csv csv;
    int known = 0;

    if (text == NULL || *text == '\0') { /* the first row makes it */
        free(text);
        return text == NULL ? -1 : 0;
    }
    if (base_csv_parse(path, text, &csv, why, size) != 0)
        known = -1;
    free(text);
    if (known < 0)
        return -1;
    for (size_t row = 0; known >= 0 && row < csv.rows; row++) {
        if (!is_same_run(&csv, row, run, timed))
            continue;
        snprintf(date, 32, "%s", base_csv_text(&csv, row, "date"));
        known = is_text(&csv, row, "device_name", run->device_name) &&
                        is_text(&csv, row, "driver", run->driver) &&
                        is_text(&csv, row, "compiler", run->compiler) &&
                        is_text(&csv, row, "program", run->program) &&
                        is_text(&csv, row, "verdict", "PASS")
                    ? 1
                    : -1; /* one that is not the same spoils all */
    }
    base_csv_free(&csv);
    return known > 0;
}
