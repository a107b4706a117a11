#include "diagnose.h"
#include "inputs.h"
#include "verify.h"

#include "base/language.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ENOUGH = 3 /* equal elements that are no chance */
};

/* C, and its right values in the rows that the reference holds. */
struct survey {
    const struct lab_reference *reference;
    const struct lab_problem *of;
    const struct lab_factors *problem;
    const float *C;
    struct lab_tolerance tolerance;
    const int *row;
    int rows; /* how many rows are held */
};

/* A sum over k that a wrong kernel may have computed instead, in float and in
   this order: offset + the products A[a + p * a_step] * B[b + p * b_step]. */
struct walk {
    long long a, a_step, b, b_step;
    int terms;
    float offset;
};

enum formula {
    TRANSPOSED,
    BY_COLUMN,
    A_WIDTH_N,
    B_WIDTH_K,
    A_EXCHANGED,
    B_EXCHANGED,
    FIRST_TERMS,
    LAST_TERMS,
    GOES_ON,
    FORMULAS
};

static const char *const formula_says[FORMULAS] = {
    [TRANSPOSED] = N_("C holds the transpose: C[row][col] has the value of "
                      "C[col][row]."),
    [BY_COLUMN] =
        N_("C is stored column by column: the value of C[row][col] is "
           "at C[col * m + row]."),
    [A_WIDTH_N] = N_("A is read as if its rows had n elements; they have k."),
    [B_WIDTH_K] = N_("B is read as if its rows had k elements; they have n."),
    [A_EXCHANGED] = N_("A is read with row and column exchanged."),
    [B_EXCHANGED] = N_("B is read with row and column exchanged."),
    [GOES_ON] = N_("Each sum goes on from the element before it: it is not set "
                   "to 0 in between."),
};

static float value_at(const struct survey *s, int row, int col)
{
    return s->C[(size_t)row * (size_t)s->problem->n + (size_t)col];
}

/* What the formula takes for C[row][col]. terms: those of FIRST_TERMS and
   LAST_TERMS. Returns 0 if there is no such element. */
static int walk_of(const struct survey *s, enum formula formula, int terms,
                   int row, int col, struct walk *w)
{
    const struct lab_factors *q = s->problem;
    const long long at = (long long)row * q->n + col;

    *w = (struct walk){(long long)row * q->k, 1, col, q->n, q->k, 0.0f};
    switch (formula) {
    case TRANSPOSED:
        w->a = (long long)col * q->k;
        w->b = row;
        return row < q->n && col < q->m;
    case BY_COLUMN:
        w->a = at % q->m * q->k;
        w->b = at / q->m;
        break;
    case A_WIDTH_N:
        w->a = (long long)row * q->n;
        break;
    case B_WIDTH_K:
        w->b_step = q->k;
        break;
    case A_EXCHANGED:
        w->a = row;
        w->a_step = q->k;
        break;
    case B_EXCHANGED:
        w->b = (long long)col * q->n;
        w->b_step = 1;
        break;
    case LAST_TERMS:
        w->a += q->k - terms;
        w->b += (long long)(q->k - terms) * q->n;
        /* fall through */
    case FIRST_TERMS:
        w->terms = terms;
        break;
    case GOES_ON:
        w->offset = at > 0 ? s->C[at - 1] : 0.0f;
        break;
    case FORMULAS:
        return 0;
    }
    return 1;
}

/* Does the walk give this value, to the bit? Products are rounded before they
   are added, or not (fused). */
static int gives(const struct survey *s, const struct walk *w, int fused,
                 float value)
{
    const struct lab_factors *q = s->problem;
    const long long last = w->terms - 1;
    float sum = w->offset;

    if (w->a + last * w->a_step >= (long long)q->m * q->k ||
        w->b + last * w->b_step >= (long long)q->k * q->n)
        return 0; /* what lies beyond is unknown */
    for (int p = 0; p < w->terms; p++) {
        const float a = q->A[w->a + p * w->a_step];
        const float b = q->B[w->b + p * w->b_step];
        const float product = a * b;

        sum = fused ? fmaf(a, b, sum) : sum + product;
    }
    return sum == value;
}

/* Does the formula give every wrong element of the rows that are held? */
static int explains(const struct survey *s, enum formula formula, int terms,
                    int fused)
{
    int wrong = 0;

    for (int i = 0; i < s->rows; i++) {
        const int row = s->row[i];
        const double *want, *mag;

        lab_reference_row(s->reference, row, &want, &mag);
        for (int col = 0; col < s->problem->n; col++) {
            const float got = value_at(s, row, col);
            struct walk w;

            if (lab_is_close(&s->tolerance, got, want[col], mag[col]))
                continue;
            if (!walk_of(s, formula, terms, row, col, &w) ||
                !gives(s, &w, fused, got))
                return 0;
            wrong++;
        }
    }
    return wrong >= ENOUGH;
}

static int say_formula(const struct survey *s, char *text, size_t size)
{
    const int k = s->problem->k;

    for (int formula = 0; formula < FORMULAS; formula++) {
        const int some = formula == FIRST_TERMS || formula == LAST_TERMS;

        for (int i = 0; i < (some ? 2 * (k - 1) : 2); i++) {
            const int terms = i / 2 + 1;

            if (!explains(s, (enum formula)formula, terms, i % 2))
                continue;
            if (some) {
                snprintf(text, size,
                         _("Each sum lacks its %s terms: the %s %d of %d "
                           "products give%s the wrong elements."),
                         formula == FIRST_TERMS ? _("last") : _("first"),
                         formula == FIRST_TERMS ? _("first") : _("last"), terms,
                         k, terms == 1 ? "s" : "");
            } else {
                snprintf(text, size, "%s", _(formula_says[formula]));
            }
            return 1;
        }
    }
    return 0;
}

static int is_unwritten(float x)
{
    return lab_is_poison(x) != 0;
}

static int is_nan(float x)
{
    return isnan(x) != 0;
}

static long long count(const struct survey *s, int (*is)(float), int *row,
                       int *col)
{
    const int n = s->problem->n;
    long long found = 0;

    for (long long i = (long long)s->problem->m * n; i-- > 0;) {
        if (is(s->C[i])) {
            found++;
            *row = (int)(i / n);
            *col = (int)(i % n);
        }
    }
    return found;
}

/* The rows and columns in front of what `is`, if that is a margin of C, and
   its whole: returns 0 if it is not. */
static int front_of(const struct survey *s, int (*is)(float), long long found,
                    int *rows, int *cols)
{
    *rows = s->problem->m;
    *cols = s->problem->n;
    while (*rows > 0 && is(value_at(s, *rows - 1, 0)))
        --*rows;
    while (*cols > 0 && is(value_at(s, 0, *cols - 1)))
        --*cols;
    for (int row = 0; row < *rows; row++) {
        for (int col = 0; col < *cols; col++) {
            if (is(value_at(s, row, col)))
                return 0;
        }
    }
    return *rows > 0 && *cols > 0 &&
           (long long)*rows * *cols ==
               (long long)s->problem->m * s->problem->n - found;
}

/* Says which elements were never written, or are NaN, and where they are. */
static int say_unset(const struct survey *s, int (*is)(float), const char *one,
                     const char *many, char *text, size_t size)
{
    const int m = s->problem->m, n = s->problem->n;
    const long long all = (long long)m * n;
    const char *const name = s->of->array[LAB_C].name;
    const int is_vector = s->of->array[LAB_C].rows == 0;
    char element[LAB_ELEMENT_TEXT];
    int row = 0, col = 0, rows, cols;
    const long long found = count(s, is, &row, &col);

    if (found == 0)
        return 0;
    if (found == all) {
        snprintf(text, size, _("No element of %s %s."), name,
                 is == is_nan ? _("is a number: all are NaN")
                              : _("was written"));
    } else if (!front_of(s, is, found, &rows, &cols)) {
        snprintf(text, size,
                 _("%lld of %lld elements of %s %s, the first is %s."), found,
                 all, name, found == 1 ? one : many,
                 lab_problem_element(s->of, LAB_C, row, col, element));
    } else if (rows < m && cols < n) {
        snprintf(text, size,
                 _("All but the first %d rows and %d columns of %s %s."), rows,
                 cols, name, many);
    } else {
        const char *what = rows < m    ? _("row")
                           : is_vector ? _("element")
                                       : _("column");
        const int from = rows < m ? rows : cols, to = (rows < m ? m : n) - 1;

        if (from == to) {
            snprintf(text, size, _("The last %s of %s %s."), what, name, one);
        } else {
            snprintf(text, size, _("The %s %d to %d of %s %s."),
                     rows < m    ? _("rows")
                     : is_vector ? _("elements")
                                 : _("columns"),
                     from, to, name, many);
        }
    }
    return 1;
}

static int say_same(const struct survey *s, char *text, size_t size)
{
    const long long all = (long long)s->problem->m * s->problem->n;
    long long same = 0;

    while (same < all && s->C[same] == s->C[0])
        same++;
    if (same < all || (all == 1 && s->C[0] != 0.0f))
        return 0;
    snprintf(text, size, _("Every element of %s is %g."),
             s->of->array[LAB_C].name, (double)s->C[0]);
    return 1;
}

int lab_diagnose(const struct lab_reference *reference, const float *C,
                 char *text, size_t size)
{
    struct survey s = {.reference = reference, .C = C};
    struct lab_diff diff;

    if (reference == NULL || C == NULL || text == NULL || size == 0) {
        errno = EINVAL;
        return -1;
    }
    text[0] = '\0';
    if (lab_verify(reference, C, &diff) == 0)
        return 0;
    s.problem = lab_reference_factors(reference);
    s.of = lab_reference_problem(reference);
    s.tolerance = lab_reference_tolerance(reference);
    s.row = lab_reference_rows(reference, &s.rows);

    (void)(say_unset(&s, is_unwritten, _("was never written"),
                     _("were never written"), text, size) ||
           say_unset(&s, is_nan, _("is NaN"), _("are NaN"), text, size) ||
           say_same(&s, text, size) ||
           (s.of->want == NULL && say_formula(&s, text, size)));
    return 0;
}
