/* The values of threadIdx and its like, of numbers, and of what an operator
   makes of two numbers. See source_number_parts.h. */
#include "source_number_parts.h"

#include <stdlib.h>
#include <string.h>

char lab_number_mark(const struct lab_walk *w, const struct lab_at *x)
{
    return x->i < x->end ? base_mark(w->t, x->i) : '\0';
}

/* threadIdx.x and its like: of the token of its name. */
int lab_number_built_in(const struct lab_walk *w, size_t i, struct lab_value *v)
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

struct lab_value lab_number_literal(const char *word)
{
    char *end;
    const long long n = strtoll(word, &end, 0);
    const size_t suffix = strspn(end, "uUlL");

    return end[suffix] == '\0' ? lab_number(n, strpbrk(end, "uU") != NULL)
                               : lab_unknown;
}

/* The operator there, how strong it is (0: there is none), and its tokens. */
int lab_number_operator(const struct lab_walk *w, const struct lab_at *x,
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

struct lab_value lab_number_operated(struct lab_value a, int kind,
                                     struct lab_value b)
{
    const int both = a.is == LAB_NUMBER && b.is == LAB_NUMBER;
    const int is_unsigned = a.is_unsigned | b.is_unsigned;

    if (kind == LAB_KIND('&', '&') || kind == LAB_KIND('|', '|')) {
        const int way = kind == LAB_KIND('|', '|'); /* one such is enough */

        if ((a.is == LAB_NUMBER && (a.n != 0) == way) ||
            (b.is == LAB_NUMBER && (b.n != 0) == way))
            return lab_number(way, 0);
        return both ? lab_number(!way, 0) : lab_unknown;
    }
    if (!both)
        return lab_unknown;
    switch (kind) {
    case LAB_KIND('+', 0):
        return lab_number(a.n + b.n, is_unsigned);
    case LAB_KIND('-', 0):
        return lab_number(a.n - b.n, is_unsigned);
    case LAB_KIND('*', 0):
        return lab_number(a.n * b.n, is_unsigned);
    }
    if (is_unsigned && (a.n < 0 || b.n < 0))
        return lab_unknown; /* large numbers, which nobody means */
    switch (kind) {
    case LAB_KIND('/', 0):
        return b.n != 0 ? lab_number(a.n / b.n, is_unsigned) : lab_unknown;
    case LAB_KIND('%', 0):
        return b.n != 0 ? lab_number(a.n % b.n, is_unsigned) : lab_unknown;
    case LAB_KIND('=', '='):
        return lab_number(a.n == b.n, 0);
    case LAB_KIND('!', '='):
        return lab_number(a.n != b.n, 0);
    case LAB_KIND('<', 0):
        return lab_number(a.n < b.n, 0);
    case LAB_KIND('>', 0):
        return lab_number(a.n > b.n, 0);
    case LAB_KIND('<', '='):
        return lab_number(a.n <= b.n, 0);
    case LAB_KIND('>', '='):
        return lab_number(a.n >= b.n, 0);
    default:
        return lab_unknown; /* bits are not shifted here */
    }
}
