/*
 * A thread with several sums has taken all that one of them needs: what has it
 * multiplied with what? The operands are held against each other in their
 * order, and the sum of the products, to the bit, against what C holds.
 */
#include "cause_parts.h"

#include "source.h"

#include "base/language.h"

#include <stdlib.h>

enum {
    SHIFTS = 3 /* operands may be taken two steps before they are multiplied */
};

/* Elements of one row of A, or one column of B, in the order of their loads. */
struct sequence {
    const struct lab_load **at;
    size_t count;
};

static int step_in(const struct sequence *s, size_t i)
{
    return lab_cause_step(s->at[i]);
}

/* The first term whose operand is not in the sequence; k: there is none. */
static int first_missing(const struct lab_account *a, const struct sequence *s)
{
    int i = 0;

    for (size_t n = 0; i < a->d->k && n < s->count; n++) {
        if (step_in(s, n) == i) {
            i++;
            n = (size_t)-1;
        }
    }
    return i;
}

/* Shortens the two to those whose products add up to what C holds, from one of
   the first of each. Returns 1 or 0. */
static int find_order(const struct lab_account *a, struct sequence *x,
                      struct sequence *y)
{
    for (size_t all = 0; all < SHIFTS * SHIFTS; all++) {
        const size_t i = all % SHIFTS, j = all / SHIFTS;
        double sum = 0.0;

        for (size_t n = 0; i + n < x->count && j + n < y->count; n++) {
            sum += x->at[i + n]->value * y->at[j + n]->value;
            if (sum == a->got && n > 0) {
                *x = (struct sequence){x->at + i, n + 1};
                *y = (struct sequence){y->at + j, n + 1};
                return 1;
            }
        }
    }
    return 0;
}

/* Do the products of all that was taken of one matrix, each with that of the
   other which belongs to it, give the element? */
static int gives_alone(const struct lab_account *a, const struct sequence *s)
{
    double sum = 0.0;

    for (size_t n = 0; n < s->count; n++) {
        sum += lab_cause_a(a->d, a->row, step_in(s, n)) *
               lab_cause_b(a->d, step_in(s, n), a->col);
    }
    return sum == a->got;
}

/* Does the place in shared memory go along with the step, in all that was taken
   between two barriers? */
static int is_laid_out(const struct sequence *s)
{
    long long apart = 0;

    for (size_t i = 1; i < s->count; i++) {
        const struct lab_load *x = s->at[i - 1], *y = s->at[i];
        const int steps = lab_cause_step(y) - lab_cause_step(x);
        const long long bytes = (long long)(y->step->offset - x->step->offset) +
                                4LL * (y->word - x->word);

        if (y->step->interval != s->at[0]->step->interval)
            break;
        if (steps == 0)
            continue;
        apart = apart == 0 ? bytes / steps : apart;
        if (bytes != apart * steps)
            return 0;
    }
    return 1;
}

static struct lab_place product_of(const struct lab_load *load)
{
    return (struct lab_place){load->step->file,
                              lab_source_product(load->step->file, NULL)};
}

/* "C[0][0] holds A[0][1] * B[0][0], which it does not need: its thread" */
static void say_product(struct lab_account *a, const struct lab_load *x,
                        const struct lab_load *y)
{
    lab_say(a->story,
            "C[%d][%d] holds A[%d][%d] * B[%d][%d], which it does not need: "
            "%s took ",
            a->row, a->col, x->row, x->col, y->row, y->col, a->who);
}

/* Two that do not belong together were multiplied: whose place is wrong? */
static enum lab_rank say_mixed(struct lab_account *a, const struct sequence *x,
                               const struct sequence *y, size_t first)
{
    const int step = (int)first;
    /* The one that does not go along with the loop. */
    const struct sequence *side =
        step_in(x, first) == step && step_in(y, first) != step   ? y
        : step_in(y, first) == step && step_in(x, first) != step ? x
        : is_laid_out(x)                                         ? y
                                                                 : x;
    const struct lab_load *off = side->at[first], *fetched;
    struct lab_story *story = a->story;

    say_product(a, x->at[first], y->at[first]);
    lab_cause_say_load(a, x->at[first]);
    lab_say(story, ", and ");
    lab_cause_say_load(a, y->at[first]);
    lab_cause_say_line(a, off);
    lab_cause_place(a, off);
    if (off->step->writer_line > 0 && !is_laid_out(side)) {
        fetched = lab_cause_fetched(a, off);
        story->fetch = story->here;
        story->here = story->other;
        story->other = LAB_PLACE(fetched->step);
        lab_say(story,
                ". Line %d loads %c[%d][%d], and line %d stores it there",
                fetched->step->line, off->what == LAB_OF_A ? 'A' : 'B',
                off->row, off->col, off->step->writer_line);
    }
    lab_say(story, ".");
    return LAB_PROVEN;
}

/* The two of a product were taken in different steps. */
static enum lab_rank say_shift(struct lab_account *a, const struct lab_load *x,
                               const struct lab_load *y)
{
    a->story->here = LAB_PLACE(y->step);
    a->story->other = LAB_PLACE(x->step);
    a->story->fetch = product_of(x);
    say_product(a, x, y);
    lab_say(a->story,
            "the two in different steps (lines %d and %d), and multiplied them "
            "with each other",
            x->step->line, y->step->line);
    lab_say(a->story, a->story->fetch.line > 0 ? N_(" (line %d).") : ".",
            a->story->fetch.line);
    return LAB_PROVEN;
}

/* The last step of k was taken from several places of shared memory, which lie
   where the matrix has ended: zeros must stand there. */
static enum lab_rank say_no_zeros(struct lab_account *a,
                                  const struct sequence *x,
                                  const struct sequence *y)
{
    const int k = a->d->k;
    const struct lab_load *past;

    if (x->count <= (size_t)k)
        return LAB_NOTHING;
    past = x->at[k];
    for (size_t i = 0; i < x->count; i++) {
        if (step_in(x, i) != (i < (size_t)k ? (int)i : k - 1))
            return LAB_NOTHING;
    }
    if (past->step->space != SIMT_SHARED ||
        past->step->offset == x->at[k - 1]->step->offset)
        return LAB_NOTHING;
    lab_say(a->story, "C[%d][%d] has %d products, and %s adds %zu: it took ",
            a->row, a->col, k, a->who, x->count);
    lab_cause_say_load(a, past);
    lab_say(a->story, ", and ");
    lab_cause_say_load(a, y->at[k]);
    lab_cause_say_line(a, past);
    lab_say(a->story, ". Past the last step of k one of the two must be 0.");
    a->story->here = LAB_PLACE(lab_cause_fetched(a, past)->step);
    a->story->other = LAB_PLACE(lab_cause_fetched(a, y->at[k])->step);
    a->story->fetch = LAB_PLACE(past->step);
    return LAB_PROVEN;
}

/* The products are right ones, and some of them missing or there twice. */
static enum lab_rank say_times(struct lab_account *a, const struct sequence *s)
{
    const int k = a->d->k;
    const struct lab_load *last = s->at[0];
    int missing = -1, lost = 0, twice = -1, most = 0, others = -1;

    for (int i = k; i-- > 0;) {
        int times = 0;

        for (size_t n = 0; n < s->count; n++) {
            times += step_in(s, n) == i;
            last = times == 2 && step_in(s, n) == i ? s->at[n] : last;
        }
        lost += times == 0;
        missing = times == 0 ? i : missing;
        twice = times > 1 ? i : twice;
        most = times > 1 ? times : most;
        others += times > 1;
    }
    lab_say(a->story, "C[%d][%d]: %s added ", a->row, a->col, a->who);
    if (twice >= 0) {
        lab_say(a->story, "A[%d][%d] * B[%d][%d] %d times", a->row, twice,
                twice, a->col, most);
    }
    if (others > 0)
        lab_say(a->story, ", and %d other products more than once", others);
    a->story->is_bound = missing < 0;
    if (missing >= 0) {
        lab_say(a->story, "%snever A[%d][%d] * B[%d][%d]",
                twice >= 0 ? _(", and ") : "", a->row, missing, missing,
                a->col);
        if (lost > 1)
            lab_say(a->story, " and %d more", lost - 1);
        lab_say(a->story, ", although it took both");
    }
    lab_cause_say_line(a, last);
    lab_say(a->story, ".");
    a->story->here = LAB_PLACE(last->step);
    a->story->other = product_of(last);
    return LAB_PROVEN;
}

/* All operands are right: what else gives the value? */
static enum lab_rank say_value(struct lab_account *a)
{
    const enum lab_rank rank = lab_cause_say_sum(a);
    struct lab_story *story = a->story;

    if (rank != LAB_NOTHING && story->other.line == 0) {
        story->other = (struct lab_place){
            story->here.file,
            lab_source_product(story->here.file, &story->beside)};
    }
    return rank;
}

static enum lab_rank say_present(struct lab_account *a, struct sequence x,
                                 struct sequence y)
{
    const struct sequence all_x = x, all_y = y;
    enum lab_rank rank;
    size_t same = 0;

    if (!a->exact)
        return say_value(a);
    if (find_order(a, &x, &y)) {
        while (same < x.count && step_in(&x, same) == step_in(&y, same))
            same++;
        rank = same == x.count ? say_no_zeros(a, &x, &y) : LAB_NOTHING;
        if (rank == LAB_NOTHING) {
            rank = same == x.count ? say_times(a, &x)
                   : x.at - all_x.at != y.at - all_y.at
                       ? say_shift(a, x.at[0], y.at[0])
                       : say_mixed(a, &x, &y, same);
        }
    } else if (gives_alone(a, &x) || gives_alone(a, &y)) {
        rank = say_times(a, gives_alone(a, &x) ? &x : &y);
    } else {
        return say_value(a);
    }
    if (!a->story->is_bound) /* where it was taken is right */
        lab_cause_show_index(a);
    return rank;
}

enum lab_rank lab_cause_say_several(struct lab_account *a)
{
    struct sequence x = {NULL, 0}, y = {NULL, 0};
    enum lab_rank rank = LAB_NOTHING;
    int i, j;

    if (lab_cause_read_block(a) == 0) {
        x.at = calloc(a->words + 1, sizeof(void *));
        y.at = calloc(a->words + 1, sizeof(void *));
    }
    if (x.at != NULL && y.at != NULL) {
        x.count = lab_cause_sequence(a, LAB_OF_A, x.at);
        y.count = lab_cause_sequence(a, LAB_OF_B, y.at);
        i = first_missing(a, &x);
        j = first_missing(a, &y);
        rank = i == a->d->k && j == a->d->k
                   ? say_present(a, x, y)
                   : lab_cause_say_absent(a, i <= j ? LAB_OF_A : LAB_OF_B,
                                          i <= j ? i : j, i == j);
    }
    free((void *)x.at);
    free((void *)y.at);
    free(a->word);
    a->word = NULL;
    a->words = 0;
    return rank;
}
