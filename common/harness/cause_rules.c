#include "cause_parts.h"

#include <stdlib.h>

enum {
    NOT_SET = -1000000
};

/* The element that was taken for term t; 0 if there is none. */
static int taken(const struct lab_rule *r, const struct lab_term *t, int *row,
                 int *col)
{
    const struct lab_load *load = r->of == LAB_OF_A ? t->a : t->b;

    if (load == NULL || load->what != r->of)
        return 0;
    *row = load->row;
    *col = load->col;
    return 1;
}

/* 1 if the term is wrong on that side. */
static int is_off(const struct lab_rule *r, const struct lab_term *t)
{
    return t->times == 0 && !(r->of == LAB_OF_A ? t->a_right : t->b_right) &&
           (t->a != NULL || t->b != NULL);
}

/* Do all terms that are off pass the test, and at least `least` of them? The
   parameter begins as NOT_SET, and the first that passes sets it. */
int lab_cause_all_pass(const struct lab_rule *r, lab_rule_test *test,
                       int *parameter, int least)
{
    int seen = 0;

    *parameter = NOT_SET;
    for (int i = 0; i < r->terms; i++) {
        const struct lab_term *t = &r->term[i];
        int row, col;

        if (!is_off(r, t))
            continue;
        if (!taken(r, t, &row, &col) ||
            !test(r, t, row, col, r->of == LAB_OF_A ? r->a->s->row : t->i,
                  r->of == LAB_OF_A ? t->i : r->a->s->col, parameter))
            return 0;
        seen++;
    }
    return seen >= least;
}

static int is_fixed(int *parameter, int value)
{
    if (*parameter == NOT_SET)
        *parameter = value;
    return *parameter == value;
}

static int exchanged(const struct lab_rule *r, const struct lab_term *t,
                     int row, int col, int want_row, int want_col,
                     int *parameter)
{
    (void)r;
    (void)t;
    *parameter = 0;
    return row == want_col && col == want_row;
}

/* Within tiles of *parameter elements, which is given. */
static int exchanged_in_tile(const struct lab_rule *r, const struct lab_term *t,
                             int row, int col, int want_row, int want_col,
                             int *parameter)
{
    static const int widths[] = {16, 32, 8, 64, 128};

    (void)r;
    (void)t;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const int w = widths[i];

        if ((*parameter == NOT_SET || *parameter == w) &&
            row / w == want_row / w && col / w == want_col / w &&
            row % w == want_col % w && col % w == want_row % w) {
            *parameter = w;
            return 1;
        }
    }
    return 0;
}

int lab_cause_other_row(const struct lab_rule *r, const struct lab_term *t,
                        int row, int col, int want_row, int want_col,
                        int *parameter)
{
    (void)r;
    (void)t;
    return col == want_col && row != want_row && is_fixed(parameter, row);
}

int lab_cause_other_col(const struct lab_rule *r, const struct lab_term *t,
                        int row, int col, int want_row, int want_col,
                        int *parameter)
{
    (void)r;
    (void)t;
    return row == want_row && col != want_col && is_fixed(parameter, col);
}

/* The last of row 0 of A may be the first of the next. Of other rows that could
   be their width. */
static int step_on(const struct lab_rule *r, const struct lab_term *t, int row,
                   int col, int want_row, int want_col, int *parameter)
{
    const int k = r->a->d->k, on = (row - want_row) * k + col - want_col;

    (void)t;
    return r->of == LAB_OF_A
               ? (row == want_row || want_row == 0) && abs(on) < k &&
                     is_fixed(parameter, on)
               : col == want_col && is_fixed(parameter, row - want_row);
}

/* As if a row had *parameter elements more than it has. */
static int other_width(const struct lab_rule *r, const struct lab_term *t,
                       int row, int col, int want_row, int want_col,
                       int *parameter)
{
    const int width = r->of == LAB_OF_A ? r->a->d->k : r->a->d->n;
    const int at = row * width + col;

    (void)t;
    if (want_row == 0)
        return at == want_col;
    return (at - want_col) % want_row == 0 &&
           is_fixed(parameter, (at - want_col) / want_row);
}

static int nothing_moves(const struct lab_rule *r, const struct lab_term *t,
                         int row, int col, int want_row, int want_col,
                         int *parameter)
{
    const int width = r->of == LAB_OF_A ? r->a->d->k : r->a->d->n;

    (void)t;
    (void)want_row;
    (void)want_col;
    return is_fixed(parameter, row * width + col);
}

/* Did a wrong one come through shared memory? */
static int is_of_tile(const struct lab_rule *r)
{
    for (int i = 0; i < r->terms; i++) {
        const struct lab_term *t = &r->term[i];
        const struct lab_load *load = r->of == LAB_OF_A ? t->a : t->b;

        if (is_off(r, t) && load != NULL && load->step->space == SIMT_SHARED)
            return 1;
    }
    return 0;
}

/* May a row have been taken for p elements long? What came through shared
   memory has another index on the way, so there it must be a side. */
static int is_width(const struct lab_rule *r, int p)
{
    const struct lab_identity *d = r->a->d;

    if (p <= 0)
        return 0;
    if (!is_of_tile(r))
        return 1;
    return (p == d->m || p == d->n || p == d->k) && d->m != d->n &&
           d->n != d->k;
}

/* Rows are taken for p elements long. */
static void say_width(struct lab_words *w, const struct lab_rule *r, int p)
{
    const struct lab_identity *d = r->a->d;
    const char name = r->of == LAB_OF_A ? 'A' : 'B';
    const char side = lab_side(d->m, d->n, d->k, p);
    char which[] = " = ?";

    which[side != '\0' ? 3 : 0] = side;
    lab_cause_say(
        w,
        "the index of %c goes on by %d%s from one row to the next, and a "
        "row of %c has %d = %c elements",
        name, p, which, name, r->of == LAB_OF_A ? d->k : d->n,
        r->of == LAB_OF_A ? 'k' : 'n');
}

/* Says what the wrong ones of one matrix have in common. Returns 1 if there is
   something, 2 if it is of this element alone, 0 if there is nothing. */
int lab_cause_say_rule(struct lab_words *w, const struct lab_rule *r)
{
    const char name = r->of == LAB_OF_A ? 'A' : 'B';
    const struct lab_identity *d = r->a->d;
    const int row = r->a->s->row, col = r->a->s->col;
    /* What one element shows may be chance where its row and column are one, or
       the first. */
    const int is_clear = row != col && row > 0 && col > 0;
    const enum lab_form form = lab_cause_form(r->a, r->of);
    const int exchanges =
        form == LAB_EXCHANGED || (form == LAB_NO_FORM && is_clear);
    int p;

    if (exchanges && lab_cause_all_pass(r, exchanged, &p, 2)) {
        lab_cause_say(w, "row and column of %c are exchanged%s", name,
                      is_of_tile(r) ? ", on the way into its tile or out of it"
                                    : "");
    } else if (lab_cause_all_pass(r, step_on, &p, 2)) {
        const int size = abs(p);

        lab_cause_say(w, "%c is taken %d step%s too %s along k", name, size,
                      size == 1 ? "" : "s", p > 0 ? "far" : "early");
        if (size == 16)
            lab_cause_say(w, ", a tile of 16 %s", p > 0 ? "ahead" : "behind");
    } else if (r->of == LAB_OF_A &&
               lab_cause_all_pass(r, lab_cause_other_row, &p, 2)) {
        lab_cause_say(w, "that is row %d of A, not row %d", p, row);
        return 2;
    } else if (r->of == LAB_OF_B &&
               lab_cause_all_pass(r, lab_cause_other_col, &p, 2)) {
        lab_cause_say(w, "that is column %d of B, not column %d", p, col);
        return 2;
    } else if ((form == LAB_STILL || (form == LAB_NO_FORM && is_clear)) &&
               lab_cause_all_pass(r, nothing_moves, &p, d->k - 1)) {
        lab_cause_say(
            w,
            "the index of %c does not go along with k: it is always the "
            "same element",
            name);
        return 2;
    } else if (form == LAB_NO_FORM &&
               lab_cause_all_pass(r, other_width, &p, 2) && is_width(r, p) &&
               p != (r->of == LAB_OF_A ? d->k : d->n) &&
               (is_clear || lab_cause_is_pitch(r->a, r->of, p))) {
        say_width(w, r, p);
    } else if (exchanges && lab_cause_all_pass(r, exchanged_in_tile, &p, 3)) {
        lab_cause_say(
            w, "row and column of %c are exchanged within the tile of %d x %d",
            name, p, p);
    } else {
        return 0;
    }
    return 1;
}
