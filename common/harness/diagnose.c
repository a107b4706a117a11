#include "diagnose.h"
#include "inputs.h"
#include "verify.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SAMPLES = 48,
    SAMPLES_NEEDED = 3
};

/* What is seen. Wrong elements are looked for in the rows the reference
   holds; what needs no reference is counted in all of C. */
struct survey {
    const struct lab_reference *reference;
    const struct lab_problem *problem;
    const float *C;
    struct lab_tolerance tolerance;
    const int *row;
    int rows;             /* how many rows are held */
    unsigned char *wrong; /* rows x n */
    int *by_row;          /* rows: wrong elements of each */
    int *by_col;          /* n: likewise, in the rows that are held */
    long long bad;        /* wrong elements, of which: */
    long long unwritten, nan, zero;
    long long all, all_unwritten, all_nan, all_zero, all_same; /* in C */
    int samples; /* wrong elements that are finite, spread over the rows */
    int sample[SAMPLES][2]; /* row and col of each */
};

/* A sum over k that a wrong kernel may have computed instead:
   offset + the sum of A[a + p * a_step] * B[b + p * b_step]. */
struct walk {
    long long a, a_step, b, b_step;
    int terms;
    double offset;
};

enum formula {
    TRANSPOSED,
    BY_COLUMN,
    A_WIDTH_N,
    B_WIDTH_K,
    BOTH_WIDTHS,
    A_BY_COLUMN,
    A_INDEX_SWAPPED,
    B_BY_COLUMN,
    B_INDEX_SWAPPED,
    A_ROW_BY_X,
    B_COL_BY_Y,
    WITHOUT_REST,
    WITHOUT_LAST_TERM,
    WITHOUT_LAST_TILE,
    WITHOUT_FIRST_TILE,
    FIRST_TILE_ONLY,
    LAST_TILE_ONLY,
    GOES_ON
};

/* tiled: the formula depends on the tile's width, and each one is tried. */
static const struct {
    enum formula formula;
    int tiled;
    const char *says;
} table[] = {
    {TRANSPOSED, 0,
     "C holds the transpose: (row, col) has the value of (col, row). Which of "
     "the two comes from threadIdx.x?"},
    {BY_COLUMN, 0,
     "C is stored column by column: the value of (row, col) is at "
     "C[col * m + row]. Look at the index of the store."},
    {WITHOUT_REST, 1,
     "Each sum lacks its last terms, those past the last complete tile. Look "
     "at how many tiles the loop over k visits when k is no multiple."},
    {FIRST_TILE_ONLY, 1,
     "Each sum has only the terms of the first tile. Look at the loop over "
     "the tiles: does it go on, and is the sum kept?"},
    {LAST_TILE_ONLY, 1,
     "Each sum has only the terms of the last tile. Look at where sum is set "
     "to 0, and whether it is added to or overwritten."},
    {WITHOUT_LAST_TILE, 1,
     "Each sum lacks the terms of its last tile. Look at the end of the loop "
     "over the tiles."},
    {WITHOUT_FIRST_TILE, 1,
     "Each sum lacks the terms of its first tile. Look at where the loop over "
     "the tiles begins."},
    {WITHOUT_LAST_TERM, 0,
     "Each sum lacks its last term. Look at the end of the loop over k."},
    {GOES_ON, 0,
     "Each sum goes on from the element before it. Look at where sum is set "
     "to 0."},
    {BOTH_WIDTHS, 0,
     "The row lengths of A and B are confused: a row of A has k elements, a "
     "row of B has n. Look at the index of both."},
    {A_WIDTH_N, 0,
     "A is read as if its rows had n elements; they have k. Look at the index "
     "of A."},
    {B_WIDTH_K, 0,
     "B is read as if its rows had k elements; they have n. Look at the index "
     "of B."},
    {A_BY_COLUMN, 0,
     "A is read column by column, as A[p * m + row]; it is stored row by row. "
     "Look at the index of A."},
    {A_INDEX_SWAPPED, 0,
     "A is read with row and column exchanged. Look at the index of A."},
    {B_BY_COLUMN, 0,
     "B is read column by column, as B[col * k + p]; it is stored row by row. "
     "Look at the index of B."},
    {B_INDEX_SWAPPED, 0,
     "B is read with row and column exchanged. Look at the index of B."},
    {A_ROW_BY_X, 1,
     "Each thread uses the row of A that belongs to threadIdx.x, not to "
     "threadIdx.y. Look at both indices of As, where it is stored and where "
     "it is read."},
    {B_COL_BY_Y, 1,
     "Each thread uses the column of B that belongs to threadIdx.y, not to "
     "threadIdx.x. Look at both indices of Bs, where it is stored and where "
     "it is read."},
};

static const int tile_widths[] = {16, 32, 8, 64, 4, 2};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static float value_at(const struct survey *s, int row, int col)
{
    return s->C[(size_t)row * (size_t)s->problem->n + (size_t)col];
}

static void set_terms(struct walk *w, int first, int end)
{
    w->a += first * w->a_step;
    w->b += first * w->b_step;
    w->terms = end - first;
}

/* The walk that gives element (row, col) of A * B. */
static struct walk right_walk(const struct lab_problem *q, long long row,
                              long long col)
{
    return (struct walk){row * q->k, 1, col, q->n, q->k, 0.0};
}

/* As right_walk, and 1 if there is such an element, else 0. */
static int element(const struct lab_problem *q, long long row, long long col,
                   struct walk *w)
{
    *w = right_walk(q, row, col);
    return row < q->m && col < q->n;
}

/*
 * Sets w to what the formula gives for (row, col) of C. Returns 0 where it
 * gives nothing, or nothing else than the right formula can.
 */
static int wrong_walk(const struct survey *s, enum formula formula, int tile,
                      int row, int col, struct walk *w)
{
    const struct lab_problem *q = s->problem;
    const int k = q->k, tiles = (k - 1) / tile + 1, rest = k % tile;
    const long long at = (long long)row * q->n + col;

    *w = right_walk(q, row, col);
    switch (formula) {
    case TRANSPOSED:
        return element(q, col, row, w);
    case BY_COLUMN:
        return element(q, at % q->m, at / q->m, w);
    case A_WIDTH_N:
        w->a = (long long)row * q->n;
        return 1;
    case B_WIDTH_K:
        w->b_step = k;
        return 1;
    case BOTH_WIDTHS:
        w->a = (long long)row * q->n;
        w->b_step = k;
        return 1;
    case A_BY_COLUMN:
    case A_INDEX_SWAPPED:
        w->a = row;
        w->a_step = formula == A_BY_COLUMN ? q->m : k;
        return 1;
    case B_BY_COLUMN:
    case B_INDEX_SWAPPED:
        w->b = (long long)col * (formula == B_BY_COLUMN ? k : q->n);
        w->b_step = 1;
        return 1;
    case A_ROW_BY_X:
        return element(q, row - row % tile + col % tile, col, w);
    case B_COL_BY_Y:
        return element(q, row, col - col % tile + row % tile, w);
    case WITHOUT_REST:
        set_terms(w, 0, k - rest);
        return rest > 0 && k > tile;
    case WITHOUT_LAST_TERM:
        set_terms(w, 0, k - 1);
        return 1;
    case WITHOUT_LAST_TILE:
        set_terms(w, 0, (tiles - 1) * tile);
        return tiles > 1;
    case WITHOUT_FIRST_TILE:
        if (tiles > 1)
            set_terms(w, tile, k);
        return tiles > 1;
    case FIRST_TILE_ONLY:
        set_terms(w, 0, tile < k ? tile : k);
        return tiles > 1;
    case LAST_TILE_ONLY:
        set_terms(w, (tiles - 1) * tile, k);
        return tiles > 1;
    case GOES_ON:
        w->offset = at > 0 ? (double)s->C[at - 1] : (double)NAN;
        return at > 0;
    }
    return 0;
}

/* 1 if C holds at (row, col) what the walk gives, within rounding. */
static int holds(const struct survey *s, const struct walk *w, int row, int col)
{
    const struct lab_problem *q = s->problem;
    const long long a_count = (long long)q->m * q->k;
    const long long b_count = (long long)q->k * q->n;
    double sum = 0.0, mag = 0.0;

    if (w->terms > 0 && (w->a + (w->terms - 1) * w->a_step >= a_count ||
                         w->b + (w->terms - 1) * w->b_step >= b_count))
        return 0;
    for (int p = 0; p < w->terms; p++) {
        const double term = (double)q->A[w->a + p * w->a_step] *
                            (double)q->B[w->b + p * w->b_step];

        sum += term;
        mag += fabs(term);
    }
    sum += w->offset;
    mag += 2.0 * fabs(w->offset);
    return lab_is_close(&s->tolerance, value_at(s, row, col), sum, mag);
}

/* 1 if nine tenths of the samples are what the formula gives. */
static int explains(const struct survey *s, enum formula formula, int tile)
{
    int matched = 0;

    for (int i = 0; i < s->samples; i++) {
        const int row = s->sample[i][0], col = s->sample[i][1];
        struct walk w;

        if (wrong_walk(s, formula, tile, row, col, &w))
            matched += holds(s, &w, row, col);
    }
    return matched * 10 >= s->samples * 9;
}

static int say_formula(const struct survey *s, char *text, size_t size)
{
    if (s->samples < SAMPLES_NEEDED)
        return 0;
    for (size_t i = 0; i < COUNT(table); i++) {
        const size_t widths = table[i].tiled ? COUNT(tile_widths) : 1;

        for (size_t t = 0; t < widths; t++) {
            if (!explains(s, table[i].formula, tile_widths[t]))
                continue;
            if (table[i].tiled) {
                snprintf(text, size, "%s (Tile: %d wide.)", table[i].says,
                         tile_widths[t]);
            } else {
                snprintf(text, size, "%s", table[i].says);
            }
            return 1;
        }
    }
    return 0;
}

/* All of C is alike. */
static int say_uniform(const struct survey *s, char *text, size_t size)
{
    const int k = s->problem->k;

    if (s->all_unwritten == s->all) {
        snprintf(text, size,
                 "No element of C was written. Is the kernel launched, does "
                 "the launch succeed, and does it store to C?");
    } else if (s->all_nan == s->all && s->all_unwritten == 0) {
        snprintf(text, size,
                 "Every element is a NaN that was computed: each sum takes in "
                 "something that was never set. Is sum 0 at first%s?",
                 k % 16 != 0 ? ", and is a tile that hangs over the end of k "
                               "filled up with 0"
                             : ", and all of a tile stored before it is read");
    } else if (s->all_zero == s->all) {
        snprintf(text, size,
                 "Every element is 0: nothing was added. Does the loop over k "
                 "run%s, and is the sum what is stored?",
                 k < 16 ? " even though k is less than a tile" : "");
    } else if (s->all_same == s->all && s->all > 1) {
        snprintf(text, size,
                 "Every element is %g. Does what is stored depend on row and "
                 "col?",
                 (double)s->C[0]);
    } else {
        return 0;
    }
    return 1;
}

/* 1 if edge is the end, or that of the last complete tile of a usual width. */
static int ends_a_tile(int edge, int total)
{
    for (int tile = 8; tile <= 128; tile *= 2) {
        if (edge == total || edge == total - total % tile)
            return 1;
    }
    return 0;
}

/*
 * The first row whose element in column 0 is wrong; m if none is. Where
 * the held rows leave a gap, the rows within are computed.
 */
static int first_wrong_row(const struct survey *s)
{
    const size_t n = (size_t)s->problem->n;
    int i = 0;

    while (i < s->rows && !s->wrong[(size_t)i * n])
        i++;
    for (int row = i > 0 ? s->row[i - 1] + 1 : 0;
         row < (i < s->rows ? s->row[i] : s->problem->m); row++) {
        double want, mag;

        lab_reference_span(s->reference, row, 0, 1, &want, &mag);
        if (!lab_is_close(&s->tolerance, value_at(s, row, 0), want, mag))
            return row;
    }
    return i < s->rows ? s->row[i] : s->problem->m;
}

/* Is the right part a rectangle at the upper left, and all else wrong? */
static int is_rectangle(const struct survey *s, int rows, int cols)
{
    const int n = s->problem->n;
    long long inside = 0, outside = 0;

    for (int i = 0; i < s->rows; i++) {
        for (int col = 0; col < n; col++) {
            if (s->row[i] < rows && col < cols) {
                inside += s->wrong[(size_t)i * (size_t)n + (size_t)col];
            } else {
                outside += !s->wrong[(size_t)i * (size_t)n + (size_t)col];
            }
        }
    }
    /* Few wrong values are right by chance. */
    return inside == 0 && outside * 20 <= s->bad;
}

static int say_rectangle(const struct survey *s, int only_unwritten, char *text,
                         size_t size)
{
    const int m = s->problem->m, n = s->problem->n;
    const int rows = first_wrong_row(s);
    int cols = 0;
    char part[80];
    const char *next;

    while (cols < n && !s->wrong[cols])
        cols++;
    if (rows == 0 || cols == 0 || (only_unwritten && s->unwritten < s->bad) ||
        !is_rectangle(s, rows, cols))
        return 0;

    if (cols == n) {
        snprintf(part, sizeof part, "Rows %d to %d", rows, m - 1);
    } else if (rows == m) {
        snprintf(part, sizeof part, "Columns %d to %d", cols, n - 1);
    } else {
        snprintf(part, sizeof part, "All but the first %d rows and %d columns",
                 rows, cols);
    }

    if (ends_a_tile(rows, m) && ends_a_tile(cols, n)) {
        next =
            s->unwritten == s->bad
                ? "The last complete tile may end there: is the grid rounded "
                  "up, so that it covers the rest?"
                : "The last complete tile may end there: look at what a tile "
                  "that hangs over the edge loads and stores.";
    } else if (rows == 1 || cols == 1) {
        next = "Only index 0 is right, where the length of a row does not "
               "matter: A has rows of k elements, B and C of n. Look at each "
               "index.";
    } else if ((rows <= 64 || rows == m) && (cols <= 64 || cols == n)) {
        next = "What is right is the first tile: do the grid, row and col all "
               "go beyond one block?";
    } else {
        next = "Look at the size of the grid, and at the guard of the store.";
    }

    snprintf(text, size, "%s %s. %s", part,
             s->unwritten == s->bad ? "were never written"
             : s->nan == s->bad  ? "are NaN, computed from what was never set"
             : s->zero == s->bad ? "are 0"
                                 : "are wrong",
             next);
    return 1;
}

/*
 * 1 if whether index i is wrong depends on i % tile alone: count[i] of each
 * `full` elements are wrong, all or none, and both occur.
 */
static int repeats(const int *count, const int *index, int indices, int full,
                   int tile)
{
    signed char seen[64];
    int right = 0, wrong = 0, most = 0;

    for (int i = 0; i < tile; i++)
        seen[i] = -1;
    for (int i = 0; i < indices; i++) {
        signed char *kind = &seen[(index == NULL ? i : index[i]) % tile];
        const signed char is = count[i] == 0 ? 0 : 1;

        if ((count[i] != 0 && count[i] < full) || (*kind >= 0 && *kind != is))
            return 0;
        most += *kind == is;
        *kind = is;
        right += is == 0;
        wrong += is == 1;
    }
    return right > 0 && wrong > 0 && most > 0 &&
           (index == NULL ? indices : index[indices - 1]) >= 2 * tile;
}

static int say_repeat(const struct survey *s, char *text, size_t size)
{
    const int n = s->problem->n;

    for (int tile = 2; tile <= 64; tile *= 2) {
        const int by_col = repeats(s->by_col, NULL, n, s->rows, tile);

        if (!by_col && !repeats(s->by_row, s->row, s->rows, n, tile))
            continue;
        snprintf(text, size,
                 "The same %s of every %d are %s, the others right. Look at "
                 "what a thread does with its place inside the tile: does "
                 "each element have a thread that stores it?",
                 by_col ? "columns" : "rows", tile,
                 s->unwritten == s->bad ? "never written" : "wrong");
        return 1;
    }
    return 0;
}

/* Nothing fits: say where, and what to try. */
static void say_place(const struct survey *s, const struct lab_diff *diff,
                      char *text, size_t size)
{
    const struct lab_wrong *first = &diff->first[0];
    const long long looked_at = (long long)s->rows * s->problem->n;

    if (s->bad == looked_at && s->unwritten == 0 && s->nan == 0) {
        snprintf(text, size,
                 "Every element that was compared is wrong, and no usual slip "
                 "gives these values. Run it again: if they change, threads "
                 "race, so look at the barriers. If not, try m = n = k = 1, "
                 "then 2, and follow one thread with pencil and paper.");
    } else if (s->all_unwritten > 0) {
        snprintf(text, size,
                 "%lld of %lld elements of C were never written, the first "
                 "wrong one is (%d, %d). Does each element have a thread that "
                 "stores it, and does the guard let it?",
                 s->all_unwritten, s->all, first->row, first->col);
    } else if (s->all_nan > 0) {
        snprintf(text, size,
                 "%lld of %lld elements are NaN, the first wrong one is (%d, "
                 "%d): their sums take in what was never set. Are As and Bs "
                 "stored in full, with 0 past the edge, before they are read?",
                 s->all_nan, s->all, first->row, first->col);
    } else {
        snprintf(text, size,
                 "Wrong with no usual pattern: %s%lld of %lld elements, the "
                 "first is (%d, %d). Run it again: if other elements are wrong "
                 "then, threads race, so look at the barriers; if the same, "
                 "calculate this one with pencil and paper.",
                 diff->exact ? "" : "at least ", diff->bad, s->all, first->row,
                 first->col);
    }
}

static void count_all(struct survey *s)
{
    s->all = (long long)s->problem->m * s->problem->n;
    for (long long i = 0; i < s->all; i++) {
        s->all_unwritten += lab_is_poison(s->C[i]);
        s->all_nan += isnan(s->C[i]) != 0;
        s->all_zero += s->C[i] == 0.0f;
        s->all_same += s->C[i] == s->C[0];
    }
}

/* Keeps each finite wrong element with the same chance: J. S. Vitter, "Random
   sampling with a reservoir", 1985, algorithm R. */
static void keep_sample(struct survey *s, long long number, int row, int col,
                        uint64_t *random)
{
    long long place = number;

    if (number >= SAMPLES)
        place = (long long)(lab_random(random) % ((uint64_t)number + 1));
    if (place >= SAMPLES)
        return;
    s->sample[place][0] = row;
    s->sample[place][1] = col;
    if (number < SAMPLES)
        s->samples++;
}

static void find_wrong(struct survey *s)
{
    const int n = s->problem->n;
    long long finite = 0;
    uint64_t random = 0;

    for (int i = 0; i < s->rows; i++) {
        const int row = s->row[i];
        const double *want, *mag;

        lab_reference_row(s->reference, row, &want, &mag);
        for (int col = 0; col < n; col++) {
            const float got = value_at(s, row, col);

            if (lab_is_close(&s->tolerance, got, want[col], mag[col]))
                continue;
            s->wrong[(size_t)i * (size_t)n + (size_t)col] = 1;
            s->by_row[i]++;
            s->by_col[col]++;
            s->bad++;
            s->unwritten += lab_is_poison(got);
            s->nan += isnan(got) && !lab_is_poison(got);
            s->zero += got == 0.0f;
            if (isfinite(got))
                keep_sample(s, finite++, row, col, &random);
        }
    }
}

int lab_diagnose(const struct lab_reference *reference, const float *C,
                 char *text, size_t size)
{
    struct survey s = {.reference = reference, .C = C};
    struct lab_diff diff;
    int status = -1;

    if (reference == NULL || C == NULL || text == NULL || size == 0) {
        errno = EINVAL;
        return -1;
    }
    text[0] = '\0';
    if (lab_verify(reference, C, &diff) == 0)
        return 0;

    s.problem = lab_reference_problem(reference);
    s.tolerance =
        lab_tolerance_of(lab_reference_precision(reference), s.problem->k);
    s.row = lab_reference_rows(reference, &s.rows);
    s.wrong = calloc((size_t)s.rows * (size_t)s.problem->n, 1);
    s.by_row = calloc((size_t)s.rows, sizeof *s.by_row);
    s.by_col = calloc((size_t)s.problem->n, sizeof *s.by_col);
    if (s.wrong == NULL || s.by_row == NULL || s.by_col == NULL) {
        errno = ENOMEM;
        goto done;
    }
    count_all(&s);
    find_wrong(&s);
    status = 0;

    /* The surest first. What was never written is a fact; a formula that
       gives the values is nearly one; a place is a hint. */
    if (!say_uniform(&s, text, size) &&
        (s.bad == 0 ||
         (!say_rectangle(&s, 1, text, size) && !say_formula(&s, text, size) &&
          !say_rectangle(&s, 0, text, size) && !say_repeat(&s, text, size))))
        say_place(&s, &diff, text, size);

done:
    free(s.wrong);
    free(s.by_row);
    free(s.by_col);
    return status;
}
