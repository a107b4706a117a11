/*
 * __device__ and __constant__ variables: the word becomes the name of the
 * section that variables.c looks at. In front of functions it stays, and means
 * nothing to g++.
 */
#define _GNU_SOURCE
#include "rewriter.h"

#include <stdio.h>

/* What is found out about a declaration. */
struct declaration {
    size_t begin, end; /* its specifiers and declarator, up to = or ; */
    int is_variable;
    int is_constant; /* __constant__ */
    int is_const;
    int is_inline; /* may be defined in many files */
};

static int is_space_word(const struct rewriter *r, size_t i)
{
    return simt_is(r, i, "__device__") || simt_is(r, i, "__constant__") ||
           simt_is(r, i, "__managed__");
}

/* Where the declaration begins that the word at i is part of. */
static size_t declaration_begin(const struct rewriter *r, size_t i)
{
    size_t begin = i;

    for (size_t at = simt_before(r, i); at != SIMT_NO_TOKEN;
         at = simt_before(r, at)) {
        const char c = simt_mark(r, at);

        if (r->tokens.token[at].kind != BASE_WORD && c != '*')
            break;
        begin = at;
    }
    return begin;
}

size_t simt_behind_attribute(const struct rewriter *r, size_t i)
{
    static const char *const attributes[] = {"__align__", "alignas",
                                             "__attribute__",
                                             "__launch_bounds__", "decltype"};
    size_t open, close;

    if (simt_mark(r, i) == '[' && simt_mark(r, i + 1) == '[') {
        while (i < r->end && !simt_ends(r, i, ']', ']'))
            i++;
        return i < r->end ? i + 1 : i;
    }
    for (size_t j = 0; j < sizeof attributes / sizeof attributes[0]; j++) {
        if (!simt_is(r, i, attributes[j]))
            continue;
        open = simt_skip(r, i + 1);
        close =
            simt_mark(r, open) == '(' ? simt_closing(r, open) : SIMT_NO_TOKEN;
        return close == SIMT_NO_TOKEN ? i : close + 1;
    }
    return i;
}

size_t simt_behind_angles(const struct rewriter *r, size_t i)
{
    int depth = 0, angle = 0;

    for (size_t at = i; at < r->end; at++) {
        const char c = simt_mark(r, at);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth < 0 || c == ';')
            return i;
        if (depth > 0)
            continue;
        angle += (c == '<') - (c == '>');
        if (angle == 0)
            return at + 1;
    }
    return i;
}

size_t simt_behind_braces(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (size_t at = i; at < r->end; at++) {
        depth += (simt_mark(r, at) == '{') - (simt_mark(r, at) == '}');
        if (depth == 0)
            return at == i ? i : at + 1;
    }
    return r->end;
}

/* A parenthesis tells a function, unless a star follows: then the name of a
   pointer to functions stands in it. */
static int is_pointer_to_function(const struct rewriter *r, size_t open)
{
    return simt_mark(r, simt_skip(r, open + 1)) == '*';
}

/* Reads on from the word at i to where the declarator ends. */
static void read_declaration(const struct rewriter *r, size_t i,
                             struct declaration *d)
{
    size_t at = i;
    int words = 0, has_body = 0; /* of struct { ... } name; */

    *d = (struct declaration){.begin = declaration_begin(r, i)};
    for (size_t before = d->begin; before < i; before++)
        words += r->tokens.token[before].kind == BASE_WORD;
    while (at < r->end) {
        const char c = simt_mark(r, at);
        size_t behind = simt_behind_attribute(r, at);

        if (behind == at && c == '<')
            behind = simt_behind_angles(r, at);
        if (behind == at && c == '{' && has_body) {
            behind = simt_behind_braces(r, at);
            has_body = 0;
            words++;
        }
        if (behind > at) {
            at = behind;
            continue;
        }
        if (simt_is(r, at, "operator") || c == '}' || c == ')' ||
            r->tokens.token[at].kind == BASE_DIRECTIVE)
            return; /* a function, or nothing that is known */
        if (c == '(') {
            if (!is_pointer_to_function(r, at) || words < 1)
                return;
            d->is_variable = 1;
            at = simt_closing(r, at);
            d->end = at == SIMT_NO_TOKEN ? r->end : at;
            return;
        }
        if (c == '=' || c == ';' || c == ',' || c == '[' || c == '{') {
            d->is_variable = words >= 2; /* a type and a name */
            d->end = at;
            return;
        }
        words += r->tokens.token[at].kind == BASE_WORD && !is_space_word(r, at);
        has_body |= simt_is(r, at, "struct") || simt_is(r, at, "union") ||
                    simt_is(r, at, "class");
        at++;
    }
}

/* The words of the declaration that matter. Of a pointer, only a const behind
   the last star makes the variable one that is never written. */
static void read_declaration_words(const struct rewriter *r,
                                   struct declaration *d)
{
    for (size_t i = d->begin; i < d->end; i++) {
        if (simt_mark(r, i) == '{')
            i = simt_behind_braces(r, i);
        if (simt_mark(r, i) == '*') {
            d->is_const = 0;
        } else if (simt_is(r, i, "const")) {
            d->is_const = 1;
        } else if (simt_is(r, i, "__constant__")) {
            d->is_constant = 1;
        } else if (simt_is(r, i, "inline")) {
            d->is_inline = 1;
        }
    }
    for (size_t i = d->begin; i < d->end; i++)
        d->is_const |= simt_is(r, i, "constexpr");
}

int simt_rewrite_variable(struct rewriter *r, size_t i)
{
    const size_t previous = simt_before(r, i);
    struct declaration d;

    /* A lambda, [=] __device__ (); but [[unused]] __device__ int x; is none. */
    if (simt_mark(r, previous) == ']' && !simt_ends(r, previous, ']', ']'))
        return 0;
    read_declaration(r, i, &d);
    if (!d.is_variable)
        return 0;
    for (size_t at = d.begin; at < i; at++) {
        if (is_space_word(r, at))
            return 0; /* done at the first of the words */
    }
    if (r->template_begin != r->template_end) {
        return simt_refuse(r, i,
                           "a __device__ or __constant__ variable in a "
                           "template is not on the CPU device: declare it "
                           "outside");
    }
    read_declaration_words(r, &d);
    simt_catch_up(r, i);
    fprintf(r->output, "SIMT_VARIABLE(\"simt_%s%s%s\")",
            d.is_constant ? "constant" : "device", d.is_const ? "_const" : "",
            d.is_inline ? "_inline" : "");
    r->written = i + 1;
    return 0;
}
