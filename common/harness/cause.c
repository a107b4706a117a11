/* What became of each term of a sum, and which cause is said: see cause.h. */
#include "cause_parts.h"

#include <stdlib.h>

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

    if (taken == NULL || taken->line != a->story->here.line ||
        a->story->other.line == 0 || taken->space != SIMT_SHARED ||
        taken->writer != a->thread || !taken->known)
        return;
    for (const struct simt_access *i = taken; i-- > a->step;) {
        if (i->space == SIMT_GLOBAL && i->kind == SIMT_LOAD && i->known &&
            i->value[0] == taken->value[0]) {
            a->story->fetch = LAB_PLACE(i);
            return;
        }
    }
}

/* Reads what the thread has loaded, and judges it. */
static void judge_loads(struct lab_account *a, size_t first, size_t end)
{
    struct lab_story *story = a->story;

    if (lab_cause_read(a, first, end) == 0) {
        a->used = calloc((size_t)a->groups + 1, 1);
        a->term = calloc((size_t)a->d->k, sizeof *a->term);
    }
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
    if (story->rank == LAB_NOTHING && a->kernel != NULL)
        story->rank = lab_cause_say_period(a);
    if (story->rank == LAB_NOTHING && a->several)
        story->rank = lab_cause_say_counted(a);
    /* What a thread with several elements took for each is known if it stores
       one after the other. */
    if (story->rank == LAB_NOTHING) {
        judge_loads(a, elements > 1 ? first : 0, elements > 1 ? end : a->steps);
    }
}
