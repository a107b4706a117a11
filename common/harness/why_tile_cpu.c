/*
 * Why does an element of shared memory not hold what a thread reads there? A
 * line stores to the array only under a condition, as in
 *
 *     if (row < m && t + tx < k)
 *         As[ty][tx] = A[row * k + t + tx];
 *
 * and what it leaves out keeps what was there: nothing, or the tile before. The
 * whole block is followed once more.
 */
#include "why.h"
#include "access_name.h"

#include "base/language.h"
#include "simt/report.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 1024
};

/* All accesses of one block. */
struct block {
    const struct simt_access *step;
    size_t steps;
    int threads;
};

static int is_shared(const struct simt_access *a, enum simt_kind kind)
{
    return a->space == SIMT_SHARED && a->kind == kind;
}

static int is_same_line(const struct simt_access *a,
                        const struct simt_access *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The last store before that step to the element which it loads; NULL: none. */
static const struct simt_access *stored_before(const struct block *b,
                                               const struct simt_access *load)
{
    for (const struct simt_access *a = load; a-- > b->step;) {
        if (is_shared(a, SIMT_STORE) && a->array == load->array &&
            load->offset - a->offset < (size_t)a->size)
            return a;
    }
    return NULL;
}

/* How many threads that line has let store in the interval; *thread: 1 if this
   one is among them. */
static int count_storing(const struct block *b, const struct simt_access *line,
                         int *thread)
{
    char stores[MOST_THREADS] = {0};
    int count = 0;

    for (size_t i = 0; i < b->steps; i++) {
        const struct simt_access *a = &b->step[i];

        if (is_shared(a, SIMT_STORE) && a->interval == line->interval &&
            a->array == line->array && is_same_line(a, line) &&
            !stores[a->thread]) {
            stores[a->thread] = 1;
            count++;
        }
    }
    *thread = *thread >= 0 && stores[*thread];
    return count;
}

/* The last store before the load to its array, in an interval in which its line
   has stored for some threads alone, and not for the one that had stored the
   element before, if one had. NULL: there is none. */
static const struct simt_access *
left_out(const struct block *b, const struct simt_access *load, int *count)
{
    const struct simt_access *old = stored_before(b, load);

    for (const struct simt_access *a = load; a-- > b->step;) {
        int thread = old != NULL ? old->thread : -1;

        if (!is_shared(a, SIMT_STORE) || a->array != load->array ||
            a->interval >= load->interval)
            continue;
        if (old != NULL &&
            (a->interval <= old->interval || !is_same_line(a, old)))
            return NULL;
        *count = count_storing(b, a, &thread);
        return *count < b->threads && !thread &&
                       lab_source_condition(a->file, a->line) > 0
                   ? a
                   : NULL;
    }
    return NULL;
}

static void say(const struct block *b, const struct simt_access *load,
                const struct simt_access *store, int count,
                struct lab_story *story)
{
    const int is_old = stored_before(b, load) != NULL;
    const int condition = lab_source_condition(store->file, store->line);
    const char *const array = simt_access_array(load);
    char element[200];

    lab_access_name(element, sizeof element, load);
    *story = (struct lab_story){.here = {store->file, condition}};
    lab_tell(story, LAB_ENDING,
             "%s is read (%s:%d), and %s. Line %d stores to %s only under "
             "%s%.0d, which %d of the block's %d threads meet. "
             "What is outside of the matrix must be stored too, as 0.0f.",
             element, simt_base_name(load->file), load->line,
             is_old ? _("still has a value of the tile before")
                    : _("nobody has stored it"),
             store->line, array,
             condition == store->line ? _("its condition")
                                      : _("the condition in line "),
             condition == store->line ? 0 : condition, count, b->threads);
    story->other = LAB_PLACE(store);
    story->fetch = LAB_PLACE(load);
}

int lab_why_kept_away(const struct lab_trial *old, uint64_t block, int thread,
                      struct lab_story *story)
{
    struct lab_trial t = {
        .program = old->program, .entry = old->entry, .shape = old->shape};
    const struct simt_host_call *launch = lab_trial_launch(old);
    struct block b = {.step = NULL};
    int cut, count, found = 0;

    if (launch == NULL || lab_trial_begin(&t) != 0)
        goto done;
    t.log = simt_log_begin(&(struct simt_filter){
        .launch = launch->launch, .block = (long)block, .thread = SIMT_ANY});
    if (lab_trial_run(&t) != 0)
        goto done;
    b.step = simt_log_read(t.log, &b.steps, &cut);
    if (cut || b.steps == 0)
        goto done;
    b.threads = (int)(b.step->block_size[0] * b.step->block_size[1] *
                      b.step->block_size[2]);
    for (size_t i = 0; i < b.steps && !found; i++) {
        const struct simt_access *load = &b.step[i], *store;

        if (load->thread != thread || !is_shared(load, SIMT_LOAD))
            continue;
        store = left_out(&b, load, &count);
        found = store != NULL;
        if (found)
            say(&b, load, store, count, story);
    }
done:
    lab_trial_end(&t);
    return found;
}
