/*
 * reference.h: what should C = A * B be?
 *
 * A is m x k, B is k x n, both dense, row-major and in host memory. All is
 * computed in float64: want = A * B, and mag = |A| * |B|, the size of the
 * terms that were summed, from which verify.h derives its tolerance.
 *
 * A product of up to 2^31 multiply-adds and 2^24 elements is computed as a
 * whole. Of a larger one the reference holds two things instead:
 *
 *   rows   up to 32 rows of want and mag: the first, the last, those on both
 *          sides of a tile's edge, and some drawn from the seed. A mistake in
 *          a column, or in the sum over k, shows in every row, so here too.
 *   sums   for every other row, Freivalds' check: C x is compared with
 *          A (B x) for vectors x of random signs. R. Freivalds,
 *          "Probabilistic machines can use less running time", IFIP
 *          Congress 1977.
 *
 * Each x is zero outside LAB_SUM_WIDTH neighbouring columns, and there is one
 * for each such block of columns and each of LAB_SUM_SETS sets of signs. That
 * costs 3/16 of the product to prepare and m n steps to compare. One x over
 * all n columns would be cheaper still, but its tolerance has to allow for n
 * elements that are each off by their own: at 8192 a row of zeros would pass.
 *
 * What the sums can miss, in a row that is not held: an error of an element
 * smaller than about the tolerances of its block together (16 times its own);
 * and errors in the same block that cancel, with chance 1/2 for each set of
 * signs. One element that is 0 instead of a sum of k products of values in
 * (-1, 1) is missed in one case of seven at k = 4096 and in two of five at
 * 8192, where its tolerance is 1. What they cannot miss: a NaN, an infinity.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "precision.h"
#include "problem/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LAB_SUM_WIDTH = 16, /* columns of C in one sum */
    LAB_SUM_SETS = 2    /* sums of the same columns with other signs */
};

struct lab_factors {
    const float *A; /* m x k */
    const float *B; /* k x n */
    int m, n, k;
    int sampled; /* 1: rows and sums at any size */
};

struct lab_reference;

/*
 * Computes the reference. A and B stay the caller's, and must outlive it.
 * The seed draws the signs and some of the rows; it matters only to a large
 * product. Free the result with lab_reference_free.
 *
 * Returns NULL with a reason in why if m, n or k is below 1, k is 2^24 or
 * more, A or B has an element that is not finite, or memory runs out.
 */
struct lab_reference *lab_reference_new(struct lab_factors factors,
                                        uint64_t seed, char *why,
                                        size_t why_size);

/*
 * The reference of any problem (problem.h), at that size and of these inputs,
 * which it does not keep. Returns NULL with a reason in why if memory runs out.
 */
struct lab_reference *lab_reference_of(const struct lab_problem *problem,
                                       struct course_shape size,
                                       const float *const in[2], uint64_t seed,
                                       char *why, size_t why_size);

/* The problem whose reference it is. */
const struct lab_problem *
lab_reference_problem(const struct lab_reference *reference);

/* In which precision C may be computed: LAB_FP32 if nothing is said. Of
   LAB_BF16 A and B are bf16 already; of LAB_TF32 they are the lab's inputs. */
void lab_reference_allow(struct lab_reference *reference,
                         enum lab_precision precision);
enum lab_precision
lab_reference_precision(const struct lab_reference *reference);

/* NULL is allowed. */
void lab_reference_free(struct lab_reference *reference);

/* Of a problem that is no product, m and n alone: of the result. */
const struct lab_factors *
lab_reference_factors(const struct lab_reference *reference);

/* The rows that are held, in ascending order; *count is m if all are. */
const int *lab_reference_rows(const struct lab_reference *reference,
                              int *count);

/*
 * Points *want and *mag (of no product: its tolerances) at the n elements of
 * a row and returns 1; returns 0 if the row is not held.
 */
int lab_reference_row(const struct lab_reference *reference, int row,
                      const double **want, const double **mag);

/* Computes count elements of any row, from col on. Takes count * k steps. */
void lab_reference_span(const struct lab_reference *reference, int row, int col,
                        int count, double *want, double *mag);

/* The n signs, each 1 or -1, of one set. NULL if every row is held. */
const signed char *lab_reference_signs(const struct lab_reference *reference,
                                       int set);

/*
 * Gives the sum of sign * want, and of mag, over one block of a row: the
 * columns from block * LAB_SUM_WIDTH on, as many as there are up to
 * LAB_SUM_WIDTH. Only where not every row is held.
 */
void lab_reference_sum(const struct lab_reference *reference, int set, int row,
                       int block, double *want, double *mag);

#ifdef __cplusplus
}
#endif

#endif /* LAB_REFERENCE_H */
