#include "cause_parts.h"

#include <stdlib.h>

/* Where the thread fetched what it stored to shared memory, and took from
   there. */
static void place_fetch(struct lab_cause *cause, const struct lab_suspect *s)
{
    const struct simt_access *taken = cause->taken;

    if (taken == NULL || taken->line != cause->line || cause->other_line == 0 ||
        taken->space != SIMT_SHARED || taken->writer != s->thread ||
        !taken->known)
        return;
    for (const struct simt_access *i = taken; i-- > s->step;) {
        if (i->space == SIMT_GLOBAL && i->kind == SIMT_LOAD && i->known &&
            i->value[0] == taken->value[0]) {
            cause->fetch_file = i->file;
            cause->fetch_line = i->line;
            return;
        }
    }
}

/* All that was taken is right: what was made of it? */
static void judge_sum(struct lab_words *w, const struct lab_account *a,
                      struct lab_cause *cause)
{
    const struct simt_access *store = lab_cause_last_store(a->s);
    char text[300] = "";
    struct lab_words more = {text, sizeof text, 0};

    if (store == NULL)
        return;
    cause->rank = lab_cause_say_sum(&more, a) ? 3 : 1;
    lab_cause_say(
        w,
        "C[%d][%d]: %s took its %d products rightly, and stored %g for "
        "%g (%s:%d): %s.",
        a->s->row, a->s->col, lab_cause_who(a), a->d->k, a->got, a->want,
        lab_cause_file(store->file), store->line,
        cause->rank == 3 ? text
                         : "so it is lost between the loads and the store");
    cause->file = store->file;
    cause->line = store->line;
}

static void judge(struct lab_words *w, const struct lab_account *a,
                  struct lab_cause *cause)
{
    unsigned char *used = calloc((size_t)a->groups + 1, 1);
    struct lab_term *term = calloc((size_t)a->d->k, sizeof *term);

    if (used == NULL || term == NULL)
        goto done;
    for (int i = 0; i < a->d->k; i++)
        lab_cause_find_term(a, i, used, &term[i]);
    if (a->plain)
        lab_cause_pair_rest(a, used, term);
    cause->rank = lab_cause_say_wrong(w, a, term, cause);
    if (cause->rank == 0)
        cause->rank = lab_cause_say_missing(w, a, term, cause);
    if (cause->rank == 0)
        cause->rank = lab_cause_say_extra(w, a, used, cause);
    if (cause->rank == 0)
        cause->rank = lab_cause_say_twice(w, a, term, cause);
    if (a->unset && a->odd == NULL && cause->rank > 1)
        cause->rank = 1; /* that nobody stored it says more */
    if (cause->rank == 0)
        judge_sum(w, a, cause);
done:
    free(used);
    free(term);
}

/* Reads what the thread has loaded, and judges it. */
static void judge_loads(struct lab_words *w, struct lab_account *a,
                        size_t first, size_t end, struct lab_cause *cause)
{
    if (lab_cause_read_loads(a, first, end) != 0)
        return;
    if (end - first < a->s->steps && a->loads < 2) { /* all may belong to it */
        free(a->load);
        a->loads = 0;
        if (lab_cause_read_loads(a, 0, a->s->steps) != 0)
            return;
    }
    lab_cause_type_loads(a);
    if (lab_cause_make_groups(a) == 0 &&
        (a->plain || lab_cause_find_pairs(a) == 0)) {
        judge(w, a, cause);
        place_fetch(cause, a->s);
    }
    free(a->group);
    free(a->load);
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
    } else if (a.exact && lab_cause_say_stored_right(&w, &a, cause)) {
        cause->rank = 2;
    } else if (lab_cause_say_not_begun(&w, &a, cause) ||
               lab_cause_say_under_way(&w, &a, cause)) {
        cause->rank = 3;
    } else if (elements > 1) {
        /* What a thread with several elements took for each is known if it
           stores one after the other. */
        judge_loads(&w, &a, first, end, cause);
    } else {
        judge_loads(&w, &a, 0, s->steps, cause);
    }
}
