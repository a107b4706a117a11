/* Products and quotients, how numbers are dealt out to rows and columns, and
   conditions that could be a loop's. See copy.h. */
#include "copy.h"

#include <stdio.h>
#include <string.h>

/* 1 for a variable that is a whole number, or threadIdx and its like. */
static int is_whole_variable(const struct simt_copy *c, size_t i)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim",
                                         "gridDim", NULL};
    const struct simt_variable_name *v = simt_copy_find_variable(c, i);

    return v != NULL ? v->type == WHOLE && v->depth == 0
                     : is_one_of(c, i, places);
}

/* 1 if the tokens from i to end are of whole numbers alone: no call, no array,
   no comparison. *variables goes up by how many there are. */
static int is_whole(const struct simt_copy *c, size_t i, size_t end,
                    int *variables)
{
    for (; i < end; i = behind(c, i)) {
        const char m = mark(c, i);

        if (m != 0 && strchr("()+-*/%.", m) == NULL)
            return 0;
        if (!is_word(c, i))
            continue;
        if (mark(c, before(c, i)) == '.')
            continue;
        if (is_whole_variable(c, i)) {
            ++*variables;
        } else if (!simt_copy_is_macro(c, i) && !is_number(c, i)) {
            return 0;
        }
        if (mark(c, behind(c, i)) == '(' ||
            is_pair(c, behind(c, i), '+', '+') ||
            is_pair(c, behind(c, i), '-', '-'))
            return 0;
    }
    return 1;
}

/* The last token of the factor that begins at i: a name, a number, threadIdx.x
   or a sum in brackets; 0: it is none. */
static size_t factor_end(const struct simt_copy *c, size_t i, int *variables)
{
    size_t end = i;

    if (mark(c, i) == '(') {
        end = c->partner[i];
        if (end <= i || simt_copy_type_of(c, behind(c, i)) != UNKNOWN)
            return 0;
    } else if (!is_word(c, i)) {
        return 0;
    } else if (mark(c, behind(c, i)) == '.') {
        end = behind(c, behind(c, i));
    }
    return is_whole(c, i, behind(c, end), variables) ? end : 0;
}

void simt_change_term(struct simt_copy *c, size_t i)
{
    const size_t last = before(c, i);
    const char m = mark(c, last);
    int factors = 0, variables = 0, is_rest = 0, count;
    size_t at = i, end = i, used;
    char others[2000];

    if (!is_changed(c, i) || !is_shown(c, i) ||
        ((m == 0 || strchr("+-=([,?:", m) == NULL) && !is(c, last, "return")))
        return;
    for (;; at = behind(c, at)) {
        at = factor_end(c, at, &variables);
        if (at == 0)
            return;
        factors++;
        end = at;
        at = behind(c, at);
        if (mark(c, at) == 0 || strchr("*/%", mark(c, at)) == NULL)
            break;
        is_rest = mark(c, at) == '%' && is(c, behind(c, at), "2");
        if (mark(c, at + 1) == '=')
            return;
    }
    if (factors < 2 || variables == 0 ||
        (mark(c, at) != 0 && strchr(".[", mark(c, at)) != NULL))
        return;
    count = simt_change_others(c, i, 0, others, sizeof others);
    used = strlen(others);
    if (is_rest) { /* of two buffers the other one */
        snprintf(others + used, sizeof others - used, ", 1 - (%.*s)",
                 (int)(c->t.token[end].end - c->t.token[i].begin),
                 c->t.text + c->t.token[i].begin);
        count++;
    }
    simt_copy_add(
        c, &c->before[i], "simt_scale(%d, simt_choose(%d, (",
        simt_change_take(c, 2 * (c->numbers - 1), SIMT_SCALED, i, end),
        simt_change_take(c, count, SIMT_OPERAND, i, end));
    simt_change_keep_others(c, others);
    simt_change_put_call(c, &c->before[at], ")%s))", others);
}

void simt_change_dealing(struct simt_copy *c, size_t from, size_t to)
{
    const size_t first = behind(c, from), last = before(c, to);
    int variables = 0;
    size_t at = first;
    char x[WORD] = "threadIdx.x";

    if (!is_changed(c, first) || !is_whole(c, first, to, &variables) ||
        variables != 1)
        return;
    while (!is_whole_variable(c, at))
        at = behind(c, at);
    if (simt_copy_find_variable(c, at) != NULL) {
        base_token_copy(&c->t, at, x, sizeof x);
    } else if (!is(c, at, "threadIdx")) {
        return;
    }
    simt_copy_add(c, &c->behind[from], " simt_deal(%d, %d, (",
                  simt_change_take(c, SIMT_DEALT, SIMT_DEALT_OUT, first, last),
                  SIMT_DEALT);
    simt_change_put_call(c, &c->before[to], "), %s)", x);
}

void simt_change_condition(struct simt_copy *c, size_t i)
{
    const size_t open = behind(c, i), close = c->partner[open];
    const size_t name = behind(c, open), compared = behind(c, name);
    const struct simt_variable_name *v = simt_copy_find_variable(c, name);
    const size_t end = simt_copy_statement_end(c, behind(c, close));

    if (!is_changed(c, i) || close <= open || v == NULL || v->type != WHOLE ||
        v->depth > 0 || mark(c, compared) != '<' ||
        is(c, behind(c, end), "else"))
        return;
    for (size_t at = compared; at < close; at = behind(c, at)) {
        if (mark(c, at) != 0 && strchr("&|=(", mark(c, at)) != NULL)
            return;
    }
    for (size_t at = v->place; mark(c, at) != ';' && mark(c, at) != '{' &&
                               mark(c, at) != '}' && mark(c, at) != '(';
         at = before(c, at)) {
        if (at == 0 || is(c, at, "const") || is(c, at, "constexpr"))
            return;
    }
    for (size_t at = close; at < end; at = behind(c, at)) {
        if (is(c, at, "break") || is(c, at, "continue") || is(c, at, "return"))
            return;
    }
    simt_copy_add(c, &c->before[i],
                  "for (bool simt_again = true; simt_again; simt_again = "
                  "simt_made(%d, 1) == 0 && (++%s, (%.*s))) ",
                  simt_change_take(c, 1, SIMT_AGAIN, i, i), v->name,
                  (int)(c->t.token[close].begin - c->t.token[open].end),
                  c->t.text + c->t.token[open].end);
}
