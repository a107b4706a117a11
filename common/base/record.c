#define _POSIX_C_SOURCE 200809L
#include "base/record.h"

#include "base/file.h"
#include "base/html.h"
#include "base/refuse.h"
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where a file's text goes while it is read: into itself. A key and its colon
   leave room for a key and its NUL, a line and its end for a line and one. */
struct reading {
    struct base_records *file;
    char *to;   /* where the next character goes */
    int line;   /* of the file, from 1 */
    int behind; /* empty lines since the last line of a value */
    size_t fields;
};

int base_records_wrong(const struct base_records *file, int line,
                       const char *format, ...)
{
    va_list values;

    va_start(values, format);
    base_refuse_line(file->why, file->why_size, file->path, line, format,
                     values);
    va_end(values);
    return -1;
}

/* --- lines ---------------------------------------------------------------- */

/* How long the key is that the line begins with, before its colon; 0: there is
   none. */
static size_t key_length(const struct base_records *file, const char *line)
{
    int number[2];
    size_t length;

    if (file->kind == BASE_RECORD_TEXTS) {
        const char *const end = base_read_numbers(line, 2, number);

        length = end != NULL ? (size_t)(end - line) : 0;
    } else {
        length = strspn(line, "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    }
    return line[length] == ':' ? length : 0;
}

/* Adds characters to what was read. */
static void put(struct reading *r, const char *text, size_t length)
{
    memmove(r->to, text, length);
    r->to += length;
}

static void begin_field(struct reading *r, const char *line, size_t key,
                        size_t length)
{
    struct base_field *const field = &r->file->field[r->fields++];

    if (r->fields > 1)
        *r->to++ = '\0'; /* of the last value */
    field->line = r->line;
    field->key = r->to;
    put(r, line, key);
    *r->to++ = '\0';
    field->value = r->to;
    put(r, line + key + 1, length - key - 1);
}

/* A line without a key: it goes on with the last value. */
static int go_on(struct reading *r, const char *line)
{
    const struct base_records *const file = r->file;

    if (r->fields == 0 && file->kind == BASE_RECORD_TEXTS) {
        return base_records_wrong(file, r->line,
                                  "belongs to no question: begin with its "
                                  "number, as in '03.2: ...'");
    }
    if (r->fields == 0 ||
        (file->kind != BASE_RECORD_TEXTS && !isspace((unsigned char)*line))) {
        return base_records_wrong(
            file, r->line,
            "'%.40s' is not 'KEY: VALUE' (indent a line that goes on with a "
            "value)",
            line);
    }
    for (; r->behind > 0; r->behind--)
        put(r, "\n", 1);
    put(r, "\n", 1);
    put(r, line, strlen(line));
    return 0;
}

/* A comment; or a question, above the room for its answer. */
static int is_remark(const struct reading *r, const char *line)
{
    const int is_texts = r->file->kind == BASE_RECORD_TEXTS;

    return (*line == '#' && (r->fields == 0 || !is_texts)) ||
           (*line == '?' && is_texts);
}

static int take_line(struct reading *r, char *line, size_t length)
{
    const size_t key = key_length(r->file, line);

    if (strspn(line, " \t") == length) {
        r->behind++;
    } else if (is_remark(r, line)) {
        ;
    } else if (key > 0) {
        begin_field(r, line, key, length);
        r->behind = 0;
    } else {
        return go_on(r, line);
    }
    return 0;
}

static int take_lines(struct reading *r, char *next)
{
    while (next != NULL) {
        char *const line = next, *const end = line + strcspn(line, "\n");

        next = *end == '\n' ? end + 1 : NULL;
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        r->line++;
        if (take_line(r, line, strlen(line)) != 0)
            return -1;
    }
    *r->to = '\0';
    return 0;
}

/* --- a file --------------------------------------------------------------- */

/* Is all of it text? A carriage return before a line's end is. */
static int check_text(const struct base_records *file, const char *text)
{
    int line = 1;

    for (long bad = base_html_bad_byte(text); bad >= 0;
         bad = base_html_bad_byte(text)) {
        for (long i = 0; i < bad; i++)
            line += text[i] == '\n';
        text += bad;
        if (*text != '\r' || (text[1] != '\n' && text[1] != '\0')) {
            return base_records_wrong(file, line,
                                      "not UTF-8 text, or a control character "
                                      "(save the file as UTF-8)");
        }
        text++;
    }
    return 0;
}

/* Makes records of the fields. */
static void group(struct base_records *file, size_t fields)
{
    struct base_record *record = &file->head;

    record->field = file->field;
    for (size_t i = 0; i < fields; i++) {
        if (file->leader != NULL &&
            strcmp(file->field[i].key, file->leader) == 0) {
            record = &file->record[file->count++];
            record->field = &file->field[i];
        }
        record->fields++;
    }
}

int base_records_parse(struct base_records *file, char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin with it */
    struct reading r = {.file = file, .to = text};
    size_t lines = 1;

    file->text = text;
    for (const char *c = text; c != NULL && *c != '\0'; c++)
        lines += *c == '\n';
    file->field = calloc(lines, sizeof *file->field);
    file->record = calloc(lines, sizeof *file->record);
    if (text == NULL || file->field == NULL || file->record == NULL) {
        base_refuse(file->why, file->why_size, "%s: %s", file->path,
                    strerror(ENOMEM));
        goto bad;
    }
    if (strncmp(text, mark, strlen(mark)) == 0)
        text += strlen(mark);
    if (check_text(file, text) != 0 || take_lines(&r, text) != 0)
        goto bad;
    for (size_t i = 0; i < r.fields; i++) {
        char *const value = base_trim(file->field[i].value);

        file->field[i].value = value;
        if (file->kind == BASE_RECORD_WORDS)
            base_one_line(value);
    }
    group(file, r.fields);
    return 0;
bad:
    base_records_free(file);
    return -1;
}

int base_records_read(struct base_records *file)
{
    char *const text = base_read_file(file->path, file->why, file->why_size);

    return text != NULL ? base_records_parse(file, text) : -1;
}

void base_records_free(struct base_records *file)
{
    free(file->field);
    free(file->record);
    free(file->text);
    file->text = NULL;
    file->field = NULL;
    file->record = NULL;
    file->head = (struct base_record){.fields = 0};
    file->count = 0;
}

const struct base_field *base_record_find(const struct base_record *record,
                                          const char *key)
{
    for (size_t i = 0; i < record->fields; i++) {
        if (strcmp(record->field[i].key, key) == 0)
            return &record->field[i];
    }
    return NULL;
}

const struct base_record *base_records_find(const struct base_records *file,
                                            const char *value)
{
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->record[i].field[0].value, value) == 0)
            return &file->record[i];
    }
    return NULL;
}
