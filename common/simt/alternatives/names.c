/* Which names are known where, and what ends where. See copy.h. */
#include "copy.h"

#include <stdio.h>
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
        int depth = 0;

        for (; mark(c, at) == '*' || mark(c, at) == '(' || is(c, at, "const") ||
               is(c, at, "__restrict__");
             at = behind(c, at))
            depth += mark(c, at) == '*';
        if (!is_word(c, at) || is_number(c, at))
            return;
        name = at;
        at = behind(c, at);
        if (mark(c, at) == ')')
            at = behind(c, at);
        for (; mark(c, at) == '['; at = behind(c, c->partner[at]))
            depth++;
        if (mark(c, at) == 0 || strchr("=;,){", mark(c, at)) == NULL ||
            is_pair(c, at, '=', '='))
            return;
        add_variable(c, name, type, depth, until);
        /* int a = 1, b = 2; */
        while (at < c->t.count && mark(c, at) != ',' && mark(c, at) != ';' &&
               mark(c, at) != ')') {
            at = behind(c, mark(c, at) != 0 && strchr("([{", mark(c, at)) &&
                                   c->partner[at] > at
                               ? c->partner[at]
                               : at);
        }
        c->variable[c->variables - 1].from = at;
        c->variable[c->variables - 1].is_shared = is_shared;
        i = mark(c, at) == ',' ? behind(c, at) : c->t.count;
    }
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
            if (length < WORD && at[length] != '(' && at[length] != '\n' &&
                c->macros < MOST_MACROS && mark(c, behind(c, i)) != '"' &&
                (is_number(c, behind(c, i)) || mark(c, behind(c, i)) == '(' ||
                 is_word(c, behind(c, i)))) {
                memcpy(c->macro[c->macros].name, name, sizeof name);
                c->macro[c->macros++].at = i;
            }
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
