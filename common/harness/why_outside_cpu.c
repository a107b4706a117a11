/* Does a thread to the right of C store an element, too? See why.h. */
#include "why.h"

#include "simt/report.h"
#include "source.h"

#include <stdlib.h>

int lab_why_col(const struct simt_access *s)
{
    return (int)(s->block % s->grid[0] * s->block_size[0] +
                 (unsigned)s->thread % s->block_size[0]);
}

int lab_why_is_whole(const struct lab_element *e)
{
    const size_t all = (size_t)e->t->shape.m * (size_t)e->t->shape.n;
    unsigned char *seen = calloc(all, 1);
    int is_whole = seen != NULL;

    for (int outside = 0; outside < 2; outside++) {
        for (size_t i = 0; i < e->t->stores && is_whole; i++) {
            const struct simt_access *s = &e->t->stored[i];
            const size_t at = s->offset / 4;

            if (s->array != e->array || at >= all ||
                (lab_why_col(s) >= e->t->shape.n) != outside)
                continue;
            is_whole = !outside || seen[at];
            seen[at] = 1;
        }
    }
    free(seen);
    return is_whole;
}

int lab_why_outside(const struct lab_element *e, struct lab_story *story)
{
    const struct simt_access *owner = NULL, *other = NULL;
    const int n = e->t->shape.n;

    for (size_t i = 0; i < e->t->stores; i++) {
        const struct simt_access *s = &e->t->stored[i];
        const int at = (int)(s->offset / 4), own = lab_why_col(s);

        if (s->array != e->array)
            continue;
        if (s->size != 4 || (own < n && at % n != own))
            return 0; /* its column is not that of the thread */
        if (at == e->row * n + e->col && own < n) {
            owner = s;
        } else if (at == e->row * n + e->col) {
            other = s;
        }
    }
    if (owner == NULL || other == NULL || !lab_why_is_whole(e))
        return 0;
    lab_tell(story, LAB_PROVEN,
             "Two threads store C[%d][%d] (%s:%d): %s, which should, and %s. A "
             "thread's column is its x in the grid. That of the second is %d, "
             "and the last column of C is %d: it should store nothing.",
             e->row, e->col, simt_base_name(other->file), other->line,
             lab_thread_name(owner), lab_thread_name(other), lab_why_col(other),
             n - 1);
    story->here = LAB_PLACE(other);
    lab_source_conditions(other->file, other->line, &story->beside);
    return 1;
}
