/*
 * Which elements do two threads race for in shared memory? A message says of a
 * race that a barrier may be missing. Where none would help, the elements are
 * told in its place. The block is followed once more, in intervals: what it
 * does between two barriers.
 */
#define _POSIX_C_SOURCE 200809L
#include "why.h"

#include "base/language.h"
#include "base/wrap.h"
#include "cause_parts.h"
#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 1024, /* of a block, at most */
    SHOWN = 4       /* elements of a thread */
};

/* All that the block does with the array. */
struct race {
    const struct simt_finding *f;
    const struct lab_identity *d;
    const struct simt_access **step;
    size_t steps;
    /* Of each word: who has accessed it last, as a search goes on. */
    const struct simt_access **last;
    size_t words;
};

/* Two accesses of one word in one interval. */
struct meeting {
    const struct simt_access *before, *behind; /* NULL: there is none */
    size_t word;
};

static int is_at(const struct simt_access *s, const char *file, int line)
{
    return s->line == line && strcmp(s->file, file) == 0;
}

/* Are they the two of the finding? */
static int are_found(const struct race *r, const struct simt_access *x,
                     const struct simt_access *y)
{
    const struct simt_finding *f = r->f;

    return x->interval == y->interval && x->thread != y->thread &&
           ((is_at(x, f->file, f->line) &&
             is_at(y, f->other_file, f->other_line)) ||
            (is_at(y, f->file, f->line) &&
             is_at(x, f->other_file, f->other_line)));
}

/* In the first interval that has one: a meeting of an access of one kind with a
   later one of the other, at the least word. */
static struct meeting find_meeting(const struct race *r, enum simt_kind first,
                                   enum simt_kind then)
{
    struct meeting m = {NULL, NULL, 0};

    memset(r->last, 0, r->words * sizeof(void *));
    for (size_t i = 0; i < r->steps; i++) {
        const struct simt_access *s = r->step[i];

        if (m.behind != NULL && s->interval != m.behind->interval)
            break;
        for (size_t word = s->offset / 4;
             word < (s->offset + (size_t)s->size) / 4 && word < r->words;
             word++) {
            const struct simt_access *old = r->last[word];

            if (s->kind == first)
                r->last[word] = s;
            if (old != NULL && s->kind == then && are_found(r, old, s) &&
                (m.behind == NULL || word < m.word))
                m = (struct meeting){old, s, word};
        }
    }
    return m;
}

/* "As[0][1]", or "element 12 of ...". */
static void name_word(char *text, size_t size, const struct race *r,
                      size_t word)
{
    struct simt_access any = *r->step[0];

    any.offset = 4 * word;
    any.size = 4;
    simt_access_name(text, size, &any);
}

/* In the place of what the message advises. */
static void __attribute__((format(printf, 2, 3)))
replace_advice(struct lab_story *story, const char *format, ...)
{
    char *advice = strstr(story->text, "\n    Seen ");
    char words[600];
    va_list list;
    FILE *to;

    advice = advice != NULL ? strchr(advice + 1, '\n') : NULL;
    if (advice == NULL)
        return;
    va_start(list, format);
    vsnprintf(words, sizeof words, _(format), list);
    va_end(list);
    advice++;
    to = fmemopen(advice, sizeof story->text - (size_t)(advice - story->text),
                  "w");
    if (to == NULL)
        return;
    base_wrap(to, "    ", words);
    fclose(to);
}

/* --- two lines store ------------------------------------------------------ */

/* The element of A or B that the word holds then: "A[0][1]". Returns 0 if it is
   none. */
static int name_value(const struct race *r, const struct simt_access *s,
                      size_t word, char text[40])
{
    struct lab_load value;

    lab_cause_identify(r->d, s->value[word - s->offset / 4], &value);
    snprintf(text, 40, "%c[%d][%d]", value.what == LAB_OF_A ? 'A' : 'B',
             value.row, value.col);
    return s->known && value.what <= LAB_OF_B;
}

/* No thread reads the array before the next barrier: one value is lost, with a
   barrier between the two or without. */
static void say_two_stores(const struct race *r, struct lab_story *story)
{
    const struct meeting m = find_meeting(r, SIMT_STORE, SIMT_STORE);
    char value[2][40], element[120];

    if (m.behind == NULL || !name_value(r, m.before, m.word, value[0]) ||
        !name_value(r, m.behind, m.word, value[1]) ||
        strcmp(value[0], value[1]) == 0)
        return;
    for (size_t i = 0; i < r->steps; i++) {
        if (r->step[i]->interval == m.behind->interval &&
            r->step[i]->kind != SIMT_STORE)
            return;
    }
    name_word(element, sizeof element, r, m.word);
    replace_advice(story,
                   "Line %d stores %s to %s (%s), and line %d stores %s there "
                   "(%s). No thread reads it before the next barrier, so one "
                   "value is lost, with a __syncthreads() between the two or "
                   "without: only one of the two belongs there.",
                   m.before->line, value[0], element, lab_thread_name(m.before),
                   m.behind->line, value[1], lab_thread_name(m.behind));
}

/* --- one line stores ------------------------------------------------------ */

/* The elements that the thread stores in the line and the interval. */
static void list_elements(const struct race *r, unsigned interval, int thread,
                          struct lab_story *story)
{
    const struct simt_access *last = NULL;
    char name[120];
    int told = 0;

    for (size_t i = 0; i < r->steps && told < SHOWN; i++) {
        const struct simt_access *s = r->step[i];

        if (s->thread != thread || s->interval != interval ||
            s->kind != SIMT_STORE || !is_at(s, r->f->file, r->f->line) ||
            (last != NULL && last->offset == s->offset))
            continue;
        last = s;
        simt_access_name(name, sizeof name, s);
        if (told++ == 0) {
            lab_note(story, "%s stores %s", lab_thread_begins(s), name);
        } else {
            lab_note(story, ", %s", name);
        }
    }
    if (told > 0)
        lab_note(story, told < SHOWN ? ". " : " ... ");
}

/* Two threads race in one line: which elements does each choose there? */
static void say_one_line(const struct race *r, struct lab_story *story)
{
    const struct meeting m = find_meeting(r, SIMT_STORE, SIMT_STORE);

    if (m.behind == NULL || story->note[0] != '\0' ||
        strstr(r->f->text, " reads ") != NULL)
        return;
    list_elements(r, m.behind->interval, r->f->thread, story);
    list_elements(r, m.behind->interval, r->f->other_thread, story);
}

/* --- one line reads ------------------------------------------------------- */

/* What the line of an access does in its interval: words from .. to. */
struct range {
    size_t from, to;
};

static struct range range_of(const struct race *r, const struct simt_access *of)
{
    struct range range = {r->words, 0};

    for (size_t i = 0; i < r->steps; i++) {
        const struct simt_access *s = r->step[i];
        const size_t from = s->offset / 4,
                     to = (s->offset + (size_t)s->size) / 4 - 1;

        if (s->interval != of->interval || s->kind != of->kind ||
            !is_at(s, of->file, of->line))
            continue;
        range.from = from < range.from ? from : range.from;
        range.to = to > range.to ? to : range.to;
    }
    return range;
}

/* "As[0]", if it lies in that; else "elements 0 to 12 of ...", or
   the first and the last. */
static void name_range(char *text, size_t size, const struct race *r,
                       const struct range *range)
{
    char from[120], to[120];
    size_t length;

    name_word(from, sizeof from, r, range->from);
    name_word(to, sizeof to, r, range->to);
    length = strcspn(from, "]") + 1;
    if (from[length - 1] == ']' && from[length] == '[' &&
        strncmp(from, to, length) == 0) {
        snprintf(text, size, "%.*s", (int)length, from);
    } else if (strstr(from, " of ") != NULL) {
        snprintf(text, size, _("elements %zu to %zu%s"), range->from, range->to,
                 strstr(from, " of "));
    } else {
        snprintf(text, size, "%s to %s", from, to);
    }
}

/* Does each thread that stores in the interval read before? */
static int reads_first(const struct race *r, const struct simt_access *load,
                       const struct simt_access *store)
{
    char has_read[THREADS] = {0};

    for (size_t i = 0; i < r->steps; i++) {
        const struct simt_access *s = r->step[i];

        if (s->interval != load->interval)
            continue;
        if (s->kind == SIMT_LOAD && is_at(s, load->file, load->line))
            has_read[s->thread] = 1;
        if (s->kind == SIMT_STORE && is_at(s, store->file, store->line) &&
            !has_read[s->thread])
            return 0;
    }
    return 1;
}

/* The first behind the next barrier, of the same line if it loads any more. */
static const struct simt_access *
next_load(const struct race *r, const struct simt_access *load, int any_line)
{
    for (size_t i = 0; i < r->steps; i++) {
        const struct simt_access *s = r->step[i];

        if (s->interval > load->interval && s->kind == SIMT_LOAD &&
            (any_line || is_at(s, load->file, load->line)))
            return s;
    }
    return any_line ? NULL : next_load(r, load, 1);
}

/* Has nothing been stored there before? */
static int is_unwritten(const struct race *r, const struct range *range,
                        const struct simt_access *before)
{
    for (size_t i = 0; r->step[i] != before; i++) {
        const struct simt_access *s = r->step[i];

        if (s->kind == SIMT_STORE && s->offset / 4 <= range->to &&
            range->from < (s->offset + (size_t)s->size) / 4)
            return 0;
    }
    return 1;
}

/* The threads read one buffer and store to it, and behind the next barrier they
   read another, to which nothing has been stored. */
static int say_buffer(const struct race *r, const struct simt_access *load,
                      const struct simt_access *store, struct lab_story *story)
{
    const struct simt_access *later = next_load(r, load, 0);
    const struct range read = range_of(r, load), written = range_of(r, store);
    char name[2][250];
    struct range next;

    if (later == NULL || !reads_first(r, load, store))
        return 0;
    next = range_of(r, later);
    if (written.from < read.from || written.to > read.to ||
        (next.from <= read.to && read.from <= next.to) ||
        !is_unwritten(r, &next, later))
        return 0;
    name_range(name[0], sizeof name[0], r, &read);
    name_range(name[1], sizeof name[1], r, &next);
    replace_advice(story,
                   "Line %d reads %s, and line %d stores there before the next "
                   "barrier. Behind that barrier line %d reads %s, to which "
                   "nothing has been stored.",
                   load->line, name[0], store->line, later->line, name[1]);
    if (strchr(name[0], '[') == NULL) {
        lab_source_made(store->file, store->line, r->f->array, r->f->kernel,
                        &story->beside);
    }
    return 1;
}

/* The line that reads, if the call of the store stands before it; 0: behind it,
   in a loop. */
static int stands_before(const struct race *r)
{
    const struct meeting m = find_meeting(r, SIMT_STORE, SIMT_LOAD);

    for (size_t i = 0; m.behind != NULL && r->step[i] != m.before; i++) {
        if (r->step[i]->thread == m.before->thread &&
            r->step[i]->kind == SIMT_LOAD &&
            is_at(r->step[i], m.behind->file, m.behind->line))
            return 0;
    }
    return m.behind != NULL ? m.behind->line : 0;
}

static void say_two_lines(const struct race *r, struct lab_story *story)
{
    const struct meeting m = find_meeting(r, SIMT_LOAD, SIMT_STORE);
    const struct simt_finding *f = r->f;
    const int before = stands_before(r);
    char tile[60];

    lab_source_called(f->file, f->line, f->array, before, &story->beside);
    lab_source_called(f->other_file, f->other_line, f->array, before,
                      &story->beside);
    if (strstr(f->text, " reads ") == NULL) {
        say_two_stores(r, story);
    } else if (m.behind != NULL && say_buffer(r, m.before, m.behind, story)) {
        lab_source_tile(m.before->file, m.before->line, f->array, tile,
                        sizeof tile, &story->beside);
    }
}

/* Keeps what the block does with the array. Returns 0, or -1. */
static int read_block(struct race *r, const struct simt_access *step,
                      size_t steps)
{
    const struct simt_finding *f = r->f;
    const struct simt_access *any = NULL;

    for (size_t i = 0; i < steps && any == NULL; i++) {
        if (step[i].space == SIMT_SHARED && is_at(&step[i], f->file, f->line) &&
            strcmp(simt_access_array(&step[i]), f->array) == 0)
            any = &step[i];
    }
    if (any == NULL)
        return -1;
    r->words = any->extent / 4;
    r->step = calloc(steps, sizeof(void *));
    r->last = calloc(r->words + 1, sizeof(void *));
    if (r->step == NULL || r->last == NULL)
        return -1;
    for (size_t i = 0; i < steps; i++) {
        if (step[i].space == SIMT_SHARED && step[i].array == any->array &&
            step[i].thread < THREADS)
            r->step[r->steps++] = &step[i];
    }
    return 0;
}

void lab_why_race(const struct lab_trial *old, const struct simt_finding *f,
                  struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(old);
    struct lab_trial t = {
        .program = old->program, .entry = old->entry, .shape = old->shape};
    struct race r = {.f = f};
    const struct simt_access *step;
    size_t steps;
    int cut;

    if (launch == NULL || lab_trial_is_host(old) ||
        f->check != SIMT_RACE_SHARED)
        return;
    if (lab_trial_begin(&t) != 0)
        goto done;
    t.log = simt_log_begin(&(struct simt_filter){.launch = launch->launch,
                                                 .block = (long)f->block,
                                                 .thread = SIMT_EACH});
    if (lab_trial_run(&t) != 0)
        goto done;
    step = simt_log_read(t.log, &steps, &cut);
    r.d = t.identity;
    if (cut || read_block(&r, step, steps) != 0)
        goto done;
    if (f->other_line == f->line) {
        say_one_line(&r, story);
    } else {
        say_two_lines(&r, story);
    }
done:
    free((void *)r.step);
    free((void *)r.last);
    lab_trial_end(&t);
}
