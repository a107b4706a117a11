/*
 * csv_read.h: what stands in a CSV file, by row and column name?
 *
 * RFC 4180: a cell may stand in quotes, a quote in it is doubled. Where the
 * first row has no comma, cells stand between semicolons or tabs. Every row has
 * as many cells as the header. A byte order mark before it is passed over:
 * spreadsheets write one.
 */
#ifndef BASE_CSV_READ_H
#define BASE_CSV_READ_H

#include <stddef.h>

struct base_csv {
    char *text;           /* all cells point into it */
    char **cell;          /* the header's, then row by row; owned */
    size_t columns, rows; /* rows without the header */
};

/*
 * Reads the file at path; free it with base_csv_free. Returns 0, or -1 with a
 * line in why that names the file; csv then holds nothing to free.
 */
int base_csv_read(const char *path, struct base_csv *csv, char *why,
                  size_t size);

/* The same for a text, which is copied; path serves messages only. */
int base_csv_parse(const char *path, const char *text, struct base_csv *csv,
                   char *why, size_t size);

void base_csv_free(struct base_csv *csv);

/* The column's number, or -1 if there is none of that name. */
int base_csv_column(const struct base_csv *csv, const char *name);

/* The first of these names, NULL behind the last, that no column has; or
   NULL. */
const char *base_csv_missing(const struct base_csv *csv,
                             const char *const *names);

/* A cell's text, "" where it is empty or there is no such column. Rows count
   from 0. */
const char *base_csv_text(const struct base_csv *csv, size_t row,
                          const char *name);

/* Is that the cell's text? */
int base_csv_is(const struct base_csv *csv, size_t row, const char *name,
                const char *text);

/* A cell's number; NaN where the cell holds none. */
double base_csv_number(const struct base_csv *csv, size_t row,
                       const char *name);

#endif /* BASE_CSV_READ_H */
