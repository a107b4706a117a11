#define _POSIX_C_SOURCE 200809L
#include "teach/quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 5, 6))) static int fail(char *why, size_t size,
                                                      const char *path,
                                                      int line,
                                                      const char *format, ...)
{
    va_list values;
    int length = snprintf(why, size, "%s:%d: ", path, line);

    va_start(values, format);
    if (length >= 0 && (size_t)length < size)
        vsnprintf(why + length, size - (size_t)length, format, values);
    va_end(values);
    return -1;
}

/* The comment's words if the line is nothing but one that speaks to us. They
   are cut out of the line. */
static char *directive(char *line)
{
    static const char *const known[] = {"of ", "from ", "not run: "};
    char *end;

    if (strncmp(line, "<!-- ", 5) != 0)
        return NULL;
    line += 5;
    end = strstr(line, " -->");
    if (end == NULL || end[4] != '\0')
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(line, known[i], strlen(known[i])) == 0) {
            *end = '\0';
            return line;
        }
    }
    return NULL;
}

static void set_kind(struct quote_block *block, const char *words)
{
    block->kind = QUOTE_RUN;
    block->argument = "";
    if (words == NULL)
        return;
    if (strncmp(words, "of ", 3) == 0) {
        block->argument = words + 3;
    } else if (strncmp(words, "from ", 5) == 0) {
        block->kind = QUOTE_FROM;
        block->argument = words + 5;
    } else {
        block->kind = QUOTE_NOT;
        block->argument = words + strlen("not run: ");
    }
}

/* Cuts the line off and returns the next one, NULL behind the last. */
static char *cut_line(char *line)
{
    char *const end = strchr(line, '\n');

    if (end == NULL)
        return NULL;
    *end = '\0';
    return end + 1;
}

static struct quote_block *add_block(struct quote_document *document)
{
    struct quote_block *const grown =
        realloc(document->block,
                ((size_t)document->blocks + 1) * sizeof document->block[0]);

    if (grown == NULL)
        return NULL;
    document->block = grown;
    return &document->block[document->blocks++];
}

static int read_lines(const char *path, struct quote_document *document,
                      char *why, size_t size)
{
    char *line = document->file, *next, *words = NULL;
    struct quote_block *open = NULL;

    for (int number = 1; line != NULL; line = next, number++) {
        next = cut_line(line);
        if (strncmp(line, "```", 3) == 0 && open == NULL) {
            open = add_block(document);
            if (open == NULL)
                return fail(why, size, path, number, "no memory is left");
            set_kind(open, words);
            *open = (struct quote_block){open->kind, open->argument, line + 3,
                                         next, number + 1};
            words = NULL;
        } else if (strncmp(line, "```", 3) == 0) {
            *line = '\0';
            open = NULL;
        } else if (open != NULL) {
            if (next != NULL)
                next[-1] = '\n'; /* a block's lines stay one text */
        } else if (words != NULL) {
            return fail(why, size, path, number - 1,
                        "no ``` block stands below this comment");
        } else {
            words = directive(line);
        }
    }
    if (open != NULL) {
        return fail(why, size, path, open->line - 1,
                    "this ``` block is not closed");
    }
    return 0;
}

int quote_read(const char *path, const char *text,
               struct quote_document *document, char *why, size_t size)
{
    *document = (struct quote_document){.file = strdup(text)};
    if (document->file == NULL) {
        quote_free(document);
        return fail(why, size, path, 1, "no memory is left");
    }
    if (read_lines(path, document, why, size) != 0) {
        quote_free(document);
        return -1;
    }
    return 0;
}

void quote_free(struct quote_document *document)
{
    free(document->block);
    free(document->file);
    *document = (struct quote_document){.blocks = 0};
}
