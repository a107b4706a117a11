/* Looking at tokens, matching brackets, copying. See rewriter.h. */
#define _GNU_SOURCE
#include "rewriter.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* 1 for what may be called: a word, but no number and no keyword. */
int simt_is_name(const struct rewriter *r, size_t i)
{
    static const char *const keywords[] = {
        "return", "else",  "do",     "case",   "if",     "for",
        "while",  "throw", "switch", "sizeof", "delete", "new"};

    if (i >= r->tokens.count || r->tokens.token[i].kind != BASE_WORD ||
        isdigit((unsigned char)r->tokens.text[r->tokens.token[i].begin]) ||
        r->tokens.text[r->tokens.token[i].begin] == '.')
        return 0;
    for (size_t j = 0; j < sizeof keywords / sizeof keywords[0]; j++) {
        if (simt_is(r, i, keywords[j]))
            return 0;
    }
    return 1;
}

/* The next token from i on that is no blank; SIMT_NO_TOKEN if there is none. */
size_t simt_skip(const struct rewriter *r, size_t i)
{
    while (i < r->end && simt_is_blank(r, i))
        i++;
    return i < r->end ? i : SIMT_NO_TOKEN;
}

/* The last token before i that is no blank; SIMT_NO_TOKEN if there is none. */
size_t simt_before(const struct rewriter *r, size_t i)
{
    if (i == SIMT_NO_TOKEN)
        return SIMT_NO_TOKEN;
    while (i > r->begin) {
        if (!simt_is_blank(r, --i))
            return i;
    }
    return SIMT_NO_TOKEN;
}

size_t simt_behind_triple(const struct rewriter *r, size_t i, char c)
{
    const size_t second = simt_mark(r, i) == c ? simt_skip(r, i + 1) : i;
    const size_t third =
        second != i && simt_mark(r, second) == c ? simt_skip(r, second + 1) : i;

    return third != i && simt_mark(r, third) == c &&
                   !simt_is(r, simt_before(r, i), "operator")
               ? third + 1
               : 0;
}

/* 1 if the marks a and b end at token i with nothing in between. */
int simt_ends(const struct rewriter *r, size_t i, char a, char b)
{
    return simt_mark(r, i) == b && i > r->begin && simt_mark(r, i - 1) == a;
}

int simt_is_opening(char c)
{
    return c == '(' || c == '[' || c == '{';
}

int simt_is_closing(char c)
{
    return c == ')' || c == ']' || c == '}';
}

int simt_fail(const struct rewriter *r, size_t i, const char *format, ...)
{
    char what[300];
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(r->why, r->why_size, "%s:%d: %s", r->path, r->tokens.token[i].line,
             what);
    return -1;
}

int simt_refuse(struct rewriter *r, size_t i, const char *message)
{
    if (r->conditions == 0)
        return simt_fail(r, i, "%s", message);
    /* Within #if only the compiler knows whether it counts: there it gets the
       message. */
    simt_catch_up(r, i);
    fprintf(r->output, "_Pragma(\"GCC error \\\"%s\\\"\") ", message);
    return 0;
}

/* From the bracket that closes at i back to the one that opens;
   SIMT_NO_TOKEN if there is none. */
size_t simt_opening(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (size_t at = i + 1; at-- > r->begin;) {
        if (simt_is_closing(simt_mark(r, at))) {
            depth++;
        } else if (simt_is_opening(simt_mark(r, at)) && --depth == 0) {
            return at;
        } else if (r->tokens.token[at].kind == BASE_DIRECTIVE) {
            return SIMT_NO_TOKEN;
        }
    }
    return SIMT_NO_TOKEN;
}

/* The same for the > that ends a template's arguments. */
size_t simt_opening_angle(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (size_t at = i + 1; at != SIMT_NO_TOKEN && at-- > r->begin;) {
        const char c = simt_mark(r, at);

        if (simt_is_closing(c)) {
            at = simt_opening(r, at);
        } else if (simt_is_opening(c) || c == ';' ||
                   r->tokens.token[at].kind == BASE_DIRECTIVE) {
            return SIMT_NO_TOKEN;
        } else if (c == '>' && !simt_ends(r, at, '-', '>')) {
            depth++;
        } else if (c == '<' && --depth == 0) {
            return at;
        }
    }
    return SIMT_NO_TOKEN;
}

/* The parenthesis that closes the one at i; SIMT_NO_TOKEN if none does. */
size_t simt_closing(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (; i < r->end; i++) {
        const char c = simt_mark(r, i);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (simt_is_closing(c) && depth == 0)
            return c == ')' ? i : SIMT_NO_TOKEN;
    }
    return SIMT_NO_TOKEN;
}

size_t simt_behind_line(const struct rewriter *r, size_t i)
{
    const size_t behind = base_behind_if_0(&r->tokens, i);

    return behind > i ? behind : i + 1;
}

void simt_copy(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        fwrite(r->tokens.text + r->tokens.token[i].begin, 1,
               r->tokens.token[i].end - r->tokens.token[i].begin, r->output);
    }
}

/* Writes all tokens before i that are not written yet. */
void simt_catch_up(struct rewriter *r, size_t i)
{
    simt_copy(r, r->written, i);
    r->written = i;
}

/* The tokens on one line, blanks and comments being one blank each. */
void simt_copy_on_one_line(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (simt_is_blank(r, i)) {
            putc(' ', r->output);
            continue;
        }
        for (size_t at = r->tokens.token[i].begin; at < r->tokens.token[i].end;
             at++) {
            const char c = r->tokens.text[at];

            /* A word may be spliced, with blanks behind the backslash. */
            if (r->tokens.token[i].kind != BASE_WORD ||
                (c != '\\' && !isspace((unsigned char)c)))
                putc(c, r->output);
        }
    }
}

/* Only what the tokens have of line ends, with the backslashes before them. */
void simt_copy_newlines(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        for (size_t at = r->tokens.token[i].begin; at < r->tokens.token[i].end;
             at++) {
            size_t last = at;

            if (r->tokens.text[at] != '\n')
                continue;
            if (last > 0 && r->tokens.text[last - 1] == '\r')
                last--;
            /* In a macro's body each line end is a spliced one. */
            if (r->in_macro || (last > 0 && r->tokens.text[last - 1] == '\\'))
                putc('\\', r->output);
            putc('\n', r->output);
        }
    }
}
