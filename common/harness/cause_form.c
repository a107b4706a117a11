/*
 * Which index gives all of C? The row and the column of what was taken of A, or
 * of B, are made of what a thread knows: the row and the column of its element
 * of C, and the step along k; or of parts of these, as tiles have them. A form
 * is the cause if it gives every element of C, to the bit.
 */
#include "cause_parts.h"

#include "base/language.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum place {
    ROW,
    COLUMN,
    STEP,
    NOTHING,
    PLACES
};

enum {
    LEAST = 8,     /* rows, columns and steps */
    MOST = 1 << 20 /* products of C: there are thousands of forms */
};

static const char *const name_of[] = {N_("the row of C"), N_("the column of C"),
                                      N_("the step along k"), N_("nothing")};

/* With tiles of w elements: base / w * w + rest % w. */
struct number {
    enum place base, rest;
};

struct form {
    enum lab_content of;
    int width; /* INT_MAX: there are no tiles, and rest is all */
    struct number row, col;
    /* 1: a column past the last is one of the next row, 0: it is not known. */
    int wraps;
    /* A part of the row is added to the index, not multiplied by the length of
       a row; or the column is multiplied by the row too; or their sum by the
       length. */
    enum {
        AS_IT_IS,
        BASE_ADDED,
        REST_ADDED,
        ALL_MULTIPLIED,
        SUM_MULTIPLIED,
        KINDS
    } is;
    int pitch;         /* of a row; 0: its length */
    int is_everywhere; /* 1: it is known of each element of C what it gives */
};

static int rows_of(const struct lab_identity *d, const struct form *f)
{
    return f->of == LAB_OF_A ? d->m : d->k;
}

static int cols_of(const struct lab_identity *d, const struct form *f)
{
    return f->of == LAB_OF_A ? d->k : d->n;
}

/* The element that is taken; -1: none, and then it may be zero or any other. */
static int index_of(const struct lab_identity *d, const struct form *f,
                    const int at[PLACES])
{
    const int base = at[f->row.base] / f->width * f->width;
    const int rest = at[f->row.rest] % f->width;
    const int row = f->is == BASE_ADDED   ? rest
                    : f->is == REST_ADDED ? base
                                          : base + rest;
    const int col =
        at[f->col.base] / f->width * f->width + at[f->col.rest] % f->width;
    const int rows = rows_of(d, f), cols = cols_of(d, f);
    const int pitch = f->pitch > 0 ? f->pitch : cols;
    const int index = f->is == SUM_MULTIPLIED ? (row + col) * pitch
                      : f->is == ALL_MULTIPLIED
                          ? row * (pitch + col)
                          : row * pitch + col + (base + rest - row);

    return row < rows && (f->wraps ? index < rows * cols : col < cols) ? index
                                                                       : -1;
}

/* The element of C that the form gives; 0: it is not known, or not exact. */
static int sum_of(const struct lab_identity *d, const struct form *f, int row,
                  int col, double *sum)
{
    double size = 0.0;

    *sum = 0.0;
    for (int i = 0; i < d->k; i++) {
        const int index = index_of(d, f, (const int[]){row, col, i, 0});
        double term;

        if (index < 0)
            return 0;
        term = f->of == LAB_OF_A ? (double)d->A[index] * lab_cause_b(d, i, col)
                                 : lab_cause_a(d, row, i) * (double)d->B[index];
        *sum += term;
        size += fabs(term);
    }
    return lab_cause_is_exact(size);
}

/* Does the form give all elements that are known of it? These are the wrong one
   that is looked into, and half of those at least that are numbers. */
static int gives_c(const struct lab_account *a, struct form *f)
{
    const int m = a->d->m, n = a->d->n, own = a->row * n + a->col;
    int known = 0, numbers = 0;
    double sum;

    for (int at = 0; at < m * n; at++) {
        numbers += !isnan(a->C[at]);
        if (!sum_of(a->d, f, at / n, at % n, &sum)) {
            if (at == own)
                return 0;
            continue;
        }
        if ((double)a->C[at] != sum)
            return 0;
        known++;
    }
    f->is_everywhere = known == m * n;
    return 2 * known >= numbers;
}

/* The right index, but for what is set in f afterwards. */
static struct form right_form(enum lab_content of, int width)
{
    const enum place row = of == LAB_OF_A ? ROW : STEP;
    const enum place col = of == LAB_OF_A ? STEP : COLUMN;

    return (struct form){.of = of,
                         .width = width,
                         .row = {row, row},
                         .col = {col, col},
                         .wraps = 1};
}

/* The simplest form comes first. */
static int find_form(const struct lab_account *a, enum lab_content of,
                     struct form *f)
{
    static const int widths[] = {INT_MAX, 16, 32, 8};

    if (a->d->m < LEAST || a->d->n < LEAST || a->d->k < LEAST ||
        (double)a->d->m * a->d->n * a->d->k > MOST)
        return 0; /* several forms of so few would give the same */
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        *f = right_form(of, widths[w]);
        for (f->is = BASE_ADDED; f->is < KINDS; f->is++) {
            if (gives_c(a, f))
                return 1;
        }
        f->is = AS_IT_IS;
        for (int all = 0; all < 2 * PLACES * PLACES * PLACES * PLACES; all++) {
            f->wraps = all / PLACES / PLACES / PLACES / PLACES;
            f->row.rest = (enum place)(all % PLACES);
            f->col.rest = (enum place)(all / PLACES % PLACES);
            f->row.base = (enum place)(all / PLACES / PLACES % PLACES);
            f->col.base = (enum place)(all / PLACES / PLACES / PLACES % PLACES);
            if ((w > 0 || f->row.base + f->col.base == 0) && gives_c(a, f))
                return 1;
        }
    }
    return 0;
}

/* "the column of A goes along with the row of C, and not with ...", behind
   `before`. 0: it is right. */
static int say_number(struct lab_account *a, const struct form *f,
                      const char *which, struct number is, enum place want,
                      const char *before)
{
    const char of = f->of == LAB_OF_A ? 'A' : 'B';
    const enum place with = is.rest == want ? is.base : is.rest;
    char where[80] = "";

    if (is.rest == want && (is.base == want || f->width == INT_MAX))
        return 0;
    if (f->width < INT_MAX && is.rest == want) {
        snprintf(where, sizeof where, _(" from one %d to the next"), f->width);
    } else if (f->width < INT_MAX && is.base == want) {
        snprintf(where, sizeof where, _(" within every %d"), f->width);
    } else if (f->width < INT_MAX && is.base != is.rest) {
        snprintf(where, sizeof where,
                 _(" within every %d, and with %s from one to the next"),
                 f->width, _(name_of[is.base]));
    }
    if (with == NOTHING && is.rest == want) {
        lab_say(a->story,
                "%sthe %s of %c goes from 0 to %d again and again, where %s "
                "goes on",
                before, which, of, f->width - 1, _(name_of[want]));
    } else if (with == NOTHING) {
        lab_say(a->story, "%sthe %s of %c does not go along with %s%s", before,
                which, of, _(name_of[want]), where);
    } else {
        lab_say(a->story,
                "%sthe %s of %c goes along with %s%s, and not with %s", before,
                which, of, _(name_of[with]), where, _(name_of[want]));
    }
    return 1;
}

/* What is added or multiplied that should not be. */
static void say_brackets(struct lab_account *a, const struct form *f)
{
    const char of = f->of == LAB_OF_A ? 'A' : 'B';
    const char length = f->of == LAB_OF_A ? 'k' : 'n';

    if (f->is == ALL_MULTIPLIED || f->is == SUM_MULTIPLIED) {
        lab_say(a->story, "the index of %c is ", of);
        if (f->is == ALL_MULTIPLIED) {
            lab_say(a->story, "row * (%c + column)", length);
        } else {
            lab_say(a->story, "(row + column) * %c", length);
        }
        lab_say(a->story,
                ", and not row * %c + column: a pair of brackets too "
                "many",
                length);
    } else if (f->width == INT_MAX) {
        lab_say(a->story,
                "the row is added to the index of %c and not multiplied "
                "by %c = %d",
                of, length, cols_of(a->d, f));
    } else {
        lab_say(a->story,
                "the %s every %d is added to the index of %c and not "
                "multiplied by %c = %d: the sum that makes the row lacks "
                "its brackets",
                f->is == BASE_ADDED ? _("first row of") : _("row within"),
                f->width, of, length, cols_of(a->d, f));
    }
}

int lab_cause_say_form(struct lab_account *a)
{
    struct form f;
    const int is_a = find_form(a, LAB_OF_A, &f);
    int row;

    if (!is_a && !find_form(a, LAB_OF_B, &f))
        return 0;
    if (f.is_everywhere) {
        lab_say(a->story, " In all of C ");
    } else {
        lab_say(a->story, " Wherever it stays inside of %c, ",
                is_a ? 'A' : 'B');
    }
    if (f.is != AS_IT_IS) {
        say_brackets(a, &f);
    } else {
        row = say_number(a, &f, _("row"), f.row, is_a ? ROW : STEP, "");
        say_number(a, &f, _("column"), f.col, is_a ? STEP : COLUMN,
                   row ? "; " : "");
    }
    lab_say(a->story, ".");
    return 1;
}

int lab_cause_is_pitch(const struct lab_account *a, enum lab_content of,
                       int pitch)
{
    struct form f = right_form(of, INT_MAX);

    f.pitch = pitch;
    return gives_c(a, &f);
}

enum lab_form lab_cause_form(const struct lab_account *a, enum lab_content of)
{
    const enum place row = of == LAB_OF_A ? ROW : STEP;
    const enum place col = of == LAB_OF_A ? STEP : COLUMN;
    struct form f;

    if (!find_form(a, of, &f))
        return LAB_NO_FORM;
    return f.is == AS_IT_IS && f.row.rest == col && f.col.rest == row
               ? LAB_EXCHANGED
           : f.row.rest != STEP && f.col.rest != STEP ? LAB_STILL
                                                      : LAB_OTHER_FORM;
}
