#include "cause_parts.h"

#include <math.h>

/* The sum of terms first to end - 1. */
static double part(const struct lab_account *a, int first, int end)
{
    double sum = 0.0;

    for (int i = first; i < end; i++) {
        sum +=
            lab_cause_a(a->d, a->s->row, i) * lab_cause_b(a->d, i, a->s->col);
    }
    return sum;
}

int lab_cause_belongs_to(const struct lab_account *a, int *row, int *col)
{
    int found = 0, exact;

    for (int r = 0; r < a->d->m; r++) {
        for (int c = 0; c < a->d->n; c++) {
            if (lab_identity_want(a->d, r, c, &exact) == a->got && exact) {
                found++;
                *row = r;
                *col = c;
            }
        }
    }
    return found == 1;
}

static int is_sum(const struct lab_account *a, double sum)
{
    return a->exact && a->got == sum;
}

/* Every wrong element that is finite is its right value and the same number
   more. */
static int is_offset(const struct lab_account *a, double *offset)
{
    int seen = 0;

    *offset = a->got - a->want;
    for (int r = 0; r < a->d->m; r++) {
        for (int c = 0; c < a->d->n; c++) {
            int exact;
            const double want = lab_identity_want(a->d, r, c, &exact);
            const double got = (double)a->s->C[r * a->d->n + c];

            if (!exact)
                continue;
            if (got - want != *offset)
                return 0;
            seen++;
        }
    }
    return seen > 1;
}

/* Every wrong element is factor times what it should be. */
static int is_factor(const struct lab_account *a, double *factor)
{
    *factor = a->got / a->want;
    for (int r = 0; r < a->d->m; r++) {
        for (int c = 0; c < a->d->n; c++) {
            int exact;
            const double want = lab_identity_want(a->d, r, c, &exact);

            if (exact && (double)a->s->C[r * a->d->n + c] != want * *factor)
                return 0;
        }
    }
    return a->want != 0.0;
}

/* Some of the terms alone. */
static int say_part(struct lab_words *w, const struct lab_account *a)
{
    const int k = a->d->k, row = a->s->row, col = a->s->col;
    int from = 1;

    while (from < k && !is_sum(a, part(a, from, k)))
        from++;
    if (from == k - 1) {
        lab_cause_say(w,
                      "C[%d][%d] holds the last product alone: the sum is "
                      "overwritten where it should be added to",
                      row, col);
    } else if (from < k) {
        lab_cause_say(
            w,
            "C[%d][%d] holds the terms from i = %d on alone: what was added "
            "before is lost, so the sum is set anew on the way",
            row, col, from);
    } else if (k > 1 && is_sum(a, part(a, 0, 1))) {
        lab_cause_say(w, "C[%d][%d] holds the first product alone", row, col);
    } else if (is_sum(a, 0.0)) {
        lab_cause_say(w,
                      "C[%d][%d] is 0: nothing of what was taken got into it",
                      row, col);
    } else {
        return 0;
    }
    return 1;
}

/* All terms, in another calculation. */
static int say_calculation(struct lab_words *w, const struct lab_account *a)
{
    const int row = a->s->row, col = a->s->col;
    double squares = 0.0, sums = 0.0, whole = 0.0, cut = 0.0;

    for (int i = 0; i < a->d->k; i++) {
        const double x = lab_cause_a(a->d, row, i),
                     y = lab_cause_b(a->d, i, col);

        sums += x + y;
        cut = trunc(cut + x * y);
        squares += trunc(x * y);
        whole += trunc(x) * trunc(y);
    }
    if (a->got == trunc(a->want)) {
        lab_cause_say(
            w,
            "C[%d][%d] is rounded to a whole number: a variable on the way "
            "is an int",
            row, col);
    } else if (a->got == squares || a->got == whole || a->got == cut) {
        lab_cause_say(
            w,
            "C[%d][%d] is a sum of whole numbers: a variable on the way is "
            "an int",
            row, col);
    } else if (a->got == sums) {
        lab_cause_say(
            w,
            "C[%d][%d] is the sum of A[%d][i] + B[i][%d]: the two are added "
            "where they should be multiplied",
            row, col, row, col);
    } else if (a->got == -a->want) {
        lab_cause_say(w,
                      "C[%d][%d] is right but for its sign: the products are "
                      "subtracted",
                      row, col);
    } else {
        return 0;
    }
    return 1;
}

/* Tries what a wrong sum of right operands can be. Returns 1 if it is proven
   what it is. */
int lab_cause_say_sum(struct lab_words *w, const struct lab_account *a)
{
    const int row = a->s->row, col = a->s->col;
    double number;
    int other_row, other_col;

    if (!a->exact || isnan(a->got))
        return 0;
    if (say_part(w, a) || say_calculation(w, a))
        return 1;
    if (is_offset(a, &number)) {
        lab_cause_say(w, "each element is %g too %s%s", fabs(number),
                      number > 0 ? "large" : "small",
                      a->plain && a->groups == a->d->k
                          ? ": the sum does not begin with 0"
                          : "");
    } else if (is_factor(a, &number)) {
        lab_cause_say(w, "each element is %g times what it should be", number);
    } else if (lab_cause_belongs_to(a, &other_row, &other_col)) {
        lab_cause_say(
            w,
            "C[%d][%d] holds what belongs to C[%d][%d]: on the way to the "
            "store the sum got into the place of another",
            row, col, other_row, other_col);
    } else if (col > 0 &&
               a->got == a->want + (double)a->s->C[row * a->d->n + col - 1]) {
        lab_cause_say(
            w,
            "C[%d][%d] goes on from C[%d][%d]: the sum is not set to 0 in "
            "between",
            row, col, row, col - 1);
    } else {
        return 0;
    }
    return 1;
}
