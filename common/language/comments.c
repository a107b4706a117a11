/*
 * comments.c: the comments of a .cu file.
 *
 * A comment has paragraphs, with empty lines between. The first one of a lab
 * has labels before some of them, as "Idea    Lab 02 reads ...". A paragraph
 * with columns, whose lines have two blanks side by side or begin at different
 * places, is drawn.
 */
#define _POSIX_C_SOURCE 200809L
#include "language/parts_add.h"

#include "base/lexer.h"

#include <ctype.h>
#include <string.h>

enum {
    LABEL = 8 /* bytes, with the blanks behind it */
};

/* A comment that has its lines to itself. */
struct comment {
    struct language_lines *lines;
    size_t from, to; /* its lines */
    size_t base;     /* the bytes before the text of its first line */
    int has_stars;
};

/* Where the text of a line begins, and how long the line is without the
   comment's end. */
struct body {
    size_t begin, end; /* bytes of the line; the same of an empty line */
};

static struct body body_of(const struct comment *c, size_t line)
{
    const char *const text = c->lines->text + c->lines->begin[line];
    struct body b = {.end = language_line_length(c->lines, line)};

    if (line + 1 == c->to && b.end >= 2)
        b.end -= 2; /* the end of the comment */
    while (b.end > 0 && isspace((unsigned char)text[b.end - 1]))
        b.end--;
    b.begin = strspn(text, " ");
    if (line == c->from) {
        b.begin += 2;
    } else if (c->has_stars && b.begin < b.end && text[b.begin] == '*') {
        b.begin++;
    }
    if (b.begin < b.end)
        b.begin += strspn(text + b.begin, " ");
    if (b.begin > b.end)
        b.begin = b.end;
    return b;
}

/* The bytes of a label such as "Idea    ", with the blanks; 0: none. */
static size_t label_length(const char *text)
{
    size_t length = 0;

    if (!isupper((unsigned char)*text))
        return 0;
    while (isalpha((unsigned char)text[length]))
        length++;
    length += strspn(text + length, " ");
    return length == LABEL && text[LABEL - 2] == ' ' ? LABEL : 0;
}

/* Has the paragraph columns of its own? */
static int is_drawn(const struct comment *c, size_t from, size_t to,
                    size_t head, size_t column)
{
    for (size_t i = from; i < to; i++) {
        const char *const text = c->lines->text + c->lines->begin[i];
        const struct body b = body_of(c, i);

        if (i > from && b.begin != column)
            return 1;
        for (size_t at = i > from ? b.begin : head; at + 1 < b.end; at++) {
            if (text[at] == ' ' && text[at + 1] == ' ')
                return 1;
        }
    }
    return 0;
}

/* Behind "TODO 3.1 (2 lines): ", if the text begins so. */
static size_t todo_length(const char *text)
{
    const char *const end = strstr(text, "): ");
    const char *at = text + 5;

    if (strncmp(text, "TODO ", 5) != 0 || end == NULL)
        return 0;
    at += strspn(at, "0123456789.");
    return strncmp(at, " (", 2) == 0 && at < end && end - at < 12
               ? (size_t)(end + 3 - text)
               : 0;
}

/* Adds "2 lines" of such a beginning, if there is one. Returns its length. */
static size_t add_todo(struct language_lines *lines, size_t line,
                       const char *text)
{
    const size_t length = todo_length(text);
    const char *const open = strchr(text, '(');
    const size_t begin = (size_t)(text - lines->text);

    if (length > 0) {
        language_add_words(lines, line, begin + (size_t)(open + 1 - text),
                           begin + length - strlen("): "));
    }
    return length;
}

/* Adds the paragraph of lines [from, to), none of which is empty. */
static void add_paragraph(const struct comment *c, size_t from, size_t to)
{
    const struct body first = body_of(c, from);
    const char *const text =
        c->lines->text + c->lines->begin[from] + first.begin;
    const size_t label = label_length(text);
    struct language_place place = {.from = from,
                                   .to = to,
                                   .start = first.begin + label,
                                   .head = first.begin + label,
                                   .has_stars =
                                       c->has_stars && to > c->from + 1};
    const struct body last = body_of(c, to - 1);

    place.column = place.head;
    for (size_t i = from + 1; i < to; i++) {
        const struct body b = body_of(c, i);

        if (i == from + 1 || b.begin < place.column)
            place.column = b.begin;
    }
    place.tail = language_line_length(c->lines, to - 1) - last.end;
    place.keeps_lines = is_drawn(c, from, to, place.head, place.column);
    if (label > 0) {
        language_add_label(c->lines, from, c->lines->begin[from] + first.begin,
                           c->lines->begin[from] + place.head);
    } else if (place.keeps_lines) {
        if (place.head > place.column && from > c->from)
            place.head = place.column;
        place.start = place.head;
    } else {
        place.head += add_todo(c->lines, from, text);
        place.start = place.head > first.begin ? place.head : 0;
    }
    language_add_part(c->lines, &place);
}

/* Adds the paragraphs of a comment. */
static void split_comment(const struct comment *c)
{
    size_t from = c->from;

    while (from < c->to) {
        const struct body b = body_of(c, from);
        size_t to = from + 1;

        if (b.begin == b.end) {
            from++;
            continue;
        }
        while (to < c->to) {
            const struct body next = body_of(c, to);

            if (next.begin == next.end ||
                (next.begin == b.begin &&
                 label_length(c->lines->text + c->lines->begin[to] +
                              next.begin) > 0))
                break;
            to++;
        }
        add_paragraph(c, from, to);
        from = to;
    }
}

/* Is it for a tool, and not for a reader? */
static int is_for_tools(const char *text, size_t length)
{
    return length < 5 || strstr(text, "clang-format o") == text + 3 ||
           strncmp(text + 2, " ---", 4) == 0;
}

static void take_comment(struct language_lines *lines,
                         const struct base_token *token)
{
    const char *const text = lines->text + token->begin;
    const char *const line_end = text + strcspn(text, "\n");
    struct comment c = {.lines = lines, .from = (size_t)token->line - 1};
    size_t before;

    if (is_for_tools(text, token->end - token->begin))
        return;
    before = token->begin - lines->begin[c.from];
    c.to = c.from + 1;
    while (lines->begin[c.to] < token->end)
        c.to++;
    if (text[1] == '/' ||
        (c.to == c.from + 1 &&
         strspn(lines->text + lines->begin[c.from], " ") < before)) {
        language_add_words(lines, c.from, token->begin + 2,
                           token->end - (text[1] == '/' ? 0 : 2));
        return;
    }
    if (c.to > c.from + 1)
        c.has_stars = line_end[1 + strspn(line_end + 1, " ")] == '*';
    split_comment(&c);
}

void language_split_comments(struct language_lines *lines)
{
    struct base_tokens tokens;
    char why[100];

    if (base_lex(lines->text, strlen(lines->text), &tokens, why, sizeof why) !=
        0)
        lines->failed = 1;
    for (size_t i = 0; i < tokens.count; i++) {
        if (tokens.token[i].kind == BASE_COMMENT)
            take_comment(lines, &tokens.token[i]);
    }
    base_tokens_free(&tokens);
}
