/*
 * csv_read.h: what stands in a CSV file, by row and column name?
 *
 * RFC 4180: a cell may stand in quotes, a quote in it is doubled. Every row
 * has as many cells as the header. A byte order mark before it is passed over:
 * spreadsheets write one.
 */
#ifndef LAB_CSV_READ_H
#define LAB_CSV_READ_H

#include <stddef.h>

struct lab_csv {
    char *text;           /* all cells point into it */
    char **cell;          /* the header's, then row by row; owned */
    size_t columns, rows; /* rows without the header */
};

/*
 * Reads the file at path; free it with lab_csv_free. Returns 0, or -1 with a
 * line in why that names the file; csv then holds nothing to free.
 */
int lab_csv_read(const char *path, struct lab_csv *csv, char *why, size_t size);

/* The same for a text, which is copied; path serves messages only. */
int lab_csv_parse(const char *path, const char *text, struct lab_csv *csv,
                  char *why, size_t size);

void lab_csv_free(struct lab_csv *csv);

/* The column's number, or -1 if there is none of that name. */
int lab_csv_column(const struct lab_csv *csv, const char *name);

/* A cell's text, "" where it is empty or there is no such column. Rows count
   from 0. */
const char *lab_csv_text(const struct lab_csv *csv, size_t row,
                         const char *name);

/* A cell's number; NaN where the cell holds none. */
double lab_csv_number(const struct lab_csv *csv, size_t row, const char *name);

#endif /* LAB_CSV_READ_H */
