/* The edges of C: what lies there is never stored, or is stored by a thread
   outside. See why.h. */
#include "why.h"

#include "base/language.h"
#include "inputs.h"
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

void lab_why_unset(const struct lab_trial *t, int row, int col, int any,
                   struct lab_story *story)
{
    const int m = t->shape.m, n = t->shape.n;
    int rows = 1, cols = 1; /* the rest from here on */
    int from;
    char side;

    for (int r = 0; r < m; r++) {
        for (int c = 0; c < n; c++) {
            const int unset = lab_is_poison(lab_trial_c(t, r, c)) != 0;

            rows &= unset == (r >= row);
            cols &= unset == (c >= col);
        }
    }
    story->is_bound = 1;
    if (!any) {
        lab_tell(story, LAB_PROVEN, "Nothing was stored to C.");
        return;
    }
    lab_tell(story, LAB_PROVEN, "C[%d][%d] was never stored", row, col);
    if (!rows && !cols) {
        lab_say(story, ".");
        return;
    }
    from = rows ? row : col;
    side = lab_side(m, n, t->shape.k, from);
    lab_say(story,
            row == m - 1 || col == n - 1
                ? N_(", nor was any of %s %d, the last "
                     "one.")
                : N_(", nor was any from %s %d on."),
            rows ? _("row") : _("column"), from);
    if (side != '\0') {
        lab_say(story, " It stores %d = %c %ss, and C has %d = %c.", from, side,
                rows ? _("row") : _("column"), rows ? m : n, rows ? 'm' : 'n');
    }
}
