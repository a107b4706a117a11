/*
 * An index left its matrix, or met another thread's. Which row and column were
 * meant? The offsets that a thread has used in one line are held against
 * row * width + column, for all numbers that threads make of their own places:
 * the one form that gives every one of them, to the last, tells.
 */
#include "why.h"

#include "simt/report.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    MOST = 4096,
    PLACES = 11
};

/* What one thread is, and which offsets it used, in elements. */
struct trail {
    int gx, gy, tx, ty, bx, by, bdx, bdy;
    long long offset[MOST];
    int count;
};

/* A number that a thread makes, when it is here for the nth time. */
static long long place_value(const struct trail *t, int place, int nth)
{
    switch (place) {
    case 0:
        return t->gx;
    case 1:
        return t->gy;
    case 2:
        return nth;
    case 3:
        return (long long)nth * t->bdx + t->tx;
    case 4:
        return (long long)nth * t->bdy + t->ty;
    case 5:
        return (long long)t->bx * t->bdx + t->ty;
    case 6:
        return (long long)t->by * t->bdy + t->tx;
    case 7:
        return t->tx;
    case 8:
        return t->ty;
    case 9:
        return (long long)t->by * t->bdx + t->ty;
    default:
        return (long long)t->bx * t->bdy + t->tx;
    }
}

/* The usual forms: numbers of places, below. */
static const struct {
    int matrix, row, col;
} natural[] = {{LAB_A, 1, 2}, {LAB_A, 1, 3}, {LAB_B, 2, 0},
               {LAB_B, 4, 0}, {LAB_B, 3, 5}, {LAB_C, 1, 0}};

/* Does the form give all offsets? */
static int fits(const struct trail *t, int row, int col, int width)
{
    for (int i = 0; i < t->count; i++) {
        if (place_value(t, row, i) * width + place_value(t, col, i) !=
            t->offset[i])
            return 0;
    }
    return 1;
}

/* The widths that the matrix may have been given: its own first. */
static int widths_of(const struct course_shape *s, int matrix, int width[3])
{
    width[0] = matrix == LAB_A ? s->k : s->n;
    width[1] = matrix == LAB_A ? s->n : s->k;
    width[2] = s->m;
    return 3;
}

/* The accesses to the array that begins there, in the finding's line. */
static void read_trail(struct trail *t, const struct simt_access *step,
                       size_t steps, const void *base,
                       const struct simt_finding *finding)
{
    t->count = 0;
    for (size_t i = 0; i < steps && t->count < MOST; i++) {
        const struct simt_access *s = &step[i];

        if (s->space == SIMT_GLOBAL && s->line == finding->line &&
            s->size == 4 && s->base == (uintptr_t)base)
            t->offset[t->count++] = (long long)(intptr_t)s->offset / 4;
    }
}

/* "thread (5,8) of block (3,0)" */
static void name(char *text, size_t size, const struct trail *t, int blocks)
{
    const int used = snprintf(text, size, "thread (%d,%d)", t->tx, t->ty);

    if (blocks > 1) {
        snprintf(text + used, size - (size_t)used, " of block (%d,%d)", t->bx,
                 t->by);
    }
}

/* Of a finding whose thread is known, of a flat grid; else NULL. */
static struct trail *begin_trail(const struct simt_finding *finding,
                                 const struct simt_host_call *launch)
{
    static struct trail t;
    const unsigned *grid = launch->grid, *block = launch->block;
    const unsigned thread = (unsigned)finding->thread;

    if (finding->thread < 0 || grid[2] != 1 || block[2] != 1)
        return NULL;
    t = (struct trail){.tx = (int)(thread % block[0]),
                       .ty = (int)(thread / block[0]),
                       .bx = (int)(finding->block % grid[0]),
                       .by = (int)(finding->block / grid[0]),
                       .bdx = (int)block[0],
                       .bdy = (int)block[1]};
    t.gx = t.bx * t.bdx + t.tx;
    t.gy = t.by * t.bdy + t.ty;
    return &t;
}

/* 1 if indices are bounded by min() in that file, as from lab 07 on. */
static int has_min(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[500];
    int has = 0;

    while (file != NULL && !has && fgets(line, sizeof line, file) != NULL)
        has = strstr(line, "min(") != NULL;
    if (file != NULL)
        fclose(file);
    return has;
}

/* Two places and a width: row * width + col; or row * (width + col). */
struct meant {
    int row, col, width;
    int has_brackets;
};

/* Does the usual form give all offsets if its sum stands in brackets? One
   offset alone would say little. */
static int fits_in_brackets(const struct trail *t, const struct meant *meant)
{
    int is_other = 0;

    for (int i = 0; i < t->count; i++) {
        const long long r = place_value(t, meant->row, i);
        const long long c = place_value(t, meant->col, i);

        if (r * (meant->width + c) != t->offset[i])
            return 0;
        is_other += r * meant->width + c != t->offset[i];
    }
    return is_other > 1;
}

/* Finds the form that gives all offsets. 0 if there is none, or if there are
   several, which mean different elements and so tell nothing. */
static int find_meant(const struct trail *t, const struct course_shape *shape,
                      int matrix, struct meant *meant)
{
    const int last = t->count - 1;
    int width[3], found = 0, with = 0;

    for (size_t i = 0; i < COUNT(natural); i++) {
        /* If the usual one fits, others do so by chance. */
        *meant = (struct meant){natural[i].row, natural[i].col,
                                matrix == LAB_A ? shape->k : shape->n, 0};
        if (natural[i].matrix == matrix &&
            fits(t, meant->row, meant->col, meant->width))
            return 1;
        meant->has_brackets =
            natural[i].matrix == matrix && fits_in_brackets(t, meant);
        if (meant->has_brackets)
            return 1;
    }
    for (int w = widths_of(shape, matrix, width); w-- > 0;) {
        if (w > 0 && width[w] == width[0])
            continue; /* a square: its own width will do */
        for (int all = 0; all < PLACES * PLACES; all++) {
            const int r = all / PLACES, c = all % PLACES;
            /* No store of C goes along with k. */
            const int is_of_k = (r >= 2 && r <= 4) || (c >= 2 && c <= 4);

            if ((matrix == LAB_C && is_of_k) || !fits(t, r, c, width[w]))
                continue;
            if (found && (with != w || place_value(t, r, last) !=
                                           place_value(t, meant->row, last)))
                return 0;
            found = 1;
            with = w;
            *meant = (struct meant){r, c, width[w], 0};
        }
    }
    return found;
}

/* Says what is wrong with the row and column that were meant; "": nothing. */
static void say_meant(char *says, size_t size, const struct meant *meant,
                      long long r, long long c,
                      const struct course_shape *shape,
                      const struct simt_finding *finding)
{
    const int matrix = finding->array[0] - 'A';
    const int rows = matrix == LAB_B ? shape->k : shape->m;
    const int cols = matrix == LAB_A ? shape->k : shape->n;
    const int is_k = matrix == LAB_A ? c >= cols : matrix == LAB_B && r >= rows;

    says[0] = '\0';
    if (meant->width != cols) {
        snprintf(says, size,
                 "its index goes on by %d from one row to the next, and a "
                 "row of %s has %d elements",
                 meant->width, finding->array, cols);
    } else if (is_k && (meant->row == 2 || meant->col == 2)) {
        snprintf(says, size, "%s ends with %s %d, and the loop goes on",
                 finding->array, r >= rows ? "row" : "column",
                 (r >= rows ? rows : cols) - 1);
    } else if (r >= rows || c >= cols) {
        snprintf(says, size,
                 "%s has %d rows and %d columns. Check the index and the %s",
                 finding->array, rows, cols,
                 matrix != LAB_C && has_min(finding->file)
                     ? "min() or the condition"
                     : "condition");
    }
}

/* The thread's own place in the grid is outside of C, and gave the index: that
   it came so far is told, and the line that may have let it through. */
static void note_outside(const struct trail *t, const struct meant *meant,
                         const struct course_shape *shape,
                         const struct simt_finding *finding,
                         struct lab_why *why)
{
    const int matrix = finding->array[0] - 'A';
    const int is_down = meant->row == 1 && t->gy >= shape->m;
    const int is_across = meant->col == 0 && t->gx >= shape->n;
    size_t used;

    if (!is_down && !is_across)
        return;
    snprintf(why->note, sizeof why->note,
             "The thread is at row %d and column %d of the grid, outside of C, "
             "and no condition has kept it away from line %d.",
             t->gy, t->gx, finding->line);
    used = strlen(why->note);
    if (matrix == LAB_B && is_across && t->gx < 2 * shape->n) {
        snprintf(why->note + used, sizeof why->note - used,
                 " In all rows of B but the last, column %d is element %d of "
                 "the next row.",
                 t->gx, t->gx - shape->n);
    }
    if (why->other_line == 0) {
        const int leave = lab_why_return_line(finding->file, finding->line);

        lab_why_other_place(why, leave > 0 ? finding->file : "", leave);
    }
}

int lab_why_index(const struct course_shape *shape,
                  const struct simt_finding *finding,
                  const struct simt_host_call *launch, const void *base,
                  const struct simt_access *step, size_t steps,
                  struct lab_why *why)
{
    const int matrix = finding->array[0] - 'A';
    struct trail *const trail = begin_trail(finding, launch);
    const char *does =
        finding->check == SIMT_BOUNDS && strstr(why->text, " writes ") == NULL
            ? "reads"
            : "writes";
    struct meant meant;
    long long r, c;
    char who[80], says[200];

    if (finding->array[1] != '\0' || matrix < LAB_A || matrix > LAB_C ||
        trail == NULL)
        return 0;
    read_trail(trail, step, steps, base, finding);
    if (trail->count == 0 || !find_meant(trail, shape, matrix, &meant))
        return 0;
    r = place_value(trail, meant.row, trail->count - 1);
    c = place_value(trail, meant.col, trail->count - 1);
    name(who, sizeof who, trail, (int)(launch->grid[0] * launch->grid[1]));
    if (meant.has_brackets) {
        lab_why_tell(why, 4,
                     "%s %s %s[%lld * (%d + %lld)] (%s:%d): %s[%lld][%lld] is "
                     "%s[%lld * %d + %lld], without brackets.",
                     who, does, finding->array, r, meant.width, c,
                     simt_base_name(finding->file), finding->line,
                     finding->array, r, c, finding->array, r, meant.width, c);
        why->text[0] = 'T';
        return 1;
    }
    say_meant(says, sizeof says, &meant, r, c, shape, finding);
    if (says[0] == '\0')
        return 0;
    lab_why_tell(why, 4, "%s %s %s[%lld * %d + %lld] (%s:%d): %s.", who, does,
                 finding->array, r, meant.width, c,
                 simt_base_name(finding->file), finding->line, says);
    note_outside(trail, &meant, shape, finding, why);
    why->text[0] = 'T';
    return 1;
}

/* --- an index that its type cannot hold ----------------------------------- */

static const struct {
    const char *name;
    int bits, is_signed;
} narrow[] = {{"short", 16, 1},
              {"unsigned short", 16, 0},
              {"signed char", 8, 1},
              {"unsigned char", 8, 0}};

/* What becomes of the value in the type. */
static long long narrowed(long long value, int bits, int is_signed)
{
    const long long range = 1LL << bits, rest = value & (range - 1);

    return is_signed && rest >= range / 2 ? rest - range : rest;
}

/* A guess at an index: which of its three numbers is of which type. */
struct narrow_index {
    int matrix, width;
    size_t form, type;
    int part; /* 0: row, 1: column, 2: row * width + column */
};

/* The number that is narrowed, and the element that it leads to. */
static long long part_of(const struct trail *t, const struct narrow_index *x,
                         int nth, long long *element)
{
    const long long row = place_value(t, natural[x->form].row, nth);
    const long long col = place_value(t, natural[x->form].col, nth);
    const long long part = x->part == 0   ? row
                           : x->part == 1 ? col
                                          : row * x->width + col;
    const long long is =
        narrowed(part, narrow[x->type].bits, narrow[x->type].is_signed);

    *element = x->part == 0   ? is * x->width + col
               : x->part == 1 ? row * x->width + is
                              : is;
    return part;
}

/* Do the accesses from `first` on, each period-th, go where this index leads?
   Gives the first that is off; -1: there is none, or another access. */
static int first_narrowed(const struct trail *t, const struct narrow_index *x,
                          const uintptr_t *address, int accesses, int first,
                          int period, uintptr_t base)
{
    int found = -1;

    for (int i = first; i < accesses; i += period) {
        long long element;
        const long long part = part_of(t, x, i / period, &element);

        if (base + (uintptr_t)(4 * element) != address[i])
            return -1;
        if (found < 0 && part != narrowed(part, narrow[x->type].bits,
                                          narrow[x->type].is_signed))
            found = i / period;
    }
    return found;
}

static void say_narrow(const struct trail *t, const struct narrow_index *x,
                       int nth, const struct simt_finding *finding, int blocks,
                       struct lab_why *why)
{
    const long long row = place_value(t, natural[x->form].row, nth);
    const long long col = place_value(t, natural[x->form].col, nth);
    long long element, part = part_of(t, x, nth, &element);
    char who[80];

    name(who, sizeof who, t, blocks);
    lab_why_tell(why, 5,
                 "%s needs %c[%lld * %d + %lld], element %lld, and takes "
                 "element %lld (%s:%d): %lld does not fit in the type of the "
                 "index, of %d bits (%s).",
                 who, "ABC"[x->matrix], row, x -> width, col,
                 row * x -> width + col, element, simt_base_name(finding->file),
                 finding -> line, part, narrow[x->type].bits,
                 narrow[x->type].name);
    why->text[0] = 'T';
    lab_why_place(why, finding->file, finding->line);
}

int lab_why_narrow(const struct course_shape *shape,
                   const struct simt_finding *finding,
                   const struct simt_host_call *launch, void *const base[3],
                   const struct simt_access *step, size_t steps,
                   struct lab_why *why)
{
    static uintptr_t address[MOST];
    const struct trail *t = begin_trail(finding, launch);
    int accesses = 0;

    for (size_t i = 0; t != NULL && i < steps && accesses < MOST; i++) {
        if (step[i].line == finding->line && step[i].space == SIMT_GLOBAL)
            address[accesses++] = step[i].base + step[i].offset;
    }
    for (size_t all = 0;
         accesses > 0 && all < 9 * COUNT(natural) * COUNT(narrow); all++) {
        const int turn = (int)(all / 3 % 3); /* one access a round, or two */
        struct narrow_index x = {.part = (int)(all % 3),
                                 .form = all / 9 % COUNT(natural),
                                 .type = all / 9 / COUNT(natural)};
        int nth;

        x.matrix = natural[x.form].matrix;
        x.width = x.matrix == LAB_A ? shape->k : shape->n;
        nth = first_narrowed(t, &x, address, accesses, turn == 2,
                             turn == 0 ? 1 : 2, (uintptr_t)base[x.matrix]);
        if (nth >= 0 && x.width % (1 << narrow[x.type].bits) != 0) {
            say_narrow(t, &x, nth, finding,
                       (int)(launch->grid[0] * launch->grid[1]), why);
            return 1;
        }
    }
    return 0;
}
