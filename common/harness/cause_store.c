/* What a thread has stored to C, and what became of it. */
#include "cause_parts.h"
#include "access_name.h"

#include "base/language.h"
#include "simt/report.h"
#include "source.h"

#include <string.h>

/* The element's place in C, in bytes. */
static uintptr_t place_of(const struct lab_account *a)
{
    return 4 * ((uintptr_t)a->row * (uintptr_t)a->d->n + (uintptr_t)a->col);
}

static int is_of_c(const struct lab_account *a, const struct simt_access *step)
{
    return step->array == a->c_array && step->space == SIMT_GLOBAL;
}

/* Does the step load or store the element? */
static int is_of_element(const struct lab_account *a,
                         const struct simt_access *step)
{
    const uintptr_t at = place_of(a);

    return is_of_c(a, step) && step->offset <= at &&
           at < step->offset + (uintptr_t)step->size;
}

const struct simt_access *lab_cause_last_store(const struct lab_account *a)
{
    for (size_t i = a->steps; i-- > 0;) {
        if (a->step[i].kind != SIMT_LOAD && is_of_element(a, &a->step[i]))
            return &a->step[i];
    }
    return NULL;
}

int lab_cause_stored_elements(const struct lab_account *a, size_t *first,
                              size_t *end, int *times)
{
    uintptr_t last = UINTPTR_MAX;
    size_t behind = 0;
    int elements = 0, adds = 0; /* 1: the element was loaded since */

    *first = 0;
    *end = a->steps;
    *times = 0;
    for (size_t i = 0; i < a->steps; i++) {
        const struct simt_access *step = &a->step[i];

        if (!is_of_c(a, step))
            continue;
        if (step->kind == SIMT_LOAD) {
            adds |= is_of_element(a, step);
            continue;
        }
        elements += step->offset != last;
        last = step->offset;
        if (is_of_element(a, step)) {
            ++*times;
            if (*times == 1 || !adds)
                *first = behind;
            *end = i + 1;
        }
        behind = i + 1;
        adds = 0;
    }
    return elements;
}

enum lab_rank lab_cause_say_stored_right(struct lab_account *a)
{
    const struct simt_access *store = lab_cause_last_store(a);

    if (store == NULL || store->kind != SIMT_STORE || !store->known ||
        (double)store->value[(place_of(a) - store->offset) / 4] != a->want)
        return LAB_NOTHING;
    lab_say(a->story,
            "C[%d][%d]: %s stored %g, which is right (%s:%d), and C holds %g: "
            "something else was stored there.",
            a->row, a->col, a->who, a->want, lab_cause_file(store->file),
            store->line, a->got);
    a->story->here = LAB_PLACE(store);
    return LAB_SEEN;
}

enum lab_rank lab_cause_say_not_begun(struct lab_account *a)
{
    const struct simt_access *step = a->step, *end = a->step + a->steps;

    while (step < end && !is_of_element(a, step))
        step++;
    if (step == end || step->kind == SIMT_STORE)
        return LAB_NOTHING;
    lab_say(a->story,
            "C[%d][%d] is read before anything was stored there (%s:%d): what "
            "is added to it is added to nobody's value.",
            a->row, a->col, lab_cause_file(step->file), step->line);
    a->story->here = LAB_PLACE(step);
    return LAB_PROVEN;
}

/* Why has a copy not come to its place? */
static void say_why_under_way(struct lab_account *a,
                              const struct simt_access *step)
{
    const struct simt_under_way *copy = &step->copy;

    if (!copy->is_committed) {
        lab_say(a->story, "it has passed no __pipeline_commit() since");
        if (copy->line > 0) {
            lab_say(a->story, ", so the wait in line %d is not for it",
                    copy->line);
        }
    } else if (copy->line > 0) {
        lab_say(
            a->story,
            "the wait in line %d leaves %u batch%s under way, and this copy "
            "is in %s",
            copy->line, copy->prior, copy->prior == 1 ? "" : "es",
            copy->prior == 1 ? _("it") : _("one of them"));
    } else {
        lab_say(a->story, "%s",
                step->writer == a->thread
                    ? _("it has not waited for its own copy")
                    : _("the thread that began it must wait for it before the "
                        "barrier"));
        lab_source_calls(step->file, 0, "__pipeline_wait_prior",
                         &a->story->beside);
        lab_source_calls(step->file, 0, "__syncthreads", &a->story->beside);
    }
    lab_say(a->story, ".");
    if (copy->line > 0)
        a->story->fetch = (struct lab_place){step->writer_file, copy->line};
}

enum lab_rank lab_cause_say_under_way(struct lab_account *a)
{
    const struct simt_access *step = a->step, *end = step + a->steps;
    char place[200];

    while (step < end && !step->copy.is)
        step++;
    if (step == end)
        return LAB_NOTHING;
    lab_access_name(place, sizeof place, step);
    lab_say(a->story,
            "C[%d][%d]: %s took %s (%s:%d) while the copy to it was under way, "
            "which line %d began: ",
            a->row, a->col, a->who, place, lab_cause_file(step->file),
            step->line, step->writer_line);
    say_why_under_way(a, step);
    a->story->here = LAB_PLACE(step);
    a->story->other = (struct lab_place){step->writer_file, step->writer_line};
    return LAB_PROVEN;
}

static int is_never_set(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits == (uint32_t)SIMT_NEVER_SET;
}

/* 1 if the thread took such a value from where nobody had stored. */
static int takes_unwritten(const struct lab_account *a)
{
    for (size_t i = 0; i < a->steps; i++) {
        const struct simt_access *x = &a->step[i];

        for (int v = 0; x->kind == SIMT_LOAD && x->known && v < x->size / 4;
             v++) {
            if (x->writer_line == 0 && is_never_set(x->value[v]))
                return 1;
        }
    }
    return 0;
}

enum lab_rank lab_cause_say_unset(struct lab_account *a, int is_rest)
{
    const float got = a->C[(size_t)a->row * (size_t)a->d->n + (size_t)a->col];
    const struct simt_access *x = a->step, *const end = x + a->steps;
    const struct simt_access *from = lab_cause_last_store(a);
    struct lab_story *story = a->story;
    char place[200];

    while (x < end &&
           (x->kind != SIMT_LOAD || x->space != SIMT_SHARED || !x->known ||
            x->writer_line == 0 || !is_never_set(x->value[0])))
        x++;
    if (!is_never_set(got) || from == NULL || a->kernel == NULL ||
        (x == end && (SIMT_UNSET_ADDS ? !is_rest : takes_unwritten(a))))
        return LAB_NOTHING;
    lab_say(story, "C[%d][%d] is NaN: ", a->row, a->col);
    story->here = LAB_PLACE(from);
    if (x < end) {
        lab_access_name(place, sizeof place, x);
        lab_say(story, "%s took %s (line %d), where ", a->who, place, x->line);
        story->here = (struct lab_place){x->writer_file, x->writer_line};
        story->other = LAB_PLACE(x);
    }
    lab_say(story,
            "line %d stored what is made of a variable, or an array's element, "
            "that was never set.",
            story->here.line);
    lab_source_value(story->here.file, story->here.line, &story->beside);
    return LAB_PROVEN;
}
