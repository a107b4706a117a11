/* The value of an expression: see source_number.h. */
#include "source_number_parts.h"

#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 30 /* names that are made of names */
};

static struct lab_value one_expression(struct lab_walk *w, struct lab_at *x);

/* The whole of what stands between two tokens. */
struct lab_value lab_number_all(struct lab_walk *w, const struct lab_call *in,
                                size_t from, size_t end)
{
    struct lab_at x = {from, end, in};
    const struct lab_value v = one_expression(w, &x);

    return x.i == end ? v : lab_unknown;
}

/* What stands from that token on, up to one of these marks. */
struct lab_value lab_number_to(struct lab_walk *w, const struct lab_call *in,
                               size_t from, const char *marks)
{
    struct lab_at x = {from, w->t->count, in};
    const struct lab_value v = one_expression(w, &x);

    return lab_number_mark(w, &x) != '\0' &&
                   strchr(marks, lab_number_mark(w, &x)) != NULL
               ? v
               : lab_unknown;
}

/* --- names and calls ---------------------------------------------------- */

static void keep(struct lab_walk *w, size_t at, int line, const char *name,
                 struct lab_value v)
{
    struct lab_named *to = &w->named[w->count];

    for (int i = 0; i < w->count; i++) {
        if (w->named[i].at == at)
            return;
    }
    if (v.is != LAB_NUMBER || w->count == LAB_NAMED)
        return;
    *to =
        (struct lab_named){.at = at, .line = line, .n = v.n, .level = w->level};
    snprintf(to->name, sizeof to->name, "%s", name);
    w->count++;
}

/* A variable of the function, that is set at token `set`, for token `at`. */
static struct lab_value variable(struct lab_walk *w, const struct lab_call *in,
                                 size_t set, size_t at, const char *word)
{
    const struct base_tokens *t = w->t;
    const size_t loop = lab_number_loop_of(t, set);
    size_t begin = loop != LAB_NONE ? loop + 1 : lab_text_statement(t, set);
    size_t declared = set;
    struct lab_value v;

    for (int i = 0; loop != LAB_NONE && i < w->loops; i++) {
        if (w->loop[i].at == set) {
            v = w->loop[i].is_known ? lab_number(w->loop[i].n, 0) : lab_unknown;
            keep(w, set, t->token[set].line, word, v);
            return v;
        }
    }
    if (loop != LAB_NONE) {
        if (w->wanted == LAB_NONE) {
            w->wanted = set;
            w->wanted_in = in;
        }
        return lab_unknown;
    }
    if (begin == set) { /* it was declared before */
        while (declared > in->body &&
               !(base_token_is(t, declared, word) && declared != set &&
                 (base_mark(t, declared + 1) == ';' ||
                  base_mark(t, declared + 1) == ',') &&
                 (base_mark(t, declared - 1) == ',' ||
                  t->token[declared - 1].kind == BASE_WORD)))
            declared--;
        begin = lab_text_statement(t, declared);
    }
    while (begin < declared && t->token[begin].kind == BASE_DIRECTIVE)
        begin++;
    if (declared == in->body || !lab_number_is_type(t, begin) ||
        lab_text_closing(t, lab_text_block(t, set)) < at)
        return lab_unknown;
    if (lab_number_is_changed(t, word, declared,
                              lab_text_closing(t, lab_text_block(t, declared)),
                              set))
        return lab_unknown;
    w->level++;
    v = lab_number_converted(t, begin, declared,
                             lab_number_to(w, in, set + 2, ";,"));
    w->level--;
    keep(w, set, t->token[set].line, word, v);
    return v;
}

/* How long the array is in its dimension of that number, from 0; 0: there is
   none; -1: it is not known. */
static long long dimension(struct lab_walk *w, size_t array, int nth)
{
    size_t i = array + 1 + (base_mark(w->t, array + 1) == ')');
    struct lab_value v;

    for (; nth > 0 && base_mark(w->t, i) == '['; nth--)
        i = lab_text_closing(w->t, i) + 1;
    if (base_mark(w->t, i) != '[')
        return 0;
    if (base_mark(w->t, i + 1) == ']')
        return 1; /* extern */
    v = lab_number_all(w, NULL, i + 1, lab_text_closing(w->t, i));
    return v.is == LAB_NUMBER && v.n > 0 ? v.n : -1;
}

static struct lab_value array_value(struct lab_walk *w, size_t array)
{
    struct lab_value v = {.is = LAB_POINTER, .array = array, .width = 1};

    while (dimension(w, array, v.indices) != 0)
        v.indices++;
    return v;
}

/* A parameter: what its call gives it. */
static struct lab_value parameter(struct lab_walk *w, const struct lab_call *in,
                                  size_t i, size_t open, const char *word)
{
    const struct base_tokens *t = w->t;
    const struct simt_host_call *launch;
    size_t from, begin = open + 1;
    struct lab_value v;
    int nth = 0;

    if (w->seen == NULL ||
        lab_number_is_changed(t, word, in->body, lab_text_closing(t, in->body),
                              LAB_NONE))
        return lab_unknown;
    launch = w->seen->launch;
    for (size_t j = open + 1; j < i; j++) {
        if (base_mark(t, j) != ',')
            continue;
        begin = j + 1;
        nth++;
    }
    if (in->from == NULL) {
        if (lab_number_has_word(t, begin, i, " * ")) {
            return (struct lab_value){
                .is = LAB_POINTER, .array = i, .indices = 1, .width = 1};
        }
        if (nth >= SIMT_CALL_ARGUMENTS || !(launch->ints >> nth & 1))
            return lab_unknown;
        return lab_number_converted(t, begin, i,
                                    lab_number(launch->number[nth], 0));
    }
    for (from = in->open + 1; nth > 0; nth--) {
        while (from < t->count && base_mark(t, from) != ',' &&
               base_mark(t, from) != ')')
            from = lab_text_closing(t, from) + 1;
        if (base_mark(t, from++) != ',')
            return lab_unknown;
    }
    v = lab_number_converted(t, begin, i,
                             lab_number_to(w, in->from, from, ",)"));
    if (!base_token_is(t, from, word)) /* it is handed on */
        keep(w, i, t->token[in->open].line, word, v);
    return v;
}

/* A #define, or a constant outside of all functions. */
static struct lab_value constant(struct lab_walk *w, size_t set,
                                 const char *word)
{
    const struct base_tokens *t = w->t;
    const int is_macro = t->token[set].kind == BASE_DIRECTIVE;
    size_t i = set + 1 + !is_macro;
    struct lab_at x = {i, t->count, NULL};
    struct lab_value v;

    for (size_t other = set + 1; other < t->count; other++) {
        if (base_is_directive(t, other, "define", word) ||
            base_is_directive(t, other, "undef", word))
            return lab_unknown;
    }
    if (!is_macro) {
        v = one_expression(w, &x);
        return lab_number_mark(w, &x) == '\0' ? lab_unknown : v;
    }
    x.end = lab_text_begin(t, t->token[set].line + 1);
    /* What is not in brackets is another number beside an operator. */
    if (x.end != i + 1 &&
        (base_mark(t, i) != '(' || lab_text_closing(t, i) + 1 != x.end))
        return lab_unknown;
    w->inside++;
    v = lab_number_all(w, NULL, i, x.end);
    w->inside--;
    if (w->inside == 0 && x.end != i + 1)
        keep(w, set, t->token[set].line, word, v);
    return v;
}

static struct lab_value name_value(struct lab_walk *w, struct lab_at *x)
{
    const struct base_tokens *t = w->t;
    const size_t i = x->i++, function = lab_text_function(t, i);
    const size_t body =
        x->in != NULL && function == x->in->body ? function : t->count;
    const size_t open =
        body < t->count ? lab_text_matching(t, body - 1, -1) : body;
    char word[80];
    size_t set, array, at;

    base_token_copy(t, i, word, sizeof word);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return lab_number(word[0] == 't', 0);
    set = lab_text_definition(t, i, word);
    if (x->in != NULL && set != LAB_NONE && set > body && set < i)
        return variable(w, x->in, set, i, word);
    array = lab_text_declared(t, i, word);
    if (array != LAB_NONE && array > body)
        return array_value(w, array);
    at = body < t->count ? lab_text_find(t, open, body, word) : LAB_NONE;
    if (at != LAB_NONE)
        return parameter(w, x->in, at, open, word);
    return set != LAB_NONE && lab_text_function(t, set) == LAB_NONE
               ? constant(w, set, word)
               : lab_unknown;
}

/* --- calls ---------------------------------------------------------------- */

/* The body of the function of that name, or LAB_NONE. */
static size_t body_of(const struct base_tokens *t, const char *word)
{
    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, word) && base_mark(t, i + 1) == '(' &&
            base_mark(t, lab_text_closing(t, i + 1) + 1) == '{')
            return lab_text_closing(t, i + 1) + 1;
    }
    return LAB_NONE;
}

/* What the function returns, if that stands in one place. */
static struct lab_value returned(struct lab_walk *w, const struct lab_call *in,
                                 size_t i)
{
    const struct base_tokens *t = w->t;
    char word[60], name[64];
    struct lab_call call = {in, i + 1, LAB_NONE};
    size_t end, at = LAB_NONE;
    struct lab_value v;
    struct lab_at x;

    base_token_copy(t, i, word, sizeof word);
    call.body = body_of(t, word);
    if (call.body == LAB_NONE || in == NULL)
        return lab_unknown;
    end = lab_text_closing(t, call.body);
    for (size_t j = call.body; j < end; j++) {
        if (base_token_is(t, j, "return")) {
            if (at != LAB_NONE)
                return lab_unknown;
            at = j;
        }
    }
    if (at == LAB_NONE || lab_text_block(t, at) != call.body ||
        lab_text_statement(t, at) != at)
        return lab_unknown;
    x = (struct lab_at){at + 1, end, &call};
    w->level++;
    v = one_expression(w, &x);
    w->level--;
    if (v.is != LAB_NUMBER || lab_number_mark(w, &x) != ';')
        return lab_unknown;
    snprintf(name, sizeof name, "%s()", word);
    keep(w, at, t->token[at].line, name, v);
    return v;
}

/* A call: of the token of its name. */
static struct lab_value call_value(struct lab_walk *w, struct lab_at *x)
{
    const struct base_tokens *t = w->t;
    const size_t i = x->i, close = lab_text_closing(t, i + 1);
    const int is_min = base_token_is(t, i, "min");
    struct lab_at y = {i + 2, close, x->in};
    struct lab_value a, b;

    x->i = close + 1;
    if (base_token_is(t, i, "sizeof")) {
        return close == i + 3 && base_token_is(t, i + 2, "float")
                   ? lab_number(4, 1)
               : close == i + 3 && base_token_is(t, i + 2, "float4")
                   ? lab_number(16, 1)
                   : lab_unknown;
    }
    if (!is_min && !base_token_is(t, i, "max") &&
        !base_token_is(t, i, "lab_ceil_div"))
        return returned(w, x->in, i);
    a = one_expression(w, &y);
    y.i++;
    b = one_expression(w, &y);
    if (a.is != LAB_NUMBER || b.is != LAB_NUMBER || y.i != close ||
        ((a.is_unsigned | b.is_unsigned) && (a.n < 0 || b.n < 0)))
        return lab_unknown;
    if (base_token_is(t, i, "lab_ceil_div"))
        return b.n > 0 ? lab_number((a.n + b.n - 1) / b.n, 0) : lab_unknown;
    return is_min == (a.n < b.n) ? a : b;
}

/* --- operands and operators ----------------------------------------------- */

/* A pointer that many elements on. */
static struct lab_value moved(struct lab_walk *w, struct lab_value p,
                              long long by)
{
    int dimensions = 0;

    while (dimension(w, p.array, dimensions) != 0)
        dimensions++;
    for (int i = 1; i < p.indices; i++) {
        const long long length = dimension(w, p.array, dimensions - i);

        if (length <= 0)
            return lab_unknown;
        by *= length;
    }
    p.n += by * p.width;
    return p;
}

static struct lab_value element(struct lab_walk *w, struct lab_value p,
                                struct lab_value index)
{
    if (p.is != LAB_POINTER || index.is != LAB_NUMBER)
        return lab_unknown;
    p = moved(w, p, index.n);
    p.is = p.is == LAB_NO_VALUE ? LAB_NO_VALUE
           : p.indices == 1     ? LAB_AN_ELEMENT
                                : LAB_POINTER;
    p.indices -= p.is == LAB_POINTER;
    return p;
}

static struct lab_value primary(struct lab_walk *w, struct lab_at *x)
{
    const struct base_tokens *t = w->t;
    struct lab_value v = lab_unknown;
    char word[80];

    base_token_copy(t, x->i < x->end ? x->i : t->count - 1, word, sizeof word);
    if (lab_number_mark(w, x) == '(') {
        const size_t close = lab_text_closing(t, x->i);

        v = lab_number_all(w, x->in, x->i + 1, close);
        x->i = close + 1;
    } else if (x->i >= x->end || t->token[x->i].kind != BASE_WORD) {
        x->i = x->end; /* nothing that is known here */
    } else if (word[0] >= '0' && word[0] <= '9') {
        v = lab_number_literal(word);
        x->i++;
    } else if (w->seen != NULL && lab_number_built_in(w, x->i, &v)) {
        x->i += 3;
    } else if (base_mark(t, x->i + 1) == '(') {
        v = call_value(w, x);
    } else {
        v = name_value(w, x);
    }
    while (x->i < x->end) {
        const char c = lab_number_mark(w, x);

        if (c == '[') {
            const size_t close = lab_text_closing(t, x->i);

            v = element(w, v, lab_number_all(w, x->in, x->i + 1, close));
            x->i = close + 1;
        } else if (c == '.') {
            v = lab_unknown;
            x->i += 2;
        } else if (c == '-' && base_mark(t, x->i + 1) == '>') {
            v = lab_unknown;
            x->i += 3;
        } else {
            return v;
        }
    }
    return v;
}

static struct lab_value operand(struct lab_walk *w, struct lab_at *x);

static struct lab_value cast(struct lab_walk *w, struct lab_at *x)
{
    const struct base_tokens *t = w->t;
    const size_t from = x->i + 1, close = lab_text_closing(t, x->i);
    struct lab_value v;

    x->i = close + 1;
    v = operand(w, x);
    if (!lab_number_has_word(t, from, close, " * ") || v.is != LAB_POINTER)
        return lab_number_converted(t, from, close, v);
    v.indices = 1;
    v.width = lab_number_has_word(t, from, close, " float4 ")   ? 4
              : lab_number_has_word(t, from, close, " float2 ") ? 2
                                                                : 1;
    return v;
}

static struct lab_value operand(struct lab_walk *w, struct lab_at *x)
{
    const char c = lab_number_mark(w, x);
    struct lab_value v;

    if (c == '(' && lab_number_is_cast(w->t, x->i))
        return cast(w, x);
    if (c == '\0' || strchr("+-!~*&", c) == NULL)
        return primary(w, x);
    if (c == base_mark(w->t, x->i + 1)) { /* ++ and -- */
        x->i = x->end;
        return lab_unknown;
    }
    x->i++;
    v = operand(w, x);
    if (c == '*' || c == '&') {
        if (v.is != (c == '*' ? LAB_POINTER : LAB_AN_ELEMENT) ||
            (c == '*' && v.indices != 1))
            return lab_unknown;
        v.is = c == '*' ? LAB_AN_ELEMENT : LAB_POINTER;
        return v;
    }
    if (v.is != LAB_NUMBER)
        return lab_unknown;
    return c == '!'   ? lab_number(v.n == 0, 0)
           : c == '+' ? v
           : c == '-' ? lab_number(-v.n, v.is_unsigned)
                      : lab_unknown;
}

static struct lab_value apply(struct lab_walk *w, struct lab_value a, int kind,
                              struct lab_value b)
{
    if (a.is == LAB_POINTER && b.is == LAB_NUMBER &&
        (kind == LAB_KIND('+', 0) || kind == LAB_KIND('-', 0)))
        return moved(w, a, kind == LAB_KIND('+', 0) ? b.n : -b.n);
    if (a.is == LAB_NUMBER && b.is == LAB_POINTER && kind == LAB_KIND('+', 0))
        return moved(w, b, a.n);
    return lab_number_operated(a, kind, b);
}

static struct lab_value operation(struct lab_walk *w, struct lab_at *x,
                                  int least)
{
    struct lab_value v = operand(w, x);
    int strength, kind;

    while ((strength = lab_number_operator(w, x, &kind)) >= least &&
           strength > 0) {
        x->i += (kind & 0xff) != 0 ? 2 : 1;
        v = apply(w, v, kind, operation(w, x, strength + 1));
    }
    return v;
}

/* One expression, up to a mark that ends it. */
static struct lab_value one_expression(struct lab_walk *w, struct lab_at *x)
{
    struct lab_value v, yes, no;

    if (w->depth == DEEPEST) {
        x->i = x->end;
        return lab_unknown;
    }
    w->depth++;
    v = operation(w, x, 1);
    if (lab_number_mark(w, x) == '?') {
        x->i++;
        yes = one_expression(w, x);
        if (lab_number_mark(w, x) != ':')
            x->i = x->end;
        x->i++;
        no = one_expression(w, x);
        v = v.is != LAB_NUMBER ? lab_unknown : v.n != 0 ? yes : no;
    }
    w->depth--;
    return v;
}

struct lab_value lab_number_operand(struct lab_walk *w,
                                    const struct lab_call *in, size_t i)
{
    struct lab_at x = {i, w->t->count, in};

    return operand(w, &x);
}

struct lab_value lab_number_read(struct lab_walk *w, const struct lab_call *in,
                                 size_t from, size_t end)
{
    return lab_number_all(w, in, from, end);
}
