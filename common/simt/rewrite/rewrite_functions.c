/*
 * The declarations of a file: functions.h. Braces tell what lies where: in
 * namespaces and classes stand declarations, in functions calls.
 */
#define _GNU_SOURCE
#include "functions.h"

#include "rewriter.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 128 /* braces within each other */
};

enum scope {
    IN_NAMESPACE,
    IN_CLASS,
    IN_FUNCTION, /* its own brace, */
    IN_BLOCK     /* one within it, or of an enumeration or initialiser */
};

/* What is being read. */
struct reader {
    struct simt_functions *to;
    const struct rewriter *r;
    enum scope scope[DEEPEST];
    size_t open[DEEPEST]; /* their { */
    int depth;
    int depth_at_if[SIMT_DEEPEST_IF];
    int conditions;
    int is_tricky;     /* the branches of an #if have different braces */
    size_t begin;      /* of the declaration at hand */
    size_t name;       /* of the function that it declares, if any */
    size_t parameters; /* and the parenthesis behind it */
    int has_value;     /* an = was met */
    int is_cut;        /* what stands before a # line belongs to it too */
};

static enum scope scope_now(const struct reader *d)
{
    return d->depth == 0 ? IN_NAMESPACE : d->scope[d->depth - 1];
}

static char *text_of(const struct rewriter *r, size_t i)
{
    return strndup(r->tokens.text + r->tokens.token[i].begin,
                   r->tokens.token[i].end - r->tokens.token[i].begin);
}

/* --- macros --------------------------------------------------------------- */

/* What the word itself says of where a function runs. */
static int runs_of_word(const struct reader *d, size_t i)
{
    if (simt_is(d->r, i, "__device__"))
        return SIMT_ON_DEVICE;
    if (simt_is(d->r, i, "__host__"))
        return SIMT_ON_HOST;
    if (simt_is(d->r, i, "__global__"))
        return SIMT_IS_KERNEL;
    if (simt_is(d->r, i, "constexpr"))
        return SIMT_ON_HOST | SIMT_ON_DEVICE;
    for (size_t j = 0; j < d->to->macros; j++) {
        if (simt_is(d->r, i, d->to->macro[j].name))
            return d->to->macro[j].runs;
    }
    return 0;
}

/* The name that the #define at i defines, as a copy. */
static char *macro_name(const struct rewriter *r, size_t i)
{
    const char *at = r->tokens.text + r->tokens.token[i].begin + 1;
    const char *end = r->tokens.text + r->tokens.token[i].end, *begin;

    while (at < end && isspace((unsigned char)*at))
        at++;
    at += strlen("define");
    while (at < end && isspace((unsigned char)*at))
        at++;
    for (begin = at; at < end && (isalnum((unsigned char)*at) || *at == '_');)
        at++;
    return strndup(begin, (size_t)(at - begin));
}

/* Remembers a macro that says where functions run. 0, or -1 without memory. */
static int read_macro(struct reader *d, size_t i, size_t end)
{
    struct simt_functions *to = d->to;
    struct simt_macro *added;
    int found = 0;

    for (size_t at = i + 1; at < end; at++) {
        if (d->r->tokens.token[at].kind == BASE_WORD)
            found |= runs_of_word(d, at);
    }
    if (found == 0)
        return 0;
    added = base_list_add(&to->macro, &to->macros, sizeof *added);
    if (added == NULL)
        return -1;
    *added = (struct simt_macro){.name = macro_name(d->r, i), .runs = found};
    return added->name != NULL ? 0 : -1;
}

/* --- functions ------------------------------------------------------------ */

/* 1 for a word that may be a macro: nobody knows what it stands for. */
static int may_be_macro(const struct rewriter *r, size_t i)
{
    const struct base_token *t = &r->tokens.token[i];
    int capitals = 0;

    for (size_t at = t->begin; at < t->end; at++) {
        if (islower((unsigned char)r->tokens.text[at]))
            return 0;
        capitals += isupper((unsigned char)r->tokens.text[at]) != 0;
    }
    return capitals > 1 && !simt_is(r, i, "FILE");
}

/* Where the function that is declared from d->begin on runs. */
static int runs_of_declaration(const struct reader *d)
{
    int runs = 0, is_unknown = d->is_cut || scope_now(d) == IN_CLASS;

    for (size_t i = d->begin; i < d->name; i++) {
        if (d->r->tokens.token[i].kind != BASE_WORD)
            continue;
        runs |= runs_of_word(d, i);
        is_unknown |= may_be_macro(d->r, i) && runs_of_word(d, i) == 0;
    }
    if (is_unknown)
        runs |= SIMT_SOMEWHERE;
    return runs != 0 ? runs : SIMT_ON_HOST;
}

/* How many arguments the parameters between the parentheses take. */
static void count_parameters(const struct rewriter *r, size_t open,
                             size_t close, struct simt_function *function)
{
    int depth = 0, angle = 0, optional = 0, words = 0;

    function->least = function->most = 0;
    for (size_t i = open + 1; i <= close; i++) {
        const char c = simt_mark(r, i);

        if (r->tokens.token[i].kind == BASE_DIRECTIVE ||
            simt_ends(r, i, '.', '.')) {
            function->most = -1;
            return;
        }
        words += i < close && !simt_is_blank(r, i) && !simt_is(r, i, "void");
        words += simt_mark(r, i) == '*';
        if (depth == 0 && (c == ',' || i == close) && angle <= 0) {
            function->least += words > 0 && !optional;
            function->most += words > 0;
            words = optional = 0;
            continue;
        }
        depth += simt_is_opening(c) - simt_is_closing(c);
        angle += depth == 0 ? (c == '<') - (c == '>') : 0;
        optional |= depth == 0 && c == '=';
    }
}

static const char *kept_path(struct simt_functions *to, const char *path)
{
    char **added;

    if (to->paths > 0 && strcmp(to->path[to->paths - 1], path) == 0)
        return to->path[to->paths - 1];
    added = base_list_add(&to->path, &to->paths, sizeof *added);
    if (added == NULL)
        return NULL;
    *added = strdup(path);
    return *added;
}

/* Adds the function that is declared. 0, or -1 without memory. */
static int add_function(struct reader *d)
{
    struct simt_functions *to = d->to;
    const struct rewriter *r = d->r;
    struct simt_function one = {.runs = runs_of_declaration(d),
                                .line = r->tokens.token[d->name].line};
    const struct simt_function *const same =
        simt_functions_find(to, r, d->name);
    struct simt_function *added;

    count_parameters(r, d->parameters, simt_closing(r, d->parameters), &one);
    if (same != NULL) {
        struct simt_function *known = &to->function[same - to->function];

        if (known->least != one.least || known->most != one.most)
            known->most = -1;
        known->runs |= one.runs;
        return 0;
    }
    one.name = text_of(r, d->name);
    one.path = kept_path(to, r->path);
    added = one.name != NULL && one.path != NULL
                ? base_list_add(&to->function, &to->count, sizeof *added)
                : NULL;
    if (added == NULL) {
        free(one.name);
        return -1;
    }
    *added = one;
    return 0;
}

/* Where the value that a kernel returns stands, if its type says that it does;
   else SIMT_NO_TOKEN. */
static size_t returned_type(const struct reader *d)
{
    static const char *const types[] = {"int",    "float", "double",
                                        "char",   "bool",  "unsigned",
                                        "size_t", "long",  "short"};
    size_t found = SIMT_NO_TOKEN;
    int is_kernel = 0;

    for (size_t i = d->begin; i < d->name; i++) {
        is_kernel |= simt_is(d->r, i, "__global__");
        if (simt_is(d->r, i, "void") || simt_mark(d->r, i) == '<')
            return SIMT_NO_TOKEN;
        for (size_t j = 0; j < sizeof types / sizeof types[0]; j++) {
            if (simt_is(d->r, i, types[j]))
                found = i;
        }
    }
    if (simt_is(d->r, simt_before(d->r, d->name), "__global__"))
        return d->name; /* no type at all */
    return is_kernel ? found : SIMT_NO_TOKEN;
}

/* The declaration has come to its ; or { at `end`. 0, or -1 after a message. */
static int end_declaration(struct reader *d, size_t end)
{
    const size_t type =
        d->name == SIMT_NO_TOKEN ? SIMT_NO_TOKEN : returned_type(d);

    if (type != SIMT_NO_TOKEN && d->conditions == 0) {
        return simt_fail(d->r, type,
                         "a kernel returns nothing: write __global__ void, and "
                         "let it store its result in an array");
    }
    if (d->name != SIMT_NO_TOKEN && add_function(d) != 0)
        return simt_fail(d->r, d->name, "not enough memory");
    if (d->name == SIMT_NO_TOKEN && scope_now(d) == IN_NAMESPACE &&
        d->conditions == 0 && !d->is_cut &&
        simt_read_host_variables(d->to, d->r, d->begin, end) != 0)
        return simt_fail(d->r, d->begin, "not enough memory");
    return 0;
}

static void begin_declaration(struct reader *d, size_t i)
{
    d->begin = i;
    d->name = SIMT_NO_TOKEN;
    d->is_cut = 0;
    d->has_value = 0;
}

/* --- braces --------------------------------------------------------------- */

/* 1 if one of the words stands in the declaration so far. */
static int declares(const struct reader *d, size_t end, const char *a,
                    const char *b, const char *c)
{
    for (size_t i = d->begin; i < end; i++) {
        if (simt_is(d->r, i, a) || simt_is(d->r, i, b) || simt_is(d->r, i, c))
            return 1;
    }
    return 0;
}

static enum scope scope_of_brace(const struct reader *d, size_t i)
{
    const size_t before = simt_before(d->r, i);

    if (scope_now(d) == IN_FUNCTION || scope_now(d) == IN_BLOCK)
        return IN_BLOCK;
    if (d->name != SIMT_NO_TOKEN)
        return IN_FUNCTION;
    if (declares(d, i, "namespace", "namespace", "namespace") ||
        (before != SIMT_NO_TOKEN &&
         d->r->tokens.token[before].kind == BASE_STRING))
        return IN_NAMESPACE;
    if (!d->has_value && !declares(d, i, "enum", "enum", "enum") &&
        declares(d, i, "struct", "class", "union"))
        return IN_CLASS;
    return IN_BLOCK;
}

static int open_brace(struct reader *d, size_t i)
{
    struct simt_functions *to = d->to;
    const enum scope scope = scope_of_brace(d, i);

    if (d->depth == DEEPEST)
        return simt_fail(d->r, i, "more than 128 braces within each other");
    if (scope == IN_FUNCTION) {
        struct simt_body *const added =
            base_list_add(&to->body, &to->bodies, sizeof *added);

        if (added == NULL)
            return simt_fail(d->r, i, "not enough memory");
        *added = (struct simt_body){.declaration = d->begin,
                                    .begin = i,
                                    .end = d->r->tokens.count,
                                    .name = d->name,
                                    .runs = runs_of_declaration(d)};
    }
    d->scope[d->depth] = scope;
    d->open[d->depth++] = i;
    if (scope == IN_NAMESPACE || scope == IN_CLASS) {
        begin_declaration(d, i + 1);
    } else if (scope == IN_FUNCTION) {
        return end_declaration(d, i);
    }
    return 0;
}

static void close_brace(struct reader *d, size_t i)
{
    if (d->depth == 0)
        return;
    if (scope_now(d) == IN_FUNCTION)
        d->to->body[d->to->bodies - 1].end = i + 1;
    d->depth--;
    if (scope_now(d) == IN_NAMESPACE || scope_now(d) == IN_CLASS) {
        if (d->scope[d->depth] != IN_BLOCK)
            begin_declaration(d, i + 1);
    }
}

/* --- the walk ------------------------------------------------------------- */

/* 1 if the word at i can only stand outside of functions. */
static int begins_function(const struct rewriter *r, size_t i)
{
    if (simt_is(r, i, "__global__"))
        return !simt_is(r, simt_before(r, i), "extern");
    return simt_is(r, i, "main") && simt_mark(r, simt_skip(r, i + 1)) == '(' &&
           (simt_is(r, simt_before(r, i), "int") ||
            simt_is(r, simt_before(r, i), "void"));
}

/* A function begins within another one, whose brace is not closed. */
static int refuse_open_brace(const struct reader *d, size_t i)
{
    const struct simt_body *body = &d->to->body[d->to->bodies - 1];
    char name[64] = "a function";

    if (body->name != SIMT_NO_TOKEN)
        base_token_copy(&d->r->tokens, body->name, name, sizeof name);
    return simt_fail(
        d->r, i,
        "a } is missing before this line: %s, which begins in line %d, "
        "has more { than }",
        name, d->r->tokens.token[body->begin].line);
}

/* The word at i within a function. 0, or -1 after a message. */
static int read_within_function(struct reader *d, size_t i)
{
    struct simt_body *body = &d->to->body[d->to->bodies - 1];

    if (!d->is_tricky && d->conditions == 0 && begins_function(d->r, i))
        return refuse_open_brace(d, i);
    /* A lambda, which may run elsewhere than what is around it. */
    if (runs_of_word(d, i) != 0 && !simt_is(d->r, i, "constexpr"))
        body->runs |= SIMT_SOMEWHERE;
    return 0;
}

/* 1 if what was taken for the function's name is a macro's call with no ;
   behind it: there is another one, with a type before it. */
static int is_behind_macro(const struct reader *d, size_t name)
{
    const size_t before = simt_before(d->r, name);
    const char c = simt_mark(d->r, before);

    return d->name == simt_skip(d->r, d->begin) && before > d->parameters &&
           (simt_is_name(d->r, before) || c == '*' || c == '&' || c == '>');
}

/* The parenthesis at i in a declaration. Returns the token to go on with. */
static size_t read_parenthesis(struct reader *d, size_t i)
{
    const size_t close = simt_closing(d->r, i), name = simt_before(d->r, i);

    if (close == SIMT_NO_TOKEN)
        return i + 1;
    if (!d->has_value && name != SIMT_NO_TOKEN && name > d->begin &&
        simt_is_name(d->r, name) &&
        (d->name == SIMT_NO_TOKEN || is_behind_macro(d, name)) &&
        simt_mark(d->r, simt_skip(d->r, close + 1)) != '(') {
        d->name = name;
        d->parameters = i;
    }
    return close + 1;
}

/* One token of declarations. Returns the token to go on with. */
static size_t read_declaration(struct reader *d, size_t i)
{
    const struct rewriter *r = d->r;
    const size_t behind = simt_behind_attribute(r, i);
    const char c = simt_mark(r, i);

    if (behind > i)
        return behind;
    if (c == '(')
        return read_parenthesis(d, i);
    if (c == '<' && simt_is(r, simt_before(r, i), "template"))
        return simt_behind_angles(r, i) > i ? simt_behind_angles(r, i) : i + 1;
    if (c == '=' && !simt_is(r, simt_before(r, i), "operator"))
        d->has_value = 1;
    if (c == ':' && (simt_is(r, simt_before(r, i), "public") ||
                     simt_is(r, simt_before(r, i), "private") ||
                     simt_is(r, simt_before(r, i), "protected")))
        begin_declaration(d, i + 1);
    return i + 1;
}

static int read_condition(struct reader *d, size_t i)
{
    const int last = d->conditions - 1;

    if (simt_is_line(d->r, i, "if", NULL)) {
        if (d->conditions < SIMT_DEEPEST_IF)
            d->depth_at_if[d->conditions] = d->depth;
        d->conditions++;
        return 1;
    }
    if (!simt_is_line(d->r, i, "el", NULL) &&
        !simt_is_line(d->r, i, "endif", NULL))
        return 0;
    if (last >= 0 && last < SIMT_DEEPEST_IF) {
        d->is_tricky |= d->depth != d->depth_at_if[last];
        if (simt_is_line(d->r, i, "el", NULL))
            d->depth = d->depth_at_if[last];
    }
    if (simt_is_line(d->r, i, "endif", NULL))
        d->conditions -= d->conditions > 0;
    return 1;
}

/* The preprocessor line at i. Returns the token to go on with, SIMT_NO_TOKEN
   without memory. */
static size_t read_line(struct reader *d, size_t i)
{
    size_t next = i + 1;

    if (simt_is_line(d->r, i, "define", NULL)) {
        next = base_line_end(&d->r->tokens, i + 1);
        if (read_macro(d, i, next) != 0) {
            simt_fail(d->r, i, "not enough memory");
            return SIMT_NO_TOKEN;
        }
    } else if (read_condition(d, i)) {
        next = simt_behind_line(d->r, i);
    }
    if (d->name == SIMT_NO_TOKEN) {
        d->is_cut |= simt_skip(d->r, d->begin) < i;
        d->begin = next;
    }
    return next;
}

/* One token. Returns the token to go on with, SIMT_NO_TOKEN after a message. */
static size_t read_token(struct reader *d, size_t i)
{
    const enum scope scope = scope_now(d);
    const char c = simt_mark(d->r, i);

    if (d->r->tokens.token[i].kind == BASE_DIRECTIVE)
        return read_line(d, i);
    if (c == '{')
        return open_brace(d, i) == 0 ? i + 1 : SIMT_NO_TOKEN;
    if (c == '}') {
        close_brace(d, i);
        return i + 1;
    }
    if (scope == IN_FUNCTION || scope == IN_BLOCK) {
        if (d->r->tokens.token[i].kind == BASE_WORD && d->to->bodies > 0 &&
            read_within_function(d, i) != 0)
            return SIMT_NO_TOKEN;
        return i + 1;
    }
    if (c == ';') {
        if (end_declaration(d, i) != 0)
            return SIMT_NO_TOKEN;
        begin_declaration(d, i + 1);
        return i + 1;
    }
    return read_declaration(d, i);
}

/* 1 if as many brackets of each kind open as close. */
static int has_its_brackets(const struct rewriter *r)
{
    static const char kinds[] = "(){}[]";
    int open[3] = {0};

    for (size_t i = 0; i < r->tokens.count; i++) {
        const char c = simt_mark(r, i);
        const char *const kind = c != 0 ? strchr(kinds, c) : NULL;

        if (kind != NULL)
            open[(kind - kinds) / 2] += (kind - kinds) % 2 == 0 ? 1 : -1;
    }
    return open[0] == 0 && open[1] == 0 && open[2] == 0;
}

/* Of a file with a bracket too few nobody knows which function a line belongs
   to: g++ tells of it. */
static void forget_where_they_run(struct simt_functions *functions)
{
    for (size_t i = 0; i < functions->bodies; i++)
        functions->body[i].runs = SIMT_SOMEWHERE;
    for (size_t i = 0; i < functions->count; i++)
        functions->function[i].runs = SIMT_SOMEWHERE;
}

int simt_functions_read(struct simt_functions *functions,
                        const struct rewriter *r)
{
    struct reader d = {
        .to = functions, .r = r, .name = SIMT_NO_TOKEN, .begin = 0};

    functions->bodies = 0;
    for (size_t i = 0; i < r->tokens.count;) {
        if (simt_is_blank(r, i)) {
            i++;
            continue;
        }
        i = read_token(&d, i);
        if (i == SIMT_NO_TOKEN)
            return -1;
    }
    if (!has_its_brackets(r))
        forget_where_they_run(functions);
    return 0;
}
