/*
 * An element of C was never stored: what do the stores of the others tell?
 */
#include "why.h"

#include "inputs.h"
#include "simt/lines.h"
#include "simt/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stores to C, of those that were kept. */
struct stores {
    const struct simt_access *at;
    size_t count;
    unsigned array; /* C's number */
    struct course_shape shape;
    int row, col; /* the element that was never stored */
};

/* The rows and columns that one block stored to. */
struct patch {
    int row, col, rows, cols;
};

static struct patch patch_of(const struct stores *s, uint64_t block)
{
    struct patch p = {1 << 30, 1 << 30, -1, -1};

    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *store = &s->at[i];
        const int at = (int)(store->offset / 4);
        const int row = at / s->shape.n, col = at % s->shape.n;
        const int last = col + store->size / 4 - 1;

        if (store->array != s->array || store->block != block)
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

/* Do blocks store the same rows, or columns, that should store different
   ones? */
static int say_same_patches(const struct stores *s, struct lab_why *why)
{
    const unsigned gx = s->at[0].grid[0], gy = s->at[0].grid[1];
    int same_rows = gy > 1, same_cols = gx > 1;
    const struct patch p = patch_of(s, 0);

    for (uint64_t b = 0; b < (uint64_t)gx * gy; b++) {
        const struct patch q = patch_of(s, b);

        same_rows &= q.rows > 0 && q.row == p.row;
        same_cols &= q.rows > 0 && q.col == p.col;
    }
    if (same_rows == same_cols) {
        const struct patch q = patch_of(s, 1);

        if (lab_why_places(s->shape, s->at, s->count, s->array, s->row, s->col,
                           why))
            return 1;
        if (gx < 2 || q.rows <= 0 || q.col <= p.col || q.col >= p.col + p.cols)
            return 0;
        lab_why_tell(why, 4,
                     "Block (0,0) stores columns %d to %d of C, and block "
                     "(1,0) begins with column %d: blocks overlap, and "
                     "C[%d][%d] was never stored.",
                     p.col, p.col + p.cols - 1, q.col, s->row, s->col);
    } else {
        lab_why_tell(
            why, 4,
            "C[%d][%d] was never stored: all %u x %u blocks store %s "
            "%d to %d alone, so the index of the %s lacks blockIdx.%c.",
            s->row, s->col, gx, gy, same_rows ? "rows" : "columns",
            same_rows ? p.row : p.col,
            same_rows ? p.row + p.rows - 1 : p.col + p.cols - 1,
            same_rows ? "row" : "column", same_rows ? 'y' : 'x');
    }
    lab_why_place(why, s->at[0].file, s->at[0].line);
    return 1;
}

/* Do two threads store one element? */
static int say_stored_twice(const struct stores *s, struct lab_why *why)
{
    const size_t all = (size_t)s->shape.m * (size_t)s->shape.n;
    size_t *first = calloc(all, sizeof *first), i, at = 0; /* its store, + 1 */
    char name[2][70];

    for (i = 0; first != NULL && i < s->count; i++) {
        const struct simt_access *store = &s->at[i], *other;
        int taken = 0;

        if (store->array != s->array || store->kind == SIMT_ATOMIC)
            continue;
        for (at = store->offset / 4;
             at < all && at < (store->offset + (size_t)store->size) / 4; at++) {
            if (first[at] == 0)
                first[at] = i + 1;
            other = &s->at[first[at] - 1];
            taken = other->launch == store->launch &&
                    (other->block != store->block ||
                     other->thread != store->thread);
            if (taken)
                break;
        }
        if (taken)
            break;
    }
    if (first == NULL || i == s->count) {
        free(first);
        return 0;
    }
    lab_why_thread(name[0], sizeof name[0], &s->at[first[at] - 1]);
    lab_why_thread(name[1], sizeof name[1], &s->at[i]);
    free(first);
    lab_why_tell(why, 4,
                 "C[%d][%d] was never stored, and C[%zu][%zu] is stored by "
                 "two: %s and %s (%s:%d).",
                 s->row, s->col, at / (size_t)s->shape.n,
                 at % (size_t)s->shape.n, name[0], name[1],
                 simt_base_name(s->at[i].file), s->at[i].line);
    lab_why_place(why, s->at[i].file, s->at[i].line);
    return 1;
}

/* Does each thread store the element of its own row and column, but for this
   one, which stores nothing? *is_own: do all that store? */
static int say_kept_away(const struct stores *s, int *is_own,
                         struct lab_why *why)
{
    const struct simt_access *first = &s->at[0];
    const unsigned bx = first->block_size[0], by = first->block_size[1];
    const unsigned x = (unsigned)s->col / bx, y = (unsigned)s->row / by;
    struct simt_access missing = *first;
    /* Blocks, and threads, that tell what the row and the column are. */
    int across = x == 0, down = y == 0;
    int right = (unsigned)s->col % bx == 0, below = (unsigned)s->row % by == 0;
    char name[70];

    *is_own = 1;
    for (size_t i = 0; i < s->count && *is_own; i++) {
        const struct simt_access *store = &s->at[i];
        const uint64_t row =
            store->block / store->grid[0] * by + (unsigned)store->thread / bx;
        const uint64_t col =
            store->block % store->grid[0] * bx + (unsigned)store->thread % bx;

        *is_own = store->array != s->array ||
                  (store->size == 4 &&
                   store->offset / 4 == row * (uint64_t)s->shape.n + col);
        across |= store->array == s->array && store->block % store->grid[0] > 0;
        down |= store->array == s->array && store->block >= store->grid[0];
        right |= store->array == s->array && (unsigned)store->thread % bx > 0;
        below |= store->array == s->array && (unsigned)store->thread >= bx;
    }
    if (!*is_own || !across || !down || !right || !below ||
        x >= first->grid[0] || y >= first->grid[1])
        return 0;
    missing.block = (uint64_t)y * first->grid[0] + x;
    missing.thread = (int)((unsigned)s->row % by * bx + (unsigned)s->col % bx);
    lab_why_thread(name, sizeof name, &missing);
    lab_why_tell(why, 3,
                 "C[%d][%d] was never stored: each thread stores the element "
                 "of its own row and column, and %s stores nothing. A "
                 "condition keeps it away from line %d.",
                 s->row, s->col, name, first->line);
    lab_why_place(why, first->file, first->line);
    return 1;
}

/* Do the rows, or columns, of the first block end before those of the next
   begin? */
static int say_gap(const struct stores *s, const struct patch *p,
                   const struct simt_host_call *launch, struct lab_why *why)
{
    const unsigned gx = s->at[0].grid[0], gy = s->at[0].grid[1];
    const struct patch right = patch_of(s, gx > 1 ? 1 : 0);
    const struct patch below = patch_of(s, gy > 1 ? gx : 0);
    const int in_row =
        right.rows > 0 && s->col >= p->cols && s->col < right.col;

    if (!in_row && !(below.rows > 0 && s->row >= p->rows && s->row < below.row))
        return 0;
    lab_why_tell(why, 4,
                 "C[%d][%d] was never stored: block (0,0) stores %s 0 to %d of "
                 "C, and block (%d,%d) begins with %s %d.",
                 s->row, s->col, in_row ? "columns" : "rows",
                 (in_row ? p->cols : p->rows) - 1, in_row, !in_row,
                 in_row ? "column" : "row", in_row ? right.col : below.row);
    lab_why_place(why, s->at[0].file, s->at[0].line);
    lab_why_other_place(why, launch->file, launch->line);
    return 1;
}

/* What a thread may take for its row or column; the first is right. */
static const char place_words[][60] = {
    "blockIdx.? * blockDim.? + threadIdx.?",
    "blockIdx.? * (blockDim.? + threadIdx.?)",
    "blockIdx.? + blockDim.? * threadIdx.?"};

/* The nth of these. */
static int place_of(int nth, int block, int size, int thread)
{
    return nth == 0   ? block * size + thread
           : nth == 1 ? block * (size + thread)
                      : block + size * thread;
}

/* Does each thread store the element of another row, or column, than its own,
   and is known which? */
static int say_other_place(const struct stores *s, struct lab_why *why)
{
    int fits[2] = {7, 7}, is_col; /* bits of place_words: of rows, of columns */
    char words[3][60];

    for (size_t i = 0; i < s->count; i++) {
        const struct simt_access *t = &s->at[i];
        const int bx = (int)t->block_size[0], by = (int)t->block_size[1];
        const int at = (int)(t->offset / 4);

        if (t->array != s->array)
            continue;
        for (int n = 0; n < 3; n++) {
            if (place_of(n, (int)(t->block / t->grid[0]), by, t->thread / bx) !=
                at / s->shape.n)
                fits[0] &= ~(1 << n);
            if (place_of(n, (int)(t->block % t->grid[0]), bx, t->thread % bx) !=
                at % s->shape.n)
                fits[1] &= ~(1 << n);
        }
    }
    is_col = fits[0] & 1;
    if (!(fits[!is_col] & 1) || (fits[is_col] != 2 && fits[is_col] != 4))
        return 0;
    if (s->at[0].grid[!is_col] < 2) { /* more blocks tell whether it is so */
        if (!say_stored_twice(s, why))
            return 0;
        why->rank = 3;
        return 1;
    }
    memcpy(words, place_words, sizeof words);
    for (int n = 0; n < 3; n++) {
        for (char *c = words[n]; (c = strchr(c, '?')) != NULL;)
            *c = is_col ? 'x' : 'y';
    }
    lab_why_tell(
        why, 4,
        "C[%d][%d] was never stored: the %s that each thread stores is "
        "%s, and not %s.",
        s->row, s->col, is_col ? "column" : "row", words[fits[is_col] / 2],
        words[0]);
    lab_why_place(why, s->at[0].file, s->at[0].line);
    return 1;
}

/* Does x of the grid run over the rows, in blocks like the first, and too few
   of them? */
static int say_turned(const struct stores *s, const struct patch *p,
                      const struct simt_host_call *launch, struct lab_why *why)
{
    const unsigned gx = s->at[0].grid[0], gy = s->at[0].grid[1];
    const int down = (int)gx * p->rows, across = (int)gy * p->cols;

    for (uint64_t b = 0; b < (uint64_t)gx * gy; b++) {
        const struct patch q = patch_of(s, b);

        if (q.rows > 0 && (q.row != (int)(b % gx) * p->rows ||
                           q.col != (int)(b / gx) * p->cols))
            return 0;
    }
    if ((gx == 1 && gy == 1) || (s->row < down && s->col < across))
        return 0;
    lab_why_tell(
        why, 4,
        "C[%d][%d] was never stored: x of the grid runs over the rows of "
        "C and y over its columns, so that %u x %u blocks cover %d rows "
        "and %d columns. C has %d rows and %d columns.",
        s->row, s->col, gx, gy, down, across, s->shape.m, s->shape.n);
    lab_why_place(why, s->at[0].file, s->at[0].line);
    lab_why_other_place(why, launch->file, launch->line);
    return 1;
}

/* Is there no block that would store the element? */
static int say_no_block(const struct stores *s,
                        const struct simt_host_call *launch,
                        struct lab_why *why)
{
    const struct patch p = patch_of(s, 0);
    const unsigned gx = s->at[0].grid[0], gy = s->at[0].grid[1];
    const int m = s->shape.m, n = s->shape.n;
    const int across = (int)gx * p.cols, down = (int)gy * p.rows;
    int straight = 1, is_own;

    if (say_other_place(s, why))
        return 1;
    if (p.row != 0 || p.col != 0 || p.rows <= 0 || p.cols <= 0)
        return 0;
    if (say_same_patches(s, why))
        return 1;
    /* Do the blocks lie side by side, each as large as the first? */
    for (uint64_t b = 0; b < (uint64_t)gx * gy; b++) {
        const struct patch q = patch_of(s, b);

        straight &= q.rows <= 0 || (q.row == (int)(b / gx) * p.rows &&
                                    q.col == (int)(b % gx) * p.cols);
    }
    if (say_turned(s, &p, launch, why) || say_kept_away(s, &is_own, why) ||
        say_stored_twice(s, why) || say_gap(s, &p, launch, why))
        return 1;
    if (!straight || (s->row < down && s->col < across))
        return 0;
    if (is_own && s->row < (int)(gy * s->at[0].block_size[1]) &&
        s->col < (int)(gx * s->at[0].block_size[0]))
        return 0; /* there is a thread for it, and few that store */
    if (!is_own && (s->row >= down ? gy : gx) == 1) {
        /* One block: whether it stores all that it should is not known. */
        lab_why_tell(why, 3,
                     "C[%d][%d] was never stored: the grid has %u x %u "
                     "block%s, and of C's %d %s 0 to %d are stored.",
                     s->row, s->col, gx, gy, gx * gy == 1 ? "" : "s",
                     s->row >= down ? m : n,
                     s->row >= down ? "rows" : "columns",
                     (s->row >= down ? down : across) - 1);
        lab_why_launch(why, launch->file, launch->line);
        return 1;
    }
    lab_why_tell(
        why, 4,
        "C[%d][%d] was never stored: the grid has %u x %u block%s, each stores "
        "%d column%s and %d row%s, so that all of them cover %d columns and "
        "%d rows. C has %d columns and %d rows.%s",
        s->row, s->col, gx, gy, gx * gy == 1 ? "" : "s", p.cols,
        p.cols == 1 ? "" : "s", p.rows, p.rows == 1 ? "" : "s", across, down, n,
        m,
        gx == (unsigned)((m + p.rows - 1) / p.rows) &&
                gy == (unsigned)((n + p.cols - 1) / p.cols)
            ? " x and y of the grid are exchanged."
            : "");
    lab_why_launch(why, launch->file, launch->line);
    return 1;
}

/* --- two threads, one element --------------------------------------------- */

int lab_why_outside(struct course_shape shape, const struct simt_access *stored,
                    size_t count, unsigned array, int row, int col,
                    struct lab_why *why)
{
    const struct simt_access *owner = NULL, *other = NULL;
    char name[2][70];
    int x = 0;

    for (size_t i = 0; i < count; i++) {
        const struct simt_access *s = &stored[i];
        const int at = (int)(s->offset / 4);
        const int own = (int)(s->block % s->grid[0] * s->block_size[0] +
                              (unsigned)s->thread % s->block_size[0]);

        if (s->array != array)
            continue;
        if (s->size != 4 || (own < shape.n && at % shape.n != own))
            return 0; /* its column is not that of the thread */
        if (at != row * shape.n + col)
            continue;
        if (own < shape.n) {
            owner = s;
        } else {
            other = s;
            x = own;
        }
    }
    if (owner == NULL || other == NULL)
        return 0;
    lab_why_thread(name[0], sizeof name[0], owner);
    lab_why_thread(name[1], sizeof name[1], other);
    lab_why_tell(
        why, 4,
        "Two threads store C[%d][%d] (%s:%d): %s, which should, and "
        "%s. A thread's column is its x in the grid. That of the second "
        "is %d, and the last column of C is %d: it should store "
        "nothing.",
        row, col, simt_base_name(other->file), other->line, name[0], name[1], x,
        shape.n - 1);
    lab_why_place(why, other->file, other->line);
    return 1;
}

/* --- code that is not there ----------------------------------------------- */

/* 1 if the line is one of these directives, which have blanks around them. */
static int is_directive(const char *line, const char *words)
{
    char word[14] = " ";
    size_t length;

    if (sscanf(line, " # %10[a-z]", word + 1) != 1)
        return 0;
    length = strlen(word);
    word[length] = ' ';
    word[length + 1] = '\0';
    return strstr(words, word) != NULL;
}

/* 1 if the text has the name as a word, with an index. */
static int has_index_of(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        if (at[length] == '[' &&
            (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')))
            return 1;
    }
    return 0;
}

int lab_why_vanished(const char *path, const char *name, struct lab_why *why)
{
    FILE *file = fopen(path, "r");
    char line[500], condition[80] = "";
    int begin = 0, depth = 0, uses = 0, found = 0;

    for (int at = 1; file != NULL && !found && fgets(line, sizeof line, file);
         at++) {
        if (begin > 0 && is_directive(line, " if ifdef ifndef ")) {
            depth++;
        } else if (begin > 0 && depth > 0 && is_directive(line, " endif ")) {
            depth--;
        } else if (begin > 0 && depth == 0 &&
                   is_directive(line, " else elif endif ")) {
            found = uses && !simt_lines_have_code(path, begin + 1, at - 1);
            if (found) {
                lab_why_tell(why, 4,
                             "No instruction was made of what stands under %s "
                             "(lines %d to %d): it does not hold here.",
                             condition, begin + 1, at - 1);
                lab_why_place(why, path, begin);
            }
            begin = 0;
        }
        if (begin == 0 && strstr(line, "__CUDA_ARCH__") != NULL &&
            is_directive(line, " if ifdef ifndef elif ")) {
            begin = at;
            depth = uses = 0;
            snprintf(condition, sizeof condition, "%.*s",
                     (int)strcspn(line, "\n"), line);
        }
        uses |= begin > 0 && (name != NULL ? has_index_of(line, name)
                                           : strchr(line, ';') != NULL);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* --- all of it ------------------------------------------------------------ */

/* No thread of the launch has stored to C. The lines that it would have come
   by are shown. */
static void say_nothing_stored(const struct simt_host_call *launch,
                               const char *name, int is_loaded,
                               struct lab_why *why)
{
    const int store = lab_why_store_line(launch->file, launch->name, name);
    const int leave = lab_why_return_line(launch->file, store);
    char none[80] = "";

    if (store == 0) {
        snprintf(none, sizeof none,
                 ": the kernel has no line that stores to %s[...]", name);
    }
    lab_why_tell(why, 4,
                 "Kernel %s ran with %u x %u blocks of %u x %u threads, and "
                 "none of them stored anything to C%s%s.",
                 launch->name, launch->grid[0], launch->grid[1],
                 launch->block[0], launch->block[1],
                 store > 0 && !is_loaded ? ", nor loaded anything" : "", none);
    lab_why_place(why, launch->file, leave > 0 ? leave : store);
    lab_why_other_place(why, launch->file, leave > 0 ? store : 0);
    snprintf(why->fetch_file, sizeof why->fetch_file, "%s", launch->file);
    why->fetch_line = launch->line;
}

void lab_why_not_stored(const char *function, struct course_shape shape,
                        const struct simt_access *stored, size_t count,
                        unsigned array, int row, int col, int is_loaded,
                        struct lab_why *why)
{
    const struct stores s = {stored, count, array, shape, row, col};
    size_t first = 0, calls;
    const struct simt_host_call *call = simt_host_calls_read(&calls),
                                *launch = NULL;
    const char *name;

    for (size_t i = 0; i < calls; i++)
        launch = call[i].kind == SIMT_CALL_LAUNCH ? &call[i] : launch;
    while (first < count && stored[first].array != array)
        first++;
    if (launch == NULL) {
        lab_why_tell(why, 4,
                     "No kernel was launched: %s returned, and C is as it was.",
                     function);
        return;
    }
    name = simt_parameter_name(launch->name, 2);
    if (first == count) {
        if (lab_why_vanished(launch->file, name ? name : "C", why))
            return;
        say_nothing_stored(launch, name ? name : "C", is_loaded, why);
        return;
    }
    if (say_no_block(&s, launch, why) || why->rank >= 2)
        return;
    lab_why_tell(why, 2,
                 "C[%d][%d] was never stored. Line %d stores other elements "
                 "of C: either its condition keeps the thread of this one "
                 "away, or its index leads elsewhere.",
                 row, col, stored[first].line);
    lab_why_place(why, stored[first].file, stored[first].line);
}

void lab_why_unset(const float *C, struct course_shape shape, int row, int col,
                   int any, struct lab_why *why)
{
    const int m = shape.m, n = shape.n;
    int rows = 1, cols = 1; /* the rest from here on */

    why->is_bound = 1;

    for (int r = 0; r < m; r++) {
        for (int c = 0; c < n; c++) {
            const int unset = lab_is_poison(C[r * n + c]) != 0;

            rows &= unset == (r >= row);
            cols &= unset == (c >= col);
        }
    }
    if (!any) {
        lab_why_tell(why, 4, "Nothing was stored to C.");
    } else if (!rows && !cols) {
        lab_why_tell(why, 4, "C[%d][%d] was never stored.", row, col);
    } else {
        const int from = rows ? row : col;
        const char side = lab_side(m, n, shape.k, from);
        const char *more = rows ? "row" : "column";
        size_t used;

        lab_why_tell(why, 4,
                     row == m - 1 || col == n - 1
                         ? "C[%d][%d] was never stored, nor was any of %s %d, "
                           "the last one."
                         : "C[%d][%d] was never stored, nor was any from %s %d "
                           "on.",
                     row, col, more, from);
        used = strlen(why->text);
        if (side != '\0') {
            snprintf(why->text + used, sizeof why->text - used,
                     " It stores %d = %c %ss, and C has %d = %c.", from, side,
                     more, rows ? m : n, rows ? 'm' : 'n');
        }
    }
}
