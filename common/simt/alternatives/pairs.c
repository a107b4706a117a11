/* Two changes that are made together. A mistake often stands on two lines that
   are alike: what is / on the one is % on the other. See copy.h. */
#include "copy.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES_APART = 3
};

/* --- what two variables begin with ---------------------------------------- */

/* A declaration of one whole number: its name, its = and its ; What it begins
   with is worked out a second time, so it calls, loads and sets nothing. */
struct declaration {
    size_t name, set, end;
};

/* Returns 1 if such a declaration begins at i. */
static int read_declaration(const struct simt_copy *c, size_t i,
                            struct declaration *d)
{
    int is_whole = 0;

    for (; is(c, i, "const") || simt_copy_type_of(c, i) != UNKNOWN;
         i = behind(c, i))
        is_whole |= simt_copy_type_of(c, i) == WHOLE;
    d->name = i;
    d->set = behind(c, i);
    if (!is_whole || !is_word(c, i) || mark(c, d->set) != '=' ||
        !is_changed(c, i))
        return 0;
    for (d->end = d->set; mark(c, d->end) != ';'; d->end = past(c, d->end)) {
        const char m = mark(c, d->end);

        if (d->end >= c->t.count || m == ',' || m == '{')
            return 0;
    }
    for (i = behind(c, d->set); i < d->end; i = behind(c, i)) {
        if (mark(c, i) == '[' || mark(c, i) == '=' || is_pair(c, i, '+', '+') ||
            is_pair(c, i, '-', '-') || is_pair(c, i, '-', '>') ||
            (mark(c, i) == '(' && is_word(c, before(c, i))) ||
            (mark(c, i) == '*' && mark(c, before(c, i)) != ')' &&
             !is_word(c, before(c, i))))
            return 0;
    }
    return 1;
}

/* The text of what the variable begins with. */
static void put_value(struct simt_copy *c, const struct declaration *to,
                      const struct declaration *from, int change)
{
    const struct base_token *t = c->t.token;

    simt_change_put_call(c, &c->behind[to->set], "simt_swap(%d, ", change);
    simt_copy_add(c, &c->before[to->end], ", %.*s)",
                  (int)(t[from->end].begin - t[from->set].end),
                  c->t.text + t[from->set].end);
}

void simt_change_values(struct simt_copy *c, size_t i)
{
    struct declaration a, b;
    char one[WORD], other[WORD];

    if (!read_declaration(c, i, &a) ||
        !read_declaration(c, behind(c, a.end), &b))
        return;
    base_token_copy(&c->t, a.name, one, sizeof one);
    base_token_copy(&c->t, b.name, other, sizeof other);
    for (i = b.set; i < b.end; i = behind(c, i)) {
        if (is(c, i, one)) /* it is not known before */
            return;
    }
    fprintf(c->list, "    {%d, 1, 1, %d, %d, \"%s and %s\"},\n", c->next,
            line_of(c, a.name), SIMT_VALUES, one, other);
    put_value(c, &a, &b, c->next);
    put_value(c, &b, &a, c->next);
    c->next++;
}

/* --- two of the others ---------------------------------------------------- */

/* What stands there, and how long that is. */
static const char *text_of(const struct simt_copy *c,
                           const struct simt_group *g, size_t *length)
{
    *length = c->t.token[g->end].end - c->t.token[g->begin].begin;
    return c->t.text + c->t.token[g->begin].begin;
}

/* ", name" of each that the changes of g put there. */
static const char *others_of(const struct simt_group *g)
{
    return g->others != NULL ? g->others : "";
}

/* The name behind the comma there, and its length; returns where the next
   begins. */
static const char *next_name(const char *at, const char **name, size_t *length)
{
    *name = at + 2;
    *length = strcspn(*name, ",");
    return *name + *length;
}

static int count_of(const char *others)
{
    int count = 0;

    for (; *others != '\0'; others++)
        count += *others == ',';
    return count;
}

/* Which of the changes of g puts that text there, from 0; -1: none. */
static int change_to(const struct simt_copy *c, const struct simt_group *g,
                     const char *text, size_t length)
{
    /* As simt_numbers[] has them. */
    static const char *const numbers[NUMBERS] = {"1", "2",  "3", "4",
                                                 "8", "16", "0"};
    const char *others = others_of(g), *name;
    int n = 0;
    size_t its;

    for (; *others != '\0' && n < g->count; n++) {
        others = next_name(others, &name, &its);
        if (its == length && strncmp(name, text, length) == 0)
            return n;
    }
    for (int i = 0; g->kind == SIMT_OPERAND && i < NUMBERS; i++) {
        const int at = i < NUMBERS - 1 ? n + i : g->count - 1; /* 0 is last */

        if (at < g->count && strlen(numbers[i]) == length &&
            strncmp(numbers[i], text, length) == 0)
            return at;
    }
    n += NUMBERS - 1;
    for (int m = 0; g->kind == SIMT_OPERAND && m < c->macros; m++, n++) {
        if (n < g->count && strlen(c->macro[m].name) == length &&
            strncmp(c->macro[m].name, text, length) == 0)
            return n;
    }
    return -1;
}

/* The first token of the line of token i. */
static size_t line_begin(const struct simt_copy *c, size_t i)
{
    const int line = line_of(c, i);

    while (i > 0 && line_of(c, i - 1) == line)
        i--;
    return base_token_is_blank(&c->t, i) ? behind(c, i) : i;
}

/* 1 if the lines of tokens i and j are alike: as many tokens, and these two are
   at one place in them. Fills where the lines begin. */
static int are_alike(const struct simt_copy *c, size_t i, size_t j,
                     size_t *begin, size_t *other)
{
    size_t a = *begin = line_begin(c, i), b = *other = line_begin(c, j);
    int place = 0;

    while (a < c->t.count && b < c->t.count && line_of(c, a) == line_of(c, i) &&
           line_of(c, b) == line_of(c, j)) {
        if (is_word(c, a) != is_word(c, b))
            return 0;
        place |= a == i && b == j;
        a = behind(c, a);
        b = behind(c, b);
    }
    return place && line_of(c, a) != line_of(c, i) &&
           line_of(c, b) != line_of(c, j);
}

/* What is on line `other` at the place of that text on line `begin`: col for
   row; each part of blockDim.y of its own. */
static void copy_alike(const struct simt_copy *c, size_t begin, size_t other,
                       const char *text, size_t length, char to[WORD])
{
    size_t used = 0;

    while (length > 0 && used + 1 < WORD) {
        const size_t part =
            strcspn(text, ".,") < length ? strcspn(text, ".,") : length;
        size_t a = begin, b = other;

        while (line_of(c, a) == line_of(c, begin) &&
               !(c->t.token[a].end - c->t.token[a].begin == part &&
                 strncmp(c->t.text + c->t.token[a].begin, text, part) == 0)) {
            a = behind(c, a);
            b = behind(c, b);
        }
        if (line_of(c, a) == line_of(c, begin)) {
            base_token_copy(&c->t, b, to + used, WORD - used);
        } else {
            snprintf(to + used, WORD - used, "%.*s", (int)part, text);
        }
        used = strlen(to);
        text += part;
        length -= part;
        if (length > 0 && used + 1 < WORD) {
            to[used++] = *text++;
            to[used] = '\0';
            length--;
        }
    }
}

/* Of two names or operators each for the other. Returns how many pairs that
   is. */
static int write_exchange(const struct simt_copy *c, const struct simt_group *g,
                          const struct simt_group *h, FILE *output)
{
    size_t length, other_length;
    const char *const text = text_of(c, g, &length);
    const char *const other = text_of(c, h, &other_length);
    const int to = change_to(c, g, other, other_length);
    const int back = change_to(c, h, text, length);

    if (to < 0 || back < 0)
        return 0;
    fprintf(output, "    {%d, %d},\n", g->first + to, h->first + back);
    return 1;
}

/* The same change of both, of what is the same, or at one place of lines that
   are alike. */
static int write_same(const struct simt_copy *c, const struct simt_group *g,
                      const struct simt_group *h, FILE *output)
{
    const char *at = others_of(g);
    const int names = count_of(at), other_names = count_of(others_of(h));
    size_t length, other_length, begin = 0, other = 0;
    const char *const text = text_of(c, g, &length);
    const int is_same =
        strncmp(text, text_of(c, h, &other_length), length) == 0 &&
        length == other_length;
    int written = 0;

    if (!is_same && !are_alike(c, g->begin, h->begin, &begin, &other))
        return 0;
    for (int i = 0; i < g->count; i++) {
        int its = i - names + other_names;

        if (i < names) {
            const char *name;
            char alike[WORD] = "";
            size_t its_length;

            at = next_name(at, &name, &its_length);
            if (!is_same) {
                copy_alike(c, begin, other, name, its_length, alike);
                name = alike;
                its_length = strlen(alike);
            }
            its = change_to(c, h, name, its_length);
        }
        if (its >= 0 && its < h->count) {
            fprintf(output, "    {%d, %d},\n", g->first + i, h->first + its);
            written++;
        }
    }
    return written;
}

/* The ( of the condition of an if in which i stands; 0: in none. */
static size_t condition_of(const struct simt_copy *c, size_t i)
{
    size_t at = i;

    while (at > 0 && mark(c, at) != ';' && mark(c, at) != '{' &&
           !(mark(c, at) == '(' && c->partner[at] > i &&
             is(c, before(c, at), "if")))
        at = before(c, at);
    return mark(c, at) == '(' ? at : 0;
}

/* In one condition a variable in the place of an operand, and another change of
   an operator or of an operand: r >= rows for row + r >= m. */
static int write_condition(const struct simt_copy *c,
                           const struct simt_group *g,
                           const struct simt_group *h, FILE *output)
{
    const int names = count_of(others_of(g));
    const int others = h->kind == SIMT_OPERATION ? h->count
                       : h->kind == SIMT_OPERAND ? count_of(others_of(h))
                                                 : 0;
    int written = 0;

    if (g->kind != SIMT_OPERAND || others == 0 ||
        (h->kind == SIMT_OPERAND && h < g) ||
        line_of(c, g->begin) != line_of(c, h->begin) ||
        condition_of(c, g->begin) == 0 ||
        condition_of(c, g->begin) != condition_of(c, h->begin))
        return 0;
    for (int i = 0; i < names; i++) {
        for (int k = 0; k < others; k++, written++)
            fprintf(output, "    {%d, %d},\n", g->first + i, h->first + k);
    }
    return written;
}

void simt_write_pairs(const struct simt_copy *c, FILE *output)
{
    int written = 0;

    for (int turn = 0; turn < 3; turn++) {
        for (int n = 1; n < c->groups; n++) {
            const struct simt_group *h = &c->group[n];

            for (const struct simt_group *g = c->group;
                 g < h && written < MOST_PAIRS; g++) {
                if (g->kind != h->kind ||
                    line_of(c, h->begin) - line_of(c, g->begin) > LINES_APART)
                    continue;
                if (turn == 0) {
                    written += write_exchange(c, g, h, output);
                } else if ((turn == 2) == (g->kind >= SIMT_SCALED &&
                                           g->kind <= SIMT_ADJUSTMENT)) {
                    written += write_same(c, g, h, output);
                }
            }
        }
    }
    for (int n = 0; n < c->groups; n++) {
        for (int k = 0; k < c->groups && written < MOST_PAIRS; k++) {
            if (k != n) {
                written +=
                    write_condition(c, &c->group[n], &c->group[k], output);
            }
        }
    }
}
