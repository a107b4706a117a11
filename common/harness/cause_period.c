/*
 * A loop that takes several steps at once has a line for each of them. One of
 * these lines may take the wrong operand, or two may take each other's: then
 * every second, fourth or eighth term of a sum is wrong in the same way. That
 * is the cause if it gives all of C, to the bit.
 */
#include "cause_parts.h"

#include "base/language.h"

#include "source.h"

#include <math.h>

enum {
    IN_A_ROW = -2
};

/* Term i of each `length`: takes the element `off` behind its own; or, with
   other >= 0, that of term `other` of the same ones, which takes its. With
   other IN_A_ROW all of them take elements of B side by side, from that of the
   first on. */
struct period {
    enum lab_content of;
    int length, i, other, off;
};

/* The element that term i of C[row][col] takes; -1: it lies outside. */
static int index_of(const struct lab_account *a, const struct period *p,
                    int row, int col, int i)
{
    const int k = a->d->k, n = a->d->n, begin = i / p->length * p->length;
    const int size = p->of == LAB_OF_A ? a->d->m * k : k * n;
    const int is_full = begin + p->length <= k;
    int off = 0, index;

    if (is_full && p->other == IN_A_ROW) {
        off = i - begin;
        i = begin;
    } else if (is_full && i - begin == p->i && p->other < 0) {
        off = p->off;
    }
    if (is_full && i - begin == p->i && p->other >= 0) {
        i = begin + p->other;
    } else if (is_full && i - begin == p->other) {
        i = begin + p->i;
    }
    index = (p->of == LAB_OF_A ? row * k + i : i * n + col) + off;
    return index >= 0 && index < size ? index : -1;
}

/* What C[row][col] holds then; 0: that is not known, or not exact. */
static int sum_of(const struct lab_account *a, const struct period *p, int row,
                  int col, double *sum)
{
    double size = 0.0;

    *sum = 0.0;
    for (int i = 0; i < a->d->k; i++) {
        const int index = index_of(a, p, row, col, i);
        double term;

        if (index < 0)
            return 0;
        term = p->of == LAB_OF_A
                   ? (double)a->d->A[index] * lab_cause_b(a->d, i, col)
                   : lab_cause_a(a->d, row, i) * (double)a->d->B[index];
        *sum += term;
        size += fabs(term);
    }
    return lab_cause_is_exact(size);
}

/* Does it give the element that is looked into, and all that are known, which
   are half of C at least? */
static int gives_c(const struct lab_account *a, const struct period *p)
{
    const int m = a->d->m, n = a->d->n;
    int known = 0;
    double sum;

    if (!sum_of(a, p, a->row, a->col, &sum) || sum != a->got)
        return 0;
    for (int at = 0; at < m * n; at++) {
        if (!sum_of(a, p, at / n, at % n, &sum))
            continue;
        if (sum != (double)a->C[at])
            return 0;
        known++;
    }
    return 2 * known >= m * n;
}

/* Tries all steps of a loop that takes so many at once. */
static int find_of_length(const struct lab_account *a, int length,
                          struct period *p)
{
    const int n = a->d->n;

    *p = (struct period){LAB_OF_B, length, 1, IN_A_ROW, 0};
    if (length > 2 && gives_c(a, p))
        return 1;
    for (p->i = 0; p->i < length; p->i++) {
        for (p->other = p->i + 1; p->other < length; p->other++) {
            p->of = LAB_OF_B; /* of A it would be the same */
            if (gives_c(a, p))
                return 1;
        }
        p->other = -1;
        for (int along = -length; along <= length; along++) {
            p->of = LAB_OF_A;
            p->off = along;
            if (along != 0 && gives_c(a, p))
                return 1;
            p->of = LAB_OF_B;
            for (int across = -1; across <= 1; across++) {
                p->off = along * n + across;
                if (p->off != 0 && gives_c(a, p))
                    return 1;
            }
        }
    }
    return 0;
}

/* Is the element taken for the wrong term of any round of the loop? */
static int is_wrong_one(const struct lab_account *a, const struct period *p,
                        int index)
{
    int i = p->i;

    while (i < a->d->k && index_of(a, p, a->row, a->col, i) != index)
        i += p->length;
    return i < a->d->k;
}

/* Does the line load, of the row of A or the column of B that the sum needs,
   only what is taken for the wrong terms? One that takes it rightly loads for
   other terms too. */
static int is_line_of_wrong(const struct lab_account *a, const struct period *p,
                            int line)
{
    const int width = p->of == LAB_OF_A ? a->d->k : a->d->n;

    for (size_t i = 0; i < a->steps; i++) {
        const struct simt_access *x = &a->step[i];

        for (int word = 0; x->line == line && x->kind == SIMT_LOAD &&
                           word < x->size / 4 && word < SIMT_VALUES;
             word++) {
            struct lab_load load;

            lab_cause_identify(a->d, x->value[word], &load);
            if (load.what == p->of && lab_cause_is_own(a, &load) &&
                !is_wrong_one(a, p, load.row * width + load.col))
                return 0;
        }
    }
    return 1;
}

/* 1 if word `word` of the access is a load of that value. */
static int loads(const struct simt_access *x, int word, double value)
{
    return x->kind == SIMT_LOAD && x->known && (double)x->value[word] == value;
}

/* The one line of the thread that loads the value for the wrong terms alone; 0:
   there is none, or several. */
static int find_line(const struct lab_account *a, const struct period *p,
                     double value)
{
    int line = 0;

    for (size_t i = 0; i < a->steps; i++) {
        const struct simt_access *x = &a->step[i];

        for (int word = 0; word < x->size / 4 && word < SIMT_VALUES; word++) {
            if (!loads(x, word, value) || x->line == line ||
                !is_line_of_wrong(a, p, x->line))
                continue;
            if (line > 0)
                return 0;
            line = x->line;
        }
    }
    return line;
}

/* The last load of the element by the thread, in that line if it is not 0; and
   where what it loaded had been stored, or the first load in another line. */
static int place_loads(struct lab_account *a, double value, int line)
{
    struct lab_story *story = a->story;

    for (size_t i = a->steps; i-- > 0;) {
        const struct simt_access *x = &a->step[i];

        for (int word = 0; word < x->size / 4 && word < SIMT_VALUES; word++) {
            if (!loads(x, word, value) || (line > 0 && x->line != line))
                continue;
            if (story->here.line == 0) {
                story->here = LAB_PLACE(x);
                if (x->space == SIMT_SHARED && x->writer_line > 0) {
                    story->other =
                        (struct lab_place){x->writer_file, x->writer_line};
                    return 1;
                }
            } else if (x->line != story->here.line) {
                story->other = LAB_PLACE(x);
            }
        }
    }
    return 0;
}

/* Which line loads it; and where it had been stored, or which other line loads
   it too, of which either may be the right one. */
static void say_places(struct lab_account *a, int is_one, int is_stored)
{
    const struct lab_story *s = a->story;
    const int here = s->here.line, other = is_one ? s->other.line : 0;

    if (here > 0 && other > 0 && !is_stored) {
        lab_say(a->story, ": lines %d and %d both load it",
                here < other ? here : other, here < other ? other : here);
    } else if (here > 0) {
        lab_say(a->story, " (%s:%d)", lab_cause_file(s->here.file), here);
        if (other > 0)
            lab_say(a->story, ", where line %d stored it", other);
    }
    lab_say(a->story, ".");
}

enum lab_rank lab_cause_say_period(struct lab_account *a)
{
    const int row = a->row, col = a->col, n = a->d->n, k = a->d->k;
    struct period p;
    double value;
    int index, same, is_stored = 0;

    if (!a->exact || isnan(a->got) || k < 8 || n < 8 || a->d->m < 8)
        return LAB_NOTHING;
    if (!find_of_length(a, 2, &p) && !find_of_length(a, 4, &p) &&
        !find_of_length(a, 8, &p))
        return LAB_NOTHING;
    if (p.other >= 0) {
        lab_say(a->story,
                "C[%d][%d] needs A[%d][%d] * B[%d][%d] and A[%d][%d] * "
                "B[%d][%d]: the second factors stand in each other's place, "
                "and so in every %d steps along k",
                row, col, row, p.i, p.i, col, row, p.other, p.other, col,
                p.length);
        place_loads(a, (double)a->d->A[row * k + p.i], 0);
        a->story->other.line = 0; /* it was stored rightly */
    } else {
        const int width = p.of == LAB_OF_A ? k : n;

        index = index_of(a, &p, row, col, p.i);
        lab_say(a->story,
                p.other == IN_A_ROW
                    ? N_("C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s took "
                         "%c[%d][%d] in the place of the %s: of every %d steps "
                         "along k it takes elements side by side in a row of "
                         "B, and not one below the other")
                    : N_("C[%d][%d] needs A[%d][%d] * B[%d][%d]. %s took "
                         "%c[%d][%d] in the place of the %s, and so once in "
                         "every %d steps along k"),
                row, col, row, p.i, p.i, col, lab_cause_who(a),
                p.of == LAB_OF_A ? 'A' : 'B', index / width, index % width,
                p.of == LAB_OF_A ? _("first") : _("second"), p.length);
        value = (double)(p.of == LAB_OF_A ? a->d->A : a->d->B)[index];
        is_stored = place_loads(a, value, find_line(a, &p, value));
        same = lab_source_same(a->story->here.file, a->story->here.line);
        if (same > 0 && a->story->other.line == 0) {
            a->story->other = a->story->here;
            a->story->here.line = same;
        }
    }
    say_places(a, p.other < 0, is_stored);
    return LAB_PROVEN;
}
