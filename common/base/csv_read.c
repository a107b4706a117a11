#define _POSIX_C_SOURCE 200809L
#include "base/csv_read.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct base_csv *csv;
    char *to;     /* in csv->text, where the next character goes */
    char between; /* cells */
    size_t cells; /* so far */
    size_t lines; /* so far, with the header */
};

static int is_blank(const struct reading *r, char c)
{
    return c != r->between && (c == ' ' || c == '\t');
}

static int ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* Takes a cell in quotes, from the first of them. Returns what stands behind
   the cell and the blanks after it, or NULL if that is no end of a cell. */
static const char *take_quoted(struct reading *r, const char *c)
{
    for (c++; *c != '"' || c[1] == '"'; c++) {
        if (*c == '\0')
            return NULL;
        c += *c == '"';
        *r->to++ = *c;
    }
    for (c++; is_blank(r, *c); c++)
        ;
    return *c == r->between || ends_line(*c) ? c : NULL;
}

/* The same for a cell without quotes, which must not hold any; blanks at its
   end do not count. */
static const char *take_bare(struct reading *r, const char *c)
{
    char *const begin = r->to;

    for (; *c != r->between && !ends_line(*c); c++) {
        if (*c == '"')
            return NULL;
        *r->to++ = *c;
    }
    while (r->to > begin && is_blank(r, r->to[-1]))
        r->to--;
    return c;
}

/* Takes the cells of a line. Returns its end, or NULL: a quote is misplaced. */
static const char *take_cells(struct reading *r, const char *c)
{
    for (;; c++) {
        r->csv->cell[r->cells++] = r->to;
        while (is_blank(r, *c))
            c++;
        c = *c == '"' ? take_quoted(r, c) : take_bare(r, c);
        if (c == NULL)
            return NULL;
        *r->to++ = '\0';
        if (*c != r->between)
            break;
    }
    r->lines++;
    return c;
}

/* What stands between the titles: a comma, or, as spreadsheets write it where
   that is in numbers, a semicolon, or a tab. */
static char separator_of(const char *text)
{
    int is_quoted = 0;
    char first = ',';

    for (; *text != '\0' && (is_quoted || !ends_line(*text)); text++) {
        is_quoted ^= *text == '"';
        if (!is_quoted && *text == ',')
            return *text;
        if (!is_quoted && (*text == ';' || *text == '\t') && first == ',')
            first = *text;
    }
    return first;
}

/* Fills csv, whose arrays have room for every cell. Lines without a character
   do not count. */
static int parse_csv(const char *path, const char *text, struct base_csv *csv,
                     char *why, size_t size)
{
    struct reading r = {csv, csv->text, separator_of(text), 0, 0};
    const char *c = text;

    while (*(c += strspn(c, r.between == '\t' ? " \r\n" : " \t\r\n")) != '\0') {
        c = take_cells(&r, c);
        if (c == NULL) {
            snprintf(why, size, "%s: row %zu: a quote is out of place", path,
                     r.lines + 1);
            return -1;
        }
        if (r.lines == 1)
            csv->columns = r.cells;
        if (r.cells != r.lines * csv->columns) {
            snprintf(why, size, "%s: row %zu has not %zu cells", path, r.lines,
                     csv->columns);
            return -1;
        }
    }
    if (r.lines == 0) {
        snprintf(why, size, "%s: the file is empty", path);
        return -1;
    }
    csv->rows = r.lines - 1;
    return 0;
}

int base_csv_parse(const char *path, const char *text, struct base_csv *csv,
                   char *why, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    size_t most = 1; /* cells: one more than there are ends of one */

    text += strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    for (const char *c = text; *c != '\0'; c++)
        most += strchr(",;\t", *c) != NULL || *c == '\n' || *c == '\r';
    /* Each cell takes its characters and a NUL. */
    *csv = (struct base_csv){.text = malloc(strlen(text) + most),
                             .cell = calloc(most, sizeof *csv->cell)};
    if (csv->text == NULL || csv->cell == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
    } else if (parse_csv(path, text, csv, why, size) == 0) {
        return 0;
    }
    base_csv_free(csv);
    return -1;
}

int base_csv_read(const char *path, struct base_csv *csv, char *why,
                  size_t size)
{
    char *const text = base_read_file(path, why, size);
    int result;

    if (text == NULL)
        return -1;
    result = base_csv_parse(path, text, csv, why, size);
    free(text);
    return result;
}

void base_csv_free(struct base_csv *csv)
{
    free(csv->text);
    free(csv->cell);
    *csv = (struct base_csv){.text = NULL};
}

int base_csv_column(const struct base_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcmp(csv->cell[i], name) == 0)
            return (int)i;
    }
    return -1;
}

const char *base_csv_missing(const struct base_csv *csv,
                             const char *const *names)
{
    while (*names != NULL && base_csv_column(csv, *names) >= 0)
        names++;
    return *names;
}

const char *base_csv_text(const struct base_csv *csv, size_t row,
                          const char *name)
{
    const int column = base_csv_column(csv, name);

    if (column < 0 || row >= csv->rows)
        return "";
    return csv->cell[(row + 1) * csv->columns + (size_t)column];
}

int base_csv_is(const struct base_csv *csv, size_t row, const char *name,
                const char *text)
{
    return strcmp(base_csv_text(csv, row, name), text) == 0;
}

double base_csv_number(const struct base_csv *csv, size_t row, const char *name)
{
    const char *const text = base_csv_text(csv, row, name);
    char *end;
    const double number = strtod(text, &end);

    return end == text || *end != '\0' ? (double)NAN : number;
}
