#define _POSIX_C_SOURCE 200809L
#include "csv_read.h"

#include "course/file.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where libcsv's calls put what they find. */
struct reading {
    struct lab_csv *csv;
    size_t used;  /* of csv->text */
    size_t cells; /* so far */
    size_t lines; /* so far, with the header */
    int uneven;   /* 1 once a row had another number of cells */
};

static void take_cell(void *cell, size_t length, void *context)
{
    struct reading *const r = context;
    char *const at = r->csv->text + r->used;

    /* libcsv passes NULL for a cell without a character. */
    if (length > 0)
        memcpy(at, cell, length);
    at[length] = '\0';
    r->csv->cell[r->cells++] = at;
    r->used += length + 1;
}

static void take_line(int end, void *context)
{
    struct reading *const r = context;

    (void)end;
    if (r->uneven)
        return;
    if (r->lines == 0)
        r->csv->columns = r->cells;
    r->lines++;
    r->uneven = r->cells != r->lines * r->csv->columns;
}

/* Fills csv, whose arrays have room for every cell. */
static int parse(const char *path, const char *text, struct lab_csv *csv,
                 char *why, size_t size)
{
    const size_t length = strlen(text);
    struct reading r = {csv, 0, 0, 0, 0};
    struct csv_parser parser;
    int result = -1;

    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        snprintf(why, size, "%s: libcsv does not start", path);
        return -1;
    }
    if (csv_parse(&parser, text, length, take_cell, take_line, &r) != length ||
        csv_fini(&parser, take_cell, take_line, &r) != 0) {
        if (csv_error(&parser) == CSV_EPARSE) {
            snprintf(why, size, "%s: row %zu: a quote is out of place", path,
                     r.lines + 1);
        } else {
            snprintf(why, size, "%s: %s", path,
                     csv_strerror(csv_error(&parser)));
        }
    } else if (r.uneven) {
        snprintf(why, size, "%s: row %zu has not %zu cells", path, r.lines,
                 csv->columns);
    } else if (r.lines == 0) {
        snprintf(why, size, "%s: the file is empty", path);
    } else {
        csv->rows = r.lines - 1;
        result = 0;
    }
    csv_free(&parser);
    return result;
}

int lab_csv_parse(const char *path, const char *text, struct lab_csv *csv,
                  char *why, size_t size)
{
    size_t most = 1; /* cells: one more than there are ends of one */

    for (const char *c = text; *c != '\0'; c++)
        most += *c == ',' || *c == '\n' || *c == '\r';
    /* Each cell takes its characters and a NUL. */
    *csv = (struct lab_csv){.text = malloc(strlen(text) + most),
                            .cell = calloc(most, sizeof *csv->cell)};
    if (csv->text == NULL || csv->cell == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
    } else if (parse(path, text, csv, why, size) == 0) {
        return 0;
    }
    lab_csv_free(csv);
    return -1;
}

int lab_csv_read(const char *path, struct lab_csv *csv, char *why, size_t size)
{
    char *const text = course_read_file(path, why, size);
    int result;

    if (text == NULL)
        return -1;
    result = lab_csv_parse(path, text, csv, why, size);
    free(text);
    return result;
}

void lab_csv_free(struct lab_csv *csv)
{
    free(csv->text);
    free(csv->cell);
    *csv = (struct lab_csv){.text = NULL};
}

int lab_csv_column(const struct lab_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcmp(csv->cell[i], name) == 0)
            return (int)i;
    }
    return -1;
}

const char *lab_csv_text(const struct lab_csv *csv, size_t row,
                         const char *name)
{
    const int column = lab_csv_column(csv, name);

    if (column < 0 || row >= csv->rows)
        return "";
    return csv->cell[(row + 1) * csv->columns + (size_t)column];
}

double lab_csv_number(const struct lab_csv *csv, size_t row, const char *name)
{
    const char *const text = lab_csv_text(csv, row, name);
    char *end;
    const double number = strtod(text, &end);

    return end == text || *end != '\0' ? (double)NAN : number;
}
