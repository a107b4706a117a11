#include "cause_parts.h"

#include "simt/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_INT = 100000 /* what a float becomes as an int is less */
};

static void place_cause(struct lab_cause *cause, const struct lab_load *load)
{
    if (load == NULL)
        return;
    cause->file = load->step->file;
    cause->line = load->step->line;
    cause->other_file = load->step->writer_file;
    cause->other_line = load->step->writer_line;
    cause->taken = load->step;
}

/* Where the thread fetched what it stored to shared memory, and took from
   there. */
static void place_fetch(struct lab_cause *cause, const struct lab_suspect *s)
{
    const struct simt_step *taken = cause->taken;

    if (taken == NULL || taken->line != cause->line || cause->other_line == 0 ||
        taken->space != SIMT_SHARED || taken->writer != s->thread ||
        !taken->known)
        return;
    for (const struct simt_step *i = taken; i-- > s->step;) {
        if (i->space == SIMT_GLOBAL && i->kind == SIMT_LOAD && i->known &&
            i->value[0] == taken->value[0]) {
            cause->fetch_file = i->file;
            cause->fetch_line = i->line;
            return;
        }
    }
}

/* Terms are missing: `count` of them from the first to the last. */
static void say_missing(struct lab_words *w, const struct lab_account *a,
                        int first, int last, int count)
{
    const int row = a->s->row, col = a->s->col;

    if (count == 1) {
        lab_cause_say(w, "A[%d][%d] * B[%d][%d] is missing in C[%d][%d]", row,
                      first, first, col, row, col);
    } else if (count < last - first + 1) {
        lab_cause_say(w,
                      "A[%d][%d] * B[%d][%d] and %d more products are missing "
                      "in C[%d][%d]",
                      row, first, first, col, count - 1, row, col);
    } else {
        lab_cause_say(w,
                      "A[%d][%d..%d] * B[%d..%d][%d] is missing in C[%d][%d]",
                      row, first, last, first, last, col, row, col);
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

/* Who it was, in the middle of a sentence: "its thread (1,0)". */
static const char *who_of(const struct lab_account *a)
{
    static char who[sizeof a->s->who];

    snprintf(who, sizeof who, "%s", a->s->who);
    who[0] = (char)(who[0] | 0x20);
    return who;
}

/* The first terms were taken, and no other: did the thread end there? */
static void say_end(struct lab_words *w, const struct lab_account *a,
                    const struct lab_term *term, int taken)
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
        lab_cause_say(w, ": %s added A[%d][%d] * B[%d][%d] %d times", who_of(a),
                      a->s->row, again, again, a->s->col, term[again].times);
    } else if (taken == 1 && times > 1.0 && times <= k &&
               times == floor(times) && times * one == a->got) {
        /* A load that a loop repeats is made once. */
        lab_cause_say(w, ": %s added A[%d][0] * B[0][%d] %.0f times", who_of(a),
                      a->s->row, a->s->col, times);
    } else if (zeros >= k - taken) {
        lab_cause_say(w, ": %s took %d products, and 0 * 0 %d times", who_of(a),
                      taken, zeros);
    } else if (a->left_out && !a->several) {
        lab_cause_say(w, ": the sum of %s has %d of %d products", who_of(a),
                      taken, k);
    } else {
        lab_cause_say(w, ": %s ends after %d of %d products", who_of(a), taken,
                      k);
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

    if ((other == NULL || other->what != LAB_UNSET) &&
        !is_loaded(a, t->a_right ? LAB_OF_B : LAB_OF_A,
                   t->a_right ? t->i : a->s->row,
                   t->a_right ? a->s->col : t->i)) {
        lab_cause_say(w, "C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s took ",
                      a->s->row, a->s->col, a->s->row, t->i, t->i, a->s->col,
                      a->s->who);
        if (right != NULL)
            lab_cause_say_load(w, a, right);
        lab_cause_say_line(w, right);
        lab_cause_say(w, ", and never %c[%d][%d].", t->a_right ? 'B' : 'A',
                      t->a_right ? t->i : a->s->row,
                      t->a_right ? a->s->col : t->i);
        place_cause(cause, other != NULL ? other : right);
        return 3;
    }
    lab_cause_say(
        w,
        "C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s never took the two "
        "together: with ",
        a->s->row, a->s->col, a->s->row, t->i, t->i, a->s->col, a->s->who);
    if (right != NULL)
        lab_cause_say_load(w, a, right);
    lab_cause_say(w, " it took ");
    if (other != NULL)
        lab_cause_say_load(w, a, other);
    lab_cause_say_line(w, other != NULL ? other : right);
    lab_cause_say(w, " and others, not %c[%d][%d].", t->a_right ? 'B' : 'A',
                  t->a_right ? t->i : a->s->row, t->a_right ? a->s->col : t->i);
    place_cause(cause, other != NULL ? other : right);
    return 2;
}

static const struct simt_step *last_store(const struct lab_suspect *s);

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

/* All that was taken is what another element of C is made of. */
static int say_other_element(struct lab_words *w, const struct lab_account *a,
                             const struct lab_term *term,
                             struct lab_cause *cause)
{
    const struct simt_step *store = last_store(a->s);
    struct lab_rule rule = {a, term, a->d->k, LAB_OF_A};
    int row, col;

    int one_side = 0;

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
    /* Of one side the thread must tell which of the two indices is its own. */
    if (one_side && !a->several &&
        (row != a->s->own_row || col != a->s->own_col))
        return 0;
    lab_cause_say(
        w,
        ": these are the products of C[%d][%d], and line %d stored their "
        "sum to C[%d][%d].",
        row, col, store->line, a->s->row, a->s->col);
    cause->other_file = cause->file;
    cause->other_line = cause->line;
    cause->file = store->file;
    cause->line = store->line;
    return 1;
}

/* The element holds the value of another one, to the bit. */
static int say_held(struct lab_words *w, const struct lab_account *a,
                    struct lab_cause *cause)
{
    const struct simt_step *store = last_store(a->s);
    int row, col;

    if (store == NULL || !a->exact || !lab_cause_belongs_to(a, &row, &col))
        return 0;
    lab_cause_say(w,
                  "C[%d][%d] holds what belongs to C[%d][%d]: %s stored that "
                  "sum there (%s:%d).",
                  a->s->row, a->s->col, row, col, who_of(a),
                  lab_cause_file(store->file), store->line);
    cause->file = store->file;
    cause->line = store->line;
    return 1;
}

/* A value that is no element of A or B came from an array of which nothing
   else is known. */
static void say_odd(struct lab_words *w, const struct lab_account *a,
                    struct lab_cause *cause)
{
    const struct lab_load *odd = a->odd;
    const struct simt_step *step = odd->step;
    const float value = step->value[odd->word];
    const double of_a = lab_cause_a(a->d, a->s->row, 0),
                 of_b = lab_cause_b(a->d, 0, a->s->col);
    char place[120] = "memory";
    int32_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (a->s->kernel != NULL)
        simt_step_place(place, sizeof place, a->s->kernel, step);
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
    place_cause(cause, odd);
}

/* Says the first term that is wrong. Returns the rank. */
static int say_terms(struct lab_words *w, const struct lab_account *a,
                     struct lab_term *term, const unsigned char *used,
                     struct lab_cause *cause)
{
    const int k = a->d->k, row = a->s->row, col = a->s->col;
    const struct lab_term *first = NULL;
    const struct lab_load *place;
    int missing = 0, missing_first = -1, missing_last = -1, twice = 0;
    int extra = -1, extras = 0;
    char beyond[40] = "one more";
    struct lab_rule rule = {a, term, k, LAB_OF_A};

    for (int step = 0; step < k; step++) {
        const struct lab_term *t = &term[step];

        if (t->times == 0 && t->a == NULL && t->b == NULL) {
            missing++;
            missing_first = missing_first < 0 ? step : missing_first;
            missing_last = step;
        } else if (t->times == 0 && first == NULL) {
            first = t;
        }
        twice += t->times > 1;
    }
    if (first != NULL && !a->plain && a->odd != NULL) {
        say_odd(w, a, cause);
        return 3;
    }
    if (first != NULL && !a->plain && a->several && say_held(w, a, cause))
        return 3;
    if (first != NULL && !a->plain)
        return say_apart(w, a, first, cause);
    if (first != NULL) {
        char text[300] = "";
        struct lab_words more = {text, sizeof text, 0};

        lab_cause_say(w, "C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s took ", row,
                      col, row, first->i, first->i, col, a->s->who);
        place = first->a_right ? first->b : first->a;
        if (place == NULL)
            place = first->a_right ? first->a : first->b;
        if (first->a != NULL)
            lab_cause_say_load(w, a, first->a);
        if (first->a != NULL && first->b != NULL)
            lab_cause_say(w, ", and ");
        if (first->b != NULL)
            lab_cause_say_load(w, a, first->b);
        lab_cause_say_line(w, place);
        place_cause(cause, place);
        if (!first->a_right)
            lab_cause_say_rule(&more, &rule);
        rule.of = LAB_OF_B;
        if (!first->b_right) {
            const size_t before = more.used;

            if (before > 0)
                lab_cause_say(&more, "; ");
            if (!lab_cause_say_rule(&more, &rule) && before > 0)
                text[before] = '\0';
        }
        if (say_other_element(w, a, term, cause))
            return 3;
        if (place->what == LAB_ZERO && place->step->writer_line > 0) {
            lab_cause_say(w,
                          ": line %d stored 0 there, where %c[%d][%d] belongs.",
                          place->step->writer_line, first->a_right ? 'B' : 'A',
                          first->a_right ? first->i : row,
                          first->a_right ? col : first->i);
            return 3;
        }
        if (text[0] != '\0') {
            lab_cause_say(w, ": %s.", text);
            return 3;
        }
        lab_cause_say(w, ".");
        return 2;
    }
    if (missing > 0 && a->odd != NULL) {
        say_odd(w, a, cause);
        return 3;
    }
    if (missing == k - 1 && missing_first == 0 && k > 1 && a->plain &&
        sum_of_groups(a) == a->got) {
        place = last_load(a);
        place_cause(cause, place);
        lab_cause_say(
            w,
            "C[%d][%d] holds the last product alone, A[%d][%d] * B[%d][%d]: "
            "the sum is set where it should be added to",
            row, col, row, k - 1, k - 1, col);
        lab_cause_say_line(w, place);
        lab_cause_say(w, ".");
        return 3;
    }
    if (missing == k && a->loads == 0) {
        lab_cause_say(w,
                      "C[%d][%d] holds none of its %d products: %s added no "
                      "elements of A and B.",
                      row, col, k, who_of(a));
        return 2;
    }
    if (missing > 0) {
        place = last_load(a);
        place_cause(cause, place);
        cause->other_line = 0; /* what was taken is right */
        say_missing(w, a, missing_first, missing_last, missing);
        if (missing == k) {
            lab_cause_say(
                w, ": %s added no element of that row of A or that column of B",
                who_of(a));
            lab_cause_say_line(w, place);
            lab_cause_say(w, ".");
            return 2;
        }
        cause->is_bound = 1;
        if (missing_last == k - 1 &&
            missing == missing_last - missing_first + 1) {
            say_end(w, a, term, missing_first);
        } else if (missing_first == 0 &&
                   missing == missing_last - missing_first + 1) {
            /* Products of a sum that is set anew may not be made at all. */
            lab_cause_say(w,
                          is_added_to(place->step->file, place->step->line)
                              ? ": %s begins with i = %d"
                              : ": either the sum is set where it should be "
                                "added to, or %s begins with i = %d",
                          who_of(a), missing);
        } else {
            lab_cause_say(w, ": %s took %d of %d products", who_of(a),
                          k - missing, k);
        }
        lab_cause_say_line(w, place);
        lab_cause_say(w, ".");
        return 3;
    }
    for (int g = 0; a->plain && g < a->groups; g++) {
        const struct lab_load *x = &a->load[a->group[g].first];

        if (!used[g] && x[0].what != LAB_ZERO && x[1].what != LAB_ZERO) {
            extra = extra < 0 ? g : extra;
            extras++;
        }
    }
    if (extra >= 0) {
        const struct lab_load *x = &a->load[a->group[extra].first];

        if (extras > 1)
            snprintf(beyond, sizeof beyond, "%d more, the first", extras);
        cause->is_bound = 1;
        lab_cause_say(
            w, "C[%d][%d] has %d products. %s took all of them, and %s: ", row,
            col, k, a->s->who, beyond);
        lab_cause_say_load(w, a, &x[0]);
        lab_cause_say(w, " and ");
        lab_cause_say_load(w, a, &x[1]);
        lab_cause_say_line(w, x);
        if (x->what == LAB_UNKNOWN && x->step->writer_line > 0) {
            lab_cause_say(w, ": line %d stored the first of them there",
                          x->step->writer_line);
        }
        lab_cause_say(w, ".");
        place_cause(cause, x);
        return 2;
    }
    if (twice > 0 && a->plain && sum_of_groups(a) == a->got) {
        int i = 0;

        while (term[i].times < 2)
            i++;
        place = last_load(a);
        lab_cause_say(w, "C[%d][%d]: %s took A[%d][%d] * B[%d][%d] %d times",
                      row, col, who_of(a), row, i, i, col, term[i].times);
        if (twice > 1) {
            lab_cause_say(w, ", and %d other products more than once",
                          twice - 1);
        }
        lab_cause_say_line(w, place);
        lab_cause_say(w, ".");
        place_cause(cause, place);
        place_twice(cause, a, i);
        return 3;
    }
    return 0;
}

/* The thread's last store to the element. */
static const struct simt_step *last_store(const struct lab_suspect *s)
{
    const uintptr_t at =
        4 * ((uintptr_t)s->row * (uintptr_t)s->identity->n + (uintptr_t)s->col);

    for (size_t i = s->steps; i-- > 0;) {
        const struct simt_step *step = &s->step[i];

        if (step->kind != SIMT_LOAD && step->array == s->c_array &&
            step->space == SIMT_GLOBAL && step->offset <= at &&
            at < step->offset + (uintptr_t)step->size)
            return step;
    }
    return NULL;
}

/* The thread stored the right value, which is not what C holds: it has nothing
   to do with the cause. */
static int say_stored_right(struct lab_words *w, const struct lab_account *a,
                            struct lab_cause *cause)
{
    const struct simt_step *store = last_store(a->s);
    const uintptr_t at =
        4 * ((uintptr_t)a->s->row * (uintptr_t)a->d->n + (uintptr_t)a->s->col);

    if (store == NULL || store->kind != SIMT_STORE || !store->known ||
        (double)store->value[(at - store->offset) / 4] != a->want)
        return 0;
    lab_cause_say(
        w,
        "C[%d][%d]: %s stored %g, which is right (%s:%d), and C holds "
        "%g: something else was stored there.",
        a->s->row, a->s->col, who_of(a), a->want, lab_cause_file(store->file),
        store->line, a->got);
    cause->file = store->file;
    cause->line = store->line;
    return 1;
}

/* The element is read before it is stored, and holds nobody's value then. */
static int say_not_begun(struct lab_words *w, const struct lab_account *a,
                         struct lab_cause *cause)
{
    const struct lab_suspect *s = a->s;
    const uintptr_t at =
        4 * ((uintptr_t)s->row * (uintptr_t)a->d->n + (uintptr_t)s->col);

    for (size_t i = 0; i < s->steps; i++) {
        const struct simt_step *step = &s->step[i];

        if (step->array != s->c_array || step->space != SIMT_GLOBAL ||
            step->offset > at || at >= step->offset + (uintptr_t)step->size)
            continue;
        if (step->kind == SIMT_STORE)
            return 0;
        lab_cause_say(
            w,
            "C[%d][%d] is read before anything was stored there (%s:%d): "
            "what is added to it is added to nobody's value.",
            s->row, s->col, lab_cause_file(step->file), step->line);
        cause->file = step->file;
        cause->line = step->line;
        return 1;
    }
    return 0;
}

/* A load met a copy that was still under way. Such a place is all ones. */
static int say_under_way(struct lab_words *w, const struct lab_account *a,
                         struct lab_cause *cause)
{
    uint32_t bits;

    for (size_t i = 0; i < a->s->steps; i++) {
        const struct simt_step *step = &a->s->step[i];
        char line[200], place[120];

        if (step->kind != SIMT_LOAD || step->space != SIMT_SHARED ||
            !step->known || step->writer < 0)
            continue;
        memcpy(&bits, step->value, sizeof bits);
        if (bits != UINT32_MAX)
            continue;
        simt_source_line(line, sizeof line, step->writer_file,
                         step->writer_line);
        if (strstr(line, "memcpy_async") == NULL)
            continue;
        simt_step_place(place, sizeof place, a->s->kernel, step);
        lab_cause_say(
            w,
            "%s took %s (%s:%d) while the copy to it was under way, which "
            "line %d began: %s.",
            a->s->who, place, lab_cause_file(step->file), step->line,
            step->writer_line,
            step->writer == a->s->thread
                ? "it has not waited for its own copy"
                : "the thread that began it must wait for it before the "
                  "barrier");
        cause->file = step->file;
        cause->line = step->line;
        cause->other_file = step->writer_file;
        cause->other_line = step->writer_line;
        return 1;
    }
    return 0;
}

static void judge(struct lab_words *w, struct lab_account *a,
                  struct lab_cause *cause)
{
    unsigned char *used = calloc((size_t)a->groups + 1, 1);
    struct lab_term *term = calloc((size_t)a->d->k, sizeof *term);
    const struct simt_step *store = last_store(a->s);

    if (used == NULL || term == NULL)
        goto done;
    for (int i = 0; i < a->d->k; i++)
        lab_cause_find_term(a, i, used, &term[i]);
    if (a->plain)
        lab_cause_pair_rest(a, used, term);
    cause->rank = say_terms(w, a, term, used, cause);
    if (a->unset && a->odd == NULL && cause->rank > 1)
        cause->rank = 1; /* that nobody stored it says more */
    if (cause->rank == 0 && store != NULL) {
        const size_t before = w->used;

        lab_cause_say(
            w,
            "C[%d][%d]: %s took its %d products rightly, and stored %g for "
            "%g (%s:%d): ",
            a->s->row, a->s->col, who_of(a), a->d->k, a->got, a->want,
            lab_cause_file(store->file), store->line);
        cause->rank = lab_cause_say_sum(w, a) ? 3 : 1;
        if (cause->rank == 1) {
            w->used = before;
            lab_cause_say(
                w,
                "C[%d][%d]: %s took its %d products rightly, and stored %g for "
                "%g (%s:%d): so it is lost between the loads and the store",
                a->s->row, a->s->col, who_of(a), a->d->k, a->got, a->want,
                lab_cause_file(store->file), store->line);
        }
        lab_cause_say(w, ".");
        cause->file = store->file;
        cause->line = store->line;
    }
done:
    free(used);
    free(term);
}

void lab_cause_find(const struct lab_suspect *s, struct lab_cause *cause)
{
    struct lab_account a = {.s = s, .d = s->identity};
    struct lab_words w = {cause->says, sizeof cause->says, 0};
    size_t first, end;
    int elements, times;

    *cause = (struct lab_cause){.file = "", .other_file = "", .fetch_file = ""};
    a.got = (double)s->C[(size_t)s->row * (size_t)a.d->n + (size_t)s->col];
    a.want = lab_identity_want(a.d, s->row, s->col, &a.exact);
    elements = lab_cause_stored_elements(s, &first, &end, &times);
    a.several = elements > 1 && s->kernel != NULL;
    cause->stored = times > 0;
    cause->stored_any = elements > 0;
    if (times == 0) { /* the place of another element's */
        for (size_t i = 0; i < s->steps; i++) {
            if (s->step[i].kind != SIMT_LOAD &&
                s->step[i].array == s->c_array) {
                cause->file = s->step[i].file;
                cause->line = s->step[i].line;
            }
        }
        return;
    }
    if (a.exact && say_stored_right(&w, &a, cause)) {
        cause->rank = 2;
        return;
    }
    if (say_not_begun(&w, &a, cause) || say_under_way(&w, &a, cause)) {
        cause->rank = 3;
        return;
    }
    /* What a thread with several elements took for each is known if it stores
       one after the other; else all of it may belong to this one. */
    if (lab_cause_read_loads(&a, elements > 1 ? first : 0,
                             elements > 1 ? end : s->steps) == 0 &&
        elements > 1 && a.loads < 2) {
        free(a.load);
        a.loads = 0;
        a.load = NULL;
        if (lab_cause_read_loads(&a, 0, s->steps) != 0)
            return;
    }
    if (a.load == NULL)
        return;
    lab_cause_type_loads(&a);
    if (lab_cause_make_groups(&a) == 0 &&
        (a.plain || lab_cause_find_pairs(&a) == 0)) {
        judge(&w, &a, cause);
        place_fetch(cause, s);
    }
    free(a.group);
    free(a.load);
}
