/* Texts that nobody trusts: nothing that acts on a terminal comes through, two
   names are never written alike, and no line is too wide. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/base/text.h"
#include "base/csv_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must_be_harmless(const char *text, int lines)
{
    for (const char *c = text; *c != '\0'; c++) {
        fuzz_must((unsigned char)*c >= 0x20 ||
                  (lines && (*c == '\n' || *c == '\t')));
        fuzz_must(*c != 0x7f);
    }
    fuzz_must(strstr(text, "\xe2\x80\xae") == NULL); /* U+202E */
}

/* What a name was, from what grade_text_shown made of it. */
static char *unshown(const char *shown)
{
    char *const name = malloc(strlen(shown) + 1), *to = name;

    if (name == NULL)
        abort();
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c != '\\') {
            *to++ = *c;
        } else if (*++c == 'x') {
            char digits[3] = {c[1], c[2], '\0'};

            *to++ = (char)strtol(digits, NULL, 16);
            c += 2;
        } else {
            *to++ = *c;
            if (*c == 'n')
                to[-1] = '\n';
            if (*c == 't')
                to[-1] = '\t';
        }
    }
    *to = '\0';
    return name;
}

static void show(const char *text)
{
    char *const shown = grade_text_shown(text);
    char *name, file[GRADE_FILE_NAME];

    fuzz_must(shown != NULL);
    must_be_harmless(shown, 0);
    name = unshown(shown);
    fuzz_must(strcmp(name, text) == 0);
    free(name);
    free(shown);
    grade_text_file_name(text, file);
    fuzz_must(strchr(file, '/') == NULL && strlen(file) < sizeof file);
}

static void write_cell(const char *text)
{
    char *cell = NULL, why[200];
    size_t length;
    FILE *const file = open_memstream(&cell, &length);
    struct base_csv csv;

    if (file == NULL)
        abort();
    fputs("a,b\n", file);
    grade_text_cell(file, text);
    fputs(",2\n", file);
    fclose(file);
    fuzz_must(base_csv_parse("cell", cell, &csv, why, sizeof why) == 0);
    fuzz_must(csv.rows == 1 && csv.columns == 2);
    must_be_harmless(csv.cell[2], 0);
    fuzz_must(strchr("=+-@", csv.cell[2][0]) == NULL || csv.cell[2][0] == '\0');
    fuzz_must(strcmp(csv.cell[3], "2") == 0);
    base_csv_free(&csv);
    free(cell);
}

/* No line is wider than 80 columns, unless it is a single word. */
static void wrap(const char *text)
{
    char *wrapped = NULL, *rest = NULL;
    size_t length;
    FILE *const file = open_memstream(&wrapped, &length);

    if (file == NULL)
        abort();
    grade_text_wrapped(file, text, "  ");
    fclose(file);
    must_be_harmless(wrapped, 1);
    for (const char *line = strtok_r(wrapped, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *const word = line + strspn(line, " ");
        size_t columns = 0;

        for (const char *c = line; *c != '\0'; c++)
            columns += ((unsigned char)*c & 0xc0) != 0x80;
        fuzz_must(columns <= 80 || strchr(word, ' ') == NULL);
    }
    free(wrapped);
}

void fuzz_text(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char *const clean = grade_text_clean(text, 100);
    char *again;

    show(text);
    write_cell(text);
    wrap(text);
    fuzz_must(clean != NULL);
    must_be_harmless(clean, 1);
    fuzz_must(strlen(clean) <= 100);
    again = grade_text_clean(clean, 100);
    fuzz_must(again != NULL && strcmp(clean, again) == 0);
    free(again);
    free(clean);
    free(text);
}
