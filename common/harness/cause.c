/* Which of all causes is said: see cause.h. */
#include "cause_parts.h"

#include <stdlib.h>

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
        lab_cause_find_terms(a);
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
    /* What a thread with several elements took for each is known if it stores
       one after the other. */
    if (story->rank == LAB_NOTHING) {
        judge_loads(a, elements > 1 ? first : 0, elements > 1 ? end : a->steps);
    }
}
