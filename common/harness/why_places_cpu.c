/* Threads store to elements of others: which row and column do they take? See
   why_number.h. */
#include "why_number.h"

#include "base/language.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- numbers -------------------------------------------------------------- */

long long lab_value_of(const struct lab_number *x, const struct lab_seen *s)
{
    const long long block = x->block == 0     ? 0
                            : x->block == 'k' ? s->turn
                                              : s->block[x->block - 'x'];
    const long long thread = x->thread ? s->thread[x->thread - 'x'] : 0;
    const long long length = x->length ? s->size[x->length - 'x'] : 1;

    return x->order == LAB_USUAL     ? block * length + thread
           : x->order == LAB_SWAPPED ? thread * length + block
                                     : block * (length + thread);
}

static void name_number(char *text, size_t size, const struct lab_number *x,
                        const struct lab_seen *s)
{
    const int length = x->length ? s->size[x->length - 'x'] : 1;
    char times[20] = "", plus[20] = "";

    if (x->length && x->order != LAB_BRACKETS)
        snprintf(times, sizeof times, " * %d", length);
    if (x->thread)
        snprintf(plus, sizeof plus, "threadIdx.%c", x->thread);
    if (x->block == 0) {
        snprintf(text, size, "%s", plus);
    } else if (x->order == LAB_SWAPPED) {
        snprintf(text, size, "%s%s + blockIdx.%c", plus, times, x->block);
    } else if (x->order == LAB_BRACKETS) {
        snprintf(text, size, "blockIdx.%c * (%d + %s)", x->block, length, plus);
    } else {
        snprintf(text, size, "blockIdx.%c%s%s%s", x->block, times,
                 x->thread ? " + " : "", plus);
    }
}

/* Do these give all that was seen? */
static int fits(const struct lab_sample *s, const struct lab_number *row,
                const struct lab_number *col, int width)
{
    for (int i = 0; i < s->count; i++) {
        if (lab_value_of(row, &s->at[i]) * width +
                lab_value_of(col, &s->at[i]) !=
            s->at[i].element)
            return 0;
    }
    return 1;
}

struct lab_seen lab_seen_of(const struct simt_access *x, int turn,
                            long long element)
{
    const int sx = (int)x->block_size[0], gx = (int)x->grid[0];

    return (struct lab_seen){.block = {(int)x->block % gx, (int)x->block / gx},
                             .thread = {x->thread % sx, x->thread / sx},
                             .size = {sx, (int)x->block_size[1]},
                             .turn = turn,
                             .element = element};
}

int lab_is_flat(const struct simt_access *x)
{
    return x->grid[2] * x->block_size[2] == 1;
}

/* --- all stores to C ------------------------------------------------------ */

/* What threads may take for their column; the first is right. Of rows x and y
   are exchanged. */
static const struct lab_number columns[] = {
    {'x', 'x', 'x', LAB_USUAL},    {0, 'x', 0, LAB_USUAL},
    {'x', 0, 0, LAB_USUAL},        {'x', 'x', 0, LAB_USUAL},
    {'x', 'x', 'x', LAB_SWAPPED},  {'x', 0, 'x', LAB_USUAL},
    {'y', 'x', 'x', LAB_USUAL},    {'x', 'y', 'x', LAB_USUAL},
    {'y', 'y', 'y', LAB_USUAL},    {0, 'y', 0, LAB_USUAL},
    {'y', 0, 0, LAB_USUAL},        {'y', 'y', 'y', LAB_SWAPPED},
    {'x', 'x', 'x', LAB_BRACKETS}, {'x', 'x', 'y', LAB_USUAL},
};

static char exchanged(char axis)
{
    return axis == 'x' ? 'y' : axis == 'y' ? 'x' : axis;
}

static struct lab_number row_of(struct lab_number x)
{
    return (struct lab_number){exchanged(x.block), exchanged(x.thread),
                               exchanged(x.length), x.order};
}

/* The one row and column that fit. 0: there is none, or the usual ones do; -1:
   there are several. */
static int find_numbers(const struct lab_sample *s, int width,
                        struct lab_number found[2])
{
    /* In square blocks the last is the first. */
    const size_t numbers =
        COUNT(columns) - (s->at[0].size[0] == s->at[0].size[1]);
    int fitting = 0;

    for (size_t r = 0; r < numbers; r++) {
        const struct lab_number row = row_of(columns[r]);

        for (size_t c = 0; c < numbers; c++) {
            if (!fits(s, &row, &columns[c], width))
                continue;
            if (r == 0 && c == 0)
                return 0;
            fitting++;
            found[0] = row;
            found[1] = columns[c];
        }
    }
    /* A turned grid is told with what it covers (why_stores_cpu.c). */
    if (fitting == 1 && found[0].block == 'x' && found[0].thread == 'x' &&
        found[1].block == 'y' && found[1].thread == 'y')
        return 0;
    return fitting > 1 ? -1 : fitting;
}

/* Which numbers they are; of one alone also which it should be. */
static void say_numbers(struct lab_story *story,
                        const struct lab_number found[2],
                        const struct lab_seen *seen)
{
    const struct lab_number usual[2] = {row_of(columns[0]), columns[0]};
    int is_off[2];
    char is[2][60], should[2][60];

    for (int i = 0; i < 2; i++) {
        name_number(is[i], sizeof is[i], &found[i], seen);
        name_number(should[i], sizeof should[i], &usual[i], seen);
        is_off[i] = strcmp(is[i], should[i]) != 0;
    }
    if (is_off[0] && is_off[1]) {
        lab_say(story, "the row is %s and the column %s.", is[0], is[1]);
    } else {
        lab_say(story, "the %s is %s, and not %s.",
                is_off[0] ? _("row") : _("column"), is[is_off[1]],
                should[is_off[1]]);
    }
}

int lab_why_places(const struct lab_element *e, struct lab_story *story)
{
    const struct lab_number usual = row_of(columns[0]);
    const struct simt_access *of = NULL; /* the thread of that row and column */
    struct lab_sample s = {calloc(e->t->stores + 1, sizeof *s.at), 0};
    struct lab_number found[2];
    int its = 0, is_plain = s.at != NULL, told = 0;

    for (size_t i = 0; i < e->t->stores && is_plain; i++) {
        const struct simt_access *x = &e->t->stored[i];
        struct lab_seen *seen = &s.at[s.count];

        if (x->array != e->array)
            continue;
        is_plain = x->size == 4 && lab_is_flat(x);
        *seen = lab_seen_of(x, 0, (long long)(x->offset / 4));
        if (of == NULL || (lab_value_of(&usual, seen) == e->row &&
                           lab_value_of(&columns[0], seen) == e->col)) {
            of = x;
            its = s.count;
        }
        s.count++;
    }
    if (is_plain && of != NULL)
        told = find_numbers(&s, e->t->shape.n, found);
    if (told > 0) {
        lab_tell(story, LAB_PROVEN,
                 "C[%d][%d] was never stored, and %s stores C[%lld][%lld]: in "
                 "all stores ",
                 e->row, e->col, lab_thread_name(of),
                 lab_value_of(&found[0], &s.at[its]),
                 lab_value_of(&found[1], &s.at[its]));
        say_numbers(story, found, &s.at[its]);
        story->here = LAB_PLACE(of);
        lab_source_made(of->file, of->line, "C", of->kernel, &story->beside);
    }
    free(s.at);
    return told;
}
