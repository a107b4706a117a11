#define _POSIX_C_SOURCE 200809L
#include "language/parts.h"
#include "language/parts_add.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/wrap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int language_parts_find(const char *path, const char *text,
                        struct language_parts *parts)
{
    const size_t length = strlen(text), name = strlen(path);
    struct language_lines lines = {.text = text, .parts = parts};
    const int is_markdown = name > 3 && strcmp(path + name - 3, ".md") == 0;
    size_t *begin;

    *parts = (struct language_parts){.count = 0};
    for (size_t i = 0; i <= length; i++) {
        if (i > 0 && text[i - 1] != '\n' && i < length)
            continue;
        begin = base_list_add(&lines.begin, &lines.count, sizeof *begin);
        if (begin == NULL) {
            free(lines.begin);
            return -1;
        }
        *begin = i;
    }
    lines.count--; /* the last one is no line */
    if (is_markdown) {
        language_split_markdown(&lines);
    } else if (name > 4 && strcmp(path + name - 4, ".txt") == 0) {
        language_split_keyed(&lines);
    } else {
        language_split_comments(&lines);
    }
    for (size_t i = 0; i < parts->count; i++)
        parts->part[i].is_markdown = is_markdown;
    free(lines.begin);
    return lines.failed ? -1 : 0;
}

void language_parts_free(struct language_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->part[i].text);
        free(parts->part[i].first);
        free(parts->part[i].further);
        free(parts->part[i].behind);
    }
    free(parts->part);
    *parts = (struct language_parts){.count = 0};
}

/* May a line of Markdown not begin with this, for it would be an item or the
   like? */
static int begins_block(const char *text)
{
    const size_t word = strcspn(text, " ");
    const size_t digits = strspn(text, "0123456789");

    return (word == 1 && strchr("-+*#|=>", *text) != NULL) ||
           (digits > 0 && strncmp(text + digits, ". ", 2) == 0) ||
           *text == '#' || *text == '|' || *text == '>';
}

/* How many bytes of a text stand on a line. */
static size_t fit(const struct language_part *part, const char *text,
                  size_t room)
{
    size_t length = base_fits(text, room);

    if (!part->is_markdown)
        return length;
    /* Between two characters a line's end would be seen as a blank. */
    if (text[length] != ' ')
        length += strcspn(text + length, " ");
    while (text[length] != '\0' && begins_block(text + length + 1)) {
        size_t less = length;

        while (less > 0 && text[less - 1] != ' ')
            less--;
        if (less == 0)
            return length + 1 + strcspn(text + length + 1, " ");
        length = less - 1;
    }
    return length;
}

/* Writes the lines of a text, each behind its prefix; the first one behind
   `before` columns that are written. */
static void write_part(const struct language_part *part, const char *text,
                       size_t before, FILE *file)
{
    const char *prefix = part->first;

    if (!part->is_wrapped) {
        const size_t columns = base_columns(text, strlen(text));

        fprintf(file, "%s%*s", text,
                part->width > columns ? (int)(part->width - columns)
                                      : part->width > 0,
                "");
        return;
    }
    while (*text != '\0') {
        const size_t columns = before + base_columns(prefix, strlen(prefix)) +
                               strlen(part->behind);
        const size_t length =
            part->keeps_lines
                ? strcspn(text, "\n")
                : fit(part, text,
                      columns < BASE_WIDTH ? BASE_WIDTH - columns : 0);

        if (length > 0)
            fprintf(file, "%s%.*s", prefix, (int)length, text);
        text += length;
        text += part->keeps_lines ? *text == '\n' : strspn(text, " ");
        if (*text != '\0')
            fputc('\n', file);
        prefix = part->further;
        before = 0;
    }
    fputs(part->behind, file);
}

/* Is it a heading that a link of the same text leads to, as (#the-idea)? Then
   the address in its English words stands before it. */
static void write_anchor(const char *text, const struct language_part *part,
                         FILE *file)
{
    char anchor[200] = "](#";
    size_t to = 3;

    if (part->begin < 2 || memcmp(text + part->begin - 2, "# ", 2) != 0)
        return;
    for (const char *c = part->text; *c != '\0' && to + 2 < sizeof anchor;
         c++) {
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_') {
            anchor[to++] = (char)tolower((unsigned char)*c);
        } else if (*c == ' ') {
            anchor[to++] = '-';
        }
    }
    memcpy(anchor + to, ")", 2);
    if (strstr(text, anchor) != NULL)
        fprintf(file, "<a id=\"%.*s\"></a>\n\n", (int)to - 3, anchor + 3);
}

void language_parts_write(const char *text, const struct language_parts *parts,
                          const char *const *other, FILE *file)
{
    size_t at = 0, last = 0;   /* last: the line that was written to */
    size_t more = 0, less = 0; /* columns that it has now, and had */

    for (size_t i = 0; i < parts->count; i++) {
        const struct language_part *const part = &parts->part[i];
        size_t begin = part->begin, line; /* begin: of its line */

        if (other[i] == NULL)
            continue;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        if (begin != last)
            more = less = 0;
        last = begin;
        line = begin > at ? begin : at;
        fwrite(text + at, 1, line - at, file);
        if (part->is_markdown)
            write_anchor(text, part, file);
        fwrite(text + line, 1, part->begin - line, file);
        write_part(part, other[i],
                   base_columns(text + begin, part->begin - begin) + more -
                       less,
                   file);
        if (!part->is_wrapped && part->width == 0) {
            more += base_columns(other[i], strlen(other[i]));
            less += base_columns(text + part->begin, part->end - part->begin);
        }
        at = part->end;
    }
    fputs(text + at, file);
}
