/* Which terms of the sum are missing, too many, or there twice? */
#include "cause_parts.h"

#include "source.h"

#include "base/language.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terms that were not taken: `count` of them from the first to the last;
   others: for how many of them other elements were taken. */
struct missing {
    int count, first, last, others;
};

static int are_together(const struct missing *x)
{
    return x->count == x->last - x->first + 1;
}

static void say_which(struct lab_account *a, const struct missing *x)
{
    const int row = a->row, col = a->col, first = x->first;

    if (are_together(x) && x->count > 1) {
        lab_say(a->story,
                "A[%d][%d..%d] * B[%d..%d][%d] is missing in C[%d][%d]", row,
                first, x->last, first, x->last, col, row, col);
        return;
    }
    lab_say(a->story, "A[%d][%d] * B[%d][%d]", row, first, first, col);
    if (x->count > 1)
        lab_say(a->story, " and %d more products", x->count - 1);
    lab_say(a->story, " %s missing in C[%d][%d]",
            x->count > 1 ? _("are") : _("is"), row, col);
}

/* Where the thread was when the last term that it took was taken. */
static const struct lab_load *last_load(const struct lab_account *a)
{
    const struct lab_load *last = a->loads > 0 ? &a->load[a->loads - 1] : NULL;

    /* Pairs that were found may be in another order than their loads. */
    return last != NULL && a->loads > 1 && last[-1].step > last->step ? last - 1
                                                                      : last;
}

/* Zeros were taken for the rest: the lines that stored them are shown. */
static void say_padding(struct lab_account *a)
{
    struct lab_story *story = a->story;
    const struct simt_access *x, *y;
    int g = 0;

    while (g < a->groups && !lab_cause_is_padding(a, g))
        g++;
    if (g == a->groups)
        return;
    x = a->load[a->group[g].first].step;
    y = a->load[a->group[g].first + 1].step;
    if (x->writer_line == 0 || y->writer_line == 0)
        return;
    lab_say(story, ", which lines %d and %d have stored", x->writer_line,
            y->writer_line);
    story->is_bound = 0;
    a->taken = NULL;
    story->other = (struct lab_place){x->writer_file, x->writer_line};
    story->fetch = (struct lab_place){y->writer_file, y->writer_line};
}

/* The first terms were taken, and no other: did the thread end there? */
static void say_end(struct lab_account *a, const struct missing *x)
{
    const int taken = x->first;
    struct lab_story *story = a->story;
    const int k = a->d->k, row = a->row, col = a->col;
    const double one = lab_cause_a(a->d, row, 0) * lab_cause_b(a->d, 0, col);
    const double times = a->got / one;
    int zeros = 0, again = 0;

    for (int g = 0; a->plain && g < a->groups; g++)
        zeros += lab_cause_is_padding(a, g);
    while (again < taken && a->term[again].times < 2)
        again++;
    if (again < taken) {
        lab_say(story, ": %s added A[%d][%d] * B[%d][%d] %d times", a->who, row,
                again, again, col, a->term[again].times);
    } else if (taken == 1 && times > 1.0 && times <= k &&
               times == floor(times) && times * one == a->got) {
        /* A load that a loop repeats is made once. */
        lab_say(story, ": %s added A[%d][0] * B[0][%d] %.0f times", a->who, row,
                col, times);
    } else if (zeros >= k - taken) {
        lab_say(story, ": %s took %d products, and 0 * 0 %d times", a->who,
                taken, zeros);
        say_padding(a);
    } else if (x->others > 0 || (a->left_out && !a->several)) {
        lab_say(story, ": the sum of %s has %d of %d products", a->who, taken,
                k);
    } else {
        lab_say(story, ": %s ends after %d of %d products", a->who, taken, k);
    }
}

/* Not one product is there. */
static void say_none(struct lab_account *a, const struct missing *x)
{
    if (a->loads == 0) {
        lab_say(
            a->story,
            "C[%d][%d] holds none of its %d products: nothing of A and B is "
            "in what %s stored there.",
            a->row, a->col, a->d->k, a->who);
        return;
    }
    say_which(a, x);
    lab_say(a->story,
            ": %s added no element of that row of A or that column of B",
            a->who);
    lab_cause_say_line(a, last_load(a));
    lab_say(a->story, ".");
}

/* Some are there. */
static void say_some(struct lab_account *a, const struct missing *x)
{
    const struct simt_access *last = last_load(a)->step;
    const int k = a->d->k;

    a->story->is_bound = 1;
    say_which(a, x);
    if (x->last == k - 1 && are_together(x)) {
        say_end(a, x);
    } else if (x->first == 0 && are_together(x)) {
        /* Products of a sum that is set anew may not be made at all. */
        const int set = lab_source_set(last->file, last->line);

        lab_lines_add(&a->story->beside, set);
        lab_say(
            a->story,
            set == 0 && lab_source_adds(last->file, last->line)
                ? N_(": %s begins with A[%d][%d] * B[%d][%d]")
                : N_(": either the sum is set where it should be added to, or "
                     "%s begins with A[%d][%d] * B[%d][%d]"),
            a->who, a->row, x->count, x->count, a->col);
    } else {
        lab_say(a->story, ": %s took %d of %d products", a->who, k - x->count,
                k);
    }
    lab_cause_say_line(a, last_load(a));
    if (x->first == 0)
        lab_cause_say_unused(a, simt_access_array(last), last->line);
    lab_say(a->story, ".");
}

enum lab_rank lab_cause_say_missing(struct lab_account *a)
{
    const int k = a->d->k, row = a->row, col = a->col;
    struct missing x = {0};
    int product;

    for (int step = 0; step < k; step++) {
        if (a->term[step].times > 0)
            continue;
        x.first = x.count++ == 0 ? step : x.first;
        x.last = step;
        x.others += a->term[step].a != NULL || a->term[step].b != NULL;
    }
    if (x.count == 0)
        return LAB_NOTHING;
    if (a->odd != NULL)
        return lab_cause_say_odd(a);
    lab_cause_place(a, last_load(a));
    if (x.count == k - 1 && x.first == 0 && k > 1 && a->plain &&
        !lab_source_adds(last_load(a)->step->file, last_load(a)->step->line) &&
        lab_cause_sum(a) == a->got) {
        product = lab_source_product(last_load(a)->step->file, NULL);
        if (product > 0 && product != a->story->here.line) {
            a->story->other = a->story->here;
            a->story->here.line = product;
        }
        lab_say(a->story,
                "C[%d][%d] holds the last product alone, A[%d][%d] * B[%d][%d]",
                row, col, row, k - 1, k - 1, col);
        if (product > 0) {
            lab_say(
                a->story,
                lab_source_adds(a->story->here.file, product)
                    ? N_(", which line %d adds")
                    : N_(": the sum is set where it should be added to (line "
                         "%d)"),
                product);
        }
        lab_say(a->story, ".");
        return LAB_PROVEN;
    }
    a->story->other.line = 0; /* what was taken is right */
    if (x.count == k) {
        say_none(a, &x);
        return LAB_SEEN;
    }
    say_some(a, &x);
    return LAB_PROVEN;
}

enum lab_rank lab_cause_say_extra(struct lab_account *a)
{
    struct lab_story *story = a->story;
    const struct lab_load *x = NULL; /* the first, and behind it the second */
    const int k = a->d->k;
    int extras = 0;
    char beyond[80], side;

    for (int g = a->groups; a->plain && g-- > 0;) {
        const struct lab_load *pair = &a->load[a->group[g].first];

        if (!a->used[g] && pair[0].what != LAB_ZERO &&
            pair[1].what != LAB_ZERO) {
            x = pair;
            extras++;
        }
    }
    if (x == NULL)
        return LAB_NOTHING;
    snprintf(beyond, sizeof beyond, "%s", _("one more"));
    if (extras > 1)
        snprintf(beyond, sizeof beyond, _("%d more, the first"), extras);
    story->is_bound = 1;
    lab_say(story,
            "C[%d][%d] has %d products. %s took all of them, and %s: ", a->row,
            a->col, k, lab_cause_who(a), beyond);
    lab_cause_say_load(a, &x[0]);
    lab_say(story, " and ");
    lab_cause_say_load(a, &x[1]);
    lab_cause_say_line(a, x);
    side = lab_side(a->d->m, a->d->n, a->d->k, k + extras);
    if (x->what == LAB_UNKNOWN && x->step->writer_line > 0) {
        lab_say(story, ": line %d stored the first of them there",
                x->step->writer_line);
    } else if (side != '\0') {
        lab_say(story, ". In all it took %d = %c, and not %d = k", k + extras,
                side, k);
    }
    lab_say(story, ".");
    lab_cause_place(a, x);
    return LAB_SEEN;
}

/* Product i was added so many times, and so many in all more than once. */
static void say_twice(struct lab_account *a, int i, int times, int twice)
{
    a->story->is_bound = 1;
    lab_say(a->story, "C[%d][%d]: %s took A[%d][%d] * B[%d][%d] %d times",
            a->row, a->col, a->who, a->row, i, i, a->col, times);
    if (twice > 1)
        lab_say(a->story, ", and %d other products more than once", twice - 1);
}

enum lab_rank lab_cause_say_twice(struct lab_account *a)
{
    int i = -1, twice = 0;

    for (int j = a->d->k; j-- > 0;) {
        if (a->term[j].times < 2)
            continue;
        i = j;
        twice++;
    }
    if (twice == 0 || !a->plain || lab_cause_sum(a) != a->got)
        return LAB_NOTHING;
    say_twice(a, i, a->term[i].times, twice);
    lab_cause_say_line(a, last_load(a));
    lab_say(a->story, ".");
    lab_cause_place(a, last_load(a));
    for (size_t l = a->loads; l-- > 0;) { /* where it was taken first */
        if (lab_cause_is_element(&a->load[l], LAB_OF_A, a->row, i))
            a->story->other = LAB_PLACE(a->load[l].step);
    }
    return LAB_PROVEN;
}
