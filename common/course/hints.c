#define _POSIX_C_SOURCE 200809L
#include "course/hints.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

__attribute__((format(printf, 5, 6))) static int fail(char *why, size_t size,
                                                      const char *path,
                                                      int line,
                                                      const char *format, ...)
{
    const int length = snprintf(why, size, "%s:%d: ", path, line);
    va_list values;

    va_start(values, format);
    if (length >= 0 && (size_t)length < size)
        vsnprintf(why + length, size - (size_t)length, format, values);
    va_end(values);
    return -1;
}

/* Reads a number of at most three digits and the character behind it. Returns
   where to go on, or NULL. */
static const char *read_part(const char *text, char behind, int *number)
{
    char *end;
    long value;

    if (!isdigit((unsigned char)text[0]))
        return NULL;
    value = strtol(text, &end, 10);
    if (end - text > 3 || *end != behind)
        return NULL;
    *number = (int)value;
    return end + 1;
}

/* Reads "3.1.2:" at the beginning of a line. Returns where the text begins, or
   NULL if the line begins otherwise. */
static char *read_hint_number(char *line, struct course_hint *hint)
{
    const char *at = read_part(line, '.', &hint->lab);

    at = at == NULL ? NULL : read_part(at, '.', &hint->number);
    at = at == NULL ? NULL : read_part(at, ':', &hint->tier);
    return at == NULL ? NULL : line + (at - line);
}

/* Makes one line of a hint's lines. */
static void join(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (!isspace((unsigned char)*from)) {
            *to++ = *from;
        } else if (to > text && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

/* Is the hint the one that has to come now? */
static int check_order(const char *path, const struct course_hints *hints,
                       const struct course_hint *hint, char *why, size_t size)
{
    const struct course_hint *const before =
        hints->count > 0 ? &hints->hint[hints->count - 1] : NULL;
    const int goes_on = before != NULL && before->lab == hint->lab &&
                        before->number == hint->number;

    if (!goes_on && before != NULL && before->tier != COURSE_TIERS) {
        return fail(why, size, path, hint->line,
                    "hint %d.%d.%d is missing: each TODO has %d", before->lab,
                    before->number, before->tier + 1, (int)COURSE_TIERS);
    }
    if (hint->tier != (goes_on ? before->tier + 1 : 1) ||
        hint->tier > COURSE_TIERS) {
        return fail(why, size, path, hint->line,
                    "hint %d.%d.%d stands out of order: 1, 2 and 3 follow each "
                    "other",
                    hint->lab, hint->number, hint->tier);
    }
    if (!goes_on &&
        course_hint_find(hints, hint->lab, hint->number, 1) != NULL) {
        return fail(why, size, path, hint->line, "TODO %d.%d has hints already",
                    hint->lab, hint->number);
    }
    return 0;
}

static int add_hint(struct course_hints *hints, const struct course_hint *hint)
{
    struct course_hint *const grown = realloc(
        hints->hint, ((size_t)hints->count + 1) * sizeof hints->hint[0]);

    if (grown == NULL)
        return -1;
    hints->hint = grown;
    hints->hint[hints->count++] = *hint;
    return 0;
}

/* Finds where each hint begins; their texts are still of several lines. */
static int find_hints(const char *path, struct course_hints *hints, char *why,
                      size_t size)
{
    char *next = hints->file;

    for (int number = 1; *next != '\0'; number++) {
        struct course_hint hint = {.line = number};
        char *const line = next, *text;
        const size_t length = strcspn(line, "\n");

        next += length + (line[length] == '\n');
        text = read_hint_number(line, &hint);
        if (text != NULL) {
            hint.text = text;
            if (check_order(path, hints, &hint, why, size) != 0)
                return -1;
            if (add_hint(hints, &hint) != 0)
                return fail(why, size, path, number, "no memory is left");
            *line = '\0'; /* ends the hint before */
        } else if (hints->count == 0 && line[0] != '#' &&
                   strspn(line, " \t\r") < length) {
            return fail(why, size, path, number,
                        "a hint begins with its number, as 3.1.1:");
        } else if (hints->count > 0 && length > 0 &&
                   !isspace((unsigned char)line[0])) {
            return fail(why, size, path, number,
                        "a hint's further lines are indented");
        }
    }
    return 0;
}

int course_hints_read(const char *path, struct course_hints *hints, char *why,
                      size_t size)
{
    int bad;

    *hints = (struct course_hints){.file = base_read_file(path, why, size)};
    if (hints->file == NULL)
        return -1;
    bad = find_hints(path, hints, why, size);
    for (int i = 0; !bad && i < hints->count; i++) {
        char *const text =
            hints->file + (hints->hint[i].text - hints->file); /* not const */

        join(text);
        if (text[0] == '\0') {
            bad = fail(why, size, path, hints->hint[i].line,
                       "this hint is empty");
        }
    }
    if (!bad && hints->count > 0 &&
        hints->hint[hints->count - 1].tier != COURSE_TIERS) {
        bad = fail(why, size, path, hints->hint[hints->count - 1].line,
                   "the last TODO has %d hints: each has %d",
                   hints->hint[hints->count - 1].tier, (int)COURSE_TIERS);
    }
    if (bad)
        course_hints_free(hints);
    return bad;
}

void course_hints_free(struct course_hints *hints)
{
    free(hints->hint);
    free(hints->file);
    *hints = (struct course_hints){.count = 0};
}

const struct course_hint *course_hint_find(const struct course_hints *hints,
                                           int lab, int number, int tier)
{
    for (int i = 0; i < hints->count; i++) {
        const struct course_hint *const hint = &hints->hint[i];

        if (hint->lab == lab && hint->number == number && hint->tier == tier)
            return hint;
    }
    return NULL;
}

/* Reads a line "3.1 2"; 0 if it is none. */
static int read_shown(const char *line, int *lab, int *number, int *count)
{
    const char *at = read_part(line, '.', lab);

    at = at == NULL ? NULL : read_part(at, ' ', number);
    return at != NULL && read_part(at, '\n', count) != NULL;
}

int course_hints_shown(const char *shown, int lab, int number)
{
    for (const char *line = shown; *line != '\0';) {
        int l, n, count;

        if (read_shown(line, &l, &n, &count) && l == lab && n == number) {
            return count < 0              ? 0
                   : count > COURSE_TIERS ? (int)COURSE_TIERS
                                          : count;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return 0;
}

char *course_hints_show(const char *shown, int lab, int number, int count)
{
    struct base_memory memory;
    FILE *const out = base_memory_open(&memory);

    if (out == NULL)
        return NULL;
    for (const char *line = shown; *line != '\0';) {
        int l, n, c;

        if (read_shown(line, &l, &n, &c) && (l != lab || n != number))
            fprintf(out, "%d.%d %d\n", l, n, c);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    fprintf(out, "%d.%d %d\n", lab, number, count);
    return base_memory_close(&memory);
}
