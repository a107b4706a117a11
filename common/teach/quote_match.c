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
 * As a wildcard is matched: what follows a gap is tried at each place behind
 * it, and of gaps only the last one is moved. With exact == 0 it is as if a gap
 * stood before each line, and at the end. Told is the first expected line that
 * stands nowhere.
 */
static int match(const struct lines *expected, const struct lines *said,
                 int exact, char *why, size_t size)
{
    int i = 0, j = 0;                      /* lines expected and said */
    int gap_i = exact ? -1 : 0, gap_j = 0; /* behind the last gap */
    int far_i = 0, far_j = 0; /* how far it came, and where that was first */

    for (;;) {
        if (i > far_i) {
            far_i = i;
            far_j = j;
        }
        if (i == expected->count && (j == said->count || !exact))
            return 0;
        if (i < expected->count && strcmp(expected->line[i], gap) == 0) {
            gap_i = ++i;
            gap_j = j;
        } else if (i < expected->count && j < said->count &&
                   line_fits(unindented(expected->line[i], exact),
                             unindented(said->line[j], exact))) {
            i++;
            j++;
            gap_i = exact ? gap_i : i;
            gap_j = exact ? gap_j : j;
        } else if (gap_i >= 0 && gap_j < said->count) {
            i = gap_i;
            j = ++gap_j;
        } else {
            break;
        }
    }
    if (far_i == expected->count) {
        snprintf(why, size, "the run says more than is quoted: '%s'",
                 said->line[far_j]);
    } else {
        snprintf(why, size, "'%s' is quoted, but the run says '%s'",
                 expected->line[far_i],
                 far_j < said->count ? said->line[far_j] : "nothing more");
    }
    return -1;
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
