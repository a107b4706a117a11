/* The value of an expression: see source_number.h. */
#include "source_number_parts.h"

#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 30 /* names that are made of names */
};

const struct lab_value lab_unknown;

struct lab_value lab_number(long long n, int is_unsigned)
{
    if (n < INT_MIN || n > (is_unsigned ? (long long)UINT_MAX : INT_MAX))
        return lab_unknown;
    return (struct lab_value){
        .is = LAB_NUMBER, .n = n, .is_unsigned = is_unsigned};
}

char lab_number_mark(const struct lab_walk *w, const struct lab_at *x)
{
    return x->i < x->end ? base_mark(w->t, x->i) : '\0';
}

/* The whole of what stands between two tokens. */
struct lab_value lab_number_all(struct lab_walk *w, const struct lab_call *in,
                                size_t from, size_t end)
{
    struct lab_at x = {from, end, in};
    const struct lab_value v = lab_number_one(w, &x);

    return x.i == end ? v : lab_unknown;
}

/* What stands from that token on, up to one of these marks. */
struct lab_value lab_number_to(struct lab_walk *w, const struct lab_call *in,
                               size_t from, const char *marks)
{
    struct lab_at x = {from, w->t->count, in};
    const struct lab_value v = lab_number_one(w, &x);

    return lab_number_mark(w, &x) != '\0' &&
                   strchr(marks, lab_number_mark(w, &x)) != NULL
               ? v
               : lab_unknown;
}

/* --- operands and operators ----------------------------------------------- */

/* threadIdx.x and its like: of the token of its name. */
static int built_in(const struct lab_walk *w, size_t i, struct lab_value *v)
{
    const struct lab_seen *s = w->seen;
    const struct {
        const char *name;
        const unsigned *size;
        long long at; /* in a box of that size; or -1 */
    } known[] = {{"threadIdx", s->launch->block, s->thread},
                 {"blockIdx", s->launch->grid, (long long)s->block},
                 {"blockDim", s->launch->block, -1},
                 {"gridDim", s->launch->grid, -1}};

    for (int n = 0; n < 4 && i + 2 < w->t->count; n++) {
        const char part = w->t->text[w->t->token[i + 2].begin];
        long long at = known[n].at;

        if (!base_token_is(w->t, i, known[n].name) || part < 'x' || part > 'z')
            continue;
        for (char axis = 'x'; axis < part; axis++)
            at /= known[n].size[axis - 'x'];
        *v = lab_number(known[n].at < 0 ? known[n].size[part - 'x']
                                        : at % known[n].size[part - 'x'],
                        1);
        return 1;
    }
    return 0;
}

static struct lab_value literal(const char *word)
{
    char *end;
    const long long n = strtoll(word, &end, 0);
    const size_t suffix = strspn(end, "uUlL");

    return end[suffix] == '\0' ? lab_number(n, strpbrk(end, "uU") != NULL)
                               : lab_unknown;
}

/* A pointer that many elements on. */
static struct lab_value moved(struct lab_walk *w, struct lab_value p,
                              long long by)
{
    int dimensions = 0;

    while (lab_number_dimension(w, p.array, dimensions) != 0)
        dimensions++;
    for (int i = 1; i < p.indices; i++) {
        const long long length =
            lab_number_dimension(w, p.array, dimensions - i);

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
        v = literal(word);
        x->i++;
    } else if (w->seen != NULL && built_in(w, x->i, &v)) {
        x->i += 3;
    } else if (base_mark(t, x->i + 1) == '(') {
        v = lab_number_call(w, x);
    } else {
        v = lab_number_name(w, x);
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

/* The operator there, how strong it is (0: there is none), and its tokens. */
static int operator_at(const struct lab_walk *w, const struct lab_at *x,
                       int *kind)
{
    static const struct {
        char text[3];
        int strength;
    } operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4},
                     {">=", 4}, {"<<", 5}, {">>", 5}, {"<", 4},  {">", 4},
                     {"+", 6},  {"-", 6},  {"*", 7},  {"/", 7},  {"%", 7}};
    const size_t all = sizeof operators / sizeof operators[0];

    for (size_t i = 0; i < all; i++) {
        const char *text = operators[i].text;

        if (lab_number_mark(w, x) != text[0] ||
            (text[1] != '\0' && (base_mark(w->t, x->i + 1) != text[1] ||
                                 !lab_number_stand_together(w->t, x->i))))
            continue;
        *kind = text[0] << 8 | text[1];
        return operators[i].strength;
    }
    return 0;
}

#define KIND(a, b) ((a) << 8 | (b))

static struct lab_value apply(struct lab_walk *w, struct lab_value a, int kind,
                              struct lab_value b)
{
    const int both = a.is == LAB_NUMBER && b.is == LAB_NUMBER;
    const int is_unsigned = a.is_unsigned | b.is_unsigned;

    if (kind == KIND('&', '&') || kind == KIND('|', '|')) {
        const int way = kind == KIND('|', '|'); /* one such is enough */

        if ((a.is == LAB_NUMBER && (a.n != 0) == way) ||
            (b.is == LAB_NUMBER && (b.n != 0) == way))
            return lab_number(way, 0);
        return both ? lab_number(!way, 0) : lab_unknown;
    }
    if (a.is == LAB_POINTER && b.is == LAB_NUMBER &&
        (kind == KIND('+', 0) || kind == KIND('-', 0)))
        return moved(w, a, kind == KIND('+', 0) ? b.n : -b.n);
    if (a.is == LAB_NUMBER && b.is == LAB_POINTER && kind == KIND('+', 0))
        return moved(w, b, a.n);
    if (!both)
        return lab_unknown;
    switch (kind) {
    case KIND('+', 0):
        return lab_number(a.n + b.n, is_unsigned);
    case KIND('-', 0):
        return lab_number(a.n - b.n, is_unsigned);
    case KIND('*', 0):
        return lab_number(a.n * b.n, is_unsigned);
    }
    if (is_unsigned && (a.n < 0 || b.n < 0))
        return lab_unknown; /* large numbers, which nobody means */
    switch (kind) {
    case KIND('/', 0):
        return b.n != 0 ? lab_number(a.n / b.n, is_unsigned) : lab_unknown;
    case KIND('%', 0):
        return b.n != 0 ? lab_number(a.n % b.n, is_unsigned) : lab_unknown;
    case KIND('=', '='):
        return lab_number(a.n == b.n, 0);
    case KIND('!', '='):
        return lab_number(a.n != b.n, 0);
    case KIND('<', 0):
        return lab_number(a.n < b.n, 0);
    case KIND('>', 0):
        return lab_number(a.n > b.n, 0);
    case KIND('<', '='):
        return lab_number(a.n <= b.n, 0);
    case KIND('>', '='):
        return lab_number(a.n >= b.n, 0);
    default:
        return lab_unknown; /* bits are not shifted here */
    }
}

static struct lab_value operation(struct lab_walk *w, struct lab_at *x,
                                  int least)
{
    struct lab_value v = operand(w, x);
    int strength, kind;

    while ((strength = operator_at(w, x, &kind)) >= least && strength > 0) {
        x->i += (kind & 0xff) != 0 ? 2 : 1;
        v = apply(w, v, kind, operation(w, x, strength + 1));
    }
    return v;
}

/* One expression, up to a mark that ends it. */
struct lab_value lab_number_one(struct lab_walk *w, struct lab_at *x)
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
        yes = lab_number_one(w, x);
        if (lab_number_mark(w, x) != ':')
            x->i = x->end;
        x->i++;
        no = lab_number_one(w, x);
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
