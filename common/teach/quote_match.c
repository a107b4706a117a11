#define _POSIX_C_SOURCE 200809L
#include "teach/quote_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const gap = "...";

struct lines {
    char *text;
    char **line;
    int count;
};

/* What make says of building depends on what was built before. */
static int is_of_building(const char *line)
{
    static const char *const begins[] = {"  CC    ", "  CU    ", "  AS    ",
                                         "  LINK  ", "make: ",   "make["};

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return 1;
    }
    return 0;
}

/* The lines that count. Returns 0, or -1 without memory. */
static int split(const char *text, struct lines *lines)
{
    size_t most = 1;

    for (const char *c = text; *c != '\0'; c++)
        most += *c == '\n';
    *lines = (struct lines){.text = strdup(text),
                            .line = calloc(most, sizeof lines->line[0])};
    if (lines->text == NULL || lines->line == NULL)
        return -1;
    for (char *line = lines->text; line != NULL;) {
        char *const end = strchr(line, '\n');
        size_t length;

        if (end != NULL)
            *end = '\0';
        length = strlen(line);
        while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
            line[--length] = '\0';
        if (length > 0 && !is_of_building(line))
            lines->line[lines->count++] = line;
        line = end == NULL ? NULL : end + 1;
    }
    return 0;
}

static void lines_free(struct lines *lines)
{
    free(lines->text);
    free((void *)lines->line);
}

/* Is the line the pattern, whose "..." are any text? */
static int line_fits(const char *pattern, const char *line)
{
    const char *const hole = strstr(pattern, gap);
    size_t length;

    if (hole == NULL)
        return strcmp(pattern, line) == 0;
    length = (size_t)(hole - pattern);
    if (strncmp(pattern, line, length) != 0)
        return 0;
    for (const char *rest = line + length;; rest++) {
        if (line_fits(hole + strlen(gap), rest))
            return 1;
        if (*rest == '\0')
            return 0;
    }
}

/* Code that is quoted may stand further left than in its file. */
static const char *unindented(const char *line, int exact)
{
    return exact ? line : line + strspn(line, " ");
}

/*
 * may[j]: the expected lines so far fit the first j of those that were said.
 * Then[] becomes the same with one expected line more. Returns how many places
 * there are for it.
 */
static int step(const char *pattern, const struct lines *said, const char *may,
                char *then, int exact)
{
    const int is_gap = strcmp(pattern, gap) == 0;
    int places = 0;

    memset(then, 0, (size_t)said->count + 1);
    for (int j = 0; j <= said->count; j++) {
        if (is_gap) {
            then[j] = (char)(may[j] || (j > 0 && then[j - 1]));
        } else if (j > 0 && may[j - 1]) {
            then[j] = (char)line_fits(unindented(pattern, exact),
                                      unindented(said->line[j - 1], exact));
        }
        places += then[j];
    }
    return places;
}

/* The sentence about the expected line i, which stands nowhere. */
static void tell_missing_line(const struct lines *expected, int i,
                              const struct lines *said, const char *may,
                              char *why, size_t size)
{
    int first = 0;

    while (first < said->count && !may[first])
        first++;
    if (i == expected->count) {
        snprintf(why, size, "the run says more than is quoted: '%s'",
                 said->line[first]);
    } else {
        snprintf(why, size, "'%s' is quoted, but the run says '%s'",
                 expected->line[i],
                 first < said->count ? said->line[first] : "nothing more");
    }
}

static int match(const struct lines *expected, const struct lines *said,
                 int exact, char *why, size_t size)
{
    const size_t bytes = (size_t)said->count + 1;
    char *may = calloc(bytes, 1), *then = calloc(bytes, 1);
    int bad = may == NULL || then == NULL;

    if (bad) {
        snprintf(why, size, "no memory is left");
    } else {
        may[0] = 1;
        for (int i = 0; i < expected->count && !bad; i++) {
            char *const old = may;

            if (!exact) { /* as if a gap stood before each line */
                step(gap, said, may, then, exact);
                memcpy(may, then, bytes);
            }
            bad = step(expected->line[i], said, may, then, exact) == 0;
            if (bad) {
                tell_missing_line(expected, i, said, may, why, size);
            } else {
                may = then;
                then = old;
            }
        }
        if (!bad && exact && !may[said->count]) {
            tell_missing_line(expected, expected->count, said, may, why, size);
            bad = 1;
        }
    }
    free(may);
    free(then);
    return bad ? -1 : 0;
}

int quote_match(const char *expected, const char *said, int exact, char *why,
                size_t size)
{
    struct lines a, b = {.text = NULL};
    int bad = -1;

    snprintf(why, size, "no memory is left");
    if (split(expected, &a) == 0 && split(said, &b) == 0)
        bad = match(&a, &b, exact, why, size);
    lines_free(&a);
    lines_free(&b);
    return bad;
}
