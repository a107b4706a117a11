/*
 * Where are the values of a wrong C that is rounded to bf16? No value says
 * there which element it is, but several that stand side by side do: they are
 * looked for in the right C.
 */
#include "why.h"

#include "verify.h"

#include "base/language.h"

#include <math.h>

enum {
    WINDOW = 8 /* elements of a row that are looked for together */
};

static int is_right(const struct lab_trial *t, int row, int col, int want_row,
                    int want_col)
{
    const struct lab_tolerance tolerance =
        lab_tolerance_of(t->entry->precision, t->shape.k);
    const double *want, *mag;

    return lab_reference_row(t->reference, want_row, &want, &mag) &&
           lab_is_close(&tolerance, lab_trial_c(t, row, col), want[want_col],
                        mag[want_col]);
}

/* 1 if all `count` elements hold what belongs to those others. */
static int are_moved(const struct lab_trial *t, int row, int col, int want_row,
                     int want_col, int count)
{
    int i = 0;

    while (i < count && is_right(t, row, col + i, want_row, want_col + i))
        i++;
    return i == count;
}

/* The one place in C to which the elements belong; 0: none, or several. */
static int find_place(const struct lab_trial *t, int row, int col, int count,
                      int place[2])
{
    int found = 0;

    for (int r = 0; r < t->shape.m; r++) {
        for (int c = 0; c + count <= t->shape.n; c++) {
            if (!are_moved(t, row, col, r, c, count))
                continue;
            place[0] = r;
            place[1] = c;
            found++;
        }
    }
    return found == 1;
}

static void tell(const struct lab_trial *t, int row, int col,
                 struct lab_story *story)
{
    const int count = t->shape.n - col < WINDOW ? t->shape.n - col : WINDOW;
    const float got = lab_trial_c(t, row, col);
    int place[2];

    if (isnan(got)) {
        lab_tell(story, LAB_SEEN, "C[%d][%d] is a NaN", row, col);
    } else if (count == WINDOW && find_place(t, row, col, count, place)) {
        lab_tell(story, LAB_SEEN,
                 "C[%d][%d] to C[%d][%d] hold what belongs to C[%d][%d] to "
                 "C[%d][%d]",
                 row, col, row, col + count - 1, place[0], place[1], place[0],
                 place[1] + count - 1);
    }
}

void lab_why_moved(const struct lab_trial *t, struct lab_why *why)
{
    const int m = t->shape.m, n = t->shape.n;
    int first[2] = {-1, 0};
    size_t wrong = 0;

    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++) {
            if (is_right(t, row, col, row, col))
                continue;
            if (wrong++ == 0) {
                first[0] = row;
                first[1] = col;
            }
        }
    }
    if (wrong == 0)
        return;
    snprintf(why->extent, sizeof why->extent,
             _("%zu of %d elements of C are wrong"), wrong, m * n);
    tell(t, first[0], first[1], &why->story);
}
