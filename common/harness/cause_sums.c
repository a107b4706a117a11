/* All that was taken is right: what else gives this value? */
#include "cause_parts.h"

#include "source.h"

#include "base/language.h"

#include <math.h>
#include <string.h>

/* The sum of terms first to end - 1. */
static double part(const struct lab_account *a, int first, int end)
{
    double sum = 0.0;

    for (int i = first; i < end; i++)
        sum += lab_cause_a(a->d, a->row, i) * lab_cause_b(a->d, i, a->col);
    return sum;
}

/* The element of C whose value this one holds, if it is just one; else 0. */
static int belongs_to(const struct lab_account *a, double value, int *row,
                      int *col)
{
    int found = 0, exact;

    for (int r = 0; r < a->d->m; r++) {
        for (int c = 0; c < a->d->n; c++) {
            if (lab_identity_want(a->d, r, c, &exact) == value && exact) {
                found++;
                *row = r;
                *col = c;
            }
        }
    }
    return found == 1;
}

/* Is each element, of which it can be told, factor times its right value and
   offset more? Returns of how many that is so, 0 if it is not. */
static int are_all(const struct lab_account *a, double factor, double offset)
{
    int seen = 0;

    for (int r = 0; r < a->d->m; r++) {
        for (int c = 0; c < a->d->n; c++) {
            int exact;
            const double want = lab_identity_want(a->d, r, c, &exact);
            const double got = (double)a->C[r * a->d->n + c];

            /* A product is rounded, a sum of these values is not. */
            if (exact && (factor == 1.0 ? got != want + offset
                                        : fabs(got - want * factor) >
                                              fabs(got) * 0x1p-22))
                return 0;
            seen += exact;
        }
    }
    return seen;
}

/* Some of the terms alone. */
static int say_part(struct lab_account *a)
{
    const int k = a->d->k, row = a->row, col = a->col;
    int from = 1;

    while (from < k && a->got != part(a, from, k))
        from++;
    if (from == k - 1) {
        lab_say(a->story,
                "C[%d][%d] holds the last product alone: the sum is "
                "overwritten where it should be added to",
                row, col);
    } else if (from < k) {
        lab_say(a->story,
                "C[%d][%d] holds the terms from i = %d on alone: what was "
                "added before is lost, so the sum is set anew on the way",
                row, col, from);
    } else if (k > 1 && a->got == part(a, 0, 1)) {
        lab_say(a->story, "C[%d][%d] holds the first product alone", row, col);
    } else if (a->got == 0.0) {
        lab_say(a->story,
                "C[%d][%d] is 0: nothing of what was taken got into it", row,
                col);
    } else {
        return 0;
    }
    return 1;
}

/* What C[row][col] holds if a sum of `apart` products is added after each of
   them, or the last of k, and never set back to 0. */
static double not_set_back(const struct lab_account *a, int row, int col,
                           int apart)
{
    const int sums = (a->d->k + apart - 1) / apart;
    double sum = 0.0;

    for (int i = 0; i < a->d->k; i++) {
        const int times = sums - i / apart;

        sum += times * lab_cause_a(a->d, row, i) * lab_cause_b(a->d, i, col);
    }
    return sum;
}

/* The same products more than once: such a sum, in all of C. */
static int say_not_set_back(struct lab_account *a)
{
    const int k = a->d->k, n = a->d->n;
    int apart = 1, exact;

    while (apart < k && not_set_back(a, a->row, a->col, apart) != a->got)
        apart++;
    for (int at = 0; apart < k && at < a->d->m * n; at++) {
        lab_identity_want(a->d, at / n, at % n, &exact);
        if (exact && (double)a->C[at] != not_set_back(a, at / n, at % n, apart))
            return 0;
    }
    if (apart >= k)
        return 0;
    lab_say(a->story,
            "C[%d][%d] holds A[%d][0] * B[0][%d] %d times and the last product "
            "once, as when a sum is added after every %d products and not set "
            "back to 0 in between",
            a->row, a->col, a->row, a->col, (k + apart - 1) / apart, apart);
    return 1;
}

/* All terms, in another calculation. */
static int say_calculation(struct lab_account *a)
{
    const int row = a->row, col = a->col;
    double squares = 0.0, sums = 0.0, whole = 0.0, cut = 0.0;
    double one[2] = {0.0, 0.0}; /* of A, or of B, whole numbers alone */

    for (int i = 0; i < a->d->k; i++) {
        const double x = lab_cause_a(a->d, row, i);
        const double y = lab_cause_b(a->d, i, col);

        sums += x + y;
        cut = trunc(cut + x * y);
        squares += trunc(x * y);
        whole += trunc(x) * trunc(y);
        one[0] += trunc(x) * y;
        one[1] += x * trunc(y);
    }
    if (a->got == trunc(a->want)) {
        lab_say(a->story,
                "C[%d][%d] is rounded to a whole number: a variable on the way "
                "is an int",
                row, col);
    } else if (a->got == squares || a->got == whole || a->got == cut) {
        lab_say(a->story,
                "C[%d][%d] is a sum of whole numbers: a variable on the way is "
                "an int",
                row, col);
    } else if (a->got == one[0] || a->got == one[1]) {
        const char of = a->got == one[0] ? 'A' : 'B';
        const struct simt_access *last = lab_cause_last_store(a);
        const int line =
            lab_source_int(last->file, last->line, of, &a->story->beside);

        lab_say(a->story,
                "C[%d][%d] is made of whole numbers of %c: a variable that "
                "holds an element of %c is an int",
                row, col, of, of);
        if (line > 0)
            lab_say(a->story, " (line %d)", line);
    } else if (a->got == sums) {
        lab_say(a->story,
                "C[%d][%d] is the sum of A[%d][i] + B[i][%d]: the two are "
                "added where they should be multiplied",
                row, col, row, col);
    } else if (a->got == -a->want) {
        lab_say(a->story,
                "C[%d][%d] is right but for its sign: the products are "
                "subtracted",
                row, col);
    } else {
        return 0;
    }
    return 1;
}

/* How many elements the thread stores, if they add up to what they should; or
   0. */
static int right_in_all(const struct lab_account *a)
{
    const int n = a->d->n;
    double got = 0.0, want = 0.0;
    int count = 0;

    for (size_t i = 0; i < a->steps; i++) {
        const struct simt_access *x = &a->step[i];
        const int first = (int)(x->offset / 4), end = first + x->size / 4;

        if (x->array != a->c_array || x->space != SIMT_GLOBAL ||
            x->kind == SIMT_LOAD)
            continue;
        for (int at = first; at < end; at++, count++) {
            int exact = at < a->d->m * n;

            if (exact)
                want += lab_identity_want(a->d, at / n, at % n, &exact);
            if (!exact)
                return 0;
            got += (double)a->C[at];
        }
    }
    return got == want ? count : 0;
}

/* Shows the line by which the thread takes what it needs of a matrix. */
static void show_operand(struct lab_account *a, enum lab_content of)
{
    for (size_t i = 0; i < a->alls; i++) {
        const struct simt_access *x = &a->all[i];
        struct lab_load load;

        if (x->thread != a->thread || x->kind != SIMT_LOAD ||
            x->space != SIMT_SHARED)
            continue;
        lab_cause_identify(a->d, x->value[0], &load);
        if (load.what == of) {
            lab_lines_add(&a->story->beside, x->line);
            return;
        }
    }
}

/* What all of C has in common, or what another element has to do with it. */
static int say_others(struct lab_account *a)
{
    const int row = a->row, col = a->col;
    const double offset = a->got - a->want, factor = a->got / a->want;
    int other_row, other_col, elements;

    if (are_all(a, 1.0, offset) > 1) {
        lab_say(a->story, "each element is %g too %s%s", fabs(offset),
                offset > 0 ? _("large") : _("small"),
                a->plain && a->groups == a->d->k
                    ? _(": the sum does not begin with 0")
                    : "");
    } else if (a->want != 0.0 && are_all(a, factor, 0.0)) {
        lab_say(a->story, "each element is %g times what it should be", factor);
    } else if (factor > 1.0 && factor <= 16.0 && factor == floor(factor)) {
        lab_say(a->story, "C[%d][%d] is %g times what it should be", row, col,
                factor);
    } else if (a->kernel == NULL && col > 0 &&
               a->got == a->want + (double)a->C[row * a->d->n + col - 1]) {
        lab_say(a->story,
                "C[%d][%d] goes on from C[%d][%d]: the sum is not set to 0 in "
                "between",
                row, col, row, col - 1);
    } else if (belongs_to(a, a->got - a->want, &other_row, &other_col)) {
        lab_say(a->story, "C[%d][%d] also holds C[%d][%d]", row, col, other_row,
                other_col);
    } else if (belongs_to(a, a->got, &other_row, &other_col)) {
        lab_source_made(a->story->here.file, a->story->here.line, "C",
                        a->kernel, &a->story->beside);
        if (other_row != row)
            show_operand(a, LAB_OF_A);
        if (other_col != col)
            show_operand(a, LAB_OF_B);
        lab_say(a->story,
                "C[%d][%d] holds what belongs to C[%d][%d]: either it is made "
                "of that one's operands, or a sum got into the place of "
                "another on the way to the store",
                row, col, other_row, other_col);
    } else if ((elements = right_in_all(a)) > 1) {
        lab_say(a->story,
                "together, the %d elements that it stores have the right "
                "total: what one lacks is in another",
                elements);
    } else {
        return 0;
    }
    return 1;
}

enum lab_rank lab_cause_say_sum(struct lab_account *a)
{
    const struct simt_access *store = lab_cause_last_store(a);
    int known;

    if (store == NULL)
        return LAB_NOTHING;
    if (lab_cause_say_unset(a, 1) != LAB_NOTHING)
        return LAB_PROVEN;
    lab_say(a->story,
            a->plain
                ? N_("C[%d][%d]: %s took its %d products rightly, and stored "
                     "%g for %g (%s:%d): ")
                : N_("C[%d][%d]: %s took all that its %d products need, and "
                     "stored %g for %g (%s:%d): "),
            a->row, a->col, a->who, a->d->k, a->got, a->want,
            lab_cause_file(store->file), store->line);
    a->story->here = LAB_PLACE(store);
    known = a->exact && !isnan(a->got) &&
            (say_part(a) || say_not_set_back(a) || say_calculation(a) ||
             say_others(a));
    lab_source_summed(store->file, store->line, &a->story->beside);
    if (known || a->plain) {
        lab_say(a->story, "%s.",
                known ? ""
                      : _("the mistake is between the loads and the store"));
    } else {
        memcpy(a->story->text + strlen(a->story->text) - 2, ".", 2);
    }
    return known ? LAB_PROVEN : LAB_SEEN;
}

enum lab_rank lab_cause_say_got(struct lab_account *a)
{
    const struct simt_access *store = lab_cause_last_store(a);
    int row, col;

    if (store == NULL)
        return LAB_NOTHING;
    a->story->here = LAB_PLACE(store);
    if (a->exact && belongs_to(a, a->got, &row, &col)) {
        lab_say(a->story,
                "C[%d][%d] holds what belongs to C[%d][%d]: %s stored that sum "
                "there (%s:%d).",
                a->row, a->col, row, col, a->who, lab_cause_file(store->file),
                store->line);
        return LAB_PROVEN;
    }
    lab_say(a->story, "C[%d][%d]: %s stored %g for %g (%s:%d).", a->row, a->col,
            a->who, a->got, a->want, lab_cause_file(store->file), store->line);
    return LAB_SEEN;
}

double lab_cause_sum(const struct lab_account *a)
{
    double sum = 0.0;

    for (int g = 0; g < a->groups; g++) {
        sum += a->load[a->group[g].first].value *
               a->load[a->group[g].first + 1].value;
    }
    return sum;
}
