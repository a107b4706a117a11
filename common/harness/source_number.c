/* The value of an expression: see source_number.h. */
#include "source_number.h"

#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 30 /* names that are made of names */
};

/* Where an expression is read. */
struct at {
    size_t i, end;
    const struct lab_call *in;
};

static const struct lab_value unknown;

static struct lab_value number(long long n, int is_unsigned)
{
    if (n < INT_MIN || n > (is_unsigned ? (long long)UINT_MAX : INT_MAX))
        return unknown;
    return (struct lab_value){
        .is = LAB_NUMBER, .n = n, .is_unsigned = is_unsigned};
}

static char mark(const struct lab_walk *w, const struct at *x)
{
    return x->i < x->end ? base_mark(w->t, x->i) : '\0';
}

static struct lab_value read_one(struct lab_walk *w, struct at *x);

/* The whole of what stands between two tokens. */
static struct lab_value read_all(struct lab_walk *w, const struct lab_call *in,
                                 size_t from, size_t end)
{
    struct at x = {from, end, in};
    const struct lab_value v = read_one(w, &x);

    return x.i == end ? v : unknown;
}

/* What stands from that token on, up to one of these marks. */
static struct lab_value read_to(struct lab_walk *w, const struct lab_call *in,
                                size_t from, const char *marks)
{
    struct at x = {from, w->t->count, in};
    const struct lab_value v = read_one(w, &x);

    return mark(w, &x) != '\0' && strchr(marks, mark(w, &x)) != NULL ? v
                                                                     : unknown;
}

#define TYPES " const int unsigned size_t long float float2 float4 bool auto "

/* --- names ---------------------------------------------------------------- */

static int has_word(const struct base_tokens *t, size_t from, size_t to,
                    const char *words)
{
    char word[80], sought[84];

    for (; from < to; from++) {
        base_token_copy(t, from, word, sizeof word);
        snprintf(sought, sizeof sought, " %s ", word);
        if (strstr(words, sought) != NULL)
            return 1;
    }
    return 0;
}

/* Is it the bracket of a cast? */
static int is_cast(const struct base_tokens *t, size_t i)
{
    const size_t close = lab_text_closing(t, i);

    return has_word(t, i + 1, i + 2, TYPES) &&
           !has_word(t, i + 1, close, " ( , ");
}

static int stand_together(const struct base_tokens *t, size_t i)
{
    return i + 1 < t->count && t->token[i].end == t->token[i + 1].begin;
}

/* Is the name at that token set, changed, or can its address change it? */
static int is_changed_at(const struct base_tokens *t, size_t i)
{
    const char next = base_mark(t, i + 1), last = base_mark(t, i + 2);
    const char before = base_mark(t, i - 1);

    if (before == '&' && next != '[' && base_mark(t, i - 2) != '\0' &&
        strchr("(,=", base_mark(t, i - 2)) != NULL)
        return 1;
    if (lab_text_is_set(t, i + 1)) {
        /* Of *to and of *(float4 *)to what it points to is set. */
        return before == ')'   ? !is_cast(t, lab_text_matching(t, i - 1, -1))
               : before == '*' ? t->token[i - 2].kind == BASE_WORD
                               : 1;
    }
    if (next != '\0' && strchr("+-*/%&|^", next) != NULL && last == '=' &&
        stand_together(t, i + 1))
        return 1;
    if ((next == '<' || next == '>') && last == next &&
        base_mark(t, i + 3) == '=')
        return 1;
    return ((next == '+' || next == '-') && last == next &&
            stand_together(t, i + 1)) ||
           ((before == '+' || before == '-') && base_mark(t, i - 2) == before &&
            stand_together(t, i - 2) && stand_together(t, i - 1));
}

/* Is it anywhere between the two tokens, but for the one at `but`? */
static int is_changed(const struct base_tokens *t, const char *word,
                      size_t from, size_t to, size_t but)
{
    for (size_t i = from; (i = lab_text_find(t, i, to, word)) != LAB_NONE;
         i++) {
        if (i != but && is_changed_at(t, i))
            return 1;
    }
    return 0;
}

/* The bracket of the for loop in whose head the variable at that token begins,
   or LAB_NONE. */
static size_t loop_of(const struct base_tokens *t, size_t i)
{
    while (i > 0 &&
           (base_mark(t, i) == '\0' || strchr(";{}(", base_mark(t, i)) == NULL))
        i--;
    return i > 0 && base_mark(t, i) == '(' && base_token_is(t, i - 1, "for")
               ? i
               : LAB_NONE;
}

/* What becomes of the value in a variable whose type stands between these. */
static struct lab_value converted(const struct base_tokens *t, size_t from,
                                  size_t to, struct lab_value v)
{
    const int is_whole = has_word(t, from, to, " int unsigned size_t long ");

    if (has_word(t, from, to, " * "))
        return v.is == LAB_POINTER ? v : unknown;
    if (v.is != LAB_NUMBER || has_word(t, from, to, " short char static "))
        return unknown;
    if (has_word(t, from, to, " bool "))
        return number(v.n != 0, 0);
    if (has_word(t, from, to, " unsigned size_t "))
        return number(v.n, 1);
    if (is_whole && v.n <= INT_MAX)
        return number(v.n, 0);
    return has_word(t, from, to, " auto ") ? v : unknown;
}

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
    const size_t loop = loop_of(t, set);
    size_t begin = loop != LAB_NONE ? loop + 1 : lab_text_statement(t, set);
    size_t declared = set;
    struct lab_value v;

    for (int i = 0; loop != LAB_NONE && i < w->loops; i++) {
        if (w->loop[i].at == set) {
            v = w->loop[i].is_known ? number(w->loop[i].n, 0) : unknown;
            keep(w, set, t->token[set].line, word, v);
            return v;
        }
    }
    if (loop != LAB_NONE) {
        if (w->wanted == LAB_NONE) {
            w->wanted = set;
            w->wanted_in = in;
        }
        return unknown;
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
    if (declared == in->body || !has_word(t, begin, begin + 1, TYPES) ||
        lab_text_closing(t, lab_text_block(t, set)) < at)
        return unknown;
    if (is_changed(t, word, declared,
                   lab_text_closing(t, lab_text_block(t, declared)), set))
        return unknown;
    w->level++;
    v = converted(t, begin, declared, read_to(w, in, set + 2, ";,"));
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
    v = read_all(w, NULL, i + 1, lab_text_closing(w->t, i));
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
        is_changed(t, word, in->body, lab_text_closing(t, in->body), LAB_NONE))
        return unknown;
    launch = w->seen->launch;
    for (size_t j = open + 1; j < i; j++) {
        if (base_mark(t, j) != ',')
            continue;
        begin = j + 1;
        nth++;
    }
    if (in->from == NULL) {
        if (has_word(t, begin, i, " * ")) {
            return (struct lab_value){
                .is = LAB_POINTER, .array = i, .indices = 1, .width = 1};
        }
        if (nth >= SIMT_CALL_ARGUMENTS || !(launch->ints >> nth & 1))
            return unknown;
        return converted(t, begin, i, number(launch->number[nth], 0));
    }
    for (from = in->open + 1; nth > 0; nth--) {
        while (from < t->count && base_mark(t, from) != ',' &&
               base_mark(t, from) != ')')
            from = lab_text_closing(t, from) + 1;
        if (base_mark(t, from++) != ',')
            return unknown;
    }
    v = converted(t, begin, i, read_to(w, in->from, from, ",)"));
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
    struct at x = {i, t->count, NULL};
    struct lab_value v;

    for (size_t other = set + 1; other < t->count; other++) {
        if (base_is_directive(t, other, "define", word) ||
            base_is_directive(t, other, "undef", word))
            return unknown;
    }
    if (!is_macro) {
        v = read_one(w, &x);
        return mark(w, &x) == '\0' ? unknown : v;
    }
    x.end = lab_text_begin(t, t->token[set].line + 1);
    /* What is not in brackets is another number beside an operator. */
    if (x.end != i + 1 &&
        (base_mark(t, i) != '(' || lab_text_closing(t, i) + 1 != x.end))
        return unknown;
    w->inside++;
    v = read_all(w, NULL, i, x.end);
    w->inside--;
    if (w->inside == 0 && x.end != i + 1)
        keep(w, set, t->token[set].line, word, v);
    return v;
}

static struct lab_value name_value(struct lab_walk *w, struct at *x)
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
        return number(word[0] == 't', 0);
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
               : unknown;
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
    struct at x;

    base_token_copy(t, i, word, sizeof word);
    call.body = body_of(t, word);
    if (call.body == LAB_NONE || in == NULL)
        return unknown;
    end = lab_text_closing(t, call.body);
    for (size_t j = call.body; j < end; j++) {
        if (base_token_is(t, j, "return")) {
            if (at != LAB_NONE)
                return unknown;
            at = j;
        }
    }
    if (at == LAB_NONE || lab_text_block(t, at) != call.body ||
        lab_text_statement(t, at) != at)
        return unknown;
    x = (struct at){at + 1, end, &call};
    w->level++;
    v = read_one(w, &x);
    w->level--;
    if (v.is != LAB_NUMBER || mark(w, &x) != ';')
        return unknown;
    snprintf(name, sizeof name, "%s()", word);
    keep(w, at, t->token[at].line, name, v);
    return v;
}

/* A call: of the token of its name. */
static struct lab_value call_value(struct lab_walk *w, struct at *x)
{
    const struct base_tokens *t = w->t;
    const size_t i = x->i, close = lab_text_closing(t, i + 1);
    const int is_min = base_token_is(t, i, "min");
    struct at y = {i + 2, close, x->in};
    struct lab_value a, b;

    x->i = close + 1;
    if (base_token_is(t, i, "sizeof")) {
        return close == i + 3 && base_token_is(t, i + 2, "float") ? number(4, 1)
               : close == i + 3 && base_token_is(t, i + 2, "float4")
                   ? number(16, 1)
                   : unknown;
    }
    if (!is_min && !base_token_is(t, i, "max") &&
        !base_token_is(t, i, "lab_ceil_div"))
        return returned(w, x->in, i);
    a = read_one(w, &y);
    y.i++;
    b = read_one(w, &y);
    if (a.is != LAB_NUMBER || b.is != LAB_NUMBER || y.i != close ||
        ((a.is_unsigned | b.is_unsigned) && (a.n < 0 || b.n < 0)))
        return unknown;
    if (base_token_is(t, i, "lab_ceil_div"))
        return b.n > 0 ? number((a.n + b.n - 1) / b.n, 0) : unknown;
    return is_min == (a.n < b.n) ? a : b;
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
        *v = number(known[n].at < 0 ? known[n].size[part - 'x']
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

    return end[suffix] == '\0' ? number(n, strpbrk(end, "uU") != NULL)
                               : unknown;
}

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
            return unknown;
        by *= length;
    }
    p.n += by * p.width;
    return p;
}

static struct lab_value element(struct lab_walk *w, struct lab_value p,
                                struct lab_value index)
{
    if (p.is != LAB_POINTER || index.is != LAB_NUMBER)
        return unknown;
    p = moved(w, p, index.n);
    p.is = p.is == LAB_NO_VALUE ? LAB_NO_VALUE
           : p.indices == 1     ? LAB_AN_ELEMENT
                                : LAB_POINTER;
    p.indices -= p.is == LAB_POINTER;
    return p;
}

static struct lab_value primary(struct lab_walk *w, struct at *x)
{
    const struct base_tokens *t = w->t;
    struct lab_value v = unknown;
    char word[80];

    base_token_copy(t, x->i < x->end ? x->i : t->count - 1, word, sizeof word);
    if (mark(w, x) == '(') {
        const size_t close = lab_text_closing(t, x->i);

        v = read_all(w, x->in, x->i + 1, close);
        x->i = close + 1;
    } else if (x->i >= x->end || t->token[x->i].kind != BASE_WORD) {
        x->i = x->end; /* nothing that is known here */
    } else if (word[0] >= '0' && word[0] <= '9') {
        v = literal(word);
        x->i++;
    } else if (w->seen != NULL && built_in(w, x->i, &v)) {
        x->i += 3;
    } else if (base_mark(t, x->i + 1) == '(') {
        v = call_value(w, x);
    } else {
        v = name_value(w, x);
    }
    while (x->i < x->end) {
        const char c = mark(w, x);

        if (c == '[') {
            const size_t close = lab_text_closing(t, x->i);

            v = element(w, v, read_all(w, x->in, x->i + 1, close));
            x->i = close + 1;
        } else if (c == '.') {
            v = unknown;
            x->i += 2;
        } else if (c == '-' && base_mark(t, x->i + 1) == '>') {
            v = unknown;
            x->i += 3;
        } else {
            return v;
        }
    }
    return v;
}

static struct lab_value operand(struct lab_walk *w, struct at *x);

static struct lab_value cast(struct lab_walk *w, struct at *x)
{
    const struct base_tokens *t = w->t;
    const size_t from = x->i + 1, close = lab_text_closing(t, x->i);
    struct lab_value v;

    x->i = close + 1;
    v = operand(w, x);
    if (!has_word(t, from, close, " * ") || v.is != LAB_POINTER)
        return converted(t, from, close, v);
    v.indices = 1;
    v.width = has_word(t, from, close, " float4 ")   ? 4
              : has_word(t, from, close, " float2 ") ? 2
                                                     : 1;
    return v;
}

static struct lab_value operand(struct lab_walk *w, struct at *x)
{
    const char c = mark(w, x);
    struct lab_value v;

    if (c == '(' && is_cast(w->t, x->i))
        return cast(w, x);
    if (c == '\0' || strchr("+-!~*&", c) == NULL)
        return primary(w, x);
    if (c == base_mark(w->t, x->i + 1)) { /* ++ and -- */
        x->i = x->end;
        return unknown;
    }
    x->i++;
    v = operand(w, x);
    if (c == '*' || c == '&') {
        if (v.is != (c == '*' ? LAB_POINTER : LAB_AN_ELEMENT) ||
            (c == '*' && v.indices != 1))
            return unknown;
        v.is = c == '*' ? LAB_AN_ELEMENT : LAB_POINTER;
        return v;
    }
    if (v.is != LAB_NUMBER)
        return unknown;
    return c == '!'   ? number(v.n == 0, 0)
           : c == '+' ? v
           : c == '-' ? number(-v.n, v.is_unsigned)
                      : unknown;
}

/* The operator there, how strong it is (0: there is none), and its tokens. */
static int operator_at(const struct lab_walk *w, const struct at *x, int *kind)
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

        if (mark(w, x) != text[0] ||
            (text[1] != '\0' && (base_mark(w->t, x->i + 1) != text[1] ||
                                 !stand_together(w->t, x->i))))
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
            return number(way, 0);
        return both ? number(!way, 0) : unknown;
    }
    if (a.is == LAB_POINTER && b.is == LAB_NUMBER &&
        (kind == KIND('+', 0) || kind == KIND('-', 0)))
        return moved(w, a, kind == KIND('+', 0) ? b.n : -b.n);
    if (a.is == LAB_NUMBER && b.is == LAB_POINTER && kind == KIND('+', 0))
        return moved(w, b, a.n);
    if (!both)
        return unknown;
    switch (kind) {
    case KIND('+', 0):
        return number(a.n + b.n, is_unsigned);
    case KIND('-', 0):
        return number(a.n - b.n, is_unsigned);
    case KIND('*', 0):
        return number(a.n * b.n, is_unsigned);
    }
    if (is_unsigned && (a.n < 0 || b.n < 0))
        return unknown; /* large numbers, which nobody means */
    switch (kind) {
    case KIND('/', 0):
        return b.n != 0 ? number(a.n / b.n, is_unsigned) : unknown;
    case KIND('%', 0):
        return b.n != 0 ? number(a.n % b.n, is_unsigned) : unknown;
    case KIND('=', '='):
        return number(a.n == b.n, 0);
    case KIND('!', '='):
        return number(a.n != b.n, 0);
    case KIND('<', 0):
        return number(a.n < b.n, 0);
    case KIND('>', 0):
        return number(a.n > b.n, 0);
    case KIND('<', '='):
        return number(a.n <= b.n, 0);
    case KIND('>', '='):
        return number(a.n >= b.n, 0);
    default:
        return unknown; /* bits are not shifted here */
    }
}

static struct lab_value operation(struct lab_walk *w, struct at *x, int least)
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
static struct lab_value read_one(struct lab_walk *w, struct at *x)
{
    struct lab_value v, yes, no;

    if (w->depth == DEEPEST) {
        x->i = x->end;
        return unknown;
    }
    w->depth++;
    v = operation(w, x, 1);
    if (mark(w, x) == '?') {
        x->i++;
        yes = read_one(w, x);
        if (mark(w, x) != ':')
            x->i = x->end;
        x->i++;
        no = read_one(w, x);
        v = v.is != LAB_NUMBER ? unknown : v.n != 0 ? yes : no;
    }
    w->depth--;
    return v;
}

struct lab_value lab_number_operand(struct lab_walk *w,
                                    const struct lab_call *in, size_t i)
{
    struct at x = {i, w->t->count, in};

    return operand(w, &x);
}

struct lab_value lab_number_read(struct lab_walk *w, const struct lab_call *in,
                                 size_t from, size_t end)
{
    return read_all(w, in, from, end);
}

/* --- loops ---------------------------------------------------------------- */

/* The token behind the next semicolon. */
static size_t behind_semicolon(const struct base_tokens *t, size_t i)
{
    return lab_text_end_of_line(t, i) + 1;
}

int lab_number_first(struct lab_walk *w, const struct lab_call *in)
{
    const struct base_tokens *t = w->t;
    const size_t set = w->loop[w->loops - 1].at, open = loop_of(t, set);
    struct lab_value v;
    char word[80];

    base_token_copy(t, set, word, sizeof word);
    v = converted(t, open + 1, set, read_to(w, in, set + 2, ";"));
    if (v.is != LAB_NUMBER || is_changed(t, word, lab_text_closing(t, open),
                                         lab_text_end(t, open - 1), LAB_NONE))
        return -1;
    w->loop[w->loops - 1].n = v.n;
    return 0;
}

int lab_number_goes_on(struct lab_walk *w, const struct lab_call *in)
{
    const struct lab_value v =
        read_to(w, in, behind_semicolon(w->t, w->loop[w->loops - 1].at), ";");

    return v.is == LAB_NUMBER ? v.n != 0 : -1;
}

int lab_number_next(struct lab_walk *w, const struct lab_call *in)
{
    const struct base_tokens *t = w->t;
    const size_t set = w->loop[w->loops - 1].at;
    const size_t close = lab_text_closing(t, loop_of(t, set));
    const size_t i = behind_semicolon(t, behind_semicolon(t, set));
    struct lab_value by = number(1, 0);
    size_t behind = i;
    char word[80], sign;

    base_token_copy(t, set, word, sizeof word);
    if (base_token_is(t, i, word))
        behind++;
    sign = base_mark(t, behind);
    if (behind > i && base_mark(t, i + 2) == '=') {
        by = read_all(w, in, i + 3, close);
    } else if (close != i + 3 || base_mark(t, behind + 1) != sign ||
               !base_token_is(t, behind > i ? i : i + 2, word)) {
        return -1;
    }
    if (by.is != LAB_NUMBER || (sign != '+' && sign != '-'))
        return -1;
    w->loop[w->loops - 1].n += sign == '+' ? by.n : -by.n;
    return 0;
}
