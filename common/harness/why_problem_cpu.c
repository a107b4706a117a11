/* Why is the result of a problem that is no product wrong? See why.h. Nothing
   is known of what it computes but its reference: it is tried which inputs are
   loaded, and what comes of changing one of them. */
#include "why.h"

#include "inputs.h"
#include "source.h"

#include "base/language.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 64,      /* inputs that are changed, at most */
    MOST_TIMES = 8,  /* that one may count in place of once */
    ALL_ASKED = 4096 /* inputs of which the reference is asked, at most */
};

/* An element of the result of that run. */
struct result {
    struct lab_element e;
    size_t at; /* its number */
    char name[LAB_ELEMENT_TEXT];
    double want, got, tolerance;
};

static void read_result(const struct lab_trial *t, size_t at, struct result *r)
{
    const int cols = lab_problem_cols(lab_info.problem, LAB_C, t->shape);
    const struct lab_tolerance tolerance =
        lab_reference_tolerance(t->reference);
    const int row = (int)at / cols, col = (int)at % cols;
    const double *want, *mag;

    lab_reference_row(t->reference, row, &want, &mag);
    *r = (struct result){.e = {t, lab_why_array_of_c(t), row, col},
                         .at = at,
                         .want = want[col],
                         .got = (double)t->b.host[LAB_C][at]};
    r->tolerance = lab_tolerance_at(&tolerance, want[col], mag[col]);
    lab_problem_element(lab_info.problem, LAB_C, row, col, r->name);
}

/* "y[0] is 3, and should be 4". */
static void say_wrong(const struct result *r, enum lab_rank rank,
                      struct lab_story *story)
{
    char got[80];

    snprintf(got, sizeof got, "%s", _("no number"));
    if (!isnan(r->got))
        snprintf(got, sizeof got, "%g", r->got);
    lab_tell(story, rank, "%s is %s, and should be %g", r->name, got, r->want);
}

/* --- inputs --------------------------------------------------------------- */

/* What is wrong with what an input has to do with the element. */
enum part {
    NOTHING,
    NOT_LOADED,
    NO_PART, /* changing it changes nothing, and should */
    SEVERAL, /* it counts several times */
    PARTS
};

/* Elements of input i of which the same is wrong. */
struct group {
    char first[LAB_ELEMENT_TEXT], last[LAB_ELEMENT_TEXT];
    size_t found;
    int times;
};

static void add(struct group *g, const struct lab_trial *t, int i, size_t at)
{
    const size_t cols = (size_t)lab_problem_cols(lab_info.problem, i, t->shape);

    lab_problem_element(lab_info.problem, i, (int)(at / cols), (int)(at % cols),
                        g->last);
    if (g->found++ == 0)
        memcpy(g->first, g->last, sizeof g->first);
}

static void say_group(const struct result *r, enum part part,
                      const struct group *g, size_t tried,
                      struct lab_story *story)
{
    say_wrong(r, LAB_PROVEN, story);
    if (part == NOT_LOADED) {
        lab_say(story, ": no thread loads %s", g->first);
    } else if (part == NO_PART) {
        lab_say(story, ": %s has no part in it", g->first);
    } else {
        lab_say(story, ": %s counts %d times in it", g->first, g->times);
    }
    if (g->found > 1) {
        lab_say(story, " (so %zu of %zu elements that were tried, up to %s)",
                g->found, tried, g->last);
    }
}

/* The same run once more, to be ended; with another value for input i at one
   place, if i is not below 0. Returns 0, or -1. */
static int run_again(struct lab_trial *t, const struct result *r, int i,
                     size_t at, float value, const struct simt_filter *filter)
{
    *t = (struct lab_trial){.program = r->e.t->program,
                            .entry = r->e.t->entry,
                            .shape = r->e.t->shape,
                            .is_changed = i >= 0,
                            .input = i,
                            .at = at,
                            .value = value};
    if (lab_trial_begin(t) != 0)
        return -1;
    if (filter != NULL)
        t->log = simt_log_begin(filter);
    return lab_trial_run(t);
}

struct loaded {
    const struct lab_trial *t;
    unsigned char *is[LAB_C]; /* of each element of an input */
};

static void take_loads(void *to, const struct simt_access *access, int lanes)
{
    const struct loaded *l = to;

    for (int lane = 0; lane < lanes; lane++) {
        const struct simt_access *a = &access[lane];

        for (int i = 0; a->kind != SIMT_STORE && i < LAB_C; i++) {
            const size_t count = l->t->b.count[i], first = a->offset / 4;

            if (a->base != (uintptr_t)l->t->b.device[i])
                continue;
            for (size_t k = first; 4 * k < a->offset + (size_t)a->size; k++) {
                if (k < count)
                    l->is[i][k] = 1;
            }
        }
    }
}

/* Says which elements of an input no thread loads, if it loads others. */
static int look_at_loads(const struct result *r, struct lab_story *story)
{
    const size_t *const count = r->e.t->b.count;
    struct lab_trial t = {.log = NULL};
    struct loaded l = {&t, {calloc(count[0] + 1, 1), calloc(count[1] + 1, 1)}};
    const struct simt_filter filter = {.launch = SIMT_ANY,
                                       .block = SIMT_ANY,
                                       .thread = SIMT_ANY,
                                       .memory_only = 1,
                                       .take = take_loads,
                                       .to = &l};
    int said = l.is[0] == NULL || l.is[1] == NULL ||
               run_again(&t, r, -1, 0, 0.0f, &filter) != 0;

    for (int i = 0; i < LAB_C && !said; i++) {
        struct group missing = {.found = 0};

        for (size_t at = 0; at < count[i]; at++) {
            if (!l.is[i][at])
                add(&missing, &t, i, at);
        }
        said = missing.found > 0 && missing.found < count[i];
        if (said)
            say_group(r, NOT_LOADED, &missing, count[i], story);
    }
    lab_trial_end(&t);
    free(l.is[0]);
    free(l.is[1]);
    return said && story->rank >= LAB_PROVEN;
}

/* Does another value there change what the element should be? */
static int has_part(const struct result *r, int i, size_t at, float other)
{
    struct lab_trial t = *r->e.t;
    float *const x = &t.b.filled[i][at], kept = *x;
    struct result changed = *r;

    *x = other;
    t.reference = lab_reference_of(lab_info.problem, t.shape,
                                   (const float *const *)t.b.filled, 1,
                                   t.program->why, sizeof t.program->why);
    *x = kept;
    if (t.reference != NULL)
        read_result(&t, r->at, &changed);
    lab_reference_free(t.reference);
    return changed.want < r->want || changed.want > r->want;
}

static enum part part_of(const struct result *r, const struct result *changed,
                         int *times)
{
    const double got = changed->got - r->got, want = changed->want - r->want;
    const double near = changed->tolerance + r->tolerance;

    if (!(fabs(want) > 4.0 * near))
        return NOTHING;
    /* Of a larger change one number of times alone fits. */
    for (*times = 2; *times <= MOST_TIMES && fabs(want) > 4 * MOST_TIMES * near;
         ++*times) {
        if (fabs(got - *times * want) > *times * near)
            continue;
        /* A result that is too large as a whole is no input's doing. */
        return fabs(r->got - *times * r->want) <= *times * r->tolerance
                   ? NOTHING
                   : SEVERAL;
    }
    return got < 0.0 || got > 0.0 || isnan(got) ? NOTHING : NO_PART;
}

/* Changes elements of input i that have a part in the result, one after the
   other, to values of another seed, and says which do not do to it what they
   should. */
static int look_at_parts(const struct result *r, int i, struct lab_story *story)
{
    const size_t count = r->e.t->b.count[i], step = count / ALL_ASKED + 1;
    float *const in[LAB_C] = {malloc((count + 1) * sizeof(float)),
                              malloc((count + 1) * sizeof(float))};
    struct group group[PARTS] = {{.found = 0}};
    size_t parts = 0, seen = 0, tried = 0;
    int said = 0;

    if (in[0] != NULL && in[1] != NULL) {
        const struct lab_layout layout = {.count = {count, count}};

        lab_fill(in[i], count, 2);
        lab_problem_fill(lab_info.problem, in, &layout, 2);
        for (size_t at = 0; at < count; at += step)
            parts += (size_t)has_part(r, i, at, in[i][at]);
    }
    for (size_t at = 0; parts > 0 && at < count; at += step) {
        struct result changed;
        struct lab_trial t;
        int times = 0;
        enum part part;

        if (!has_part(r, i, at, in[i][at]) || seen++ % (parts / TRIES + 1) != 0)
            continue;
        if (run_again(&t, r, i, at, in[i][at], NULL) == 0 &&
            t.outcome.compared) {
            read_result(&t, r->at, &changed);
            part = part_of(r, &changed, &times);
            if (group[part].found == 0)
                group[part].times = times;
            if (part != SEVERAL || group[part].times == times)
                add(&group[part], &t, i, at);
            tried++;
        }
        lab_trial_end(&t);
    }
    for (int part = NO_PART; !said && part < PARTS; part++) {
        said = group[part].found > 0;
        if (said)
            say_group(r, (enum part)part, &group[part], tried, story);
    }
    free(in[0]);
    free(in[1]);
    return said;
}

/* --- all of it ------------------------------------------------------------ */

/* No thread has stored it: which line stores others, or how many threads are
   there? */
static void say_not_stored(const struct result *r, struct lab_story *story)
{
    const struct lab_trial *t = r->e.t;
    const struct simt_host_call *launch = lab_trial_launch(t);

    lab_tell(story, LAB_PROVEN, "No thread stores to %s, which should be %g",
             r->name, r->want);
    if (launch == NULL)
        return;
    story->here = LAB_PLACE(launch);
    for (size_t i = 0; i < t->stores; i++) {
        if (t->stored[i].base == (uintptr_t)t->b.device[LAB_C])
            story->here = LAB_PLACE(&t->stored[i]);
    }
    if (story->here.line != launch->line) {
        lab_say(story, ". Line %d stores to others", story->here.line);
        lab_source_conditions(story->here.file, story->here.line,
                              &story->beside);
    }
    lab_note(story,
             "The launch in line %d has %u x %u blocks of %u x %u threads.",
             launch->line, launch->grid[0], launch->grid[1], launch->block[0],
             launch->block[1]);
}

static void look_into(const struct result *r, struct lab_story *story)
{
    int threads;
    const struct simt_access *last = lab_why_last_store(&r->e, &threads);

    if (last == NULL) {
        say_not_stored(r, story);
        return;
    }
    if (!look_at_loads(r, story) &&
        (isnan(r->got) || (!look_at_parts(r, LAB_A, story) &&
                           !look_at_parts(r, LAB_B, story)))) {
        say_wrong(r, LAB_SEEN, story);
        if (last->kind != SIMT_ATOMIC)
            lab_say(story, ": %s stores it", lab_thread_name(last));
    }
    story->here = LAB_PLACE(last);
    lab_source_made(last->file, last->line, lab_result_name(), last->kernel,
                    &story->beside);
    lab_source_summed(last->file, last->line, &story->beside);
    lab_source_value(last->file, last->line, &story->beside);
}

void lab_why_result(const struct lab_trial *t, struct lab_why *why)
{
    const size_t count = t->b.count[LAB_C];
    size_t wrong = 0, nan = 0, told = 0;
    struct result r;

    for (size_t at = 0; at < count; at++) {
        const float got = t->b.host[LAB_C][at];

        read_result(t, at, &r);
        if (fabs(r.got - r.want) <= r.tolerance)
            continue;
        /* One that nobody stored says more. */
        if (wrong++ == 0 ||
            (lab_is_poison(got) && !lab_is_poison(t->b.host[LAB_C][told])))
            told = at;
        nan += isnan(got) != 0;
    }
    if (wrong == 0)
        return;
    snprintf(why->extent, sizeof why->extent,
             _("%zu of %zu elements of %s are wrong%s"), wrong, count,
             lab_result_name(), nan == wrong ? _(", all of them NaN") : "");
    read_result(t, told, &r);
    look_into(&r, &why->story);
}
