/* The value of a name, of a call and of a loop's variable: see
   source_number_parts.h. */
#include "source_number_parts.h"

#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TYPES " const int unsigned size_t long float float2 float4 bool auto "

/* --- names ---------------------------------------------------------------- */

int lab_number_has_word(const struct base_tokens *t, size_t from, size_t to,
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
int lab_number_is_cast(const struct base_tokens *t, size_t i)
{
    const size_t close = lab_text_closing(t, i);

    return lab_number_has_word(t, i + 1, i + 2, TYPES) &&
           !lab_number_has_word(t, i + 1, close, " ( , ");
}

int lab_number_stand_together(const struct base_tokens *t, size_t i)
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
        return before == ')'
                   ? !lab_number_is_cast(t, lab_text_matching(t, i - 1, -1))
               : before == '*' ? t->token[i - 2].kind == BASE_WORD
                               : 1;
    }
    if (next != '\0' && strchr("+-*/%&|^", next) != NULL && last == '=' &&
        lab_number_stand_together(t, i + 1))
        return 1;
    if ((next == '<' || next == '>') && last == next &&
        base_mark(t, i + 3) == '=')
        return 1;
    return ((next == '+' || next == '-') && last == next &&
            lab_number_stand_together(t, i + 1)) ||
           ((before == '+' || before == '-') && base_mark(t, i - 2) == before &&
            lab_number_stand_together(t, i - 2) &&
            lab_number_stand_together(t, i - 1));
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
struct lab_value lab_number_converted(const struct base_tokens *t, size_t from,
                                      size_t to, struct lab_value v)
{
    const int is_whole =
        lab_number_has_word(t, from, to, " int unsigned size_t long ");

    if (lab_number_has_word(t, from, to, " * "))
        return v.is == LAB_POINTER ? v : lab_unknown;
    if (v.is != LAB_NUMBER ||
        lab_number_has_word(t, from, to, " short char static "))
        return lab_unknown;
    if (lab_number_has_word(t, from, to, " bool "))
        return lab_number(v.n != 0, 0);
    if (lab_number_has_word(t, from, to, " unsigned size_t "))
        return lab_number(v.n, 1);
    if (is_whole && v.n <= INT_MAX)
        return lab_number(v.n, 0);
    return lab_number_has_word(t, from, to, " auto ") ? v : lab_unknown;
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
    if (declared == in->body ||
        !lab_number_has_word(t, begin, begin + 1, TYPES) ||
        lab_text_closing(t, lab_text_block(t, set)) < at)
        return lab_unknown;
    if (is_changed(t, word, declared,
                   lab_text_closing(t, lab_text_block(t, declared)), set))
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
long long lab_number_dimension(struct lab_walk *w, size_t array, int nth)
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

    while (lab_number_dimension(w, array, v.indices) != 0)
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
        v = lab_number_one(w, &x);
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

struct lab_value lab_number_name(struct lab_walk *w, struct lab_at *x)
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
    v = lab_number_one(w, &x);
    w->level--;
    if (v.is != LAB_NUMBER || lab_number_mark(w, &x) != ';')
        return lab_unknown;
    snprintf(name, sizeof name, "%s()", word);
    keep(w, at, t->token[at].line, name, v);
    return v;
}

/* A call: of the token of its name. */
struct lab_value lab_number_call(struct lab_walk *w, struct lab_at *x)
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
    a = lab_number_one(w, &y);
    y.i++;
    b = lab_number_one(w, &y);
    if (a.is != LAB_NUMBER || b.is != LAB_NUMBER || y.i != close ||
        ((a.is_unsigned | b.is_unsigned) && (a.n < 0 || b.n < 0)))
        return lab_unknown;
    if (base_token_is(t, i, "lab_ceil_div"))
        return b.n > 0 ? lab_number((a.n + b.n - 1) / b.n, 0) : lab_unknown;
    return is_min == (a.n < b.n) ? a : b;
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
    v = lab_number_converted(t, open + 1, set,
                             lab_number_to(w, in, set + 2, ";"));
    if (v.is != LAB_NUMBER || is_changed(t, word, lab_text_closing(t, open),
                                         lab_text_end(t, open - 1), LAB_NONE))
        return -1;
    w->loop[w->loops - 1].n = v.n;
    return 0;
}

int lab_number_goes_on(struct lab_walk *w, const struct lab_call *in)
{
    const struct lab_value v = lab_number_to(
        w, in, behind_semicolon(w->t, w->loop[w->loops - 1].at), ";");

    return v.is == LAB_NUMBER ? v.n != 0 : -1;
}

int lab_number_next(struct lab_walk *w, const struct lab_call *in)
{
    const struct base_tokens *t = w->t;
    const size_t set = w->loop[w->loops - 1].at;
    const size_t close = lab_text_closing(t, loop_of(t, set));
    const size_t i = behind_semicolon(t, behind_semicolon(t, set));
    struct lab_value by = lab_number(1, 0);
    size_t behind = i;
    char word[80], sign;

    base_token_copy(t, set, word, sizeof word);
    if (base_token_is(t, i, word))
        behind++;
    sign = base_mark(t, behind);
    if (behind > i && base_mark(t, i + 2) == '=') {
        by = lab_number_all(w, in, i + 3, close);
    } else if (close != i + 3 || base_mark(t, behind + 1) != sign ||
               !base_token_is(t, behind > i ? i : i + 2, word)) {
        return -1;
    }
    if (by.is != LAB_NUMBER || (sign != '+' && sign != '-'))
        return -1;
    w->loop[w->loops - 1].n += sign == '+' ? by.n : -by.n;
    return 0;
}
