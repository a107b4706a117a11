#include "reference.h"
#include "blas.h"
#include "inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WHOLE_STEPS    0x1p31 /* multiply-adds of a product done as a whole */
#define WHOLE_ELEMENTS 0x1p24 /* of C: want and mag then take 256 MiB */
#define LARGE_STEPS    0x1p28 /* multiply-adds from which OpenBLAS pays */

enum {
    SAMPLED_ROWS = 32,
    SAMPLED_ELEMENTS = 1 << 22, /* in all sampled rows together */
    /* A panel is the part of a matrix that is converted to double at a time,
       so that no matrix is ever there twice. */
    PANEL_ROWS = 256,
    PANEL_DEPTH = 256, /* of k */
    PANEL_COLS = 512
};

struct lab_reference {
    const struct lab_problem *of;
    struct lab_factors factors;
    enum lab_precision precision;
    int rows;           /* how many are held; m if all */
    int *row;           /* their numbers, ascending */
    int *held;          /* m, each the row's place in row, or -1 */
    double *want, *mag; /* rows x n */
    /* Where rows < m, else NULL: */
    signed char *sign;         /* LAB_SUM_SETS x n */
    double *sum[LAB_SUM_SETS]; /* m x blocks, sums of sign * want */
    double *sum_mag;           /* m x blocks, sums of mag */
};

/* The right-hand side of a product. */
struct right {
    int absolute;            /* take |a| and |b| */
    int folded;              /* add up each LAB_SUM_WIDTH columns */
    const signed char *sign; /* of the columns to be added up; NULL: all 1 */
};

static int blocks_of(int n)
{
    return (n - 1) / LAB_SUM_WIDTH + 1;
}

static int at_most(int value, int limit)
{
    return value < limit ? value : limit;
}

/* Converts rows first_row.. of A (row[first_row].. if row is not NULL). */
static void left_panel(double *panel, const struct lab_factors *factors,
                       const int *row, int first_row, int rows, int first,
                       int depth, int absolute)
{
    for (int i = 0; i < rows; i++) {
        const int from = row == NULL ? first_row + i : row[first_row + i];
        const float *a =
            &factors->A[(size_t)from * (size_t)factors->k + (size_t)first];

        for (int p = 0; p < depth; p++)
            *panel++ = absolute ? fabs((double)a[p]) : (double)a[p];
    }
}

/* Converts depth rows of B, or of B folded, from column first_col on. */
static void right_panel(double *panel, const struct lab_factors *factors,
                        const struct right *right, int first, int depth,
                        int first_col, int cols)
{
    const int n = factors->n;

    for (int p = 0; p < depth; p++) {
        const float *b = &factors->B[(size_t)(first + p) * (size_t)n];

        for (int j = 0; j < cols; j++) {
            const int width = right->folded ? LAB_SUM_WIDTH : 1;
            const int begin = (first_col + j) * width;
            const int end = at_most(n - begin, width) + begin;
            double sum = 0.0;

            for (int col = begin; col < end; col++) {
                const double value = (double)b[col];

                if (right->absolute) {
                    sum += fabs(value);
                } else if (right->sign != NULL && right->sign[col] < 0) {
                    sum -= value;
                } else {
                    sum += value;
                }
            }
            *panel++ = sum;
        }
    }
}

/*
 * Multiplies rows of A, the listed ones or with row NULL the first ones, by a
 * right-hand side. Returns the product, rows x n or rows x blocks, for the
 * caller to free, or NULL.
 */
static double *multiply_rows(const struct lab_factors *factors, const int *row,
                             int rows, const struct right *right)
{
    const int n = right->folded ? blocks_of(factors->n) : factors->n;
    const int k = factors->k;
    const int large = (double)rows * n * k >= LARGE_STEPS;
    double *out = calloc((size_t)rows * (size_t)n, sizeof *out);
    double *left = calloc((size_t)PANEL_ROWS * PANEL_DEPTH, sizeof *left);
    double *b = calloc((size_t)PANEL_DEPTH * PANEL_COLS, sizeof *b);

    if (out == NULL || left == NULL || b == NULL) {
        free(out);
        out = NULL;
        goto done;
    }
    for (int col = 0; col < n; col += at_most(n - col, PANEL_COLS)) {
        const int cols = at_most(n - col, PANEL_COLS);

        for (int p = 0; p < k; p += at_most(k - p, PANEL_DEPTH)) {
            const int depth = at_most(k - p, PANEL_DEPTH);

            right_panel(b, factors, right, p, depth, col, cols);
            for (int i = 0; i < rows; i += at_most(rows - i, PANEL_ROWS)) {
                const int count = at_most(rows - i, PANEL_ROWS);

                left_panel(left, factors, row, i, count, p, depth,
                           right->absolute);
                lab_blas_multiply_add(&out[(size_t)i * (size_t)n + (size_t)col],
                                      (size_t)n, left, b, count, cols, depth,
                                      large);
            }
        }
    }
done:
    free(left);
    free(b);
    return out;
}

/* Marks a row to be held, unless it is already or there is no such row. */
static void mark(struct lab_reference *r, int row)
{
    if (row < 0 || row >= r->factors.m || r->held[row] >= 0)
        return;
    r->held[row] = 0;
    r->rows++;
}

/* Chooses the rows to be held and lists them in order. */
static int choose_rows(struct lab_reference *r, int whole, uint64_t *random)
{
    const int m = r->factors.m;
    const int edge[] = {0,   m - 1, m / 16 * 16, m / 16 * 16 - 1,
                        15,  16,    m / 64 * 64, m / 64 * 64 - 1,
                        63,  64,    31,          32,
                        127, 128};
    const int room = at_most(SAMPLED_ELEMENTS / r->factors.n, SAMPLED_ROWS);
    const int wanted = whole ? m : at_most(m, room < 2 ? 2 : room);

    r->held = malloc((size_t)m * sizeof *r->held);
    r->row = malloc((size_t)wanted * sizeof *r->row);
    if (r->held == NULL || r->row == NULL)
        return -1;
    for (int i = 0; i < m; i++)
        r->held[i] = wanted == m ? 0 : -1;
    if (wanted == m)
        r->rows = m;
    for (size_t i = 0; i < sizeof edge / sizeof *edge && r->rows < wanted; i++)
        mark(r, edge[i]);
    while (r->rows < wanted)
        mark(r, (int)(lab_random(random) % (uint64_t)m));

    for (int i = 0, place = 0; i < m; i++) {
        if (r->held[i] < 0)
            continue;
        r->held[i] = place;
        r->row[place++] = i;
    }
    return 0;
}

static int prepare_sums(struct lab_reference *r, uint64_t *random)
{
    const int m = r->factors.m;
    const size_t n = (size_t)r->factors.n;

    r->sign = malloc(n * LAB_SUM_SETS);
    if (r->sign == NULL)
        return -1;
    for (size_t i = 0; i < n * LAB_SUM_SETS; i++)
        r->sign[i] = lab_random(random) >> 63 ? 1 : -1;

    for (int set = 0; set < LAB_SUM_SETS; set++) {
        const struct right right = {.folded = 1,
                                    .sign = &r->sign[n * (size_t)set]};

        r->sum[set] = multiply_rows(&r->factors, NULL, m, &right);
        if (r->sum[set] == NULL)
            return -1;
    }
    r->sum_mag = multiply_rows(&r->factors, NULL, m,
                               &(struct right){.absolute = 1, .folded = 1});
    return r->sum_mag == NULL ? -1 : 0;
}

static int all_finite(const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]))
            return 0;
    }
    return 1;
}

/* Is all of the product computed? */
static int is_whole(const struct lab_factors *factors)
{
    const double elements = (double)factors->m * factors->n;

    return !factors->sampled && elements <= WHOLE_ELEMENTS &&
           elements * factors->k <= WHOLE_STEPS;
}

struct lab_reference *lab_reference_new(struct lab_factors factors,
                                        uint64_t seed, char *why,
                                        size_t why_size)
{
    const int m = factors.m, n = factors.n, k = factors.k;
    uint64_t random = seed;
    struct lab_reference *r;

    if (m < 1 || n < 1 || k < 1 || k >= 1 << 24) {
        snprintf(why, why_size,
                 "cannot check a %d x %d x %d product: each size must be at "
                 "least 1, and k below 2^24",
                 m, n, k);
        return NULL;
    }
    if (!all_finite(factors.A, (size_t)m * (size_t)k) ||
        !all_finite(factors.B, (size_t)k * (size_t)n)) {
        snprintf(why, why_size,
                 "cannot check the product: A or B holds a NaN or infinity");
        return NULL;
    }

    r = calloc(1, sizeof *r);
    if (r == NULL)
        goto no_memory;
    r->of = &lab_product;
    r->factors = factors;
    if (choose_rows(r, is_whole(&factors), &random) != 0)
        goto no_memory;
    r->want = multiply_rows(&factors, r->row, r->rows, &(struct right){0});
    r->mag = multiply_rows(&factors, r->row, r->rows,
                           &(struct right){.absolute = 1});
    if (r->want == NULL || r->mag == NULL)
        goto no_memory;
    if (r->rows < m && prepare_sums(r, &random) != 0)
        goto no_memory;
    return r;

no_memory:
    snprintf(why, why_size,
             "no memory for the reference of a %d x %d x %d product", m, n, k);
    lab_reference_free(r);
    return NULL;
}

/* Of a problem that is no product all is held. */
static struct lab_reference *compute_all(const struct lab_problem *problem,
                                         struct course_shape size,
                                         const float *const in[2])
{
    struct lab_reference *r = calloc(1, sizeof *r);
    uint64_t random = 0; /* of nothing, as all rows are chosen */
    size_t count;

    if (r == NULL)
        return NULL;
    r->of = problem;
    lab_problem_extent(problem, LAB_C, size, &r->factors.m, &r->factors.n);
    count = (size_t)r->factors.m * (size_t)r->factors.n;
    r->want = calloc(count, sizeof *r->want);
    r->mag = calloc(count, sizeof *r->mag);
    if (choose_rows(r, 1, &random) != 0 || r->want == NULL || r->mag == NULL) {
        lab_reference_free(r);
        return NULL;
    }
    problem->want(size, in, r->want, r->mag);
    return r;
}

struct lab_reference *lab_reference_of(const struct lab_problem *problem,
                                       struct course_shape size,
                                       const float *const in[2], uint64_t seed,
                                       char *why, size_t why_size)
{
    struct lab_reference *r;

    if (problem->want == NULL) {
        return lab_reference_new((struct lab_factors){in[LAB_A], in[LAB_B],
                                                      size.m, size.n, size.k,
                                                      0},
                                 seed, why, why_size);
    }
    r = compute_all(problem, size, in);
    if (r == NULL)
        snprintf(why, why_size, "no memory for the reference");
    return r;
}

void lab_reference_allow(struct lab_reference *reference,
                         enum lab_precision precision)
{
    reference->precision = precision;
}

enum lab_precision
lab_reference_precision(const struct lab_reference *reference)
{
    return reference->precision;
}

void lab_reference_free(struct lab_reference *reference)
{
    if (reference == NULL)
        return;
    free(reference->row);
    free(reference->held);
    free(reference->want);
    free(reference->mag);
    free(reference->sign);
    for (int set = 0; set < LAB_SUM_SETS; set++)
        free(reference->sum[set]);
    free(reference->sum_mag);
    free(reference);
}

const struct lab_problem *
lab_reference_problem(const struct lab_reference *reference)
{
    return reference->of;
}

const struct lab_factors *
lab_reference_factors(const struct lab_reference *reference)
{
    return &reference->factors;
}

const int *lab_reference_rows(const struct lab_reference *reference, int *count)
{
    *count = reference->rows;
    return reference->row;
}

int lab_reference_row(const struct lab_reference *reference, int row,
                      const double **want, const double **mag)
{
    const int place = reference->held[row];

    if (place < 0)
        return 0;
    *want = &reference->want[(size_t)place * (size_t)reference->factors.n];
    *mag = &reference->mag[(size_t)place * (size_t)reference->factors.n];
    return 1;
}

void lab_reference_span(const struct lab_reference *reference, int row, int col,
                        int count, double *want, double *mag)
{
    const struct lab_factors *factors = &reference->factors;
    const float *a = &factors->A[(size_t)row * (size_t)factors->k];

    for (int j = 0; j < count; j++)
        want[j] = mag[j] = 0.0;
    for (int p = 0; p < factors->k; p++) {
        const float *b = &factors->B[(size_t)p * (size_t)factors->n];

        for (int j = 0; j < count; j++) {
            const double term = (double)a[p] * (double)b[col + j];

            want[j] += term;
            mag[j] += fabs(term);
        }
    }
}

const signed char *lab_reference_signs(const struct lab_reference *reference,
                                       int set)
{
    if (reference->sign == NULL)
        return NULL;
    return &reference->sign[(size_t)set * (size_t)reference->factors.n];
}

void lab_reference_sum(const struct lab_reference *reference, int set, int row,
                       int block, double *want, double *mag)
{
    const size_t at =
        (size_t)row * (size_t)blocks_of(reference->factors.n) + (size_t)block;

    *want = reference->sum[set][at];
    *mag = reference->sum_mag[at];
}
