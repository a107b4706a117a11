/* code.c: lines of a source file for a slide (deck.h). */
#define _POSIX_C_SOURCE 200809L
#include "deck.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Whether the line contains the text, or, with ^ before it, begins with it. */
static int contains(const char *line, const char *text)
{
    if (*text == '^') {
        const char *found = strstr(line, text + 1);

        return found == line;
    }

    const char *found = strstr(line, text);

    return found && found < line + strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

static int is_empty(const char *line)
{
    return line[indent_of(line)] == '\n';
}

/* What only students and skeletons need. */
static int is_task(const char *line)
{
    const char *text = line + indent_of(line);

    return strncmp(text, "/* TODO ", 8) == 0 ||
           strncmp(text, "/* end ", 7) == 0 ||
           strncmp(text, "/* skeleton:", 12) == 0;
}

/* Behind the comment that begins on this line. */
static const char *skip_comment(const char *line)
{
    while (*line && !contains(line, "*/"))
        line = next_line(line);
    return next_line(line);
}

/* The first line from here on that is shown and contains the text, or NULL. */
static const char *find_line(const char *line, const char *text)
{
    while (*line && (is_task(line) || !contains(line, text)))
        line = is_task(line) ? skip_comment(line) : next_line(line);
    return *line ? line : NULL;
}

/* Writes the lines from first to end; an empty line that a left-out comment
   would double is left out with it. */
static void write_lines(const char *first, const char *end, FILE *out)
{
    size_t indent = 80;
    int was_empty = 1;

    for (const char *line = first; line < end;) {
        if (is_task(line)) {
            line = skip_comment(line);
            continue;
        }
        if (!is_empty(line) && *line != '#' && indent_of(line) < indent)
            indent = indent_of(line);
        line = next_line(line);
    }
    for (const char *line = first; line < end;) {
        if (is_task(line)) {
            line = skip_comment(line);
            continue;
        }
        const size_t length = strcspn(line, "\n");
        const size_t skipped =
            indent_of(line) < indent ? indent_of(line) : indent;

        if (!is_empty(line) || !was_empty)
            fprintf(out, "%.*s\n", (int)(length - skipped), line + skipped);
        was_empty = is_empty(line);
        line = next_line(line);
    }
}

int deck_code(const char *argument, FILE *out, char *why, size_t size)
{
    char path[160], first[120], last[120], after[120];
    char *text;
    const char *begin, *end;

    if (deck_word(&argument, path, sizeof path) != 0 ||
        deck_word(&argument, first, sizeof first) != 0) {
        snprintf(why, size, "code: give a file and a text of its first line");
        return -1;
    }
    if (deck_word(&argument, last, sizeof last) != 0)
        snprintf(last, sizeof last, "%s", first);
    if (deck_word(&argument, after, sizeof after) != 0)
        after[0] = '\0';

    text = course_read_file(path, why, size);
    if (!text)
        return -1;
    begin = find_line(text, after);
    begin = begin ? find_line(begin, first) : NULL;
    end = begin ? find_line(begin, last) : NULL;
    if (!end) {
        snprintf(why, size, "%s: no line contains '%s'", path,
                 begin ? last : first);
        free(text);
        return -1;
    }
    fputs("```cpp\n", out);
    write_lines(begin, next_line(end), out);
    fputs("```\n", out);
    free(text);
    return 0;
}
