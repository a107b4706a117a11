/*
 * Why does a thread not take an operand that it needs? What its block did is
 * known (cause_way.c). Of the steps that should have brought the operand to the
 * thread, the first that does not happen is the cause.
 */
#include "cause_parts.h"
#include "access_name.h"

#include "base/language.h"

#include "simt/report.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 64 /* words between two that belong to lines side by side */
};

static const char letter[] = {[LAB_OF_A] = 'A', [LAB_OF_B] = 'B'};

/* --- words ---------------------------------------------------------------- */

/* "C[1][0] needs A[1][0] * B[0][0]" */
static void say_needs(struct lab_account *a, int i)
{
    lab_say(a->story, "C[%d][%d] needs A[%d][%d] * B[%d][%d]", a->row, a->col,
            a->row, i, i, a->col);
}

static void say_element(struct lab_account *a, const struct lab_load *word)
{
    lab_say(a->story, "%c[%d][%d]", letter[word->what], word->row, word->col);
}

/* "As[0][3][1]" */
static void name_word(char *text, size_t size, const struct lab_load *word)
{
    struct simt_access one = *word->step;

    one.offset += 4 * (uintptr_t)word->word;
    one.size = 4;
    lab_access_name(text, size, &one);
}

/* Another line of the thread that does the same with an element which it had
   before is the one that has the wrong one. */
static void say_again(struct lab_account *a, const struct lab_load *first)
{
    const struct lab_some some = {lab_cause_way(first->step), first->what,
                                  first->step->thread};
    const struct lab_load *end = a->word + a->words;

    for (const struct lab_load *x = first; x < end; x++) {
        if (!lab_cause_is_some(x, some) || x->step->size != 4)
            continue;
        for (const struct lab_load *y = x + 1; y < end && y < x + NEAR; y++) {
            if (!lab_cause_is_some(y, some) || y->step->line == x->step->line ||
                y->step->interval != x->step->interval || y->row != x->row ||
                y->col != x->col)
                continue;
            lab_say(a->story, "; line %d %s ", y->step->line,
                    some.way == LAB_STAGE ? _("stores") : _("loads"));
            say_element(a, y);
            lab_say(a->story, " again");
            a->story->other = a->story->here;
            a->story->here = LAB_PLACE(y->step);
            return;
        }
    }
}

/* Which elements are these, in the first lines that load them? */
static void say_taken(struct lab_account *a, struct lab_some some)
{
    enum {
        MOST = 4
    };
    int line[MOST], lines = 0;

    for (size_t i = 0; i < a->words && lines < MOST; i++) {
        const struct lab_load *x = &a->word[i];
        int is_new = lab_cause_is_some(x, some);

        for (int n = 0; n < lines; n++)
            is_new &= line[n] != x->step->line;
        if (!is_new)
            continue;
        lab_say(a->story, lines == 0 ? ": " : ", ");
        say_element(a, x);
        lab_say(a->story, " (line %d)", x->step->line);
        line[lines++] = x->step->line;
    }
}

void lab_cause_say_unused(struct lab_account *a, const char *array, int before)
{
    const struct lab_place here = a->story->here;
    int first, last;

    for (int from = 0;
         lab_source_use(here.file, here.line, array, from, &first, &last) > 0 &&
         (before == 0 || last < before);
         from = last) {
        size_t i = 0;

        while (i < a->alls && (a->all[i].line < first || a->all[i].line > last))
            i++;
        if (i < a->alls || lab_source_has(here.file, last, "__shared__"))
            continue;
        lab_say(a->story, ", and line %d loads nothing that is used", last);
        a->story->other = (struct lab_place){here.file, last};
        return;
    }
}

/* --- where the way ends --------------------------------------------------- */

/* Nobody of the block fetches any element of that matrix: who stores zeros? */
static void say_zeros(struct lab_account *a)
{
    for (size_t i = 0; i < a->words; i++) {
        const struct simt_access *x = a->word[i].step;

        if (lab_cause_way(x) == LAB_STAGE && a->word[i].what > LAB_OF_B &&
            lab_cause_source(a, x) == x) {
            lab_say(a->story, " Line %d stores zeros.", x->line);
            a->story->here = LAB_PLACE(x);
            return;
        }
    }
}

/* Nobody of the block fetches it: which ones does it fetch? */
static enum lab_rank say_not_fetched(struct lab_account *a,
                                     const struct lab_load *needed)
{
    const struct lab_some some = {LAB_FETCH, needed->what, LAB_ANYBODY};
    const struct lab_load *fetched = lab_cause_find_any(a, some);
    const struct lab_load *again = lab_cause_find_any(
        a, (struct lab_some){LAB_FETCH, needed->what, a->thread});
    int has_row, has_col, is_one = 1;
    const struct lab_set rows =
        lab_cause_set(a, some, LAB_ROWS, needed->row, &has_row);
    const struct lab_set cols =
        lab_cause_set(a, some, LAB_COLS, needed->col, &has_col);

    say_needs(a, lab_cause_step(needed));
    lab_say(a->story, ", and no thread of %s loads ", a->block);
    say_element(a, needed);
    /* A load whose value is not used is none: the compiler leaves it out. */
    if (fetched != NULL)
        lab_say(a->story, " for use");
    if (fetched == NULL) {
        lab_say(a->story, " or any other element of %c.", letter[needed->what]);
        say_zeros(a);
        return LAB_PROVEN;
    }
    for (size_t i = 0; i < a->words; i++) { /* the last line that does */
        if (!lab_cause_is_some(&a->word[i], some))
            continue;
        is_one &= a->word[i].step->line == fetched->step->line;
        fetched = &a->word[i];
    }
    a->story->here = LAB_PLACE(fetched->step);
    lab_say(a->story, ": of what ");
    if (is_one) {
        lab_say(a->story, "line %d loads of %c, ", fetched->step->line,
                letter[needed->what]);
    } else {
        lab_say(a->story, "is loaded of %c, in line %d and others, ",
                letter[needed->what], fetched->step->line);
    }
    if (has_row && has_col) {
        lab_say(a->story, "others are used");
        say_taken(a, (struct lab_some){LAB_FETCH, needed->what, a->thread});
    } else {
        const struct lab_set used = has_row ? cols : rows;

        lab_say(a->story, "only ");
        lab_cause_say_set(a, has_row ? LAB_COLS : LAB_ROWS, used);
        lab_say(a->story, used.count == 1 ? N_(" is used") : N_(" are used"));
    }
    if (again != NULL) /* the thread itself may fetch none */
        say_again(a, again);
    lab_cause_say_unused(a, simt_access_array(fetched->step), 0);
    lab_say(a->story, ".");
    return LAB_PROVEN;
}

/* Threads of the block fetch it, and none stores it to shared memory. */
static enum lab_rank say_not_staged(struct lab_account *a,
                                    const struct lab_load *fetched)
{
    const struct lab_some some = {LAB_STAGE, fetched->what,
                                  fetched->step->thread};
    const struct lab_load *end = a->word + a->words, *store = fetched;

    while (store < end && !lab_cause_is_some(store, some))
        store++;
    store = store < end ? store : lab_cause_find_any(a, some);
    say_needs(a, lab_cause_step(fetched));
    lab_say(a->story, ". %s loads ", lab_thread_begins(fetched->step));
    say_element(a, fetched);
    lab_say(a->story, " (line %d), and never stores it to shared memory",
            fetched->step->line);
    a->story->here = LAB_PLACE(fetched->step);
    a->absent = LAB_NOT_STAGED;
    if (store != NULL) {
        lab_say(a->story,
                store > fetched ? N_(", as line %d does with others")
                                : N_(": line %d stores before that"),
                store->step->line);
        a->story->other = a->story->here;
        a->story->here = LAB_PLACE(store->step);
        if (store > fetched)
            say_again(a, store);
    }
    lab_say(a->story, ".");
    return LAB_PROVEN;
}

/* What the thread stores to C: rows, or columns. *is_once: its block stores
   each element of its rows and columns once. */
static struct lab_set stored_set(const struct lab_account *a, int is_row,
                                 int *is_once)
{
    const size_t m = (size_t)a->d->m, n = (size_t)a->d->n;
    unsigned char *seen = calloc(m * n + 3 * (m + n) + 1, 1);
    unsigned char *line = seen != NULL ? seen + m * n : NULL;
    size_t stored = 0, rows = 0, cols = 0;
    struct lab_set set = {0};

    *is_once = 1;
    for (size_t i = 0; seen != NULL && i < a->alls; i++) {
        const struct simt_access *x = &a->all[i];

        for (size_t at = x->offset / 4;
             x->array == a->c_array && x->kind != SIMT_LOAD && at < m * n &&
             at < (x->offset + (size_t)x->size) / 4;
             at++) {
            *is_once &= !seen[at];
            stored += !seen[at];
            seen[at] = line[at / n] = line[m + at % n] = 1;
            if (x->thread == a->thread)
                line[m + n + (is_row ? at / n : at % n)] = 1;
        }
    }
    for (size_t i = 0; line != NULL && i < m + n; i++) {
        rows += i < m && line[i];
        cols += i >= m && line[i];
        if (line[m + n + i]) {
            set.before += (int)i < (is_row ? a->row : a->col);
            lab_set_add(&set, (int)i);
        }
    }
    *is_once &= stored == rows * cols;
    free(seen);
    return set;
}

/* What the thread takes from the shared array that has elements of this matrix.
   Returns how many; there is room for all words. */
static size_t taken_words(const struct lab_account *a, enum lab_content of,
                          const struct lab_load **taken)
{
    const struct lab_load *any =
        lab_cause_find_any(a, (struct lab_some){LAB_TAKE, of, a->thread});
    size_t count = 0;

    for (size_t i = 0; any != NULL && i < a->words; i++) {
        const struct simt_access *x = a->word[i].step;

        if (lab_cause_way(x) == LAB_TAKE && x->thread == a->thread &&
            x->array == any->step->array)
            taken[count++] = &a->word[i];
    }
    return count;
}

/* The one that the thread takes in its place. With several sums: in each step
   the nth of A is of the thread's nth row of C, and the nth of B of its nth
   column, if such products add up to what C holds. NULL: it is not known. */
static const struct lab_load *taken_instead(const struct lab_account *a,
                                            const struct lab_load *staged)
{
    const size_t step = (size_t)lab_cause_step(staged);
    const struct lab_load **x = calloc(2 * a->words + 1, sizeof(void *)), **y;
    const struct lab_load *instead = NULL;
    size_t xs, ys, row, col;
    int is_once;

    if (x == NULL)
        return NULL;
    xs = taken_words(a, LAB_OF_A, x);
    y = x + xs;
    ys = taken_words(a, LAB_OF_B, y);
    row = (size_t)stored_set(a, 1, &is_once).before;
    col = (size_t)stored_set(a, 0, &is_once).before;
    for (size_t all = (size_t)a->d->k; instead == NULL && all <= xs; all++) {
        const size_t rows = xs / all, cols = ys / all;
        double sum = 0.0;

        if (xs % all > 0 || ys % all > 0 || row >= rows || col >= cols)
            continue;
        for (size_t i = 0; i < all; i++)
            sum += x[i * rows + row]->value * y[i * cols + col]->value;
        if (sum == a->got) {
            instead = staged->what == LAB_OF_A ? x[step * rows + row]
                                               : y[step * cols + col];
        }
    }
    free((void *)x);
    return instead;
}

/* One that the thread takes: of the same step, if it can; or NULL. */
static const struct lab_load *taken_any(const struct lab_account *a,
                                        const struct lab_load *staged)
{
    const struct lab_some some = {LAB_TAKE, staged->what, a->thread};

    for (size_t i = 0; i < a->words; i++) {
        if (lab_cause_is_some(&a->word[i], some) &&
            lab_cause_step(&a->word[i]) == lab_cause_step(staged))
            return &a->word[i];
    }
    return lab_cause_find_any(a, some);
}

static long long place_of(const struct lab_load *word)
{
    return (long long)word->step->offset + 4 * word->word;
}

/* Was the element stored to shared memory between the same two barriers? */
static int is_stored_with(const struct lab_account *a,
                          const struct lab_load *word,
                          const struct lab_load *staged)
{
    const struct lab_load *store = lab_cause_find_word(
        a, (struct lab_some){LAB_STAGE, word->what, LAB_ANYBODY}, word->row,
        word->col);

    return store != NULL && store->step->interval == staged->step->interval;
}

/* Does it lie where those that the thread takes of the same row, or column, and
   of the same tile let expect it? */
static int is_in_line(const struct lab_account *a,
                      const struct lab_load *staged)
{
    const struct lab_some some = {LAB_TAKE, staged->what, a->thread};
    size_t first = a->words;

    /* The last ones may stand in several places, for those past the edge. */
    if (staged->what == LAB_OF_A ? a->row == a->d->m - 1
                                 : a->col == a->d->n - 1)
        return 1;
    for (size_t i = 0; i < a->words; i++) {
        const struct lab_load *word = &a->word[i];
        int steps;

        if (!lab_cause_is_some(word, some) || !lab_cause_is_own(a, word) ||
            !is_stored_with(a, word, staged))
            continue;
        first = first < i ? first : i;
        steps = lab_cause_step(word) - lab_cause_step(&a->word[first]);
        if (steps != 0) {
            return (place_of(staged) - place_of(&a->word[first])) * steps ==
                   (place_of(word) - place_of(&a->word[first])) *
                       (lab_cause_step(staged) -
                        lab_cause_step(&a->word[first]));
        }
    }
    return 1;
}

/* "A[0][0] was stored to As[0][0][0] (line 56), and then A[0][16] ..." */
static void say_replaced(struct lab_account *a, const struct lab_load *staged,
                         const struct lab_load *instead, const char *place)
{
    const struct simt_access *taken = instead->step;

    say_element(a, staged);
    lab_say(a->story, " was stored to %s (line %d), and then ", place,
            staged->step->line);
    say_element(a, instead);
    lab_say(a->story, " in its place");
    if (taken->writer_line > 0)
        lab_say(a->story, " (line %d)", taken->writer_line);
    lab_say(a->story, ".");
    a->story->here = LAB_PLACE(staged->step);
    a->story->other =
        (struct lab_place){taken->writer_file, taken->writer_line};
}

/* It takes the others of its row, or column. */
static void say_steps(struct lab_account *a, const struct lab_load *staged)
{
    const int is_a = staged->what == LAB_OF_A;
    int has;

    lab_say(a->story, ": of %s %d of %c it takes ",
            is_a ? _("row") : _("column"), is_a ? a->row : a->col,
            letter[staged->what]);
    lab_cause_say_set(
        a, is_a ? LAB_COLS : LAB_ROWS,
        lab_cause_set(a, (struct lab_some){LAB_TAKE, staged->what, a->thread},
                      LAB_OWN_STEPS, 0, &has));
    lab_say(a->story, " alone.");
    if (!is_in_line(a, staged)) {
        lab_say(a->story, " Line %d stored it, out of line with these.",
                staged->step->line);
        a->story->other = a->story->here;
        a->story->here = LAB_PLACE(staged->step);
    }
}

/* It takes none of its row, or column: does any thread, and does the block
   store each element of C once? */
static void say_line(struct lab_account *a, const struct lab_load *staged,
                     const struct simt_access *store)
{
    const int is_a = staged->what == LAB_OF_A, own = is_a ? a->row : a->col;
    const enum lab_axis axis = is_a ? LAB_ROWS : LAB_COLS;
    const char *const name = is_a ? _("row") : _("column"),
                      of = letter[staged->what];
    struct lab_some some = {LAB_TAKE, staged->what, LAB_ANYBODY};
    struct lab_set stored;
    int is_once, is_taken;

    lab_cause_set(a, some, axis, own, &is_taken);
    stored = stored_set(a, is_a, &is_once);
    a->story->other = LAB_PLACE(store);
    if (!is_taken) {
        lab_say(a->story,
                ": no thread of %s takes %s %d of %c, or it does nothing with "
                "it.",
                a->block, name, own, of);
        lab_lines_add(&a->story->beside, lab_source_product(store->file, NULL));
        a->story->is_bound = 1;
        a->absent = LAB_NOT_USED;
    } else if (!is_once) {
        lab_say(a->story,
                ": it has the sums of other elements, and line %d stores them "
                "to places that are not theirs.",
                store->line);
        a->story->other = a->story->here;
        a->story->here = LAB_PLACE(store);
    } else {
        some.thread = a->thread;
        lab_say(a->story, ". It takes ");
        lab_cause_say_set(a, axis,
                          lab_cause_set(a, some, axis, own, &is_taken));
        lab_say(a->story, " of %c, and stores ", of);
        lab_cause_say_set(a, axis, stored);
        lab_say(a->story, " of C (line %d).", store->line);
        lab_source_named(store->file, store->line, "C", a->kernel,
                         &a->story->beside);
    }
}

/* It lies in shared memory, and the thread does not take it. */
static enum lab_rank say_not_taken(struct lab_account *a,
                                   const struct lab_load *staged)
{
    const struct lab_load *any = taken_any(a, staged);
    const struct lab_load *instead =
        a->several ? taken_instead(a, staged) : any;
    const struct lab_load *shown = instead != NULL ? instead : any;
    const struct simt_access *store = lab_cause_last_store(a);
    char is[120], must[120];
    int has;

    if (shown == NULL || store == NULL)
        return LAB_NOTHING;
    say_needs(a, lab_cause_step(staged));
    lab_say(a->story, ". ");
    name_word(must, sizeof must, staged);
    name_word(is, sizeof is, shown);
    if (strcmp(is, must) == 0) {
        if (shown->what > LAB_OF_B)
            return LAB_NOTHING;
        say_replaced(a, staged, shown, is);
        return LAB_PROVEN;
    }
    a->story->here = LAB_PLACE(shown->step);
    say_element(a, staged);
    lab_say(a->story, " is in %s (line %d), and %s ", must, staged->step->line,
            a->who);
    lab_lines_add(&a->story->beside, staged->step->line);
    if (instead != NULL) {
        lab_say(a->story, "took ");
        lab_cause_say_load(a, instead);
    } else {
        lab_say(a->story, "does not take it");
    }
    lab_cause_say_line(a, shown);
    if (lab_cause_set(a, (struct lab_some){LAB_TAKE, staged->what, a->thread},
                      LAB_OWN_STEPS, 0, &has)
            .count > 0) {
        say_steps(a, staged);
    } else {
        say_line(a, staged, store);
    }
    return LAB_PROVEN;
}

/* The operands of a term are there, that of A in shared memory; the thread
   takes neither. */
static enum lab_rank say_neither(struct lab_account *a, int i)
{
    const struct lab_load *last = NULL;
    int has;
    const struct lab_set steps =
        lab_cause_set(a, (struct lab_some){LAB_TAKE, LAB_OF_A, a->thread},
                      LAB_OWN_STEPS, i, &has);

    for (size_t n = 0; n < a->words; n++) {
        if (lab_cause_is_some(&a->word[n], (struct lab_some){LAB_TAKE, LAB_OF_A,
                                                             a->thread}) &&
            lab_cause_is_own(a, &a->word[n]))
            last = &a->word[n];
    }
    if (last == NULL)
        return LAB_NOTHING;
    say_needs(a, i);
    if (lab_cause_find_word(a,
                            (struct lab_some){LAB_STAGE, LAB_OF_B, LAB_ANYBODY},
                            i, a->col) != NULL) {
        lab_say(a->story, ". Both are in shared memory, and %s takes neither",
                a->who);
    } else {
        lab_say(a->story, ". Of these %s takes neither", a->who);
    }
    lab_cause_say_line(a, last);
    lab_say(a->story, ": of row %d of A it takes only ", a->row);
    lab_cause_say_set(a, LAB_COLS, steps);
    lab_say(a->story, ".");
    a->story->here = LAB_PLACE(last->step);
    a->story->is_bound = 1;
    a->absent = LAB_NEITHER_TAKEN;
    return LAB_PROVEN;
}

/* Did the thread take what nobody stored? */
static int has_unset(const struct lab_account *a)
{
    size_t i = 0;

    while (i < a->words && (a->word[i].what != LAB_UNSET ||
                            a->word[i].step->thread != a->thread ||
                            lab_cause_way(a->word[i].step) != LAB_TAKE))
        i++;
    return i < a->words;
}

enum lab_rank lab_cause_say_absent(struct lab_account *a, enum lab_content of,
                                   int i, int both)
{
    const struct lab_load needed = {.what = of,
                                    .row = of == LAB_OF_A ? a->row : i,
                                    .col = of == LAB_OF_A ? i : a->col};
    const struct lab_load *fetched = lab_cause_fetched(a, &needed);
    const struct lab_load *staged =
        lab_cause_find_word(a, (struct lab_some){LAB_STAGE, of, LAB_ANYBODY},
                            needed.row, needed.col);
    enum lab_rank rank = LAB_NOTHING;

    a->absent = LAB_NOT_TAKEN;
    if (fetched == NULL) {
        a->absent = LAB_NOT_FETCHED;
        rank = say_not_fetched(a, &needed);
    } else if (lab_cause_taken(a, of).way != LAB_TAKE) {
        return LAB_NOTHING;
    } else if (staged == NULL) {
        rank = say_not_staged(a, fetched);
    } else if (!a->is_by_warp &&
               !lab_source_has(staged->step->file, 0, "_sync")) {
        /* No other lane multiplies it, and no shuffle may bring it. */
        rank = both ? say_neither(a, i) : say_not_taken(a, staged);
        if (rank == LAB_PROVEN && has_unset(a))
            rank = LAB_SEEN; /* a check tells more */
    }
    lab_cause_show_index(a);
    return rank;
}
