/* Which lines of a lab has the student written? See own.h. */
#include "course/own.h"

#include "base/hash.h"
#include "base/lexer.h"
#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    IN_A_ROW = 8, /* hashes */
    MOST = 2000   /* lines of code: the table below grows with their square */
};

struct line {
    int number; /* from 1 */
    int is_code;
    uint64_t hash;
};

struct lines {
    struct line *line;
    size_t count;
};

static int has_letter(const char *text, const struct base_token *token)
{
    for (size_t i = token->begin; i < token->end; i++) {
        if (isalnum((unsigned char)text[i]))
            return 1;
    }
    return 0;
}

/* Adds a token to the last line, or begins another: all its characters but
   white space and braces, which people put where they like. */
static int add_token(struct lines *lines, const char *text,
                     const struct base_token *token)
{
    struct line *line =
        lines->count > 0 ? &lines->line[lines->count - 1] : NULL;

    if (line == NULL || line->number != token->line) {
        line = base_list_add(&lines->line, &lines->count, sizeof *line);
        if (line == NULL)
            return -1;
        line->number = token->line;
        line->hash = BASE_HASH_OF_NOTHING;
    }
    line->is_code |= has_letter(text, token);
    for (size_t i = token->begin; i < token->end; i++) {
        if (strchr("{} \t\r\n", text[i]) == NULL) {
            line->hash = base_hash_add(line->hash, (unsigned char)text[i]);
        }
    }
    return 0;
}

/* All lines of code of a source. Returns 0, or -1 without memory. */
static int read_lines(const char *source, struct lines *lines)
{
    struct base_tokens tokens;
    char why[100];
    size_t code = 0;
    int result = 0;

    *lines = (struct lines){.line = NULL, .count = 0};
    base_lex(source, strlen(source), &tokens, why, sizeof why);
    for (size_t i = 0; i < tokens.count && result == 0; i++) {
        if (!base_token_is_blank(&tokens, i))
            result = add_token(lines, source, &tokens.token[i]);
    }
    base_tokens_free(&tokens);
    for (size_t i = 0; i < lines->count; i++) {
        if (lines->line[i].is_code && code < MOST)
            lines->line[code++] = lines->line[i];
    }
    lines->count = code;
    return result;
}

/* What stands behind "skeleton:" in a solution, a line each, for free(); NULL
   without memory. */
static char *read_placeholders(const char *solution)
{
    static const char word[] = "/* skeleton:";
    struct base_memory text;
    FILE *const out = base_memory_open(&text);

    for (const char *at = solution; out != NULL && at != NULL;) {
        const char *end;

        at = strstr(at, word);
        end = at != NULL ? strstr(at, "*/") : NULL;
        if (end == NULL)
            break;
        at += sizeof word - 1;
        fprintf(out, "%.*s\n", (int)(end - at), at);
        at = end;
    }
    return out != NULL ? base_memory_close(&text) : NULL;
}

/* A line that is one of the placeholders gets a hash that no line has. */
static int drop_placeholders(struct lines *lines, const char *solution)
{
    char *const text = read_placeholders(solution);
    struct lines placeholders = {NULL, 0};

    if (text == NULL || read_lines(text, &placeholders) != 0) {
        free(text);
        return -1;
    }
    for (size_t i = 0; i < lines->count; i++) {
        for (size_t p = 0; p < placeholders.count; p++) {
            if (lines->line[i].hash == placeholders.line[p].hash)
                lines->line[i].hash = 0;
        }
    }
    free(placeholders.line);
    free(text);
    return 0;
}

char *course_lines_hashed(const char *source, const char *solution)
{
    struct base_memory text;
    struct lines lines;
    FILE *out;

    if (read_lines(source, &lines) != 0 ||
        (solution != NULL && drop_placeholders(&lines, solution) != 0) ||
        (out = base_memory_open(&text)) == NULL) {
        free(lines.line);
        return NULL;
    }
    for (size_t i = 0; i < lines.count; i++) {
        fprintf(out, "%s%08" PRIx32,
                i == 0              ? ""
                : i % IN_A_ROW == 0 ? "\n    "
                                    : " ",
                (uint32_t)lines.line[i].hash);
    }
    free(lines.line);
    return base_memory_close(&text);
}

/* The hashes of a field's value, for free(); NULL without memory. */
static uint32_t *read_hashes(const char *value, size_t *count)
{
    uint32_t *hash = NULL;
    char *end;

    *count = 0;
    for (const char *at = value; *count < MOST; at = end) {
        const unsigned long number = strtoul(at, &end, 16);
        uint32_t *added;

        if (end == at)
            break;
        added = base_list_add(&hash, count, sizeof *hash);
        if (added == NULL)
            break;
        *added = (uint32_t)number;
    }
    return hash;
}

int course_own_lines(const char *source, const char *value, int **line,
                     size_t *count, int *lacks)
{
    struct lines lines;
    size_t given, own = 0, at = 0, lost = 0, added = 0;
    uint32_t *const hash = read_hashes(value, &given);
    const int is_read = read_lines(source, &lines) == 0;
    const size_t width = given + 1;
    /* longest[i][j]: what the lines from i and the given ones from j on have in
       common. */
    unsigned short *const longest =
        calloc((lines.count + 1) * width, sizeof *longest);

    *line = calloc(lines.count + 1, sizeof **line);
    *count = 0;
    *lacks = 0;
    if (!is_read || longest == NULL || *line == NULL) {
        free(hash);
        free(lines.line);
        free(longest);
        free(*line);
        *line = NULL;
        return -1;
    }
    for (size_t i = lines.count; i-- > 0;) {
        for (size_t j = given; j-- > 0;) {
            const unsigned short down = longest[(i + 1) * width + j];
            const unsigned short right = longest[i * width + j + 1];

            longest[i * width + j] =
                (uint32_t)lines.line[i].hash == hash[j]
                    ? (unsigned short)(longest[(i + 1) * width + j + 1] + 1)
                : down > right ? down
                               : right;
        }
    }
    for (size_t i = 0; i <= lines.count;) {
        const int is_end = i == lines.count;

        if (!is_end && at < given && (uint32_t)lines.line[i].hash == hash[at]) {
            *lacks |= lost > 0 && added == 0;
            lost = added = 0;
            i++;
            at++;
        } else if (at < given &&
                   (is_end || longest[i * width + at + 1] >=
                                  longest[(i + 1) * width + at])) {
            lost++;
            at++;
        } else if (is_end) {
            *lacks |= lost > 0 && added == 0;
            break;
        } else {
            added++;
            (*line)[own++] = lines.line[i++].number;
        }
    }
    *count = own;
    free(hash);
    free(lines.line);
    free(longest);
    return 0;
}
