/* code.c: lines of a source file for a slide (deck.h). */
#define _POSIX_C_SOURCE 200809L
#include "deck.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

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

/* What a skeleton has in the place of a TODO's lines, on one line. */
static void copy_stand_in(const char *comment, const char *end, FILE *to)
{
    const char *const text = strstr(comment, "skeleton:") + 9;

    fprintf(to, "%.*s", (int)indent_of(comment), comment);
    for (const char *c = text + strspn(text, " "); c < end; c++) {
        if (strncmp(c, " */", 3) == 0)
            break;
        fputc(*c == '\n' ? ' ' : *c, to);
        c += *c == '\n' ? indent_of(c + 1) : 0;
    }
    fputc('\n', to);
}

/* Copies what is shown of the lines from first to end of a text: to students
   the TODOs, and what the skeleton has in their place. */
static void copy_shown(const char *text, const char *first, const char *end,
                       int to_students, FILE *to)
{
    const char *todo = NULL; /* whose lines these are, and not copied yet */
    int is_asked = 0;

    for (const char *line = text, *next; line < end; line = next) {
        const char *const own = line + indent_of(line);
        const int is_end = strncmp(own, "/* end ", 7) == 0;

        next = is_task(line) ? skip_comment(line) : next_line(line);
        if (strncmp(own, "/* TODO ", 8) == 0) {
            todo = line;
            is_asked = 1;
        } else if (is_end) {
            is_asked = 0;
        }
        if (line < first)
            continue;
        if (to_students && is_asked && todo != NULL) {
            fwrite(todo, 1, (size_t)(skip_comment(todo) - todo), to);
            todo = NULL;
        }
        if (!is_task(line) && !(to_students && is_asked)) {
            fwrite(line, 1, (size_t)(next - line), to);
        } else if (to_students && strncmp(own, "/* skeleton:", 12) == 0) {
            copy_stand_in(line, next, to);
        }
    }
}

/* Writes lines without the indentation that all share; an empty line that a
   left-out comment would double is left out with it. */
static void write_lines(const char *lines, FILE *out)
{
    size_t indent = 80;
    int was_empty = 1;

    for (const char *line = lines; *line; line = next_line(line)) {
        if (!is_empty(line) && *line != '#' && indent_of(line) < indent)
            indent = indent_of(line);
    }
    for (const char *line = lines; *line; line = next_line(line)) {
        const size_t length = strcspn(line, "\n");
        const size_t skipped =
            indent_of(line) < indent ? indent_of(line) : indent;

        if (!is_empty(line) || !was_empty)
            fprintf(out, "%.*s\n", (int)(length - skipped), line + skipped);
        was_empty = is_empty(line);
    }
}

/* Is it the solution of a lab from this number on? */
static int is_asked_later(const char *path, int first_asked)
{
    static const char solutions[] = "solutions/";

    return first_asked >= 0 &&
           strncmp(path, solutions, strlen(solutions)) == 0 &&
           strtol(path + strlen(solutions), NULL, 10) >= first_asked;
}

int deck_code(const char *argument, int first_asked, FILE *out, char *why,
              size_t size)
{
    struct base_memory shown;
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

    text = base_read_file(path, why, size);
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
    if (base_memory_open(&shown)) {
        copy_shown(text, begin, next_line(end),
                   is_asked_later(path, first_asked), shown.file);
        base_memory_close(&shown);
    }
    free(text);
    if (!shown.text) {
        snprintf(why, size, "%s: there is no memory left", path);
        return -1;
    }
    fputs("```cpp\n", out);
    write_lines(shown.text, out);
    fputs("```\n", out);
    free(shown.text);
    return 0;
}
