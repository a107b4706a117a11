/* An index left its matrix, or its type: which one was meant? See
   why_number.h. */
#include "why_number.h"

#include "base/language.h"
#include "simt/report.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- what one thread did in one line -------------------------------------- */

/* What its row and column may be made of; the first have names. */
enum {
    COLUMN,
    ROW,
    TURN,
    TURN_X,
    TURN_Y,
    COLUMN_Y,
    PLACES = 11
};

static const struct lab_number place[PLACES] = {
    {'x', 'x', 'x', LAB_USUAL}, {'y', 'y', 'y', LAB_USUAL},
    {'k', 0, 0, LAB_USUAL},     {'k', 'x', 'x', LAB_USUAL},
    {'k', 'y', 'y', LAB_USUAL}, {'x', 'y', 'x', LAB_USUAL},
    {'y', 'x', 'y', LAB_USUAL}, {0, 'x', 0, LAB_USUAL},
    {0, 'y', 0, LAB_USUAL},     {'y', 'y', 'x', LAB_USUAL},
    {'x', 'x', 'y', LAB_USUAL},
};

/* The usual forms. */
static const struct {
    int matrix, row, col;
} natural[] = {{LAB_A, ROW, TURN},        {LAB_A, ROW, TURN_X},
               {LAB_B, TURN, COLUMN},     {LAB_B, TURN_Y, COLUMN},
               {LAB_B, TURN_X, COLUMN_Y}, {LAB_C, ROW, COLUMN}};

/* Types that cannot hold an index. */
static const struct {
    const char *name;
    int bits, is_signed;
} narrow[] = {{"short", 16, 1},
              {"unsigned short", 16, 0},
              {"signed char", 8, 1},
              {"unsigned char", 8, 0}};

/* An index: row * width + column, or what a mistake makes of it. */
struct index {
    int row, col, width; /* two places */
    enum {
        PLAIN,
        IN_BRACKETS, /* row * (width + column) */
        NARROW_ROW,  /* of a type that cannot hold it */
        NARROW_COLUMN,
        NARROW_INDEX
    } is;
    size_t type;
};

/* What becomes of the value in the type. */
static long long narrowed(long long value, size_t type)
{
    const long long range = 1LL << narrow[type].bits;
    const long long rest = value & (range - 1);

    return narrow[type].is_signed && rest >= range / 2 ? rest - range : rest;
}

static long long element_of(const struct index *x, const struct lab_seen *s)
{
    const long long row = lab_value_of(&place[x->row], s);
    const long long col = lab_value_of(&place[x->col], s), width = x->width;

    switch (x->is) {
    case IN_BRACKETS:
        return row * (width + col);
    case NARROW_ROW:
        return narrowed(row, x->type) * width + col;
    case NARROW_COLUMN:
        return row * width + narrowed(col, x->type);
    case NARROW_INDEX:
        return narrowed(row * width + col, x->type);
    default:
        return row * width + col;
    }
}

/* Of how many accesses does it give an element that the plain index does not?
   *first is the first of them. -1: it does not give all that was seen. */
static int count_other(const struct lab_sample *s, const struct index *x,
                       int *first)
{
    const struct index plain = {x->row, x->col, x->width, PLAIN, 0};
    int other = 0;

    for (int i = s->count; i-- > 0;) {
        const long long element = element_of(x, &s->at[i]);

        if (element != s->at[i].element)
            return -1;
        if (element != element_of(&plain, &s->at[i])) {
            other++;
            *first = i;
        }
    }
    return other;
}

/* What the thread has done in that line, in elements of the array that begins
   at base: its accesses to that array, or, code not 0, those of that
   instruction. 0: none, or the grid is not flat. To be freed. */
static int read_sample(struct lab_sample *s, const struct simt_access *step,
                       size_t steps, int line, const void *base, uintptr_t code)
{
    *s = (struct lab_sample){calloc(steps + 1, sizeof *s->at), 0};
    for (size_t i = 0; s->at != NULL && i < steps; i++) {
        const struct simt_access *x = &step[i];

        if (x->space != SIMT_GLOBAL || x->line != line || !lab_is_flat(x) ||
            (code != 0 ? x->code != code
                       : x->size != 4 || x->base != (uintptr_t)base))
            continue;
        s->at[s->count] = lab_seen_of(
            x, s->count,
            (long long)(intptr_t)(x->base + x->offset - (uintptr_t)base) / 4);
        s->count++;
    }
    return s->count > 0;
}

/* --- an index that left its matrix ---------------------------------------- */

/* Do they say how long a row is? One of them alone does where the row is the
   thread's own, in a usual form. */
static int tells_width(const struct lab_sample *s, int matrix, int row, int col)
{
    size_t form = 0;
    int i = 1;

    while (i < s->count && lab_value_of(&place[row], &s->at[i]) ==
                               lab_value_of(&place[row], s->at))
        i++;
    while (form < COUNT(natural) &&
           (natural[form].matrix != matrix || row != ROW ||
            natural[form].row != row || natural[form].col != col))
        form++;
    return i < s->count || form < COUNT(natural);
}

/* Finds the index that gives all elements. 0 if there is none, or if there are
   several, which mean different elements and so tell nothing. */
static int find_meant(const struct lab_sample *s,
                      const struct course_shape *shape, int matrix,
                      struct index *meant)
{
    const struct lab_seen *last = &s->at[s->count - 1];
    /* The widths that the matrix may have been given: its own first. */
    const int width[] = {matrix == LAB_A ? shape->k : shape->n,
                         matrix == LAB_A ? shape->n : shape->k, shape->m};
    int found = 0, first;

    for (size_t i = 0; i < COUNT(natural); i++) {
        *meant =
            (struct index){natural[i].row, natural[i].col, width[0], PLAIN, 0};
        if (natural[i].matrix != matrix)
            continue;
        if (count_other(s, meant, &first) == 0)
            return 1; /* others do so by chance */
        meant->is = IN_BRACKETS;
        if (count_other(s, meant, &first) > 1) /* one would say little */
            return 1;
    }
    for (int w = COUNT(width); w-- > 0;) {
        if (w > 0 && width[w] == width[0])
            continue; /* a square: its own width will do */
        for (int all = 0; all < PLACES * PLACES; all++) {
            const struct index x = {all / PLACES, all % PLACES, width[w], PLAIN,
                                    0};
            /* No store of C goes along with k. */
            const int is_of_k =
                place[x.row].block == 'k' || place[x.col].block == 'k';

            if ((matrix == LAB_C && is_of_k) ||
                (w > 0 && !tells_width(s, matrix, x.row, x.col)) ||
                count_other(s, &x, &first) != 0)
                continue;
            if (found && (meant->width != x.width ||
                          lab_value_of(&place[x.row], last) !=
                              lab_value_of(&place[meant->row], last)))
                return 0;
            found = 1;
            *meant = x;
        }
    }
    return found;
}

/* Says what is wrong with the row and column that were meant; "": nothing. */
static void say_meant(char *says, size_t size, const struct index *meant,
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
                 _("its index goes on by %d from one row to the next, and a "
                   "row of %s has %d elements"),
                 meant->width, finding->array, cols);
    } else if (is_k && (meant->row == TURN || meant->col == TURN)) {
        snprintf(says, size, _("%s ends with %s %d, and the loop goes on"),
                 finding->array, r >= rows ? _("row") : _("column"),
                 (r >= rows ? rows : cols) - 1);
    } else if (r >= rows || c >= cols) {
        char guard[160];

        lab_source_guard(finding->file, finding->line, finding->array,
                         r >= rows, r < rows ? "knn"[matrix] : "mkm"[matrix],
                         guard, sizeof guard);
        snprintf(
            says, size,
            guard[0] != '\0'
                ? _("%s has %d rows and %d columns, and %s")
                : _("%s has %d rows and %d columns. Check the index and the "
                    "%s"),
            finding->array, rows, cols,
            guard[0] != '\0' ? guard
            : matrix != LAB_C && lab_source_has(finding->file, 0, "min")
                ? _("min() or the condition")
                : _("condition"));
    }
}

/* The thread's own place in the grid is outside of C, and gave the index: that
   it came so far is told, and the line that may have let it through. */
static void note_outside(int row, int col, const struct index *meant,
                         const struct course_shape *shape,
                         const struct simt_finding *finding,
                         struct lab_story *story)
{
    const int is_across = meant->col == COLUMN && col >= shape->n;
    size_t used;

    if (!is_across && !(meant->row == ROW && row >= shape->m))
        return;
    snprintf(
        story->note, sizeof story->note,
        _("The thread is at row %d and column %d of the grid, outside of C, "
          "and no condition has kept it away from line %d."),
        row, col, finding->line);
    used = strlen(story->note);
    if (finding->array[0] == 'B' && is_across && col < 2 * shape->n) {
        snprintf(story->note + used, sizeof story->note - used,
                 _(" In all rows of B but the last, column %d is element %d of "
                   "the next row."),
                 col, col - shape->n);
    }
    if (story->other.line == 0) {
        story->other.file = finding->file;
        story->other.line = lab_source_return(finding->file, finding->line);
    }
}

int lab_why_index(const struct lab_trial *t, const struct simt_finding *finding,
                  const struct simt_access *step, size_t steps,
                  struct lab_story *story)
{
    const char *const array = finding->array;
    const int matrix = array[0] - 'A';
    const int writes = finding->check != SIMT_BOUNDS ||
                       strstr(story->text, " writes ") != NULL;
    struct lab_sample s;
    struct index meant;
    char says[200] = "";

    if (read_sample(&s, step, steps, finding->line, t->b.device[matrix], 0) &&
        find_meant(&s, &t->shape, matrix, &meant)) {
        const struct lab_seen *last = &s.at[s.count - 1];
        const long long r = lab_value_of(&place[meant.row], last);
        const long long c = lab_value_of(&place[meant.col], last);

        if (meant.is == IN_BRACKETS) {
            snprintf(
                says, sizeof says,
                _("%s[%lld][%lld] is %s[%lld * %d + %lld], without brackets"),
                array, r, c, array, r, meant.width, c);
        } else {
            say_meant(says, sizeof says, &meant, r, c, &t->shape, finding);
        }
        if (says[0] != '\0') {
            lab_tell(story, LAB_PROVEN,
                     meant.is == IN_BRACKETS
                         ? N_("%s %s %s[%lld * (%d + %lld)] (%s:%d): %s.")
                         : N_("%s %s %s[%lld * %d + %lld] (%s:%d): %s."),
                     lab_thread_begins(step), writes ? _("writes") : _("reads"),
                     array, r, meant.width, c, simt_base_name(finding->file),
                     finding->line, says);
            lab_source_called(finding->file, finding->line, array, 0,
                              &story->beside);
            lab_source_conditions(finding->file, finding->line, &story->beside);
            if (meant.is == PLAIN) {
                note_outside((int)lab_value_of(&place[ROW], last),
                             (int)lab_value_of(&place[COLUMN], last), &meant,
                             &t->shape, finding, story);
            }
        }
    }
    free(s.at);
    return says[0] != '\0';
}

/* --- an index that its type cannot hold ----------------------------------- */

static void say_narrow(const struct lab_sample *s, const struct index *x,
                       int nth, char matrix, const struct simt_finding *finding,
                       const struct simt_access *step, struct lab_story *story)
{
    const struct index plain = {x->row, x->col, x->width, PLAIN, 0};
    const struct lab_seen *seen = &s->at[nth];
    const long long row = lab_value_of(&place[x->row], seen);
    const long long col = lab_value_of(&place[x->col], seen);
    const long long needs = element_of(&plain, seen);

    lab_tell(story, LAB_ENDING,
             "%s needs %c[%lld * %d + %lld], element %lld, and takes element "
             "%lld (%s:%d): %lld does not fit in the type of the index, of %d "
             "bits (%s).",
             lab_thread_begins(step), matrix, row, x->width, col, needs,
             seen->element, simt_base_name(finding->file), finding->line,
             x->is == NARROW_ROW      ? row
             : x->is == NARROW_COLUMN ? col
                                      : needs,
             narrow[x->type].bits, narrow[x->type].name);
    story->here = LAB_PLACE(finding);
}

/* Of the accesses that one instruction made, in elements of a matrix. */
static int try_narrow(const struct lab_sample *s, int matrix, int width,
                      const struct simt_finding *finding,
                      const struct simt_access *step, struct lab_story *story)
{
    for (size_t all = 0; all < 3 * COUNT(natural) * COUNT(narrow); all++) {
        const size_t form = all / 3 % COUNT(natural);
        const struct index x = {natural[form].row, natural[form].col, width,
                                NARROW_ROW + all % 3, all / 3 / COUNT(natural)};
        int first = 0;

        if (natural[form].matrix == matrix &&
            width % (1 << narrow[x.type].bits) != 0 &&
            count_other(s, &x, &first) > 0) {
            say_narrow(s, &x, first, "ABC"[matrix], finding, step, story);
            return 1;
        }
    }
    return 0;
}

int lab_why_narrow(const struct lab_trial *t,
                   const struct simt_finding *finding,
                   const struct simt_access *step, size_t steps,
                   struct lab_story *story)
{
    int told = 0;

    for (size_t i = 0; i < steps && !told; i++) {
        size_t first = 0;

        while (step[first].code != step[i].code)
            first++;
        if (first < i || step[i].line != finding->line)
            continue; /* each instruction of the line once */
        for (int matrix = LAB_A; matrix <= LAB_C && !told; matrix++) {
            struct lab_sample s;

            told = read_sample(&s, step, steps, finding->line,
                               t->b.device[matrix], step[i].code) &&
                   try_narrow(&s, matrix,
                              matrix == LAB_A ? t->shape.k : t->shape.n,
                              finding, step, story);
            free(s.at);
        }
    }
    return told;
}
