/* Which #pragma unroll may g++ have, and with which number? */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST_UNROLL = 65534, /* of #pragma GCC unroll, g++ 12 */
    LONGEST = 256           /* tokens between template's < and > */
};

/* template<...>: its parameters count up to the next ; or } of its level. */
void simt_note_template(struct rewriter *r, size_t i)
{
    const size_t first = simt_skip(r, i + 1);
    int depth = 0, angle = 0;

    if (simt_mark(r, first) != '<')
        return;
    for (size_t at = first; at < r->end && at < first + LONGEST; at++) {
        const char c = simt_mark(r, at);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth < 0 || c == ';')
            return;
        if (depth > 0)
            continue;
        angle += (c == '<') - (c == '>');
        if (angle == 0 && c == '>') {
            r->template_begin = first + 1;
            r->template_end = at;
            r->template_braces = r->braces.namespaces + r->braces.others;
            return;
        }
    }
}

/* 1 if a word of the text is a parameter of the template at hand. */
static int depends_on_template(const struct rewriter *r, const char *text)
{
    for (size_t i = r->template_begin; i < r->template_end; i++) {
        const size_t next = simt_skip(r, i + 1);
        const size_t size = r->tokens.token[i].end - r->tokens.token[i].begin;

        if (!simt_is_name(r, i) || (next < r->template_end &&
                                    strchr(",=", simt_mark(r, next)) == NULL))
            continue;
        for (const char *at = text; *at != '\0';) {
            const size_t word = strcspn(at, " \t()+-*/%<>=!&|^~?:,.");

            if (word == size &&
                memcmp(at, r->tokens.text + r->tokens.token[i].begin, size) ==
                    0)
                return 1;
            at += word + (word == 0);
        }
    }
    return 0;
}

static int is_same_word(const struct rewriter *r, size_t a, size_t b)
{
    const struct base_token *const t = r->tokens.token;
    const size_t size = t[a].end - t[a].begin;

    return t[b].end - t[b].begin == size &&
           memcmp(r->tokens.text + t[a].begin, r->tokens.text + t[b].begin,
                  size) == 0;
}

/* 1 if the name at i is a parameter of the function. */
static int is_parameter(const struct rewriter *r, const struct simt_body *body,
                        size_t i)
{
    for (size_t at = body->name + 1; at < body->begin; at++) {
        const char next = simt_mark(r, simt_skip(r, at + 1));

        if (is_same_word(r, at, i) &&
            (next == ',' || next == ')' || next == '='))
            return 1;
    }
    return 0;
}

/* 1 if the name at i is that of a whole number which the function has given a
   value that is made of a parameter. */
static int is_made_of_parameter(const struct rewriter *r,
                                const struct simt_body *body, size_t i)
{
    for (size_t at = body->begin; at < i; at++) {
        size_t set = simt_skip(r, at + 1);

        if (!is_same_word(r, at, i) || simt_mark(r, set) != '=' ||
            !(simt_is(r, simt_before(r, at), "int") ||
              simt_is(r, simt_before(r, at), "unsigned") ||
              simt_is(r, simt_before(r, at), "size_t")))
            continue;
        for (; set < i && simt_mark(r, set) != ';'; set++) {
            if (simt_is_name(r, set) && is_parameter(r, body, set))
                return 1;
        }
    }
    return 0;
}

/* 1 if one of the tokens is the same word as that at i. */
static int stands_between(const struct rewriter *r, size_t begin, size_t end,
                          size_t i)
{
    while (begin < end && !is_same_word(r, begin, i))
        begin++;
    return begin < end;
}

/*
 * 1 if the loop behind i ends by a parameter of its function, or by what is
 * made of one, and does not begin there, too: how often it goes round nobody
 * knows before it runs, and such a loop is unrolled only as far as a number
 * says (CUDA C++ Programming Guide, "#pragma unroll").
 */
static int is_of_unknown_length(const struct rewriter *r, size_t i)
{
    const struct simt_body *body = simt_body_of(r->functions, i);
    const size_t loop = simt_skip(r, i + 1);
    const size_t open =
        simt_is(r, loop, "for") ? simt_skip(r, loop + 1) : SIMT_NO_TOKEN;
    const size_t close =
        simt_mark(r, open) == '(' ? simt_closing(r, open) : SIMT_NO_TOKEN;
    size_t first = SIMT_NO_TOKEN; /* ; of what it begins with */

    if (body == NULL || body->name == SIMT_NO_TOKEN || close == SIMT_NO_TOKEN)
        return 0;
    for (size_t at = open; at < close; at++) {
        if (simt_mark(r, at) == ';' && first != SIMT_NO_TOKEN)
            break;
        if (simt_mark(r, at) == ';')
            first = at;
        if (first != SIMT_NO_TOKEN && simt_is_name(r, at) &&
            !stands_between(r, open, first, at) &&
            (is_parameter(r, body, at) || is_made_of_parameter(r, body, at)))
            return 1;
    }
    return 0;
}

/*
 * Writes GCC's form of "unroll", "unroll N" and "nounroll"; returns 0 if the
 * text is something else. g++ 12 takes no number that depends on a template's
 * parameter, nor a large one: such a loop is unrolled as one without a number.
 * The loop follows i.
 */
static int write_unroll(const struct rewriter *r, size_t i, char *text)
{
    const size_t size = strcspn(text, " \t(");
    char *number = text + size, *end = text + strlen(text);

    if (size == 8 && memcmp(text, "nounroll", 8) == 0) {
        fputs("SIMT_UNROLL(1)", r->output);
        return 1;
    }
    if (size != 6 || memcmp(text, "unroll", 6) != 0)
        return 0;
    number += strspn(number, " \t");
    while (end > number && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    fprintf(r->output, "SIMT_UNROLL(%s)",
            number == end && is_of_unknown_length(r, i) ? "1"
            : number == end || depends_on_template(r, number) ||
                    strtoul(number + (*number == '('), NULL, 0) > LARGEST_UNROLL
                ? "SIMT_UNROLL_ALL"
                : number);
    return 1;
}

/* The bytes of the text as a string, line ends being blanks. */
static char *string_of(const struct rewriter *r, size_t begin, size_t end)
{
    char *string = strndup(r->tokens.text + begin, end - begin);

    if (string == NULL)
        return NULL;
    for (char *at = string; (at = strpbrk(at, "\\\r\n\t")) != NULL;)
        *at = ' ';
    return string;
}

/* #pragma unroll at i. */
void simt_rewrite_pragma(struct rewriter *r, size_t i)
{
    char *line =
        string_of(r, r->tokens.token[i].begin + 1, r->tokens.token[i].end);
    char *words;

    if (line == NULL)
        return;
    words = line + strspn(line, " ");
    simt_catch_up(r, i);
    if (strncmp(words, "pragma ", 7) == 0 &&
        write_unroll(r, i, words + 7 + strspn(words + 7, " "))) {
        simt_copy_newlines(r, i, i + 1);
        r->written = i + 1;
    }
    free(line);
}

/* _Pragma("unroll 4") from the word at i. */
void simt_rewrite_pragma_operator(struct rewriter *r, size_t i)
{
    const size_t open = simt_skip(r, i + 1);
    const size_t string =
        open == SIMT_NO_TOKEN ? SIMT_NO_TOKEN : simt_skip(r, open + 1);
    const size_t close =
        string == SIMT_NO_TOKEN ? SIMT_NO_TOKEN : simt_skip(r, string + 1);
    char *words;

    if (simt_mark(r, open) != '(' || simt_mark(r, close) != ')' ||
        r->tokens.token[string].kind != BASE_STRING)
        return;
    words = string_of(r, r->tokens.token[string].begin + 1,
                      r->tokens.token[string].end - 1);
    if (words == NULL)
        return;
    simt_catch_up(r, i);
    if (write_unroll(r, close, words + strspn(words, " "))) {
        simt_copy_newlines(r, i, close + 1);
        r->written = close + 1;
    }
    free(words);
}
