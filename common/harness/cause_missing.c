/* Which terms of the sum are missing, too many, or there twice? */
#include "cause_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Terms that were not taken: `count` of them from the first to the last. */
struct missing {
    int count, first, last;
};

static int are_together(const struct missing *x)
{
    return x->count == x->last - x->first + 1;
}

static void say_missing(struct lab_words *w, const struct lab_account *a,
                        const struct missing *x)
{
    const int row = a->s->row, col = a->s->col, first = x->first;

    if (x->count == 1) {
        lab_cause_say(w, "A[%d][%d] * B[%d][%d] is missing in C[%d][%d]", row,
                      first, first, col, row, col);
    } else if (!are_together(x)) {
        lab_cause_say(w,
                      "A[%d][%d] * B[%d][%d] and %d more products are missing "
                      "in C[%d][%d]",
                      row, first, first, col, x->count - 1, row, col);
    } else {
        lab_cause_say(w,
                      "A[%d][%d..%d] * B[%d..%d][%d] is missing in C[%d][%d]",
                      row, first, x->last, first, x->last, col, row, col);
    }
}

/* Where the thread was when the last term that it took was taken. */
static const struct lab_load *last_load(const struct lab_account *a)
{
    const struct lab_load *last = a->loads > 0 ? &a->load[a->loads - 1] : NULL;

    /* Pairs that were found may be in another order than their loads. */
    return last != NULL && a->loads > 1 && last[-1].step > last->step ? last - 1
                                                                      : last;
}

/* The sum of what a thread with one sum has taken together. */
static double sum_of_groups(const struct lab_account *a)
{
    double sum = 0.0;

    for (int g = 0; g < a->groups; g++) {
        sum += a->load[a->group[g].first].value *
               a->load[a->group[g].first + 1].value;
    }
    return sum;
}

/* Does the statement that ends in or behind that line of the source add to its
   left side? */
static int is_added_to(const char *path, int line)
{
    FILE *file = fopen(path, "r");
    char text[500];
    int adds = 0, is_code = 0;

    for (int at = 1; file != NULL && at <= line && fgets(text, 500, file);
         at++) {
        if (!is_code) /* a new statement */
            adds = 0;
        adds |= strstr(text, "+=") != NULL && strstr(text, "for (") == NULL;
        is_code = strpbrk(text, ";{}") == NULL;
    }
    if (file != NULL)
        fclose(file);
    return adds;
}

/* The other place is where term i was taken first. */
static void place_twice(struct lab_cause *cause, const struct lab_account *a,
                        int i)
{
    for (size_t l = 0; l < a->loads; l++) {
        const struct lab_load *load = &a->load[l];

        if (load->what == LAB_OF_A && load->row == a->s->row &&
            load->col == i) {
            cause->other_file = load->step->file;
            cause->other_line = load->step->line;
            return;
        }
    }
}

/* Zeros were taken for the rest: the lines that stored them are shown. */
static void say_padding(struct lab_words *w, const struct lab_account *a,
                        struct lab_cause *cause)
{
    const struct lab_load *zero;
    int g = 0;

    while (g < a->groups && !lab_cause_is_padding(a, g))
        g++;
    if (g == a->groups)
        return;
    zero = &a->load[a->group[g].first];
    if (zero[0].step->writer_line == 0 || zero[1].step->writer_line == 0)
        return;
    lab_cause_say(w, ", which lines %d and %d have stored",
                  zero[0].step->writer_line, zero[1].step->writer_line);
    cause->is_bound = 0;
    cause->taken = NULL;
    cause->other_file = zero[0].step->writer_file;
    cause->other_line = zero[0].step->writer_line;
    cause->fetch_file = zero[1].step->writer_file;
    cause->fetch_line = zero[1].step->writer_line;
}

/* The first terms were taken, and no other: did the thread end there? */
static void say_end(struct lab_words *w, const struct lab_account *a,
                    const struct lab_term *term, int taken,
                    struct lab_cause *cause)
{
    const int k = a->d->k;
    const double one =
        lab_cause_a(a->d, a->s->row, 0) * lab_cause_b(a->d, 0, a->s->col);
    const double times = a->got / one;
    int zeros = 0, again = 0;

    for (int g = 0; a->plain && g < a->groups; g++)
        zeros += lab_cause_is_padding(a, g);
    while (again < taken && term[again].times < 2)
        again++;
    if (again < taken) {
        lab_cause_say(w, ": %s added A[%d][%d] * B[%d][%d] %d times",
                      lab_cause_who(a), a->s->row, again, again, a->s->col,
                      term[again].times);
    } else if (taken == 1 && times > 1.0 && times <= k &&
               times == floor(times) && times * one == a->got) {
        /* A load that a loop repeats is made once. */
        lab_cause_say(w, ": %s added A[%d][0] * B[0][%d] %.0f times",
                      lab_cause_who(a), a->s->row, a->s->col, times);
    } else if (zeros >= k - taken) {
        lab_cause_say(w, ": %s took %d products, and 0 * 0 %d times",
                      lab_cause_who(a), taken, zeros);
        say_padding(w, a, cause);
    } else if (a->left_out && !a->several) {
        lab_cause_say(w, ": the sum of %s has %d of %d products",
                      lab_cause_who(a), taken, k);
    } else {
        lab_cause_say(w, ": %s ends after %d of %d products", lab_cause_who(a),
                      taken, k);
    }
}

/* Only the last product is left, and C holds it. */
static void say_last_alone(struct lab_words *w, const struct lab_account *a,
                           struct lab_cause *cause)
{
    const struct lab_load *place = last_load(a);
    const int k = a->d->k, row = a->s->row, col = a->s->col;

    lab_cause_place(cause, place);
    lab_cause_say(
        w,
        "C[%d][%d] holds the last product alone, A[%d][%d] * B[%d][%d]: "
        "the sum is set where it should be added to",
        row, col, row, k - 1, k - 1, col);
    lab_cause_say_line(w, place);
    lab_cause_say(w, ".");
}

/* Not one product is there. */
static void say_none(struct lab_words *w, const struct lab_account *a,
                     const struct missing *x, struct lab_cause *cause)
{
    if (a->loads == 0) {
        lab_cause_say(w,
                      "C[%d][%d] holds none of its %d products: %s added no "
                      "elements of A and B.",
                      a->s->row, a->s->col, a->d->k, lab_cause_who(a));
        return;
    }
    lab_cause_place(cause, last_load(a));
    cause->other_line = 0;
    say_missing(w, a, x);
    lab_cause_say(w,
                  ": %s added no element of that row of A or that column of B",
                  lab_cause_who(a));
    lab_cause_say_line(w, last_load(a));
    lab_cause_say(w, ".");
}

/* Some are there. */
static void say_some(struct lab_words *w, const struct lab_account *a,
                     const struct lab_term *term, const struct missing *x,
                     struct lab_cause *cause)
{
    const struct lab_load *place = last_load(a);
    const int k = a->d->k;

    lab_cause_place(cause, place);
    cause->other_line = 0; /* what was taken is right */
    cause->is_bound = 1;
    say_missing(w, a, x);
    if (x->last == k - 1 && are_together(x)) {
        say_end(w, a, term, x->first, cause);
    } else if (x->first == 0 && are_together(x)) {
        /* Products of a sum that is set anew may not be made at all. */
        lab_cause_say(w,
                      is_added_to(place->step->file, place->step->line)
                          ? ": %s begins with i = %d"
                          : ": either the sum is set where it should be "
                            "added to, or %s begins with i = %d",
                      lab_cause_who(a), x->count);
    } else {
        lab_cause_say(w, ": %s took %d of %d products", lab_cause_who(a),
                      k - x->count, k);
    }
    lab_cause_say_line(w, place);
    lab_cause_say(w, ".");
}

int lab_cause_say_missing(struct lab_words *w, const struct lab_account *a,
                          const struct lab_term *term, struct lab_cause *cause)
{
    const int k = a->d->k;
    struct missing x = {0};

    for (int step = 0; step < k; step++) {
        if (term[step].times > 0)
            continue;
        x.first = x.count++ == 0 ? step : x.first;
        x.last = step;
    }
    if (x.count == 0)
        return 0;
    if (a->odd != NULL) {
        lab_cause_say_odd(w, a, cause);
    } else if (x.count == k - 1 && x.first == 0 && k > 1 && a->plain &&
               sum_of_groups(a) == a->got) {
        say_last_alone(w, a, cause);
    } else if (x.count == k) {
        say_none(w, a, &x, cause);
        return 2;
    } else {
        say_some(w, a, term, &x, cause);
    }
    return 3;
}

int lab_cause_say_extra(struct lab_words *w, const struct lab_account *a,
                        const unsigned char *used, struct lab_cause *cause)
{
    const struct lab_load *x = NULL; /* the first, and behind it the second */
    const int k = a->d->k;
    int extras = 0;
    char beyond[40] = "one more", side;

    for (int g = a->groups; a->plain && g-- > 0;) {
        const struct lab_load *pair = &a->load[a->group[g].first];

        if (!used[g] && pair[0].what != LAB_ZERO && pair[1].what != LAB_ZERO) {
            x = pair;
            extras++;
        }
    }
    if (x == NULL)
        return 0;
    if (extras > 1)
        snprintf(beyond, sizeof beyond, "%d more, the first", extras);
    cause->is_bound = 1;
    lab_cause_say(w, "C[%d][%d] has %d products. %s took all of them, and %s: ",
                  a->s->row, a->s->col, k, a->s->who, beyond);
    lab_cause_say_load(w, a, &x[0]);
    lab_cause_say(w, " and ");
    lab_cause_say_load(w, a, &x[1]);
    lab_cause_say_line(w, x);
    side = lab_side(a->d->m, a->d->n, a->d->k, k + extras);
    if (x->what == LAB_UNKNOWN && x->step->writer_line > 0) {
        lab_cause_say(w, ": line %d stored the first of them there",
                      x->step->writer_line);
    } else if (side != '\0') {
        lab_cause_say(w, ". In all it took %d = %c, and not %d = k", k + extras,
                      side, k);
    }
    lab_cause_say(w, ".");
    lab_cause_place(cause, x);
    return 2;
}

int lab_cause_say_twice(struct lab_words *w, const struct lab_account *a,
                        const struct lab_term *term, struct lab_cause *cause)
{
    const int row = a->s->row, col = a->s->col;
    int i = -1, twice = 0;

    for (int j = a->d->k; j-- > 0;) {
        if (term[j].times < 2)
            continue;
        i = j;
        twice++;
    }
    if (twice == 0 || !a->plain || sum_of_groups(a) != a->got)
        return 0;
    lab_cause_say(w, "C[%d][%d]: %s took A[%d][%d] * B[%d][%d] %d times", row,
                  col, lab_cause_who(a), row, i, i, col, term[i].times);
    if (twice > 1) {
        lab_cause_say(w, ", and %d other products more than once", twice - 1);
    }
    lab_cause_say_line(w, last_load(a));
    lab_cause_say(w, ".");
    lab_cause_place(cause, last_load(a));
    place_twice(cause, a, i);
    return 3;
}
