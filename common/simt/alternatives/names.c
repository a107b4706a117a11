/* Which names are known where, what ends where, and writing beside a token.
   See copy.h. */
#define _GNU_SOURCE
#include "copy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum simt_type simt_copy_type_of(const struct simt_copy *c, size_t i)
{
    static const char *const whole[] = {
        "int",    "unsigned", "long",    "short",    "bool",
        "size_t", "int32_t",  "int64_t", "uint32_t", NULL};
    static const char *const real[] = {"float", "double", NULL};
    static const char *const other[] = {"float4", "float2", "char", "dim3",
                                        NULL};

    return is_one_of(c, i, whole)   ? WHOLE
           : is_one_of(c, i, real)  ? REAL
           : is_one_of(c, i, other) ? OTHER
                                    : UNKNOWN;
}

void simt_copy_find_partners(struct simt_copy *c)
{
    size_t open[200], depth = 0;

    for (size_t i = 0; i < c->t.count; i++) {
        const char m = mark(c, i);

        if (m != 0 && strchr("([{", m) != NULL && depth < 200) {
            open[depth++] = i;
        } else if (m != 0 && strchr(")]}", m) != NULL && depth > 0) {
            c->partner[i] = open[--depth];
            c->partner[open[depth]] = i;
        }
    }
}

/* The end of the statement that begins at i: its ; or }. */
size_t simt_copy_statement_end(const struct simt_copy *c, size_t i)
{
    for (; i < c->t.count; i = behind(c, i)) {
        const char m = mark(c, i);

        if (m == '{')
            return c->partner[i];
        if (m == ';' || m == '}')
            return i;
        if ((m == '(' || m == '[') && c->partner[i] > i)
            i = c->partner[i];
    }
    return c->t.count;
}

/* --- names ---------------------------------------------------------------- */

static void add_variable(struct simt_copy *c, size_t name, enum simt_type type,
                         int depth, size_t to)
{
    struct simt_variable_name *v = &c->variable[c->variables];

    if (c->variables == MOST_VARIABLES)
        return;
    base_token_copy(&c->t, name, v->name, sizeof v->name);
    v->type = type;
    v->depth = depth;
    v->place = v->from = name;
    v->to = to;
    c->variables++;
}

/* The variables that a declaration at i brings, if there is one. until: where
   they end. */
static void read_declaration(struct simt_copy *c, size_t i, size_t until)
{
    int is_shared = 0;
    enum simt_type type = UNKNOWN;

    for (; is_word(c, i); i = behind(c, i)) {
        const enum simt_type t = simt_copy_type_of(c, i);

        is_shared |= is(c, i, "__shared__");

        if (t != UNKNOWN) {
            type = t;
        } else if (type != UNKNOWN && !is(c, i, "const") &&
                   !is(c, i, "__restrict__")) {
            break;
        }
    }
    while (type != UNKNOWN && i < c->t.count) {
        size_t at = i, name;
        int depth = 0, is_inside = 0; /* (*name) */

        for (; mark(c, at) == '*' || mark(c, at) == '(' || is(c, at, "const") ||
               is(c, at, "__restrict__");
             at = behind(c, at)) {
            depth += mark(c, at) == '*';
            is_inside |= mark(c, at) == '(';
        }
        if (!is_word(c, at) || is_number(c, at))
            return;
        name = at;
        at = behind(c, at);
        if (is_inside && mark(c, at) == ')')
            at = behind(c, at);
        for (; mark(c, at) == '['; at = behind(c, c->partner[at]))
            depth++;
        if (mark(c, at) == 0 || strchr("=;,){", mark(c, at)) == NULL ||
            is_pair(c, at, '=', '='))
            return;
        add_variable(c, name, type, depth, until);
        /* int a = 1, b = 2; */
        while (at < c->t.count && mark(c, at) != ',' && mark(c, at) != ';' &&
               mark(c, at) != ')')
            at = past(c, at);
        c->variable[c->variables - 1].from = at;
        c->variable[c->variables - 1].is_shared = is_shared;
        i = mark(c, at) == ',' ? behind(c, at) : c->t.count;
    }
}

/* 1 in the brackets of a for or the like. */
int simt_copy_is_in_head(const struct simt_copy *c, size_t i)
{
    size_t at = i;

    while (at > 0 &&
           !((mark(c, at) == '(' || mark(c, at) == '{') && c->partner[at] > i))
        at = before(c, at);
    return mark(c, at) == '(';
}

size_t simt_copy_for_of(const struct simt_copy *c, size_t i)
{
    size_t at = i;

    while (at > 0 && mark(c, at) != '{' &&
           !(mark(c, at) == '(' && c->partner[at] > i &&
             is(c, before(c, at), "for")))
        at = before(c, at);
    return mark(c, at) == '(' ? at : 0;
}

/* The { of the body of which the parameters are at the ( i; 0: no function. */
size_t simt_copy_body_of(const struct simt_copy *c, size_t i)
{
    const size_t end = c->partner[i];
    const size_t next = end > i ? behind(c, end) : 0;

    return mark(c, next) == '{' && is_word(c, before(c, i)) ? next : 0;
}

static void read_parameters(struct simt_copy *c, size_t open, size_t until)
{
    for (size_t i = open; i < c->partner[open]; i = behind(c, i)) {
        if (mark(c, i) == '(' || mark(c, i) == ',')
            read_declaration(c, behind(c, i), until);
        if (mark(c, i) == '(' && i != open)
            i = c->partner[i];
    }
}

static int is_known_macro(const struct simt_copy *c, const char *name)
{
    int m = 0;

    while (m < c->macros && strcmp(c->macro[m].name, name) != 0)
        m++;
    return m < c->macros;
}

/* 1 if the macro that is defined at i is made of whole numbers and macros that
   are. */
static int is_whole(const struct simt_copy *c, size_t i)
{
    const size_t end = base_line_end(&c->t, i);
    int numbers = 0;

    for (i = behind(c, i); i < end; i = behind(c, i)) {
        char word[WORD];

        base_token_copy(&c->t, i, word, sizeof word);
        if (is_word(c, i) && (is_number(c, i) ? strpbrk(word, ".efx") != NULL
                                              : !is_known_macro(c, word)))
            return 0;
        if (c->t.token[i].kind == BASE_STRING || mark(c, i) == '.' ||
            mark(c, i) == '{' || mark(c, i) == '=')
            return 0;
        numbers += is_word(c, i);
    }
    return numbers > 0;
}

void simt_copy_read_names(struct simt_copy *c)
{
    size_t block[100] = {c->t.count};
    int depth = 0;

    for (size_t i = 0; i < c->t.count; i++) {
        const char m = mark(c, i);
        char name[WORD];

        if (base_is_directive(&c->t, i, "define", NULL)) {
            const char *at = c->t.text + c->t.token[i].begin;
            size_t length;

            at = strstr(at, "define") + strlen("define");
            at += strspn(at, " \t");
            length = strcspn(at, " \t(\n");
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (length < WORD && at[length] != '(' && c->macros < MOST_MACROS &&
                is_whole(c, i) && !is_known_macro(c, name))
                memcpy(c->macro[c->macros++].name, name, sizeof name);
            continue;
        }
        if (m == '{' && depth < 99) {
            block[++depth] = c->partner[i];
        } else if (m == '}' && depth > 0) {
            depth--;
        } else if (m == '(' && depth == 0 && simt_copy_body_of(c, i) > 0) {
            read_parameters(c, i, c->partner[simt_copy_body_of(c, i)]);
        } else if (is(c, i, "for")) {
            const size_t open = behind(c, i);

            if (mark(c, open) == '(' && c->partner[open] > open) {
                read_declaration(
                    c, behind(c, open),
                    simt_copy_statement_end(c, behind(c, c->partner[open])));
            }
        }
        if ((m == '{' || m == '}' || m == ';') && depth > 0)
            read_declaration(c, behind(c, i), block[depth]);
    }
}

/* The variable that token i names, the nearest; NULL: none that is known. */
const struct simt_variable_name *
simt_copy_find_variable(const struct simt_copy *c, size_t i)
{
    for (int v = c->variables; v-- > 0;) {
        const struct simt_variable_name *at = &c->variable[v];

        if (at->from < i && i < at->to && is(c, i, at->name))
            return at;
    }
    return NULL;
}

int simt_copy_is_macro(const struct simt_copy *c, size_t i)
{
    for (int m = 0; m < c->macros; m++) {
        if (is(c, i, c->macro[m].name))
            return 1;
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

void simt_copy_add(struct simt_copy *c, char **to, const char *format, ...)
{
    char *text = NULL, *both = NULL;
    va_list list;
    int bad;

    va_start(list, format);
    bad = vasprintf(&text, format, list) < 0;
    va_end(list);
    if (bad || asprintf(&both, "%s%s", *to != NULL ? *to : "", text) < 0) {
        c->failed = 1;
        both = NULL;
    }
    if (!bad)
        free(text);
    if (both != NULL) {
        free(*to);
        *to = both;
    }
}
