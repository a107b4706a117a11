#define _POSIX_C_SOURCE 200809L
#include "teach/quote.h"

#include "base/csv_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEYS = 8,
    WORDS = 24
};

/* A comment that says where a number comes from. */
struct mark {
    char text[400]; /* the words point into it */
    const char *file, *expression, *format;
    const char *key[2][KEYS]; /* KEY=VALUE of the row, and of that it is over */
    int keys[2], is_ratio;
};

/* A row for the expression's names. */
struct row {
    const struct lab_csv *csv;
    size_t at;
};

static int is_csv(const char *word)
{
    const size_t length = strlen(word);

    return strcmp(word, "counted") == 0 ||
           (length > 4 && strcmp(word + length - 4, ".csv") == 0);
}

static int parse_mark(const char *comment, size_t length, struct mark *mark,
                      char *why, size_t size)
{
    char *rest, *word;
    int side = 0;

    *mark = (struct mark){.file = NULL};
    if (length >= sizeof mark->text) {
        snprintf(why, size, "this comment is too long");
        return -1;
    }
    memcpy(mark->text, comment, length);
    mark->text[length] = '\0';
    for (word = strtok_r(mark->text, " \n", &rest); word != NULL;
         word = strtok_r(NULL, " \n", &rest)) {
        if (mark->format != NULL) {
            snprintf(why, size, "'%s' stands behind the format", word);
            return -1;
        }
        if (mark->file == NULL && is_csv(word)) {
            mark->file = word;
        } else if (word[0] == '%') {
            mark->format = word;
        } else if (strcmp(word, "over") == 0) {
            mark->is_ratio = side = 1;
        } else if (strchr(word, '=') != NULL && mark->keys[side] < KEYS) {
            mark->key[side][mark->keys[side]++] = word;
        } else if (mark->expression == NULL) {
            mark->expression = word;
        } else {
            snprintf(why, size, "what is '%s' in this comment?", word);
            return -1;
        }
    }
    if (mark->format == NULL || mark->expression == NULL ||
        (mark->file == NULL && mark->keys[0] > 0)) {
        snprintf(why, size,
                 "a number's comment reads FILE KEY=VALUE ... EXPRESSION "
                 "FORMAT");
        return -1;
    }
    return 0;
}

/* Does the row have this cell? Numbers are compared as such. */
static int has_cell(const struct lab_csv *csv, size_t row, const char *key)
{
    const char *const value = strchr(key, '=') + 1;
    char name[80];

    snprintf(name, sizeof name, "%.*s", (int)(value - 1 - key), key);
    return lab_csv_column(csv, name) >= 0 &&
           strcmp(lab_csv_text(csv, row, name), value) == 0;
}

/* Is the first key's column named by one of the others? */
static int is_replaced(const char *key, const char *const *by, int count)
{
    const size_t length = (size_t)(strchr(key, '=') + 1 - key);

    for (int i = 0; i < count; i++) {
        if (strncmp(key, by[i], length) == 0)
            return 1;
    }
    return 0;
}

static int picks(const struct mark *mark, int side, const struct lab_csv *csv,
                 size_t row)
{
    for (int i = 0; i < mark->keys[0]; i++) {
        if (side == 1 &&
            is_replaced(mark->key[0][i], mark->key[1], mark->keys[1]))
            continue;
        if (!has_cell(csv, row, mark->key[0][i]))
            return 0;
    }
    for (int i = 0; side == 1 && i < mark->keys[1]; i++) {
        if (!has_cell(csv, row, mark->key[1][i]))
            return 0;
    }
    return 1;
}

static int name_value(void *context, const char *name, double *result)
{
    const struct row *const row = context;

    *result = lab_csv_number(row->csv, row->at, name);
    return isfinite(*result) ? 0 : -1;
}

/* The value of one side of the mark: all rows that its keys pick agree. */
static int side_value(const struct mark *mark, int side,
                      const struct lab_csv *csv, double *result, char *why,
                      size_t size)
{
    int found = 0;

    for (size_t i = 0; i < csv->rows; i++) {
        struct row row = {csv, i};
        double value;

        if (!picks(mark, side, csv, i))
            continue;
        if (quote_calculate(mark->expression, name_value, &row, &value, why,
                            size) != 0)
            return -1;
        if (found++ > 0 && value != *result) {
            snprintf(why, size, "more than one row of %s fits", mark->file);
            return -1;
        }
        *result = value;
    }
    if (found == 0)
        snprintf(why, size, "no row of %s fits", mark->file);
    return found == 0 ? -1 : 0;
}

static int mark_value(const struct mark *mark,
                      const struct quote_source *source, double *result,
                      char *why, size_t size)
{
    const struct lab_csv *csv;
    double other;

    if (mark->file == NULL)
        return quote_calculate(mark->expression, NULL, NULL, result, why, size);
    if (strcmp(mark->file, "counted") == 0 && mark->keys[0] > 0) {
        /* counts are one file a lab */
        char name[120];

        snprintf(name, sizeof name, "counted/%s",
                 strchr(mark->key[0][0], '=') + 1);
        csv = source->open(source->context, name, why, size);
    } else {
        csv = source->open(source->context, mark->file, why, size);
    }
    if (csv == NULL || side_value(mark, 0, csv, result, why, size) != 0)
        return -1;
    if (!mark->is_ratio)
        return 0;
    if (side_value(mark, 1, csv, &other, why, size) != 0)
        return -1;
    *result /= other;
    return 0;
}

/* Is the number behind the comment the one that follows from it? */
static int check_number(const char *comment, const char *end,
                        const struct quote_source *source, char *why,
                        size_t size)
{
    const char *const number = end + strlen("-->");
    struct mark mark;
    char text[64];
    double value = 0.0;
    size_t length;

    if (parse_mark(comment, (size_t)(end - comment), &mark, why, size) != 0 ||
        mark_value(&mark, source, &value, why, size) != 0)
        return -1;
    if (quote_print(text, sizeof text, mark.format, value) != 0) {
        snprintf(why, size, "'%s' is no format: use %%.0f, %%.2f or %%'.0f",
                 mark.format);
        return -1;
    }
    length = strlen(text);
    if (strncmp(number, text, length) != 0 ||
        isdigit((unsigned char)number[length]) ||
        ((number[length] == '.' || number[length] == ',') &&
         isdigit((unsigned char)number[length + 1]))) {
        snprintf(why, size, "'%.*s' should be %s",
                 (int)strcspn(number, " |\n*"), number, text);
        return -1;
    }
    return 0;
}

static int line_at(const char *text, const char *at)
{
    int line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static int is_unit(const char *at)
{
    static const char *const unit[] = {"FLOP/s",  "MFLOP/s", "GFLOP/s",
                                       "TFLOP/s", "GB/s",    "TB/s"};

    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
        if (strncmp(at, unit[i], strlen(unit[i])) == 0)
            return 1;
    }
    return 0;
}

/* Does a number stand before the unit, and no comment before the number? */
static int is_unmarked(const char *prose, const char *unit)
{
    const char *at = unit;

    while (at > prose && isspace((unsigned char)at[-1]))
        at--;
    if (at == unit || at == prose || !isdigit((unsigned char)at[-1]))
        return 0;
    while (at > prose &&
           (isdigit((unsigned char)at[-1]) || at[-1] == '.' || at[-1] == ','))
        at--;
    return at - prose < 3 || strncmp(at - 3, "-->", 3) != 0;
}

/* Tells of the speeds that stand unmarked. */
static int speeds(const char *path, const char *prose)
{
    int bad = 0;

    for (const char *at = prose; *at != '\0'; at++) {
        if (at > prose && isspace((unsigned char)at[-1]) && is_unit(at) &&
            is_unmarked(prose, at)) {
            fprintf(stderr,
                    "%s:%d: no comment says where the number before '%.7s' "
                    "comes from\n",
                    path, line_at(prose, at), at);
            bad++;
        }
    }
    return bad;
}

int quote_numbers(const char *path, const char *prose,
                  const struct quote_source *source, int *numbers)
{
    int bad = speeds(path, prose);

    for (const char *at = strstr(prose, "<!--"); at != NULL;
         at = strstr(at, "<!--")) {
        const char *const comment = at + strlen("<!--");
        const char *const end = strstr(comment, "-->");
        char why[300];

        if (end == NULL) {
            fprintf(stderr, "%s:%d: this comment is not closed\n", path,
                    line_at(prose, at));
            return bad + 1;
        }
        at = end;
        if (memchr(comment, '%', (size_t)(end - comment)) == NULL)
            continue;
        (*numbers)++;
        if (check_number(comment, end, source, why, sizeof why) != 0) {
            fprintf(stderr, "%s:%d: %s\n", path, line_at(prose, comment), why);
            bad++;
        }
    }
    return bad;
}
