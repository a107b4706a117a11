#define _POSIX_C_SOURCE 200809L
#include "csv_read.h"

#include "course/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Ends the cell at *from with a NUL, its quotes taken off, and moves *from
 * behind the comma or line end, which is returned: ',', '\n', or '\0' at the
 * end of the text. Returns -1 if a quote is not closed or text follows one.
 */
static int cut_cell(char **from, char **cell)
{
    char *read = *from, *write = *from;
    int end;

    *cell = write;
    if (*read == '"') {
        for (read++; *read != '"' || read[1] == '"'; *write++ = *read++) {
            if (*read == '"')
                read++;
            if (*read == '\0')
                return -1;
        }
        read++;
    } else {
        read += strcspn(read, ",\r\n");
        write = read;
    }
    if (read[0] == '\r' && read[1] == '\n')
        read++;
    end = (unsigned char)*read;
    if (end != ',' && end != '\n' && end != '\0')
        return -1;
    *from = end == '\0' ? read : read + 1;
    *write = '\0';
    return end;
}

int lab_csv_parse(const char *path, const char *text, struct lab_csv *csv,
                  char *why, size_t size)
{
    size_t most = 2, cells = 0, line = 1;
    char *at;
    int end = '\n';

    for (const char *c = text; *c != '\0'; c++)
        most += *c == ',' || *c == '\n';
    *csv = (struct lab_csv){.text = strdup(text)};
    csv->cell = calloc(most, sizeof *csv->cell);
    if (csv->text == NULL || csv->cell == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        goto bad;
    }
    for (at = csv->text; *at != '\0' || end == ',';) {
        end = cut_cell(&at, &csv->cell[cells]);
        if (end < 0) {
            snprintf(why, size, "%s: row %zu: a quote is out of place", path,
                     line);
            goto bad;
        }
        cells++;
        if (end == ',')
            continue;
        if (line == 1)
            csv->columns = cells;
        if (cells != line * csv->columns) {
            snprintf(why, size, "%s: row %zu has not %zu cells", path, line,
                     csv->columns);
            goto bad;
        }
        line++;
    }
    if (cells == 0) {
        snprintf(why, size, "%s: the file is empty", path);
        goto bad;
    }
    csv->rows = line - 2;
    return 0;

bad:
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
