/*
 * What do the wrong terms of one matrix have in common? The indices of what was
 * taken for them are fitted, exactly, as first + step * i, and held against the
 * right ones: of A row * k + i, of B col + i * n. The difference is the rule.
 */
#include "cause_parts.h"

#include "base/language.h"

#include <stdlib.h>

/* What was taken for the term; NULL: nothing of that matrix. */
static const struct lab_load *taken(const struct lab_term *t,
                                    enum lab_content of)
{
    const struct lab_load *load = of == LAB_OF_A ? t->a : t->b;

    return load != NULL && load->what == of ? load : NULL;
}

/* 1 if the term is wrong on that side. */
static int is_off(const struct lab_term *t, enum lab_content of)
{
    return t->times == 0 && !(of == LAB_OF_A ? t->a_right : t->b_right) &&
           (t->a != NULL || t->b != NULL);
}

struct lab_fit lab_cause_fit(const struct lab_account *a, enum lab_content of)
{
    const struct lab_term *term = a->term;
    const int terms = a->d->k, width = of == LAB_OF_A ? terms : a->d->n;
    struct lab_fit fit = {.step = of == LAB_OF_A ? 1 : width, .in_row = 1};
    int first = 0;

    for (int i = 0; i < terms; i++) {
        const struct lab_load *load = taken(&term[i], of);
        int index;

        if (!is_off(&term[i], of))
            continue;
        if (load == NULL)
            return (struct lab_fit){0};
        index = load->row * width + load->col;
        fit.in_row &= load->row == a->row;
        if (fit.terms == 0) {
            first = i;
            fit.first = index;
        } else if (fit.terms == 1) {
            fit.step = (index - fit.first) / (i - first);
        }
        if (index - fit.first != fit.step * (i - first))
            return (struct lab_fit){0};
        fit.terms++;
    }
    fit.first -= fit.step * first;
    return fit;
}

/* The width of the tiles within which row and column are exchanged in all wrong
   terms, at least 3; 0: there is none. */
static int exchanged_in_tile(const struct lab_account *a, enum lab_content of)
{
    const struct lab_term *term = a->term;
    static const int widths[] = {16, 32, 8, 64, 128};

    for (size_t n = 0; n < sizeof widths / sizeof widths[0]; n++) {
        const int w = widths[n];
        int seen = 0, fits = 1;

        for (int i = 0; i < a->d->k && fits; i++) {
            const struct lab_load *load = taken(&term[i], of);
            const int row = of == LAB_OF_A ? a->row : i;
            const int col = of == LAB_OF_A ? i : a->col;

            if (!is_off(&term[i], of))
                continue;
            fits = load != NULL && load->row == row / w * w + col % w &&
                   load->col == col / w * w + row % w;
            seen++;
        }
        if (fits && seen >= 3)
            return w;
    }
    return 0;
}

/* Did a wrong one come through shared memory? */
static int is_of_tile(const struct lab_account *a, enum lab_content of)
{
    const struct lab_term *term = a->term;
    for (int i = 0; i < a->d->k; i++) {
        const struct lab_load *load = of == LAB_OF_A ? term[i].a : term[i].b;

        if (is_off(&term[i], of) && load != NULL &&
            load->step->space == SIMT_SHARED)
            return 1;
    }
    return 0;
}

/* May a row have been taken for p elements long? What came through shared
   memory has another index on the way, so there it must be a side. */
static int is_width(const struct lab_identity *d, int p, int of_tile)
{
    if (p <= 0)
        return 0;
    if (!of_tile)
        return 1;
    return (p == d->m || p == d->n || p == d->k) && d->m != d->n &&
           d->n != d->k;
}

/* Rows are taken for p elements long. */
static void say_width(struct lab_account *a, enum lab_content of, int p)
{
    const struct lab_identity *d = a->d;
    const char name = of == LAB_OF_A ? 'A' : 'B';
    const char side = lab_side(d->m, d->n, d->k, p);
    char which[] = " = ?";

    which[side != '\0' ? 3 : 0] = side;
    lab_say(a->story,
            "the index of %c goes on by %d%s from one row to the next, and a "
            "row of %c has %d = %c elements",
            name, p, which, name, of == LAB_OF_A ? d->k : d->n,
            of == LAB_OF_A ? 'k' : 'n');
}

/* Is it the next tile's, or the last one's? */
static void say_steps(struct lab_account *a, char name, int on)
{
    const int size = abs(on);

    lab_say(a->story, "%c is taken %d step%s too %s along k", name, size,
            size == 1 ? "" : "s", on > 0 ? _("far") : _("early"));
    if (size == 16) {
        lab_say(a->story, ", a tile of 16 %s",
                on > 0 ? _("ahead") : _("behind"));
    }
}

int lab_cause_say_rule(struct lab_account *a, enum lab_content of)
{
    const int is_a = of == LAB_OF_A;
    const char name = is_a ? 'A' : 'B';
    const struct lab_identity *d = a->d;
    const int row = a->row, col = a->col, width = is_a ? d->k : d->n;
    const struct lab_fit fit = lab_cause_fit(a, of);
    const int first = fit.first, step = fit.step;
    /* The right index, and how far the fitted one is from it. */
    const int right = is_a ? row * width : col, off = first - right;
    const int along = fit.terms > 1 && step == (is_a ? 1 : width);
    const int of_tile = is_of_tile(a, of);
    /* What one element shows may be chance where its row and column are one, or
       the first. */
    const int is_clear = row != col && row > 0 && col > 0;
    const enum lab_form form = lab_cause_form(a, of);
    const int exchanges =
        form == LAB_EXCHANGED || (form == LAB_NO_FORM && is_clear);
    /* As if a row had p elements: of A all is in one row. */
    const int p = !is_a ? (first == col ? step : 0)
                  : along && row > 0 && first % row == 0 ? first / row
                                                         : 0;
    const int tile = exchanges ? exchanged_in_tile(a, of) : 0;

    if (exchanges && fit.terms > 1 && step == (is_a ? width : 1) &&
        first == (is_a ? row : col * width)) {
        lab_say(a->story, "row and column of %c are exchanged%s", name,
                of_tile ? _(", on the way into its tile or out of it") : "");
    } else if (along && is_a && abs(off) < width && (fit.in_row || row == 0)) {
        /* The last of row 0 of A may be the first of the next. Of other rows
           that could be their width. */
        say_steps(a, name, off);
    } else if (along && !is_a && off % width == 0) {
        say_steps(a, name, off / width);
    } else if (along && is_a && first % width == 0) {
        lab_say(a->story, "that is row %d of A, not row %d", first / width,
                row);
        return 2;
    } else if (along && !is_a && first >= 0 && first < width) {
        lab_say(a->story, "that is column %d of B, not column %d", first, col);
        return 2;
    } else if ((form == LAB_STILL || (form == LAB_NO_FORM && is_clear)) &&
               fit.terms > 1 && fit.terms >= d->k - 1 && step == 0) {
        lab_say(a->story,
                "the index of %c does not go along with k: it is always the "
                "same element",
                name);
        return 2;
    } else if (form == LAB_NO_FORM && fit.terms > 1 &&
               is_width(d, p, of_tile) && p != width &&
               (is_clear || lab_cause_is_pitch(a, of, p))) {
        say_width(a, of, p);
    } else if (tile > 0) {
        lab_say(a->story,
                "row and column of %c are exchanged within the tile of %d x %d",
                name, tile, tile);
    } else {
        return 0;
    }
    return 1;
}
