/*
 * An element of C was never stored, or by two: what do the stores of the others
 * tell? See why.h.
 */
#include "why.h"

#include "base/language.h"
#include "simt/lines.h"
#include "simt/report.h"
#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 13 /* stores that are held against each other */
};

/* --- what each block stores ----------------------------------------------- */

/* The rows and columns that one block stored to. */
struct patch {
    int row, col, rows, cols;
};

/* The element, and how all others were stored. */
struct stores {
    const struct lab_element *e;
    const struct simt_access *at;
    size_t count;
    const struct simt_host_call *launch;
    int m, n, row, col;
    int gx, gy, bx, by;     /* blocks of the grid, threads of a block */
    struct patch first;     /* of block (0,0) */
    int down, across;       /* rows and columns of all, if they lie like that */
    int is_straight;        /* 1: side by side, each as large as the first */
    int is_turned;          /* 1: the same, with x along the rows */
    int has_rows, has_cols; /* 1: all begin in the same row, or column */
    int is_full;            /* 1: block (0,0) stores all of its patch */
    int is_own; /* 1: each thread stores the element of its own row and column
                   of the grid, and no other */
    int is_several; /* 1: several numbers give all that was stored */
};

static struct patch patch_of(const struct stores *s, int block)
{
    struct patch p = {1 << 30, 1 << 30, -1, -1};

    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *store = &s->at[i];
        const int at = (int)(store->offset / 4);
        const int row = at / s->n, col = at % s->n;
        const int last = col + store->size / 4 - 1;

        if (store->array != s->e->array || store->block != (uint64_t)block)
            continue;
        p.row = row < p.row ? row : p.row;
        p.col = col < p.col ? col : p.col;
        p.rows = row > p.rows ? row : p.rows;
        p.cols = last > p.cols ? last : p.cols;
    }
    p.rows -= p.row - 1;
    p.cols -= p.col - 1;
    return p;
}

/* Does block (0,0) store each element of its patch? */
static int is_full(const struct stores *s)
{
    const size_t all = (size_t)s->m * (size_t)s->n;
    unsigned char *seen = calloc(all, 1);
    long stored = 0;

    for (size_t i = 0; seen != NULL && i < s->count; i++) {
        const struct simt_access *x = &s->at[i];

        for (size_t at = x->offset / 4;
             x->array == s->e->array && x->block == 0 && at < all &&
             at < (x->offset + (size_t)x->size) / 4;
             at++) {
            stored += !seen[at];
            seen[at] = 1;
        }
    }
    free(seen);
    return stored == (long)s->first.rows * s->first.cols;
}

static int row_of(const struct simt_access *s)
{
    return (int)(s->block / s->grid[0] * s->block_size[1] +
                 (unsigned)s->thread / s->block_size[0]);
}

static void survey(struct stores *s)
{
    const struct simt_access *first = &s->at[0];

    s->gx = (int)first->grid[0];
    s->gy = (int)first->grid[1];
    s->bx = (int)first->block_size[0];
    s->by = (int)first->block_size[1];
    s->first = patch_of(s, 0);
    s->down = s->gy * s->first.rows;
    s->across = s->gx * s->first.cols;
    s->is_straight = s->is_own = 1;
    /* What x and y are, the blocks beside the first and below it tell, or else
       the line that stores. */
    s->is_turned =
        (s->gx > 1 && s->gy > 1 && patch_of(s, 1).rows > 0 &&
         patch_of(s, s->gx).rows > 0) ||
        (s->gx * s->gy > 1 &&
         lab_source_times(first->file, first->line, "blockIdx", 'x') > 0 &&
         lab_source_times(first->file, first->line, "blockIdx", 'y') < 0);
    s->has_rows = s->gy > 1;
    s->has_cols = s->gx > 1;
    for (int b = 0, x = 0, y = 0; b < s->gx * s->gy; b++) {
        const struct patch p = s->first, q = patch_of(s, b);
        const int is = q.rows > 0;

        s->has_rows &= is && q.row == p.row;
        s->has_cols &= is && q.col == p.col;
        s->is_straight &= !is || (q.row == y * p.rows && q.col == x * p.cols);
        s->is_turned &= !is || (q.row == x * p.rows && q.col == y * p.cols);
        x = x + 1 < s->gx ? x + 1 : 0;
        y += x == 0;
    }
    s->is_full = is_full(s);
    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *x = &s->at[i];

        s->is_own &= x->array != s->e->array ||
                     (x->size == 4 && (int)(x->offset / 4) ==
                                          row_of(x) * s->n + lab_why_col(x));
    }
}

/* Tells that the element was never stored, and why; it is about the line of the
   stores. Returns 1. */
__attribute__((format(printf, 4, 5))) static int tell(const struct stores *s,
                                                      struct lab_story *story,
                                                      enum lab_rank rank,
                                                      const char *format, ...)
{
    char text[800];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, _(format), list);
    va_end(list);
    lab_tell(story, rank, "C[%d][%d] was never stored%s", s->row, s->col, text);
    story->here = LAB_PLACE(s->at);
    return 1;
}

/* --- why one was not stored, in this order -------------------------------- */

/* Do all blocks store the patch of that one in the first row of the grid, or in
   the first column, or what an edge leaves of it? */
static int are_same(const struct stores *s, int is_row)
{
    int same = 1;

    for (int b = 0; b < s->gx * s->gy && same; b++) {
        const struct patch p = patch_of(s, b);
        const struct patch q =
            patch_of(s, is_row ? b % s->gx : b / s->gx * s->gx);

        same = p.row == q.row && p.col == q.col && p.rows <= q.rows &&
               p.cols <= q.cols;
    }
    return same;
}

/* Blocks store the same rows, or columns, that should store different ones. */
static int say_same_patches(struct stores *s, struct lab_story *story)
{
    const struct patch *p = &s->first;
    const int is_row = s->has_rows, from = is_row ? p->row : p->col;

    if (s->has_rows == s->has_cols || !s->is_full || !are_same(s, is_row))
        return 0;
    tell(s, story, LAB_PROVEN,
         _(": all %d x %d blocks store %s %d to %d alone, so the index of "
           "the %s lacks blockIdx.%c."),
         s->gx, s->gy, is_row ? _("rows") : _("columns"), from,
         from + (is_row ? p->rows : p->cols) - 1,
         is_row ? _("row") : _("column"), is_row ? 'y' : 'x');
    lab_source_made(s->at->file, s->at->line, "C", s->at->kernel,
                    &story->beside);
    return 1;
}

static int say_numbers(struct stores *s, struct lab_story *story)
{
    const int told = lab_why_places(s->e, story);

    s->is_several = told < 0;
    return told > 0;
}

/* Which of its thread's stores is the one at i, in their order? */
static int nth_of(const struct stores *s, size_t i)
{
    const struct simt_access *x = &s->at[i];
    int nth = 0;

    while (i-- > 0) {
        nth += s->at[i].array == x->array && s->at[i].launch == x->launch &&
               s->at[i].block == x->block && s->at[i].thread == x->thread;
    }
    return nth;
}

/* The element that the same store of the same thread goes to in the block above
   it in the first row of the grid; -1: there is none. */
static long above(const struct stores *s, size_t i)
{
    const struct simt_access *x = &s->at[i];
    int nth = nth_of(s, i);

    for (size_t j = 0; j < s->count; j++) {
        const struct simt_access *y = &s->at[j];

        if (y->array == x->array && y->launch == x->launch &&
            y->block == x->block % (uint64_t)s->gx && y->thread == x->thread &&
            nth-- == 0)
            return (long)(y->offset / 4);
    }
    return -1;
}

/* From one row of the grid to the next all stores go on by as many elements as
   a block has rows, and not by as many rows. Where x of the grid does not run
   over the columns, y may do so, and then that is right. */
static int say_added_row(struct stores *s, struct lab_story *story)
{
    const int rows = s->first.rows, cols = s->first.cols;
    const struct patch next = s->gx > 1 ? patch_of(s, 1) : s->first;
    const int is_across =
        s->gx > 1 ? next.row == 0 && next.col == cols : cols == s->n;
    char text[400];
    int below = 0;

    if (!s->is_full || !is_across || rows < 2 || s->gy < 2 || s->count > MOST)
        return 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *x = &s->at[i];
        const int y = (int)(x->block / (uint64_t)s->gx);
        const long first = x->array == s->e->array && y > 0 ? above(s, i) : 0;

        if (x->array != s->e->array || y == 0)
            continue;
        if (first < 0 || (long)(x->offset / 4) != first + (long)y * rows)
            return 0;
        below++;
    }
    if (below == 0)
        return 0;
    snprintf(text, sizeof text,
             _("the %s every %d is added to the index of %c and not "
               "multiplied by %c = %d: the sum that makes the row lacks "
               "its brackets"),
             _("first row of"), rows, 'C', 'n', s->n);
    tell(s, story, LAB_PROVEN, ": %s.", text);
    lab_source_made(s->at->file, s->at->line, "C", s->at->kernel,
                    &story->beside);
    return 1;
}

/* Blocks overlap, or leave a gap in which the element lies: the rows, or
   columns, of the first are not those before the next one's. */
static int say_neighbours(struct stores *s, struct lab_story *story)
{
    const struct patch p = s->first;

    for (int across = 1; across >= 0; across--) { /* (1,0), then (0,1) */
        const int is_there = (across ? s->gx : s->gy) > 1;
        const struct patch q = patch_of(s, !is_there ? 0 : across ? 1 : s->gx);
        const int from = across ? p.col : p.row, next = across ? q.col : q.row;
        const int end = from + (across ? p.cols : p.rows);
        const int at = across ? s->col : s->row;
        const int is_overlap = next > from && next < end;

        if (!is_there || q.rows <= 0 ||
            (!is_overlap && (at < end || at >= next)))
            continue;
        tell(
            s, story, LAB_PROVEN,
            _(": block (0,0) stores %s %d to %d of C, and block (%d,%d) begins "
              "with %s %d%s."),
            across ? _("columns") : _("rows"), from, end - 1, across, !across,
            across ? _("column") : _("row"), next,
            is_overlap ? _(": blocks overlap") : "");
        story->other = LAB_PLACE(s->launch);
        return 1;
    }
    return 0;
}

/* x of the grid runs over the rows, in blocks like the first, and too few of
   them. */
static int say_turned(struct stores *s, struct lab_story *story)
{
    const int down = s->gx * s->first.rows, across = s->gy * s->first.cols;

    if (!s->is_turned || (s->row < down && s->col < across))
        return 0;
    tell(
        s, story, LAB_PROVEN,
        _(": x of the grid runs over the rows of C and y over its columns, so "
          "that %d x %d blocks cover %d of its %d rows and %d of its %d columns."),
        s->gx, s->gy, down < s->m ? down : s->m, s->m,
        across < s->n ? across : s->n, s->n);
    lab_source_made(s->at->file, s->at->line, "C", s->at->kernel,
                    &story->beside);
    story->other = LAB_PLACE(s->launch);
    return 1;
}

/* Each thread stores the element of its own row and column, but for this one,
   which stores nothing. */
static int say_kept_away(struct stores *s, struct lab_story *story)
{
    const int x = s->col / s->bx, y = s->row / s->by;
    struct simt_access missing = s->at[0];
    /* Blocks, and threads, that tell what the row and the column are. */
    int across = x == 0, down = y == 0;
    int right = s->col % s->bx == 0, below = s->row % s->by == 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *store = &s->at[i];

        if (store->array != s->e->array)
            continue;
        across |= store->block % (uint64_t)s->gx > 0;
        down |= store->block >= (uint64_t)s->gx;
        right |= store->thread % s->bx > 0;
        below |= store->thread >= s->bx;
    }
    if (!s->is_own || !across || !down || !right || !below || x >= s->gx ||
        y >= s->gy)
        return 0;
    missing.block = (uint64_t)y * (uint64_t)s->gx + (uint64_t)x;
    missing.thread = s->row % s->by * s->bx + s->col % s->bx;
    return tell(s, story, LAB_FOUND,
                _(": each thread stores the element of its own row and column, "
                  "and %s stores nothing. A condition keeps it away from line "
                  "%d."),
                lab_thread_name(&missing), s->at[0].line);
}

/* 1 if the access is one of that launch to the element. */
static int is_store_of(const struct stores *s, const struct simt_access *x,
                       size_t at, unsigned launch)
{
    return x->array == s->e->array && x->launch == launch &&
           at >= x->offset / 4 && at < (x->offset + (size_t)x->size) / 4;
}

/* How many threads of that launch store the element. */
static int count_threads(const struct stores *s, size_t at, unsigned launch)
{
    int count = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *x = &s->at[i];
        size_t before = 0;

        if (!is_store_of(s, x, at, launch))
            continue;
        while (before < i && !(is_store_of(s, &s->at[before], at, launch) &&
                               s->at[before].block == x->block &&
                               s->at[before].thread == x->thread))
            before++;
        count += before == i;
    }
    return count;
}

/* Two threads store one element. */
static int say_stored_twice(struct stores *s, struct lab_story *story)
{
    const size_t all = (size_t)s->m * (size_t)s->n;
    size_t *first = calloc(all, sizeof *first); /* its store, + 1 */
    const struct simt_access *one = NULL, *two = NULL;
    char how_many[80];
    size_t at = 0;
    int threads;

    for (size_t i = 0; first != NULL && i < s->count && one == NULL; i++) {
        two = &s->at[i];
        if (two->array != s->e->array || two->kind == SIMT_ATOMIC)
            continue;
        for (at = two->offset / 4;
             at < all && at < (two->offset + (size_t)two->size) / 4; at++) {
            const struct simt_access *other =
                first[at] > 0 ? &s->at[first[at] - 1] : two;

            if (first[at] == 0)
                first[at] = i + 1;
            if (other->launch == two->launch &&
                (other->block != two->block || other->thread != two->thread)) {
                one = other;
                break;
            }
        }
    }
    free(first);
    if (one == NULL)
        return 0;
    threads = count_threads(s, at, two->launch);
    snprintf(how_many, sizeof how_many, "%s", _("two:"));
    if (threads > 2)
        snprintf(how_many, sizeof how_many, _("%d threads, as by"), threads);
    /* More blocks may tell by which number. */
    tell(s, story, s->is_several ? LAB_FOUND : LAB_PROVEN,
         _(", and C[%zu][%zu] is stored by %s %s and %s (%s:%d)."),
         at / (size_t)s->n, at % (size_t)s->n, how_many, lab_thread_name(one),
         lab_thread_name(two), simt_base_name(two->file), two->line);
    story->here = LAB_PLACE(two);
    lab_source_made(two->file, two->line, "C", two->kernel, &story->beside);
    return 1;
}

/* There is no block that would store the element. */
static int say_grid(struct stores *s, struct lab_story *story)
{
    const struct patch p = s->first;
    const int is_below = s->row >= s->down;
    const struct lab_place launch = LAB_PLACE(s->launch);
    int grid;

    if (!s->is_straight || !s->is_full || (!is_below && s->col < s->across))
        return 0;
    if (s->is_own && s->row < s->gy * s->by && s->col < s->gx * s->bx)
        return 0; /* there is a thread for it, and few that store */
    if (!s->is_own && (is_below ? s->gy : s->gx) == 1) {
        /* One block: whether it stores all that it should is not known. */
        const char *const file = s->at->file;
        const int store = lab_source_store(file, s->launch->name, "C");
        const int leave = lab_source_return(file, store);
        const int loop = lab_source_loop(file, store, 0);

        tell(s, story, LAB_FOUND, _(": of C's %d %s 0 to %d are stored."),
             is_below ? s->m : s->n, is_below ? _("rows") : _("columns"),
             (is_below ? s->down : s->across) - 1);
        if (store == s->at->line && leave > 0 && loop > 0 &&
            lab_source_loop(file, leave, 0) == loop) {
            lab_say(story,
                    " Line %d ends a thread inside the loop that stores: of "
                    "its further elements it stores none.",
                    leave);
            story->other = story->here;
            story->here.line = leave;
            return 1;
        }
        lab_say(story,
                " Either a block should store more of them, or the grid, of "
                "%d x %d block%s, is too small.",
                s->gx, s->gy, s->gx * s->gy == 1 ? "" : "s");
        lab_source_made(s->at->file, s->at->line, "C", s->at->kernel,
                        &story->beside);
    } else {
        tell(s, story, LAB_PROVEN,
             _(": the grid has %d x %d block%s, each stores %d column%s and %d "
               "row%s, so that all of them cover %d columns and %d rows. C has "
               "%d columns and %d rows.%s"),
             s->gx, s->gy, s->gx * s->gy == 1 ? "" : "s", p.cols,
             p.cols == 1 ? "" : "s", p.rows, p.rows == 1 ? "" : "s", s->across,
             s->down, s->n, s->m,
             s->gx == (s->m + p.rows - 1) / p.rows &&
                     s->gy == (s->n + p.cols - 1) / p.cols
                 ? _(" x and y of the grid are exchanged.")
                 : "");
    }
    grid = lab_source_grid(launch.file, launch.line);
    story->here = launch;
    if (grid > 0) { /* the line that makes it comes first */
        story->here.line = grid;
        story->other = launch;
    }
    return 1;
}

static int (*const rules[])(struct stores *s, struct lab_story *story) = {
    say_same_patches, say_numbers,   say_added_row,    say_neighbours,
    say_turned,       say_kept_away, say_stored_twice, say_grid};

/* --- all of it ------------------------------------------------------------ */

int lab_why_left_out(const char *path, const char *name,
                     struct lab_story *story)
{
    char condition[80];
    int last;
    const int line = lab_source_left_out(
        path, name, condition, sizeof condition, &last, simt_lines_have_code);

    if (line == 0)
        return 0;
    lab_tell(story, LAB_PROVEN,
             "No instruction was made of what stands under %s (lines %d to "
             "%d): it does not hold here.",
             condition, line + 1, last);
    story->here = (struct lab_place){path, line};
    return 1;
}

/* No thread of the launch has stored to C. The lines that it would have come
   by are shown. */
static void say_nothing_stored(const struct lab_trial *t,
                               const struct simt_host_call *launch,
                               struct lab_story *story)
{
    const char *own = simt_parameter_name(launch->name, 2);
    const char *name = own != NULL ? own : "C";
    const int store = lab_source_store(launch->file, launch->name, name);
    const int leave = lab_source_return(launch->file, store);

    if (lab_why_left_out(launch->file, name, story))
        return;
    lab_tell(story, LAB_PROVEN,
             "Kernel %s ran with %u x %u blocks of %u x %u threads, and none "
             "of them stored anything to C",
             launch->name, launch->grid[0], launch->grid[1], launch->block[0],
             launch->block[1]);
    if (store == 0)
        lab_say(story, ": the kernel has no line that stores to %s[...]", name);
    lab_say(story, "%s.",
            store > 0 && !t->is_loaded ? _(", nor loaded anything") : "");
    story->here = (struct lab_place){launch->file, leave > 0 ? leave : store};
    story->other = (struct lab_place){launch->file, leave > 0 ? store : 0};
    story->fetch = LAB_PLACE(launch);
}

void lab_why_not_stored(const struct lab_element *e, struct lab_story *story)
{
    const struct lab_trial *t = e->t;
    struct stores s = {.e = e,
                       .at = t->stored,
                       .count = t->stores,
                       .launch = lab_trial_launch(t),
                       .m = t->shape.m,
                       .n = t->shape.n,
                       .row = e->row,
                       .col = e->col};
    size_t first = 0;

    while (first < t->stores && t->stored[first].array != e->array)
        first++;
    if (s.launch == NULL) {
        lab_tell(story, LAB_PROVEN,
                 "No kernel was launched: %s returned, and C is as it was.",
                 t->entry->function);
        return;
    }
    if (first == t->stores) {
        say_nothing_stored(t, s.launch, story);
        return;
    }
    survey(&s);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && s.first.row == 0 &&
                       s.first.col == 0;
         i++) {
        if (rules[i](&s, story))
            return;
    }
    if (story->rank >= LAB_SEEN)
        return;
    tell(
        &s, story, LAB_SEEN,
        _(". Line %d stores other elements of C: either its condition keeps the "
          "thread of this one away, or its index leads elsewhere."),
        t->stored[first].line);
    lab_source_made(story->here.file, story->here.line, "C",
                    t->stored[first].kernel, &story->beside);
    story->here = LAB_PLACE(&t->stored[first]);
}
