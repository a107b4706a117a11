/* What was taken in the place of a term. */
#include "cause_parts.h"
#include "access_name.h"

#include "base/language.h"
#include "simt/report.h"
#include "source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_INT = 2000 /* what a float becomes as an int is less */
};

/* "C[0][1] needs A[0][2] * B[2][1]. Its thread (1,0)" */
static void say_needs(struct lab_account *a, int i)
{
    lab_say(a->story, "C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s", a->row,
            a->col, a->row, i, i, a->col, lab_cause_who(a));
}

/* The element of the term that was not taken: "B[2][1]". */
static void say_other(struct lab_account *a, const struct lab_term *t)
{
    lab_say(a->story, "%c[%d][%d]", t->a_right ? 'B' : 'A',
            t->a_right ? t->i : a->row, t->a_right ? a->col : t->i);
}

/* Was the matrix taken rightly in all terms? */
static int side_is_right(const struct lab_account *a, enum lab_content of)
{
    for (int i = 0; i < a->d->k; i++) {
        const struct lab_term *t = &a->term[i];

        if (t->times == 0 && !(of == LAB_OF_A ? t->a_right : t->b_right))
            return 0;
    }
    return 1;
}

static int holds_right(const struct lab_account *a, int row, int col)
{
    int exact;

    return lab_identity_want(a->d, row, col, &exact) ==
           (double)a->C[row * a->d->n + col];
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
                       (double)a->C[row * width + col];
            }
        }
        if (fits)
            return width;
    }
    return 0;
}

/* The same of a kernel, whose threads write rows over in any order: if it
   explains all stores of the thread's block. */
static int width_of_stores(const struct lab_account *a)
{
    const int widths[] = {a->d->m, a->d->k};

    for (size_t i = 0; i < 2; i++) {
        int fits = widths[i] != a->d->n, below = 0;

        for (size_t j = 0; j < a->alls && fits; j++) {
            const struct simt_access *s = &a->all[j];
            const int across = (int)s->block_size[0];
            const int row =
                a->own_row + s->thread / across - a->thread / across;
            const int col =
                a->own_col + s->thread % across - a->thread % across;

            if (s->kind != SIMT_STORE || s->space != SIMT_GLOBAL)
                continue;
            fits = s->array == a->c_array &&
                   s->offset == 4 * (uintptr_t)(row * widths[i] + col);
            below += row > 0;
        }
        if (fits && below > 0)
            return widths[i];
    }
    return 0;
}

/* All that was taken is what another element of C is made of. */
static int say_other_element(struct lab_account *a)
{
    const struct simt_access *store = lab_cause_last_store(a);
    const struct lab_fit of_a = lab_cause_fit(a, LAB_OF_A);
    const struct lab_fit of_b = lab_cause_fit(a, LAB_OF_B);
    const int k = a->d->k, n = a->d->n;
    const int width = a->kernel == NULL ? width_of_c(a) : width_of_stores(a);
    const int is_row = of_a.terms == k && of_a.step == 1 && of_a.first % k == 0;
    const int is_col =
        of_b.terms == k && of_b.step == n && of_b.first >= 0 && of_b.first < n;
    const int row = is_row ? of_a.first / k : a->row;
    const int col = is_col ? of_b.first : a->col;

    if (store == NULL || (!is_row && !is_col) ||
        (!is_row && !side_is_right(a, LAB_OF_A)) ||
        (!is_col && !side_is_right(a, LAB_OF_B)))
        return 0;
    /* Of one side the thread must tell which of the two indices is its own; and
       what is stored elsewhere is missing there. */
    if ((!is_row || !is_col) &&
        (a->several ? holds_right(a, row, col)
                    : row != a->own_row || col != a->own_col))
        return 0;
    if (!a->several && a->row == a->own_row && a->col == a->own_col) {
        lab_say(a->story,
                ": these are the products of C[%d][%d], and the thread stands "
                "at C[%d][%d].",
                row, col, a->row, a->col);
        a->story->other = LAB_PLACE(store);
        return 1;
    }
    lab_say(a->story,
            ": these are the products of C[%d][%d], and line %d stored their "
            "sum to C[%d][%d]",
            row, col, store->line, a->row, a->col);
    if (width > 0) {
        lab_say(a->story,
                ", as if a row of C had %d = %c elements, and not %d = n",
                width, lab_side(a->d->m, n, k, width), n);
    }
    lab_say(a->story, ".");
    a->story->other = a->story->here;
    a->story->here = LAB_PLACE(store);
    return 1;
}

/* The one element that the thread has fetched, and that would be this value
   without its fraction. Returns 1; or 0: it has stored the value for another
   thread, or there is none, or there are several. */
static int find_cut(const struct lab_account *a, const struct lab_load *odd,
                    float value, struct lab_load *cut)
{
    int found = 0;

    for (size_t i = 0; i < a->steps && odd->step->writer == a->thread; i++) {
        const struct simt_access *x = &a->step[i];
        const float whole = x->known ? truncf(x->value[0]) : NAN;
        struct lab_load load;

        if (x->kind != SIMT_LOAD || x->space != SIMT_GLOBAL || x->size != 4 ||
            whole != value || whole == x->value[0])
            continue;
        lab_cause_identify(a->d, x->value[0], &load);
        if (load.what > LAB_OF_B)
            continue;
        if (found && (load.what != cut->what || load.row != cut->row ||
                      load.col != cut->col))
            return 0;
        *cut = load;
        cut->step = x;
        found = 1;
    }
    return found;
}

/* " 3, which is B[0][0] = 3.76562 without its fraction" */
static void say_cut(struct lab_account *a, float value,
                    const struct lab_load *cut)
{
    const char of = cut->what == LAB_OF_A ? 'A' : 'B';
    const int line =
        lab_source_int(cut->step->file, cut->step->line, of, &a->story->beside);

    lab_say(a->story, " %g, which is %c[%d][%d] = %g without its fraction",
            (double)value, of, cut->row, cut->col, cut->value);
    if (line > 0)
        lab_say(a->story, ": the variable in line %d is an int", line);
    lab_say(a->story, ".");
}

enum lab_rank lab_cause_say_odd(struct lab_account *a)
{
    const struct lab_load odd = {.step = a->odd, .word = a->odd_word};
    const float value = odd.step->value[odd.word];
    struct lab_load cut = {.what = LAB_UNKNOWN};
    char place[200];
    int32_t bits;

    memcpy(&bits, &value, sizeof bits);
    snprintf(place, sizeof place, "%s", _("memory"));
    if (a->kernel != NULL)
        lab_access_name(place, sizeof place, odd.step);
    lab_say(a->story,
            "C[%d][%d] needs A[%d][0] = %g and B[0][%d] = %g. %s took from %s",
            a->row, a->col, a->row, lab_cause_a(a->d, a->row, 0), a->col,
            lab_cause_b(a->d, 0, a->col), lab_cause_who(a), place);
    lab_cause_say_line(a, &odd);
    if (bits != 0 && abs(bits) < MOST_INT) { /* no usual float has them */
        lab_say(a->story,
                " the int %d: its type is an int, which cuts off what is "
                "behind the point.",
                (int)bits);
    } else if (find_cut(a, &odd, value, &cut)) {
        say_cut(a, value, &cut);
    } else {
        lab_say(a->story, " what is no element of A or B.");
    }
    lab_cause_place(a, &odd);
    return LAB_PROVEN;
}

/* Says what the wrong ones of A and of B have in common. Returns 1 if that is a
   rule of more than this element. */
static int say_rules(struct lab_account *a, const struct lab_term *first)
{
    char *const text = a->story->text;
    const size_t before = strlen(text);
    size_t between;
    int of_a = 0, of_b = 0;

    lab_say(a->story, ": ");
    if (!first->a_right)
        of_a = lab_cause_say_rule(a, LAB_OF_A);
    between = strlen(text);
    if (!first->b_right) {
        if (of_a > 0)
            lab_say(a->story, "; ");
        of_b = lab_cause_say_rule(a, LAB_OF_B);
    }
    if (of_b == 0)
        text[of_a > 0 ? between : before] = '\0';
    return of_a == 1 || of_b == 1;
}

/* Of a thread with one sum: what was taken for the first term that is wrong. */
static enum lab_rank say_taken(struct lab_account *a,
                               const struct lab_term *first)
{
    const struct lab_load *place = first->a_right ? first->b : first->a;
    size_t before;
    char tile[80];
    int is_rule;

    if (place == NULL)
        place = first->a_right ? first->a : first->b;
    say_needs(a, first->i);
    lab_say(a->story, " took ");
    if (first->a != NULL)
        lab_cause_say_load(a, first->a);
    if (first->a != NULL && first->b != NULL)
        lab_say(a->story, ", and ");
    if (first->b != NULL)
        lab_cause_say_load(a, first->b);
    lab_cause_say_line(a, place);
    lab_cause_place(a, place);
    if (place != NULL && place->step->space == SIMT_SHARED) {
        lab_source_tile(place->step->file, place->step->line,
                        simt_access_array(place->step), tile, sizeof tile,
                        &a->story->beside);
    }
    if (say_other_element(a))
        return LAB_PROVEN;
    if (place != NULL && place->what == LAB_ZERO &&
        place->step->writer_line > 0) {
        lab_say(a->story, ": line %d stored 0 there, where ",
                place->step->writer_line);
        say_other(a, first);
        lab_say(a->story, " belongs.");
        return LAB_PROVEN;
    }
    before = strlen(a->story->text);
    is_rule = a->is_rule = say_rules(a, first);
    is_rule |= before < strlen(a->story->text) ? 2 : 0;
    lab_say(a->story, ".");
    if (!(is_rule & 1) && lab_cause_say_form(a))
        is_rule = a->is_rule = 1;
    return is_rule ? LAB_PROVEN : LAB_SEEN;
}

/* Did a thread with several sums load that element at all? If it takes others
   from shared memory, from there: what it fetches for a tile is for all. */
static int has_loaded(const struct lab_account *a, enum lab_content what,
                      int row, int col, const struct lab_load *taken)
{
    const int is_shared = taken != NULL && taken->step->space == SIMT_SHARED;

    for (size_t i = 0; i < a->alls && a->several; i++) {
        const struct simt_access *x = &a->all[i];

        if (is_shared && x->space != SIMT_SHARED)
            continue;
        for (int w = 0; w < x->size / 4 && w < SIMT_VALUES &&
                        x->kind == SIMT_LOAD && x->thread == a->thread;
             w++) {
            struct lab_load load;

            lab_cause_identify(a->d, x->value[w], &load);
            if (lab_cause_is_element(&load, what, row, col))
                return 1;
        }
    }
    return 0;
}

/* Have all wrong ones of A, or of B, something in common? */
static int has_rule(struct lab_account *a)
{
    char *const text = a->story->text;
    const size_t before = strlen(text);
    const int is_rule = lab_cause_say_rule(a, LAB_OF_A) == 1 ||
                        lab_cause_say_rule(a, LAB_OF_B) == 1;

    text[before] = '\0';
    return is_rule;
}

/* Of several sums the loads are put together by their order, which is not that
   of the source where the compiler has moved one: a term of which both were
   taken is none that is wrong, and what was taken of the other is right. A tile
   that is turned has a rule instead; and products that add up to what C holds
   were made so. */
enum lab_rank lab_cause_say_wrong(struct lab_account *a)
{
    for (int i = 0; i < a->d->k; i++) {
        struct lab_term t = a->term[i];
        const int has_a = has_loaded(a, LAB_OF_A, a->row, t.i, t.a);
        const int has_b = has_loaded(a, LAB_OF_B, t.i, a->col, t.b);

        if (t.times > 0 || (t.a == NULL && t.b == NULL) ||
            (has_a && has_b && !has_rule(a) && lab_cause_sum(a) != a->got))
            continue;
        if (has_a && has_b)
            return say_taken(a, &t);
        if (has_a && t.b != NULL) {
            t.a = NULL;
            t.a_right = 1;
        } else if (has_b && t.a != NULL) {
            t.b = NULL;
            t.b_right = 1;
        }
        return say_taken(a, &t);
    }
    return LAB_NOTHING;
}
