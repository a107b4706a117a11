#define _POSIX_C_SOURCE 200809L
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void base_put_number(FILE *file, double number)
{
    char text[40];

    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, file);
}

/* Blanks at an end are part of a cell, but many readers drop them there; and so
   a byte order mark at its beginning, which may be that of the file. */
static int needs_quotes(const char *text)
{
    const size_t length = strlen(text);

    return strpbrk(text, ",\"\r\n") != NULL ||
           strncmp(text, "\xef\xbb\xbf", 3) == 0 ||
           (length > 0 && (strchr(" \t", text[0]) != NULL ||
                           strchr(" \t", text[length - 1]) != NULL));
}

void base_put_csv_text(FILE *file, const char *text)
{
    if (!needs_quotes(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void base_put_csv_number(FILE *file, double number)
{
    if (isfinite(number))
        base_put_number(file, number);
}

static void write_json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            fputc(*text, file);
        }
    }
    fputc('"', file);
}

/* A new line for the next value, and its name. */
static void begin_value(struct base_json *json, const char *name)
{
    if (json->written)
        fputc(',', json->file);
    if (json->written || json->depth > 0)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    if (name != NULL) {
        write_json_text(json->file, name);
        fputs(": ", json->file);
    }
    json->written = 1;
}

void base_json_open(struct base_json *json, const char *name, char open)
{
    begin_value(json, name);
    fputc(open, json->file);
    json->depth++;
    json->written = 0;
}

void base_json_close(struct base_json *json, char close)
{
    json->depth--;
    if (json->written)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(close, json->file);
    json->written = 1;
    if (json->depth == 0)
        fputc('\n', json->file);
}

void base_json_text(struct base_json *json, const char *name, const char *text)
{
    begin_value(json, name);
    if (text != NULL) {
        write_json_text(json->file, text);
    } else {
        fputs("null", json->file);
    }
}

void base_json_number(struct base_json *json, const char *name, double number)
{
    begin_value(json, name);
    if (isfinite(number)) {
        base_put_number(json->file, number);
    } else {
        fputs("null", json->file);
    }
}

void base_json_truth(struct base_json *json, const char *name, int is_true)
{
    begin_value(json, name);
    fputs(is_true ? "true" : "false", json->file);
}
