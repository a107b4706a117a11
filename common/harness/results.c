#define _GNU_SOURCE
#include "results.h"

#include "base/csv_read.h"
#include "base/memory.h"
#include "base/replace_file.h"
#include "base/values.h"
#include "base/version.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OTHER_VERSION                                                          \
    "%s: its columns are from another version (move it away, or name another " \
    "file)"

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

static void write_csv_row(FILE *file, const struct lab_result *result)
{
    for (int i = 0; i < FIRST_COUNTER + LAB_COUNTERS; i++) {
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

/* The header line, without its end. */
static char *make_header(void)
{
    struct base_memory text;
    FILE *const file = base_memory_open(&text);

    if (file == NULL)
        return NULL;
    for (int i = 0; i < FIRST_COUNTER + LAB_COUNTERS; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", column_name(i));
    return base_memory_close(&text);
}

static int is_text(const struct base_csv *csv, size_t row, const char *column,
                   const char *text)
{
    return strcmp(base_csv_text(csv, row, column), text != NULL ? text : "") ==
           0;
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

/* Is a line of a file with this header replaced by one of the results? A line
   that cannot be read is not. */
static int is_replaced(const char *header, const char *line,
                       const struct lab_result *result, size_t count)
{
    struct base_csv csv;
    char *text, why[200];
    int replaced = 0;

    if (asprintf(&text, "%s\n%s", header, line) < 0)
        return 0;
    if (base_csv_parse("", text, &csv, why, sizeof why) == 0) {
        for (size_t i = 0; csv.rows == 1 && i < count && !replaced; i++) {
            replaced =
                is_text(&csv, 0, "variant", result[i].variant) &&
                is_same_run(&csv, 0, &result[i], !isnan(result[i].kernel_ms));
        }
        base_csv_free(&csv);
    }
    free(text);
    return replaced;
}

/* What is appended, and whether it replaces older rows of the same run. */
struct addition {
    const struct lab_result *result;
    size_t count;
    int replaces;
};

/* Copies the rows that are there. Returns 0, or -1 with a line in why. */
static int copy_old(const char *path, FILE *old, const char *header, FILE *to,
                    const struct addition *add, char *why, size_t size)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long lines = 0;
    int whole = 1, ok = 1;

    errno = 0;
    while (ok && (length = getline(&line, &room, old)) > 0) {
        whole = line[length - 1] == '\n';
        if (lines++ == 0) {
            ok = (size_t)length == strlen(header) + 1 &&
                 strncmp(line, header, strlen(header)) == 0;
            if (!ok) {
                snprintf(why, size, OTHER_VERSION, path);
            }
        }
        if (lines == 1 || !add->replaces ||
            !is_replaced(header, line, add->result, add->count))
            fputs(line, to);
    }
    if (ok && ferror(old)) {
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
        ok = 0;
    } else if (ok && !whole) {
        snprintf(why, size,
                 "%s: its last line is not complete (repair it, or name "
                 "another file)",
                 path);
        ok = 0;
    }
    free(line);
    if (ok && lines == 0)
        fprintf(to, "%s\n", header);
    return ok ? 0 : -1;
}

static int add_rows(const char *path, const struct addition *add, char *why,
                    size_t size)
{
    struct base_replacement r;
    char *header = make_header();
    FILE *old = NULL;
    int ok = 0;

    if (header == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
        return -1;
    }
    if (base_replace_begin(&r, path, why, size) != 0) {
        free(header);
        return -1;
    }
    old = fopen(path, "re"); /* under the lock */
    if (old != NULL) {
        ok = copy_old(path, old, header, r.file, add, why, size) == 0;
    } else if (errno == ENOENT) {
        ok = fprintf(r.file, "%s\n", header) > 0;
    } else {
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
    }
    for (size_t i = 0; ok && i < add->count; i++)
        write_csv_row(r.file, &add->result[i]);

    if (old != NULL)
        fclose(old);
    free(header);
    if (base_replace_end(&r, ok, why, size) != 0)
        return -1;
    return ok ? 0 : -1;
}

int lab_results_append_csv(const char *path, const struct lab_result *result,
                           size_t count, char *why, size_t size)
{
    return add_rows(path, &(struct addition){result, count, 0}, why, size);
}

int lab_results_replace_csv(const char *path, const struct lab_result *result,
                            size_t count, char *why, size_t size)
{
    return add_rows(path, &(struct addition){result, count, 1}, why, size);
}

/* Are the columns of the file those of this version? */
static int has_our_columns(const struct base_csv *csv)
{
    if (csv->columns != FIRST_COUNTER + LAB_COUNTERS)
        return 0;
    for (int i = 0; i < FIRST_COUNTER + LAB_COUNTERS; i++) {
        if (strcmp(csv->cell[i], column_name(i)) != 0)
            return 0;
    }
    return 1;
}

int lab_results_known(const char *path, const struct lab_result *run, int timed,
                      char date[32], char *why, size_t size)
{
    struct base_csv csv;
    struct stat status;
    int known = 0;

    if (stat(path, &status) != 0 || status.st_size == 0)
        return 0; /* the first row makes it */
    if (base_csv_read(path, &csv, why, size) != 0)
        return -1;
    if (!has_our_columns(&csv)) {
        snprintf(why, size, OTHER_VERSION, path);
        base_csv_free(&csv);
        return -1;
    }
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
