/* What a thread has stored to C, and what became of it. */
#include "cause_parts.h"

#include "simt/report.h"

#include <string.h>

/* The suspect's place in C, in bytes. */
static uintptr_t place_of(const struct lab_suspect *s)
{
    return 4 *
           ((uintptr_t)s->row * (uintptr_t)s->identity->n + (uintptr_t)s->col);
}

static int is_of_c(const struct lab_suspect *s, const struct simt_access *step)
{
    return step->array == s->c_array && step->space == SIMT_GLOBAL;
}

/* Does the step load or store the suspect? */
static int is_of_suspect(const struct lab_suspect *s,
                         const struct simt_access *step)
{
    const uintptr_t at = place_of(s);

    return is_of_c(s, step) && step->offset <= at &&
           at < step->offset + (uintptr_t)step->size;
}

static void place_step(struct lab_cause *cause, const struct simt_access *step)
{
    cause->file = step->file;
    cause->line = step->line;
}

const struct simt_access *lab_cause_last_store(const struct lab_suspect *s)
{
    for (size_t i = s->steps; i-- > 0;) {
        if (s->step[i].kind != SIMT_LOAD && is_of_suspect(s, &s->step[i]))
            return &s->step[i];
    }
    return NULL;
}

int lab_cause_stored_elements(const struct lab_suspect *s, size_t *first,
                              size_t *end, int *times)
{
    uintptr_t last = UINTPTR_MAX;
    size_t behind = 0;
    int elements = 0, adds = 0; /* 1: the element was loaded since */

    *first = 0;
    *end = s->steps;
    *times = 0;
    for (size_t i = 0; i < s->steps; i++) {
        const struct simt_access *step = &s->step[i];

        if (!is_of_c(s, step))
            continue;
        if (step->kind == SIMT_LOAD) {
            adds |= is_of_suspect(s, step);
            continue;
        }
        elements += step->offset != last;
        last = step->offset;
        if (is_of_suspect(s, step)) {
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

int lab_cause_say_held(struct lab_words *w, const struct lab_account *a,
                       struct lab_cause *cause)
{
    const struct simt_access *store = lab_cause_last_store(a->s);
    int row, col;

    if (store == NULL || !a->exact || !lab_cause_belongs_to(a, &row, &col))
        return 0;
    lab_cause_say(w,
                  "C[%d][%d] holds what belongs to C[%d][%d]: %s stored that "
                  "sum there (%s:%d).",
                  a->s->row, a->s->col, row, col, lab_cause_who(a),
                  lab_cause_file(store->file), store->line);
    place_step(cause, store);
    return 1;
}

int lab_cause_say_stored_right(struct lab_words *w, const struct lab_account *a,
                               struct lab_cause *cause)
{
    const struct simt_access *store = lab_cause_last_store(a->s);

    if (store == NULL || store->kind != SIMT_STORE || !store->known ||
        (double)store->value[(place_of(a->s) - store->offset) / 4] != a->want)
        return 0;
    lab_cause_say(
        w,
        "C[%d][%d]: %s stored %g, which is right (%s:%d), and C holds "
        "%g: something else was stored there.",
        a->s->row, a->s->col, lab_cause_who(a), a->want,
        lab_cause_file(store->file), store->line, a->got);
    place_step(cause, store);
    return 1;
}

int lab_cause_say_not_begun(struct lab_words *w, const struct lab_account *a,
                            struct lab_cause *cause)
{
    const struct lab_suspect *s = a->s;
    const struct simt_access *step = s->step, *end = s->step + s->steps;

    while (step < end && !is_of_suspect(s, step))
        step++;
    if (step == end || step->kind == SIMT_STORE)
        return 0;
    lab_cause_say(w,
                  "C[%d][%d] is read before anything was stored there (%s:%d): "
                  "what is added to it is added to nobody's value.",
                  s->row, s->col, lab_cause_file(step->file), step->line);
    place_step(cause, step);
    return 1;
}

/* The load of a word that a copy has not come to yet: it is all ones. */
static int is_under_way(const struct simt_access *step)
{
    uint32_t bits;
    char line[200];

    if (step->kind != SIMT_LOAD || step->space != SIMT_SHARED || !step->known ||
        step->writer < 0)
        return 0;
    memcpy(&bits, step->value, sizeof bits);
    if (bits != UINT32_MAX)
        return 0;
    simt_source_line(line, sizeof line, step->writer_file, step->writer_line);
    return strstr(line, "memcpy_async") != NULL;
}

int lab_cause_say_under_way(struct lab_words *w, const struct lab_account *a,
                            struct lab_cause *cause)
{
    const struct simt_access *step = a->s->step, *end = step + a->s->steps;
    char place[120];

    while (step < end && !is_under_way(step))
        step++;
    if (step == end)
        return 0;
    simt_access_name(place, sizeof place, step);
    lab_cause_say(
        w,
        "%s took %s (%s:%d) while the copy to it was under way, which "
        "line %d began: %s.",
        a->s->who, place, lab_cause_file(step->file), step->line,
        step->writer_line,
        step->writer == a->s->thread
            ? "it has not waited for its own copy"
            : "the thread that began it must wait for it before the "
              "barrier");
    place_step(cause, step);
    cause->other_file = step->writer_file;
    cause->other_line = step->writer_line;
    return 1;
}
