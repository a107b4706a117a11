/* markdown.c: the parts of Markdown, as far as this course writes it. */
#define _POSIX_C_SOURCE 200809L
#include "language/parts_add.h"

#include <ctype.h>
#include <string.h>

static const char *line_at(const struct language_lines *lines, size_t i)
{
    return lines->text + lines->begin[i];
}

static int begins(const struct language_lines *lines, size_t i,
                  const char *with)
{
    const char *const line = line_at(lines, i);

    return strncmp(line + strspn(line, " "), with, strlen(with)) == 0;
}

static size_t blanks(const struct language_lines *lines, size_t i)
{
    return strspn(line_at(lines, i), " ");
}

/* Where the text of an item begins, as 2 in "- an item"; 0: it is none. */
static size_t item_column(const struct language_lines *lines, size_t i)
{
    const char *const line = line_at(lines, i);
    size_t at = blanks(lines, i);

    if (line[at] == '-' || line[at] == '*') {
        at++;
    } else if (isdigit((unsigned char)line[at])) {
        at += strspn(line + at, "0123456789") + 1;
    } else {
        return 0;
    }
    if ((line[at - 1] != '.' && !strchr("-*", line[at - 1])) || line[at] != ' ')
        return 0;
    return at + strspn(line + at, " ");
}

/* Is it an item with a number other than 1? Such a line goes on a paragraph. */
static int is_later(const struct language_lines *lines, size_t i)
{
    const char *const line = line_at(lines, i) + blanks(lines, i);

    return isdigit((unsigned char)*line) && strncmp(line, "1.", 2) != 0;
}

/* Is this line no part of the paragraph above it? */
static int begins_other(const struct language_lines *lines, size_t i,
                        int in_item)
{
    return language_line_length(lines, i) == 0 || begins(lines, i, "```") ||
           begins(lines, i, "<!--") || begins(lines, i, "#") ||
           begins(lines, i, "|") || begins(lines, i, "<") ||
           (item_column(lines, i) > 0 && (in_item || !is_later(lines, i)));
}

/* Behind the line that ends what begins in line i. */
static size_t behind_line_with(const struct language_lines *lines, size_t i,
                               const char *end)
{
    for (; i < lines->count; i++) {
        const char *const found = strstr(line_at(lines, i), end);

        if (found != NULL && found < lines->text + lines->begin[i + 1])
            return i + 1;
    }
    return lines->count;
}

/* The cells of a table's row. */
static void split_row(struct language_lines *lines, size_t i)
{
    const size_t end = lines->begin[i] + language_line_length(lines, i);
    size_t begin = lines->begin[i] + blanks(lines, i) + 1;
    int in_code = 0;

    for (size_t at = begin; at < end; at++) {
        in_code ^= lines->text[at] == '`';
        if (lines->text[at] == '|' && !in_code && lines->text[at - 1] != '\\') {
            language_add_words(lines, i, begin, at);
            begin = at + 1;
        }
    }
}

/* The words between tags that begin and end a line. */
static void split_tags(struct language_lines *lines, size_t i)
{
    size_t begin = lines->begin[i] + blanks(lines, i);
    size_t end = lines->begin[i] + language_line_length(lines, i);

    while (begin < end && lines->text[begin] == '<')
        begin += strcspn(lines->text + begin, ">") + 1;
    while (end > begin && lines->text[end - 1] == '>') {
        while (end > begin && lines->text[--end] != '<')
            ;
    }
    if (begin < end)
        language_add_words(lines, i, begin, end);
}

/* Is all of a line a command or code, with no words beside it? */
static int is_code_line(const struct language_lines *lines, size_t i)
{
    const char *const line = line_at(lines, i) + blanks(lines, i);
    const size_t length = language_line_length(lines, i) - blanks(lines, i);
    const char *const gap = strstr(line, "  ");

    if (gap != NULL && gap < line + length)
        return 0;
    return strncmp(line, "make ", 5) == 0 || strncmp(line, "if (", 4) == 0 ||
           line[length - 1] == ';';
}

/* A block that is indented by 4 more than what it stands in. Returns the line
   behind it. */
static size_t split_indented(struct language_lines *lines, size_t i,
                             size_t column)
{
    size_t end = i + 1;
    int is_code = is_code_line(lines, i);

    for (size_t k = end; k < lines->count; k++) {
        if (language_line_length(lines, k) == 0)
            continue;
        if (blanks(lines, k) < column)
            break;
        end = k + 1;
        is_code &= is_code_line(lines, k);
    }
    if (!is_code) {
        language_add_part(lines, &(struct language_place){.from = i,
                                                          .to = end,
                                                          .head = column,
                                                          .column = column,
                                                          .keeps_lines = 1});
    }
    return end;
}

/* A fenced block; what is neither code nor a run is drawn. */
static size_t split_fence(struct language_lines *lines, size_t i)
{
    const size_t column = blanks(lines, i);
    const size_t end = behind_line_with(lines, i + 1, "```");

    if (begins(lines, i, "```text") && i + 2 < end) {
        language_add_part(lines, &(struct language_place){.from = i + 1,
                                                          .to = end - 1,
                                                          .head = column,
                                                          .column = column,
                                                          .keeps_lines = 1});
    }
    return end;
}

void language_split_markdown(struct language_lines *lines)
{
    size_t i = 0, inside = 0; /* of an item, whose text begins there */

    while (i < lines->count) {
        const size_t item = item_column(lines, i);
        size_t end = i + 1, column = blanks(lines, i);

        if (language_line_length(lines, i) == 0) {
            i++;
            continue;
        }
        if (item == 0 && column < inside)
            inside = 0;
        if (begins(lines, i, "```")) {
            end = split_fence(lines, i);
        } else if (begins(lines, i, "<!--")) {
            end = behind_line_with(lines, i, "-->");
        } else if (begins(lines, i, "<")) {
            split_tags(lines, i);
        } else if (begins(lines, i, "|")) {
            split_row(lines, i);
        } else if (begins(lines, i, "#")) {
            const char *const line = line_at(lines, i);

            language_add_words(lines, i, lines->begin[i] + strspn(line, "# "),
                               lines->begin[i] +
                                   language_line_length(lines, i));
        } else if (item == 0 && column >= inside + 4) {
            end = split_indented(lines, i, inside + 4);
        } else {
            while (end < lines->count && !begins_other(lines, end, item > 0))
                end++;
            if (item > 0)
                inside = item;
            /* Further lines stand below the text of an item. */
            language_add_part(lines, &(struct language_place){
                                         .from = i,
                                         .to = end,
                                         .head = item > 0 ? item : column,
                                         .column = item > 0 ? item : column});
        }
        i = end;
    }
}
