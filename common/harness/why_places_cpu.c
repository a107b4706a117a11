/*
 * Threads store to elements of C that are not those of their own row and
 * column. Which numbers did they take for these? Numbers that threads make of
 * their own places are held against all stores: the one row and the one column
 * that give every one of them tell.
 */
#include "why.h"

#include "simt/report.h"

#include <stdio.h>
#include <string.h>

/* One number that a thread makes: block or thread index times a length, plus
   an index. */
struct number {
    char block, thread; /* 'x' or 'y'; 0: without */
    int length;         /* 16 in blockIdx.x * 16; 0: blockIdx.x alone */
    int is_swapped;     /* 1: threadIdx.x * 16 + blockIdx.x */
};

/* All of one axis; the first is the usual one. */
enum {
    NUMBERS = 16
};

static int numbers_of(char axis, const unsigned block[3],
                      struct number number[NUMBERS])
{
    const char other = axis == 'x' ? 'y' : 'x';
    const int own = (int)block[axis - 'x'], its = (int)block[other - 'x'];
    const struct number all[] = {
        {axis, axis, own, 0},  {0, axis, 0, 0},       {axis, 0, 0, 0},
        {axis, axis, 0, 0},    {axis, axis, own, 1},  {axis, 0, own, 0},
        {other, axis, own, 0}, {axis, other, own, 0}, {other, other, its, 0},
        {0, other, 0, 0},      {other, 0, 0, 0},      {other, other, its, 1},
        {axis, axis, its, 0},
    };
    const int count = (int)(sizeof all / sizeof all[0]) - (own == its);

    memcpy(number, all, (size_t)count * sizeof all[0]);
    return count;
}

static long long value_of(const struct number *x, const struct simt_access *s)
{
    const unsigned thread = (unsigned)s->thread;
    const long long t[] = {thread % s->block_size[0],
                           thread / s->block_size[0]};
    const long long b[] = {(long long)(s->block % s->grid[0]),
                           (long long)(s->block / s->grid[0])};
    const long long block = x->block ? b[x->block - 'x'] : 0;
    const long long index = x->thread ? t[x->thread - 'x'] : 0;
    const int length = x->length ? x->length : 1;

    return x->is_swapped ? index * length + block : block * length + index;
}

static void name_number(char *text, size_t size, const struct number *x)
{
    if (x->block == 0) {
        snprintf(text, size, "threadIdx.%c", x->thread);
    } else if (x->is_swapped) {
        snprintf(text, size, "threadIdx.%c * %d + blockIdx.%c", x->thread,
                 x->length, x->block);
    } else {
        int used = snprintf(text, size, "blockIdx.%c", x->block);

        if (x->length) {
            used +=
                snprintf(text + used, size - (size_t)used, " * %d", x->length);
        }
        if (x->thread) {
            snprintf(text + used, size - (size_t)used, " + threadIdx.%c",
                     x->thread);
        }
    }
}

/* Do all stores to the array go to this row and column? */
static int fits(const struct number *row, const struct number *col,
                struct course_shape shape, const struct simt_access *stored,
                size_t count, unsigned array)
{
    for (size_t i = 0; i < count; i++) {
        const struct simt_access *s = &stored[i];

        if (s->array == array &&
            (s->size != 4 || (long long)(s->offset / 4) !=
                                 value_of(row, s) * shape.n + value_of(col, s)))
            return 0;
    }
    return 1;
}

/* The one row and column that fit. 0: there is none, or several, or the usual
   ones do. */
static int find_numbers(struct course_shape shape,
                        const struct simt_access *stored, size_t count,
                        unsigned array, const unsigned block[3],
                        struct number found[2])
{
    struct number row[NUMBERS], col[NUMBERS];
    const int rows = numbers_of('y', block, row);
    const int cols = numbers_of('x', block, col);
    int fitting = 0;

    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            if (!fits(&row[r], &col[c], shape, stored, count, array))
                continue;
            if (fitting++ > 0 || (r == 0 && c == 0))
                return 0;
            found[0] = row[r];
            found[1] = col[c];
        }
    }
    /* A turned grid is told with what it covers (why_stores_cpu.c). */
    return fitting == 1 && !(found[0].block == 'x' && found[0].thread == 'x' &&
                             found[1].block == 'y' && found[1].thread == 'y');
}

int lab_why_places(struct course_shape shape, const struct simt_access *stored,
                   size_t count, unsigned array, int row, int col,
                   struct lab_why *why)
{
    const struct simt_access *first = NULL, *its = NULL;
    struct number found[2];
    char name[70], text[2][60];
    long long at[2];

    for (size_t i = 0; i < count && its == NULL; i++) {
        const struct simt_access *s = &stored[i];
        const struct number usual[2] = {{'y', 'y', (int)s->block_size[1], 0},
                                        {'x', 'x', (int)s->block_size[0], 0}};

        if (s->array != array)
            continue;
        if (s->grid[2] * s->block_size[2] != 1)
            return 0;
        first = first == NULL ? s : first;
        if (value_of(&usual[0], s) == row && value_of(&usual[1], s) == col)
            its = s;
    }
    if (first == NULL ||
        !find_numbers(shape, stored, count, array, first->block_size, found))
        return 0;
    first = its != NULL ? its : first;
    at[0] = value_of(&found[0], first);
    at[1] = value_of(&found[1], first);
    lab_why_thread(name, sizeof name, first);
    for (int i = 0; i < 2; i++)
        name_number(text[i], sizeof text[i], &found[i]);
    lab_why_tell(why, 4,
                 "C[%d][%d] was never stored, and %s stores C[%lld][%lld]: in "
                 "all stores the row is %s and the column %s.",
                 row, col, name, at[0], at[1], text[0], text[1]);
    lab_why_place(why, first->file, first->line);
    return 1;
}
