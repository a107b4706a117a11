/* What was taken in the place of a term. */
#include "cause_parts.h"

#include "simt/report.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_INT = 100000 /* what a float becomes as an int is less */
};

/* "C[0][1] needs A[0][2] * B[2][1]. Its thread (1,0)" */
static void say_needs(struct lab_words *w, const struct lab_account *a, int i)
{
    lab_cause_say(w, "C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s", a->s->row,
                  a->s->col, a->s->row, i, i, a->s->col, a->s->who);
}

/* The element of the term that was not taken: "B[2][1]". */
static void say_other(struct lab_words *w, const struct lab_account *a,
                      const struct lab_term *t)
{
    if (t->a_right) {
        lab_cause_say(w, "B[%d][%d]", t->i, a->s->col);
    } else {
        lab_cause_say(w, "A[%d][%d]", a->s->row, t->i);
    }
}

/* Did the thread take the element at all? */
static int is_loaded(const struct lab_account *a, enum lab_content what,
                     int row, int col)
{
    for (size_t i = 0; i < a->loads; i++) {
        if (lab_cause_is_element(&a->load[i], what, row, col))
            return 1;
    }
    return 0;
}

/* Of a thread with several sums: the two were never taken together. */
static int say_apart(struct lab_words *w, const struct lab_account *a,
                     const struct lab_term *t, struct lab_cause *cause)
{
    const struct lab_load *right = t->a_right ? t->a : t->b;
    const struct lab_load *other = t->a_right ? t->b : t->a;
    const int is_never = (other == NULL || other->what != LAB_UNSET) &&
                         !is_loaded(a, t->a_right ? LAB_OF_B : LAB_OF_A,
                                    t->a_right ? t->i : a->s->row,
                                    t->a_right ? a->s->col : t->i);

    say_needs(w, a, t->i);
    lab_cause_say(w,
                  is_never ? " took " : " never took the two together: with ");
    if (right != NULL)
        lab_cause_say_load(w, a, right);
    if (is_never) {
        lab_cause_say_line(w, right);
        lab_cause_say(w, ", and never ");
    } else {
        lab_cause_say(w, " it took ");
        if (other != NULL)
            lab_cause_say_load(w, a, other);
        lab_cause_say_line(w, other != NULL ? other : right);
        lab_cause_say(w, " and others, not ");
    }
    say_other(w, a, t);
    lab_cause_say(w, ".");
    lab_cause_place(cause, other != NULL ? other : right);
    return lab_cause_say_form(w, a) || is_never ? 3 : 2;
}

/* Was the matrix taken rightly in all terms? */
static int side_is_right(const struct lab_rule *r)
{
    for (int i = 0; i < r->terms; i++) {
        const struct lab_term *t = &r->term[i];

        if (t->times == 0 && !(r->of == LAB_OF_A ? t->a_right : t->b_right))
            return 0;
    }
    return 1;
}

static int holds_right(const struct lab_account *a, int row, int col)
{
    int exact;

    return lab_identity_want(a->d, row, col, &exact) ==
           (double)a->s->C[row * a->d->n + col];
}

/* The width by which the index of C goes on from one row to the next, if that
   explains all of C: each row is written over from there on by the next. 0: it
   does not. */
static int width_of_c(const struct lab_account *a)
{
    const struct lab_identity *d = a->d;
    const int widths[] = {d->m, d->k};

    for (size_t i = 0; i < 2; i++) {
        const int width = widths[i];
        int fits = width < d->n && d->m > 1, exact;

        for (int row = 0; row < d->m && fits; row++) {
            for (int col = 0; col < width && fits; col++) {
                fits = lab_identity_want(d, row, col, &exact) ==
                       (double)a->s->C[row * width + col];
            }
        }
        if (fits)
            return width;
    }
    return 0;
}

/* All that was taken is what another element of C is made of. */
static int say_other_element(struct lab_words *w, const struct lab_account *a,
                             const struct lab_term *term,
                             struct lab_cause *cause)
{
    const struct simt_access *store = lab_cause_last_store(a->s);
    struct lab_rule rule = {a, term, a->d->k, LAB_OF_A};
    const int width = width_of_c(a);
    int row, col, one_side = 0;

    if (store == NULL)
        return 0;
    if (!lab_cause_all_pass(&rule, lab_cause_other_row, &row, a->d->k)) {
        row = a->s->row;
        one_side = side_is_right(&rule);
        if (!one_side)
            return 0;
    }
    rule.of = LAB_OF_B;
    if (!lab_cause_all_pass(&rule, lab_cause_other_col, &col, a->d->k)) {
        col = a->s->col;
        if (one_side || !side_is_right(&rule))
            return 0;
        one_side = 1;
    }
    /* Of one side the thread must tell which of the two indices is its own; and
       what is stored elsewhere is missing there. */
    if (one_side && (a->several ? holds_right(a, row, col)
                                : row != a->s->own_row || col != a->s->own_col))
        return 0;
    lab_cause_say(
        w,
        ": these are the products of C[%d][%d], and line %d stored their "
        "sum to C[%d][%d]",
        row, col, store->line, a->s->row, a->s->col);
    if (width > 0) {
        lab_cause_say(
            w, ", as if a row of C had %d = %c elements, and not %d = n", width,
            lab_side(a->d->m, a->d->n, a->d->k, width), a->d->n);
    }
    lab_cause_say(w, ".");
    cause->other_file = cause->file;
    cause->other_line = cause->line;
    cause->file = store->file;
    cause->line = store->line;
    return 1;
}

void lab_cause_say_odd(struct lab_words *w, const struct lab_account *a,
                       struct lab_cause *cause)
{
    const struct lab_load *odd = a->odd;
    const struct simt_access *step = odd->step;
    const float value = step->value[odd->word];
    const double of_a = lab_cause_a(a->d, a->s->row, 0),
                 of_b = lab_cause_b(a->d, 0, a->s->col);
    char place[120] = "memory";
    int32_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (a->s->kernel != NULL)
        simt_access_name(place, sizeof place, step);
    lab_cause_say(
        w, "C[%d][%d] needs A[%d][0] = %g and B[0][%d] = %g. %s took from %s",
        a->s->row, a->s->col, a->s->row, of_a, a->s->col, of_b, a->s->who,
        place);
    lab_cause_say_line(w, odd);
    if (bits != 0 && abs(bits) < MOST_INT) { /* no usual float has them */
        lab_cause_say(w,
                      " the int %d: its type is an int, which cuts off what "
                      "is behind the point.",
                      (int)bits);
    } else {
        lab_cause_say(w, " what is no element of A or B.");
    }
    lab_cause_place(cause, odd);
}

/* What the wrong ones of A and of B have in common. Returns 1 if that is a rule
   of more than this element. */
static int say_rules(struct lab_words *more, const struct lab_account *a,
                     const struct lab_term *term, const struct lab_term *first)
{
    struct lab_rule rule = {a, term, a->d->k, LAB_OF_A};
    int of_a = 0, of_b = 0;
    size_t before;

    if (!first->a_right)
        of_a = lab_cause_say_rule(more, &rule);
    rule.of = LAB_OF_B;
    before = more->used;
    if (first->b_right)
        return of_a == 1;
    if (before > 0)
        lab_cause_say(more, "; ");
    of_b = lab_cause_say_rule(more, &rule);
    if (of_b == 0 && before > 0)
        more->text[before] = '\0';
    return of_a == 1 || of_b == 1;
}

/* Of a thread with one sum: what was taken for the first term that is wrong. */
static int say_wrong(struct lab_words *w, const struct lab_account *a,
                     const struct lab_term *term, const struct lab_term *first,
                     struct lab_cause *cause)
{
    const struct lab_load *place = first->a_right ? first->b : first->a;
    char text[300] = "";
    struct lab_words more = {text, sizeof text, 0};
    int is_rule;

    if (place == NULL)
        place = first->a_right ? first->a : first->b;
    say_needs(w, a, first->i);
    lab_cause_say(w, " took ");
    if (first->a != NULL)
        lab_cause_say_load(w, a, first->a);
    if (first->a != NULL && first->b != NULL)
        lab_cause_say(w, ", and ");
    if (first->b != NULL)
        lab_cause_say_load(w, a, first->b);
    lab_cause_say_line(w, place);
    lab_cause_place(cause, place);
    is_rule = say_rules(&more, a, term, first);
    if (say_other_element(w, a, term, cause))
        return 3;
    if (place != NULL && place->what == LAB_ZERO &&
        place->step->writer_line > 0) {
        lab_cause_say(w, ": line %d stored 0 there, where ",
                      place->step->writer_line);
        say_other(w, a, first);
        lab_cause_say(w, " belongs.");
        return 3;
    }
    lab_cause_say(w, "%s%s.", text[0] != '\0' ? ": " : "", text);
    if (!is_rule)
        is_rule = lab_cause_say_form(w, a);
    return text[0] != '\0' || is_rule ? 3 : 2;
}

int lab_cause_say_wrong(struct lab_words *w, const struct lab_account *a,
                        const struct lab_term *term, struct lab_cause *cause)
{
    const struct lab_term *first = term, *end = term + a->d->k;

    while (first < end &&
           (first->times > 0 || (first->a == NULL && first->b == NULL)))
        first++;
    if (first == end)
        return 0;
    if (a->plain)
        return say_wrong(w, a, term, first, cause);
    if (a->odd != NULL) {
        lab_cause_say_odd(w, a, cause);
        return 3;
    }
    if (a->several && lab_cause_say_held(w, a, cause))
        return 3;
    return say_apart(w, a, first, cause);
}
