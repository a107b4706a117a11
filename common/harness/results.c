#define _GNU_SOURCE
#include "results.h"

#include "output/replace_file.h"
#include "output/values.h"

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
};

enum {
    FIRST_COUNTER = sizeof columns / sizeof columns[0]
};

static const char *column_name(int column)
{
    return column < FIRST_COUNTER ? columns[column].name
                                  : lab_counter_name[column - FIRST_COUNTER];
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
    *result = (struct lab_result){.measure_ok = -1};
    result->max_error = result->tolerance = NAN;
    result->kernel_ms = result->kernel_ms_min = result->kernel_ms_max = NAN;
    result->copies_ms = result->gflops = result->peak_gflops = NAN;
    result->sm_clock_mhz = result->cublas_gflops = NAN;
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
            output_csv_text(file, cell.text);
        } else {
            output_csv_number(file, cell.number);
        }
    }
    fputc('\n', file);
}

/* The header line, without its end. */
static char *make_header(void)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    if (file == NULL)
        return NULL;
    for (int i = 0; i < FIRST_COUNTER + LAB_COUNTERS; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", column_name(i));
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Copies the rows that are there. Returns 0, or -1 with a line in why. */
static int copy_old(const char *path, FILE *old, const char *header, FILE *to,
                    char *why, size_t size)
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
                snprintf(why, size,
                         "%s: its columns are from another version "
                         "(move it away, or name another file)",
                         path);
            }
        }
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

int lab_results_append_csv(const char *path, const struct lab_result *result,
                           size_t count, char *why, size_t size)
{
    struct output_replacement r;
    char *header = make_header();
    FILE *old = NULL;
    int ok = 0;

    if (header == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
        return -1;
    }
    if (output_replace_begin(&r, path, why, size) != 0) {
        free(header);
        return -1;
    }
    old = fopen(path, "re"); /* under the lock */
    if (old != NULL) {
        ok = copy_old(path, old, header, r.file, why, size) == 0;
    } else if (errno == ENOENT) {
        ok = fprintf(r.file, "%s\n", header) > 0;
    } else {
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
    }
    for (size_t i = 0; ok && i < count; i++)
        write_csv_row(r.file, &result[i]);

    if (old != NULL)
        fclose(old);
    free(header);
    if (output_replace_end(&r, ok, why, size) != 0)
        return -1;
    return ok ? 0 : -1;
}

/* --- JSON ----------------------------------------------------------------- */

static void write_json_object(struct output_json *json,
                              const struct lab_result *result)
{
    output_json_open(json, NULL, '{');
    for (int i = 0; i < FIRST_COUNTER + LAB_COUNTERS; i++) {
        const struct cell cell = read_cell(result, i);

        if (cell.text != NULL) {
            output_json_text(json, column_name(i), cell.text);
        } else {
            output_json_number(json, column_name(i), cell.number);
        }
    }
    if (result->members != NULL)
        output_json_members(json, result->members);
    output_json_close(json, '}');
}

int lab_results_write_json(const char *path, const struct lab_result *result,
                           size_t count, char *why, size_t size)
{
    struct output_replacement r;
    struct output_json json = {0};

    if (output_replace_begin(&r, path, why, size) != 0)
        return -1;
    json.file = r.file;
    output_json_open(&json, NULL, '[');
    for (size_t i = 0; i < count; i++)
        write_json_object(&json, &result[i]);
    output_json_close(&json, ']');
    return output_replace_end(&r, 1, why, size);
}
