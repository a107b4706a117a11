/* Writes the copy of a lab with all its small changes. See alternatives.h. The
   language is not parsed: what a word stands for is seen from the words beside
   it, and what is not understood stays as it is. */
#define _GNU_SOURCE
#include "alternatives.h"

#include "base/lexer.h"
#include "base/refuse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_VARIABLES = 400,
    MOST_MACROS = 60,
    MOST_OTHERS = 16, /* variables in the place of one */
    MOST_CALLS = 6,   /* forms of statements such as __syncthreads(); */
    WORD = 64,
    SIMT_ADJUSTED = 5 /* as choices.h has it */
};

/* What a name is, of those that changes are about. */
enum type {
    UNKNOWN,
    WHOLE, /* int, unsigned, bool and the like */
    REAL,
    OTHER /* float4 */
};

struct variable {
    char name[WORD];
    enum type type;
    int depth;       /* of brackets and stars */
    int is_shared;   /* in shared memory */
    size_t place;    /* of its declaration */
    size_t from, to; /* tokens where it is known */
};

/* A statement that may stand elsewhere: "__syncthreads();" */
struct call {
    char text[WORD];
};

struct copy {
    struct base_tokens t;
    size_t *partner;         /* of a bracket; 0 where there is none */
    char **before, **behind; /* what is written beside a token */
    struct variable variable[MOST_VARIABLES];
    int variables;
    struct {
        char name[WORD];
        size_t at;
    } macro[MOST_MACROS];
    int macros;
    struct call call[MOST_CALLS];
    int calls;
    int next; /* number of the next change */
    FILE *list;
    int failed; /* no memory */
};

/* --- looking -------------------------------------------------------------- */

static char mark(const struct copy *c, size_t i)
{
    return i < c->t.count ? base_mark(&c->t, i) : 0;
}

static int is(const struct copy *c, size_t i, const char *word)
{
    return base_token_is(&c->t, i, word);
}

static int is_word(const struct copy *c, size_t i)
{
    return i < c->t.count && c->t.token[i].kind == BASE_WORD;
}

static int is_number(const struct copy *c, size_t i)
{
    return is_word(c, i) &&
           isdigit((unsigned char)c->t.text[c->t.token[i].begin]);
}

/* The next token behind i that is no blank, and the last before it. */
static size_t behind(const struct copy *c, size_t i)
{
    do {
        i++;
    } while (i < c->t.count && base_token_is_blank(&c->t, i));
    return i;
}

static size_t before(const struct copy *c, size_t i)
{
    while (i > 0 && base_token_is_blank(&c->t, --i))
        ;
    return i;
}

/* 1 if token i is mark a and the next byte mark b. */
static int is_pair(const struct copy *c, size_t i, char a, char b)
{
    return mark(c, i) == a && mark(c, i + 1) == b;
}

static int is_one_of(const struct copy *c, size_t i, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (is(c, i, *words))
            return 1;
    }
    return 0;
}

static enum type type_of(const struct copy *c, size_t i)
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

static void find_partners(struct copy *c)
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
static size_t statement_end(const struct copy *c, size_t i)
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

static void add_variable(struct copy *c, size_t name, enum type type, int depth,
                         size_t to)
{
    struct variable *v = &c->variable[c->variables];

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
static void read_declaration(struct copy *c, size_t i, size_t until)
{
    int is_shared = 0;
    enum type type = UNKNOWN;

    for (; is_word(c, i); i = behind(c, i)) {
        const enum type t = type_of(c, i);

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
static size_t body_of(const struct copy *c, size_t i)
{
    const size_t end = c->partner[i];
    const size_t next = end > i ? behind(c, end) : 0;

    return mark(c, next) == '{' && is_word(c, before(c, i)) ? next : 0;
}

static void read_parameters(struct copy *c, size_t open, size_t until)
{
    for (size_t i = open; i < c->partner[open]; i = behind(c, i)) {
        if (mark(c, i) == '(' || mark(c, i) == ',')
            read_declaration(c, behind(c, i), until);
        if (mark(c, i) == '(' && i != open)
            i = c->partner[i];
    }
}

static void read_names(struct copy *c)
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
        } else if (m == '(' && depth == 0 && body_of(c, i) > 0) {
            read_parameters(c, i, c->partner[body_of(c, i)]);
        } else if (is(c, i, "for")) {
            const size_t open = behind(c, i);

            if (mark(c, open) == '(' && c->partner[open] > open) {
                read_declaration(c, behind(c, open),
                                 statement_end(c, behind(c, c->partner[open])));
            }
        }
        if ((m == '{' || m == '}' || m == ';') && depth > 0)
            read_declaration(c, behind(c, i), block[depth]);
    }
}

/* The variable that token i names, the nearest; NULL: none that is known. */
static const struct variable *find_variable(const struct copy *c, size_t i)
{
    for (int v = c->variables; v-- > 0;) {
        const struct variable *at = &c->variable[v];

        if (at->from < i && i < at->to && is(c, i, at->name))
            return at;
    }
    return NULL;
}

static int is_macro(const struct copy *c, size_t i)
{
    for (int m = 0; m < c->macros; m++) {
        if (is(c, i, c->macro[m].name))
            return 1;
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void add(struct copy *c, char **to,
                                                      const char *format, ...)
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

/* A call that takes in what is written there already. */
static void put_swap(struct copy *c, char **to, int change)
{
    char *const rest = *to;

    *to = NULL;
    add(c, to, "simt_swap(%d, ", change);
    if (rest != NULL)
        add(c, to, "%s", rest);
    free(rest);
}

/* Takes numbers for changes of what stands in the tokens from i to end. Returns
   the first. */
static int take(struct copy *c, int count, int kind, size_t i, size_t end)
{
    const struct base_token *t = c->t.token;
    const int first = c->next;

    c->next += count;
    fprintf(c->list, "    {%d, %d, %d, %d, \"", first, count, t[i].line - 1,
            kind);
    for (size_t at = t[i].begin; at < t[end].end; at++) {
        const char b = c->t.text[at];

        if (b == '"' || b == '\\')
            fputc('\\', c->list);
        fputc(b == '\n' ? ' ' : b, c->list);
    }
    fprintf(c->list, "\"},\n");
    return first;
}

/* The names of what could stand at i, each behind a comma; how many. */
static int others_at(const struct copy *c, size_t i, char *text, size_t size,
                     int sums)
{
    int count = 0;
    size_t used = 0;

    text[0] = '\0';
    for (int v = c->variables; v-- > 0 && count < MOST_OTHERS;) {
        const struct variable *at = &c->variable[v];
        /* Of two of one name the nearest, which comes first. */
        char key[WORD + 4];

        snprintf(key, sizeof key, ", %s,", at->name);
        if (at->from >= i || i >= at->to || at->type != WHOLE ||
            at->depth > 0 || is(c, i, at->name) || strstr(text, key) != NULL)
            continue;
        used += (size_t)snprintf(text + used, size - used, ", %s", at->name);
        count++;
        if (used + 2 * WORD > size)
            return count;
    }
    for (int m = 0; m < c->macros && count < 2 * MOST_OTHERS; m++) {
        if (is(c, i, c->macro[m].name) || c->macro[m].at > i)
            continue;
        used += (size_t)snprintf(text + used, size - used, ", %s",
                                 c->macro[m].name);
        count++;
        if (used + 2 * WORD > size)
            return count;
    }
    snprintf(text + used, size - used,
             sums ? ", 1, 2, 3, 4, 8" : ", 0, 1, 2, 4, 8, 16");
    return count + (sums ? 5 : 6);
}

/* The numbers that one may be multiplied with or divided by. */
static int scales_at(const struct copy *c, size_t i, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, ", 2, 4, 8");
    int count = 3;

    for (int m = 0; m < c->macros && m < MOST_OTHERS; m++) {
        if (c->macro[m].at > i || used + 2 * WORD > size)
            continue;
        used += (size_t)snprintf(text + used, size - used, ", %s",
                                 c->macro[m].name);
        count++;
    }
    return count;
}

/* --- what stays as it is -------------------------------------------------- */

/* 1 for a word behind which ( ) or [ ] hold what the compiler must know. */
static int is_constant(const struct copy *c, size_t i)
{
    static const char *const words[] = {
        "sizeof",        "alignas",   "__align__",
        "static_assert", "constexpr", "_Static_assert",
        "asm",           "decltype",  "__launch_bounds__",
        "SIMT_UNROLL",   NULL};

    return is_one_of(c, i, words);
}

/* 1 if a declaration begins at i that the compiler must know: of an array in
   shared memory, or a constant. */
static int is_fixed(const struct copy *c, size_t i)
{
    for (; is_word(c, i); i = behind(c, i)) {
        if (is(c, i, "__shared__") || is(c, i, "constexpr") ||
            is(c, i, "enum") || is(c, i, "extern") || is(c, i, "case") ||
            is(c, i, "static_assert") || is(c, i, "using") ||
            is(c, i, "typedef") || is(c, i, "struct") || is(c, i, "template"))
            return 1;
    }
    return 0;
}

/* 1 if the loops that begin at i, which are unrolled, do nothing but multiply
   and add what is in registers. They stay as they are: else all of it would be
   in memory, and take many times as long. */
static int is_in_registers(const struct copy *c, size_t i)
{
    const size_t end = is(c, i, "for") ? statement_end(c, i) : 0;
    int multiplies = 0, adds = 0;

    for (; i < end; i = behind(c, i)) {
        const struct variable *v = is_word(c, i) ? find_variable(c, i) : NULL;

        multiplies |= mark(c, i) == '*' && mark(c, before(c, i)) == ']';
        adds |= is_pair(c, i, '+', '=');
        if (v != NULL && v->is_shared)
            return 0;
    }
    return multiplies && adds;
}

/* --- changes -------------------------------------------------------------- */

/* 1 if what ends before i is an operand, so that a mark at i is an operator
   with two sides. */
static int is_behind_operand(const struct copy *c, size_t i)
{
    const size_t last = before(c, i);

    if (mark(c, last) == ']')
        return 1;
    if (mark(c, last) == ')') { /* but a cast */
        const size_t first = behind(c, c->partner[last]);

        return type_of(c, first) == UNKNOWN && !is(c, first, "const");
    }
    return is_word(c, last) && !is(c, last, "return") &&
           type_of(c, last) == UNKNOWN && !is(c, last, "const") &&
           (is_number(c, last) || is_macro(c, last) ||
            find_variable(c, last) != NULL || mark(c, before(c, last)) == '.' ||
            is_pair(c, before(c, last) - 1, '-', '>'));
}

/* Operators: another in its place. Returns the last token of it. */
static size_t change_operator(struct copy *c, size_t i)
{
    const char m = mark(c, i), next = mark(c, i + 1);
    size_t end = i;
    int count;

    if (m == 0 || strchr("+-*/%<>=!", m) == NULL)
        return i;
    if (next == '=' && strchr("<>=!", m) != NULL) {
        end = i + 1;
        count = 3;
    } else if (next == '=' || m == '=' || m == '!' || next == m ||
               (m == '-' && next == '>') || mark(c, i - 1) == m ||
               is_pair(c, i - 1, '-', '>')) {
        return next == m || (m == '-' && next == '>') ? i + 1 : i;
    } else {
        count = m == '+' || m == '/' || m == '%' ? 3 : m == '-' ? 2 : 4;
    }
    if (!is_behind_operand(c, i))
        return end;
    if (m == '*' && type_of(c, before(c, i)) != UNKNOWN)
        return end;
    add(c, &c->behind[end], " simt_operator{%d} %.*s",
        take(c, count, SIMT_OPERATION, i, end), (int)(end - i + 1),
        c->t.text + c->t.token[i].begin);
    return end;
}

/* 1 if the operand that ends at `end` is stored to, or its address taken. */
static int is_target(const struct copy *c, size_t begin, size_t end)
{
    const size_t next = behind(c, end), last = before(c, begin);

    if (mark(c, next) == '=' && mark(c, next + 1) != '=')
        return 1;
    if (mark(c, next) != 0 && strchr("+-*/%^|&", mark(c, next)) != NULL &&
        mark(c, next + 1) == '=')
        return 1;
    if (is_pair(c, next, '+', '+') || is_pair(c, next, '-', '-') ||
        is_pair(c, next, '<', '<') || is_pair(c, next, '>', '>'))
        return 1;
    if (mark(c, last) == '&' && mark(c, last - 1) != '&')
        return 1;
    return (mark(c, last) == '+' && mark(c, last - 1) == '+') ||
           (mark(c, last) == '-' && mark(c, last - 1) == '-');
}

/* A word as an operand: another in its place. Returns its last token. */
static size_t change_operand(struct copy *c, size_t i)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim",
                                         "gridDim", NULL};
    const struct variable *v = find_variable(c, i);
    const size_t last = before(c, i);
    const int is_place = is_one_of(c, i, places);
    char others[2000];
    size_t end = i, next = behind(c, i);
    int count;

    /* A member, a called function, a name that is declared. */
    if (mark(c, last) == '.' || is_pair(c, last - 1, '-', '>') ||
        mark(c, next) == '(' || type_of(c, last) != UNKNOWN ||
        is_pair(c, next, ':', ':'))
        return i;
    if (is_place) {
        if (mark(c, next) != '.')
            return i;
        end = behind(c, next);
    } else if (v != NULL && v->depth > 0) {
        /* An array: another of its shape, if it stands before an index. */
        if (mark(c, next) != '[' && mark(c, next) != ',' &&
            mark(c, next) != ')')
            return i;
        for (int o = c->variables; o-- > 0;) {
            const struct variable *other = &c->variable[o];

            if (other->from >= i || i >= other->to ||
                other->depth != v->depth || other->type != v->type ||
                strcmp(other->name, v->name) == 0)
                continue;
            add(c, &c->before[i], "simt_pick_array(%d, ",
                take(c, 1, SIMT_OPERAND, i, i));
            add(c, &c->behind[i], ", %s)", other->name);
        }
        return i;
    } else if (v == NULL ? !is_number(c, i) && !is_macro(c, i)
                         : v->type != WHOLE) {
        return i;
    }
    if (is_number(c, i) &&
        strpbrk(c->t.text + c->t.token[i].begin, ".fx") != NULL) {
        const size_t length = c->t.token[i].end - c->t.token[i].begin;

        if (memchr(c->t.text + c->t.token[i].begin, '.', length) != NULL ||
            mark(c, i + 1) == '.' ||
            memchr(c->t.text + c->t.token[i].begin, 'x', length) != NULL)
            return i;
    }
    if (is_target(c, i, end))
        return end;
    count = others_at(c, i, others, sizeof others, 0);
    if (is_place) {
        for (const char *const *p = places; *p != NULL; p++) {
            for (const char *x = "xy"; *x != '\0'; x++) {
                const size_t used = strlen(others);

                if (is(c, i, *p) && mark(c, end) == 0 &&
                    c->t.text[c->t.token[end].begin] == *x)
                    continue;
                snprintf(others + used, sizeof others - used, ", %s.%c", *p,
                         *x);
                count++;
            }
        }
    }
    if (v != NULL || is_place) {
        char scales[1000];
        const int many = scales_at(c, i, scales, sizeof scales);

        add(c, &c->before[i], "simt_scale(%d, ",
            take(c, 2 * many, SIMT_ADJUSTMENT, i, end));
        add(c, &c->before[i], "simt_pick(%d, ",
            take(c, count, SIMT_OPERAND, i, end));
        add(c, &c->behind[end], "%s)%s)", others, scales);
    } else {
        add(c, &c->before[i], "simt_pick(%d, ",
            take(c, count, SIMT_OPERAND, i, end));
        add(c, &c->behind[end], "%s)", others);
    }
    return end;
}

/* A component of a float4: another. */
static void change_component(struct copy *c, size_t i)
{
    const size_t dot = before(c, i), last = before(c, dot);
    const size_t next = behind(c, i);
    const char at = c->t.text[c->t.token[i].begin];
    size_t begin = last;

    if (mark(c, dot) != '.' || c->t.token[i].end - c->t.token[i].begin != 1 ||
        strchr("xyzw", at) == NULL || mark(c, next) == '.' ||
        mark(c, next) == '[')
        return;
    while (mark(c, begin) == ']')
        begin = before(c, c->partner[begin]);
    if (find_variable(c, begin) == NULL ||
        find_variable(c, begin)->type != OTHER ||
        mark(c, before(c, begin)) == '&' || mark(c, before(c, begin)) == '-' ||
        mark(c, before(c, begin)) == ')' || mark(c, before(c, begin)) == '*')
        return;
    add(c, &c->before[dot], "->*simt_component{%d, %d} /*",
        take(c, 3, SIMT_OPERAND, begin, i), (int)(strchr("xyzw", at) - "xyzw"));
    add(c, &c->behind[i], "*/");
}

/* A whole expression between two tokens: with another term or factor. */
static void change_expression(struct copy *c, size_t from, size_t to)
{
    const size_t first = behind(c, from), last = before(c, to);
    char others[2000];
    int count;

    if (first >= to)
        return;
    for (size_t i = first; i < to; i = behind(c, i)) {
        const char m = mark(c, i);

        if (m == ',' || m == '{' || m == '"' ||
            c->t.token[i].kind == BASE_STRING ||
            c->t.token[i].kind == BASE_DIRECTIVE || is(c, i, "new"))
            return;
        if ((m == '(' || m == '[') && c->partner[i] > i)
            i = c->partner[i];
    }
    count = others_at(c, first, others, sizeof others, 1);
    add(c, &c->behind[from], " simt_adjust(%d, (",
        take(c, SIMT_ADJUSTED * count, SIMT_ADJUSTMENT, first, last));
    /* What is written before `to` stands inside of what was written before. */
    add(c, &c->before[to], ")%s)", others);
}

/* The indices of [row][col] that begin at the bracket i, exchanged. */
static void change_order(struct copy *c, size_t i)
{
    const size_t end = c->partner[i], next = behind(c, end);
    const struct base_token *t = c->t.token;
    size_t last;
    int change;

    if (mark(c, next) != '[')
        return;
    last = c->partner[next];
    if (t[i].line != t[last].line)
        return;
    change = take(c, 1, SIMT_ORDER, i, last);
    put_swap(c, &c->behind[i], change);
    add(c, &c->before[end], ", %.*s)", (int)(t[last].begin - t[next].end),
        c->t.text + t[next].end);
    put_swap(c, &c->behind[next], change);
    add(c, &c->before[last], ", %.*s)", (int)(t[end].begin - t[i].end),
        c->t.text + t[i].end);
}

/* A statement that adds to a variable, or sets it: the other. */
static void change_sum(struct copy *c, size_t begin)
{
    const struct variable *v = find_variable(c, begin);
    const struct base_token *t = c->t.token;
    size_t at = behind(c, begin), end;
    int depth = 0, change;

    if (v == NULL || v->type != REAL || v->place == begin)
        return;
    for (; mark(c, at) == '['; at = behind(c, c->partner[at]))
        depth++;
    end = statement_end(c, begin);
    if (depth != v->depth || mark(c, end) != ';')
        return;
    if (is_pair(c, at, '+', '=')) {
        change = take(c, 1, SIMT_SUM, at, at + 1);
        add(c, &c->behind[at + 1], " (simt_made(%d, 1) == 0 ? -(%.*s) : 0) + (",
            change, (int)(t[before(c, at)].end - t[begin].begin),
            c->t.text + t[begin].begin);
        add(c, &c->before[end], ")");
    } else if (mark(c, at) == '=' && mark(c, at + 1) != '=') {
        change = take(c, 1, SIMT_SUM, at, at);
        add(c, &c->behind[at], " (simt_made(%d, 1) == 0 ? (%.*s) : 0) + (",
            change, (int)(t[before(c, at)].end - t[begin].begin),
            c->t.text + t[begin].begin);
        add(c, &c->before[end], ")");
    }
}

/* --- statements such as __syncthreads(); ---------------------------------- */

/* The ; of a call such as __syncthreads(); or __pipeline_wait_prior(0); that
   begins at i; 0: it is none. */
static size_t call_end(const struct copy *c, size_t i)
{
    const size_t open = behind(c, i), close = c->partner[open];
    const size_t last = before(c, i);

    if (!is_word(c, i) || mark(c, open) != '(' || close <= open ||
        (c->t.token[i].end - c->t.token[i].begin) < 2 ||
        strncmp(c->t.text + c->t.token[i].begin, "__", 2) != 0 ||
        mark(c, behind(c, close)) != ';' ||
        (mark(c, last) != ';' && mark(c, last) != '{' && mark(c, last) != '}' &&
         mark(c, last) != ')' && !is(c, last, "else")))
        return 0;
    return behind(c, open) == close || (is_number(c, behind(c, open)) &&
                                        behind(c, behind(c, open)) == close)
               ? behind(c, close)
               : 0;
}

static void add_call(struct copy *c, const char *text)
{
    for (int i = 0; i < c->calls; i++) {
        if (strcmp(c->call[i].text, text) == 0)
            return;
    }
    if (c->calls < MOST_CALLS)
        snprintf(c->call[c->calls++].text, WORD, "%s", text);
}

/* The text of the tokens from i to end, without blanks. */
static void copy_call(const struct copy *c, size_t i, size_t end, char *text)
{
    size_t used = 0;

    for (; i <= end; i = behind(c, i)) {
        char word[WORD];

        base_token_copy(&c->t, i, word, sizeof word);
        used += (size_t)snprintf(text + used, WORD - used, "%s", word);
        if (used >= WORD)
            break;
    }
}

/* 1 if a statement may be put in behind token i. */
static int is_place(const struct copy *c, size_t i, size_t body)
{
    const size_t next = behind(c, i);

    if (is(c, next, "else") || next >= c->partner[body])
        return 0;
    if (mark(c, i) == ';') { /* but in the head of a for */
        for (size_t at = i; at > body; at = before(c, at)) {
            if (mark(c, at) == '(' && c->partner[at] > i)
                return 0;
            if (mark(c, at) == '{' && c->partner[at] > i)
                return 1;
        }
        return 1;
    }
    if (mark(c, i) == '{') {
        const size_t last = before(c, i);

        return mark(c, last) == ')' || mark(c, last) == ';' ||
               (mark(c, last) == '{' && is_place(c, last, body)) ||
               mark(c, last) == '}' || is(c, last, "else") || is(c, last, "do");
    }
    return mark(c, i) == '}' && is_place(c, c->partner[i], body) &&
           mark(c, next) != ';' && mark(c, next) != ',' &&
           mark(c, next) != ')' && !is(c, next, "while");
}

/* In a function that runs on the device: each call is left out, put in and
   moved. */
static void change_calls(struct copy *c, size_t body)
{
    const size_t end = c->partner[body];

    for (int k = 0; k < c->calls; k++) {
        const char *const text = c->call[k].text;
        int places = 0, sites = 0, place = 0, site = 0, put, moved;
        char here[WORD];

        for (size_t i = body; i < end; i = behind(c, i)) {
            places += is_place(c, i, body);
            if (call_end(c, i) > 0) {
                copy_call(c, i, call_end(c, i), here);
                sites += strcmp(here, text) == 0;
            }
        }
        if (places == 0)
            continue;
        put = c->next;
        moved = put + places;
        c->next = moved + sites * places + sites;
        for (size_t i = body; i < end; i = behind(c, i)) {
            if (is_place(c, i, body)) {
                fprintf(c->list, "    {%d, 1, %d, %d, \"%s\"},\n", put + place,
                        c->t.token[i].line - 1, SIMT_PUT, text);
                add(c, &c->behind[i], " if (simt_put(%d, %d, %d, %d, %d)) %s",
                    put + place, moved, sites, places, place, text);
                place++;
            }
            if (call_end(c, i) == 0)
                continue;
            copy_call(c, i, call_end(c, i), here);
            if (strcmp(here, text) != 0)
                continue;
            fprintf(c->list,
                    "    {%d, %d, %d, %d, \"%s\"},\n"
                    "    {%d, 1, %d, %d, \"%s\"},\n",
                    moved + site * places, places, c->t.token[i].line - 1,
                    SIMT_MOVED, text, moved + sites * places + site,
                    c->t.token[i].line - 1, SIMT_REMOVED, text);
            add(c, &c->before[i], "if (simt_stays(%d, %d, %d)) ",
                moved + sites * places + site, moved + site * places, places);
            site++;
        }
    }
}

/* --- the walk ------------------------------------------------------------- */

static void find_calls(struct copy *c)
{
    char text[WORD];

    add_call(c, "__syncthreads();");
    for (size_t i = 0; i < c->t.count; i++) {
        if (call_end(c, i) > 0) {
            copy_call(c, i, call_end(c, i), text);
            add_call(c, text);
        }
    }
}

/* 1 if the function of which the body begins there runs on the device. */
static int is_device(const struct copy *c, size_t body)
{
    size_t i = before(c, body);

    while (i > 0 && mark(c, i) != ';' && mark(c, i) != '}') {
        if (is(c, i, "__global__") || is(c, i, "__device__"))
            return 1;
        i = before(c, i);
    }
    return 0;
}

static void change_body(struct copy *c, size_t body)
{
    const size_t end = c->partner[body];

    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        const size_t last = before(c, i);
        const int begins = mark(c, last) == ';' || mark(c, last) == '{' ||
                           mark(c, last) == '}' || mark(c, last) == ')';

        if (c->t.token[i].kind == BASE_DIRECTIVE)
            continue;
        if (begins && is_fixed(c, i)) {
            i = statement_end(c, i);
            continue;
        }
        if (is_constant(c, i)) {
            const size_t open = behind(c, i);

            if (is(c, i, "SIMT_UNROLL") &&
                is_in_registers(c, behind(c, c->partner[open]))) {
                i = statement_end(c, behind(c, c->partner[open]));
                continue;
            }
            i = mark(c, open) == '(' && c->partner[open] > open
                    ? c->partner[open]
                    : i;
            continue;
        }
        if (begins)
            change_sum(c, i);
        if (mark(c, i) == '[') {
            /* Of a declaration: how large it is. */
            const size_t name = before(c, i);
            const struct variable *v = NULL;

            for (int n = 0; n < c->variables; n++) {
                if (c->variable[n].place == name)
                    v = &c->variable[n];
            }
            if (v != NULL) {
                while (mark(c, behind(c, c->partner[i])) == '[')
                    i = behind(c, c->partner[i]);
                i = c->partner[i];
                continue;
            }
            if (mark(c, name) != '_' && name != body &&
                (is_word(c, name) || mark(c, name) == ']'))
                change_expression(c, i, c->partner[i]);
            continue;
        }
        if (mark(c, i) == '=' && mark(c, i + 1) != '=' &&
            mark(c, i - 1) != '=' && mark(c, i - 1) != '<' &&
            mark(c, i - 1) != '>' && mark(c, i - 1) != '!' &&
            is_word(c, last)) {
            const struct variable *v = NULL;

            for (int n = 0; n < c->variables; n++) {
                if (c->variable[n].place == last)
                    v = &c->variable[n];
            }
            if (v != NULL && v->type == WHOLE && v->depth == 0) {
                size_t to = i;

                while (mark(c, to) != ';' && mark(c, to) != ',' && to < end) {
                    to = behind(c, mark(c, to) != 0 &&
                                           strchr("([{", mark(c, to)) &&
                                           c->partner[to] > to
                                       ? c->partner[to]
                                       : to);
                }
                change_expression(c, i, to);
            }
            continue;
        }
        if (is(c, i, "return") && mark(c, behind(c, i)) != ';')
            change_expression(c, i, statement_end(c, i));
        if (is_word(c, i)) {
            change_component(c, i);
            i = change_operand(c, i);
        } else if (mark(c, i) != 0) {
            i = change_operator(c, i);
        }
    }
    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        if (mark(c, i) == '[' && c->behind[i] != NULL)
            change_order(c, i);
    }
    if (is_device(c, body))
        change_calls(c, body);
}

static void change_all(struct copy *c)
{
    for (size_t i = 0; i < c->t.count; i++) {
        if (is(c, i, "asm"))
            return;
        if (mark(c, i) != '(' || body_of(c, i) == 0)
            continue;
        i = body_of(c, i);
        change_body(c, i);
        i = c->partner[i];
    }
}

static void write_copy(struct copy *c, FILE *output, const char *list)
{
    fputs("#include \"simt/alternatives/choices.h\"\n", output);
    for (size_t i = 0; i < c->t.count; i++) {
        const struct base_token *t = &c->t.token[i];

        fprintf(output, "%s%.*s%s", c->before[i] != NULL ? c->before[i] : "",
                (int)(t->end - t->begin), c->t.text + t->begin,
                c->behind[i] != NULL ? c->behind[i] : "");
    }
    fprintf(output,
            "\nextern \"C\" const struct {\n"
            "    int first, count, line, kind;\n"
            "    const char *here;\n"
            "} simt_alternatives[] = {\n%s    {0, 0, 0, 0, \"\"}};\n",
            list);
}

int simt_alternatives_write(const char *text, size_t size, FILE *output,
                            char *why, size_t why_size)
{
    struct copy *c = calloc(1, sizeof *c);
    char *list = NULL;
    size_t list_size;
    int code = -1;

    if (c == NULL)
        return base_refuse(why, why_size, "no memory");
    c->next = 1;
    c->list = open_memstream(&list, &list_size);
    if (base_lex(text, size, &c->t, why, why_size) == 0 && c->list != NULL) {
        c->partner = calloc(c->t.count + 1, sizeof *c->partner);
        c->before = calloc(c->t.count + 1, sizeof *c->before);
        c->behind = calloc(c->t.count + 1, sizeof *c->behind);
        if (c->partner != NULL && c->before != NULL && c->behind != NULL) {
            find_partners(c);
            read_names(c);
            find_calls(c);
            change_all(c);
            code = 0;
        }
    }
    if (c->list != NULL && fclose(c->list) == 0 && code == 0 && !c->failed) {
        write_copy(c, output, list);
    } else if (code == 0 || c->failed) {
        code = base_refuse(why, why_size, "no memory");
    }
    for (size_t i = 0; c->before != NULL && c->behind != NULL && i < c->t.count;
         i++) {
        free(c->before[i]);
        free(c->behind[i]);
    }
    free(c->before);
    free(c->behind);
    free(c->partner);
    free(list);
    base_tokens_free(&c->t);
    free(c);
    return code;
}
