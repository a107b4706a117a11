/* What became of each term of a sum, and which cause is said: see cause.h. */
#include "cause_parts.h"

#include "source.h"

#include <stdlib.h>
#include <string.h>

/* --- what became of each term of the sum ---------------------------------- */

static const struct lab_load *find_in(const struct lab_account *a, int group,
                                      enum lab_content what, int row, int col)
{
    const struct lab_load_group *g = &a->group[group];

    for (size_t i = g->first; i < g->end; i++) {
        if (lab_cause_is_element(&a->load[i], what, row, col))
            return &a->load[i];
    }
    return NULL;
}

/* The first load of that kind of the group. */
static const struct lab_load *first_of(const struct lab_account *a, int group,
                                       enum lab_content stands)
{
    const struct lab_load_group *g = &a->group[group];

    for (size_t i = g->first; i < g->end; i++) {
        if (a->load[i].stands == stands)
            return &a->load[i];
    }
    return NULL;
}

/* Fills a term of which both elements were met together, or else one. The
   groups of a plain thread belong to one term each. */
static void find_term(struct lab_account *a, struct lab_term *term)
{
    const int i = term->i;

    for (int pass = 0; pass < 2 && term->times == 0; pass++) {
        for (int g = 0; g < a->groups; g++) {
            const struct lab_load *x = find_in(a, g, LAB_OF_A, a->row, i);
            const struct lab_load *y = find_in(a, g, LAB_OF_B, i, a->col);

            if (pass == 0) {
                term->times += x != NULL && y != NULL;
                a->used[g] |= x != NULL && y != NULL;
            } else if ((x != NULL || y != NULL) && !(a->plain && a->used[g])) {
                term->a_right = x != NULL;
                term->b_right = y != NULL;
                term->a = x != NULL ? x : first_of(a, g, LAB_OF_A);
                term->b = y != NULL ? y : first_of(a, g, LAB_OF_B);
                a->used[g] = 1;
                break;
            }
        }
    }
}

/* Fills all terms, and marks the groups that belong to them. */
static void find_terms(struct lab_account *a)
{
    int g = 0;

    for (int i = 0; i < a->d->k; i++) {
        a->term[i].i = i;
        find_term(a, &a->term[i]);
    }
    /* Of a thread with one sum: terms of which neither element was met belong
       to the groups that nothing else belongs to, in their order. */
    for (int i = 0; i < a->d->k && a->plain; i++) {
        struct lab_term *term = &a->term[i];

        if (term->times > 0 || term->a != NULL || term->b != NULL)
            continue;
        while (g < a->groups && (a->used[g] || lab_cause_is_padding(a, g)))
            g++;
        if (g == a->groups)
            return;
        a->used[g] = 1;
        term->a = first_of(a, g, LAB_OF_A);
        term->b = first_of(a, g, LAB_OF_B);
    }
}

/* --- which cause is said -------------------------------------------------- */

/* In this order; the last only if nothing else is wrong. */
static enum lab_rank (*const rules[])(struct lab_account *a) = {
    lab_cause_say_wrong, lab_cause_say_missing, lab_cause_say_extra,
    lab_cause_say_twice, lab_cause_say_sum};

enum {
    RULES = sizeof rules / sizeof rules[0]
};

/* Where the thread fetched what it stored to shared memory, and took from
   there. */
static void place_fetch(struct lab_account *a)
{
    const struct simt_access *taken = a->taken;
    const struct simt_access *step = a->alls > 0 ? a->all : a->step;

    if (taken == NULL || taken->line != a->story->here.line ||
        a->story->other.line == 0 || taken->space != SIMT_SHARED ||
        (taken->writer != a->thread && a->alls == 0) || !taken->known)
        return;
    for (const struct simt_access *i =
             step + (a->alls > 0 ? a->alls : a->steps);
         i-- > step;) {
        if (i->space == SIMT_GLOBAL && i->kind == SIMT_LOAD && i->known &&
            i->size >= 4 && i->thread == taken->writer &&
            i->value[0] == taken->value[0]) {
            a->story->fetch = LAB_PLACE(i);
            a->story->fetch.line = lab_source_indexed(i->file, i->line);
            return;
        }
    }
}

/* Says what the groups of one and one tell, by the rules. */
static void judge_groups(struct lab_account *a)
{
    struct lab_story *story = a->story;

    a->used = calloc((size_t)a->groups + 1, 1);
    a->term = calloc((size_t)a->d->k, sizeof *a->term);
    if (a->used != NULL && a->term != NULL) {
        find_terms(a);
        for (int i = 0; i < RULES && story->rank == LAB_NOTHING; i++) {
            story->rank = rules[i](a);
            if (i < RULES - 1 && a->unset && a->odd == NULL &&
                story->rank > LAB_WRONG)
                story->rank = LAB_WRONG; /* that nobody stored it says more */
        }
        place_fetch(a);
    }
    free(a->used);
    free(a->term);
}

/* Of a thread that takes several operands before it multiplies: the way of
   each tells most, unless there is a rule for more than this element. Of an
   operand that is not fetched the line that fetches others is shown with it. */
static void judge_several(struct lab_account *a)
{
    struct lab_story seen;
    int is_better;

    if (a->alls > 0)
        a->story->rank = lab_cause_say_several(a);
    if (a->story->rank > LAB_SEEN &&
        (a->absent == LAB_ALL_TAKEN || a->absent == LAB_NOT_STAGED))
        return;
    seen = *a->story;
    *a->story = (struct lab_story){.rank = LAB_NOTHING};
    a->story->rank = a->kernel != NULL ? lab_cause_say_period(a) : LAB_NOTHING;
    if (a->story->rank != LAB_NOTHING) {
        lab_cause_show_pointer(a);
        return;
    }
    if (lab_cause_pair(a) == 0 && a->plain) {
        judge_groups(a);
        if (a->story->rank != LAB_NOTHING)
            lab_cause_show_index(a);
    }
    is_better = a->story->rank == LAB_PROVEN && a->absent != LAB_NOT_USED &&
                (a->is_rule == 1 || (a->is_rule && !a->several) ||
                 a->absent == LAB_ALL_TAKEN || a->absent == LAB_NEITHER_TAKEN);
    if (seen.rank != LAB_NOTHING && !is_better) {
        *a->story = seen;
    } else if (a->absent == LAB_NOT_FETCHED && seen.here.line > 0) {
        seen.other = a->story->other;
        seen.fetch = a->story->here;
        memcpy(seen.text, a->story->text, sizeof seen.text);
        *a->story = seen;
    }
    if (a->story->rank == LAB_NOTHING) {
        a->story->rank =
            a->odd != NULL ? lab_cause_say_odd(a) : lab_cause_say_got(a);
    }
}

/* Reads what the thread has loaded, and judges it. */
static void judge_loads(struct lab_account *a, size_t first, size_t end)
{
    if (lab_cause_read(a, first, end) == 0) {
        if (a->plain) {
            a->story->rank =
                a->kernel != NULL ? lab_cause_say_period(a) : LAB_NOTHING;
            if (a->story->rank == LAB_NOTHING)
                judge_groups(a);
            lab_cause_show_pointer(a);
        } else {
            judge_several(a);
        }
    }
    free(a->group);
    free(a->load);
}

void lab_cause_find(struct lab_account *a)
{
    struct lab_story *story = a->story;
    size_t first, end;
    int elements, times;

    a->got = (double)a->C[(size_t)a->row * (size_t)a->d->n + (size_t)a->col];
    a->want = lab_identity_want(a->d, a->row, a->col, &a->exact);
    elements = lab_cause_stored_elements(a, &first, &end, &times);
    a->several = elements > 1 && a->kernel != NULL;
    a->stored = times > 0;
    a->stored_any = elements > 0;
    if (times == 0) { /* the place of another element's */
        for (size_t i = 0; i < a->steps; i++) {
            if (a->step[i].kind != SIMT_LOAD && a->step[i].array == a->c_array)
                story->here = LAB_PLACE(&a->step[i]);
        }
        return;
    }
    if (a->exact)
        story->rank = lab_cause_say_stored_right(a);
    if (story->rank == LAB_NOTHING)
        story->rank = lab_cause_say_not_begun(a);
    if (story->rank == LAB_NOTHING)
        story->rank = lab_cause_say_under_way(a);
    if (story->rank == LAB_NOTHING)
        story->rank = lab_cause_say_unset(a, 0);
    /* What a thread with several elements took for each is known if it stores
       one after the other. */
    if (story->rank == LAB_NOTHING) {
        judge_loads(a, elements > 1 ? first : 0, elements > 1 ? end : a->steps);
    }
}
