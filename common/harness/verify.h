/*
 * verify.h: is a computed matrix close enough to the reference?
 *
 * The only place that knows how a matrix is compared.
 *
 * An element passes if |got - want| <= tolerance. In single precision
 *
 *   tolerance = gamma_k * mag,  gamma_k = k u / (1 - k u),  u = 2^-24,
 *               and gamma_4 for less than four products
 *
 * where u is the unit roundoff of float and mag the element of |A| * |B|.
 * N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
 * SIAM, 2002, section 3.1: the bound holds for any order of summation, so
 * tiled, unrolled and fused kernels all have to meet it. A compensated sum
 * (Kahan) of any length is within 3 u and terms of u squared (section 4.3),
 * which is more than gamma_2. The same bound with u = 2^-53, smaller by 2^-29,
 * is added for the reference's own rounding.
 * A NaN or an infinity never passes: it is not <= anything.
 *
 * Tensor cores (precision.h: tf32, bf16) add in float as well, but differently:
 * several products and the sum so far are shifted to the largest exponent among
 * them, cut off there, added, and cut off again. M. Fasi, N. J. Higham,
 * M. Mikaitis and S. Pranesh, "Numerical behavior of NVIDIA tensor cores",
 * PeerJ Computer Science 7:e330, 2021, found that; the PTX ISA leaves order and
 * rounding open. A cut loses less than 2^-23 of the largest term, which is at
 * most the sum of all sizes. For b products there are at most b + 2 cuts, and
 * b >= 2: at most 2 k for k products. So there
 *
 *   sums     s = gamma_2k with u = 2^-23
 *   tf32     ((1 + f) (1 + s) - 1) * mag,  f = 2 u + u^2,  u = 2^-11
 *            each factor is rounded to 11 bits, to nearest; the product of two
 *            such factors is exact in a float, and so are two of bf16
 *   bf16     s * mag + u (|want| + s * mag),  u = 2^-8
 *            A and B are bf16 as given; each element of C is rounded to 8 bits
 *
 * (Rounding factors: Higham, section 2.2. Sums of blocks: P. Blanchard et al.,
 * "Mixed precision block fused multiply-add", SIAM J. Sci. Comput. 42, 2020.)
 *
 * The bound is a worst case and grows with k squared. For inputs in (-1, 1)
 * it is about 2^-26 k^2: from k = 8192 on it reaches 1, the largest a single
 * term can be, and a sum that lacks one term passes. Small sizes find that.
 *
 * Where the reference holds not every row (reference.h), the others are
 * compared as sums of up to 16 neighbours with random signs. The tolerance of
 * a sum is that of its elements added up, with mag in place of |want|, of which
 * there is no sum; so a matrix whose elements all pass
 * has no sum that fails. A sum that fails is taken apart element by element.
 */
#ifndef LAB_VERIFY_H
#define LAB_VERIFY_H

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LAB_DIFF_SHOWN = 5
};

struct lab_wrong {
    int row, col;
    float got;
    double want, tolerance;
};

/* What lab_verify found. */
struct lab_diff {
    int exact;          /* 1: every element was compared; 0: rows and sums */
    long long bad;      /* elements that do not pass; at least so many if
                           exact is 0 */
    long long nan;      /* NaNs among them */
    long long compared; /* elements compared one by one */
    long long sums;     /* sums compared; 0 if exact is 1 */
    int shown;          /* entries of first, in row-major order */
    struct lab_wrong first[LAB_DIFF_SHOWN];
    /* Of the elements compared one by one: */
    double max_error; /* largest |got - want| that is finite */
    double max_ratio; /* largest finite error / its tolerance: 1.0 is the
                         limit; INFINITY for an error where 0 is allowed */
    double tolerance; /* largest tolerance */
};

/* The tolerance of a sum of k terms: of_mag times the sum of their sizes, and
   of_want times the size of the sum itself. */
struct lab_tolerance {
    double of_mag, of_want;
};

/* That of an element with that mag of the reference: of a product as above, of
   another problem what the problem says. */
struct lab_tolerance
lab_reference_tolerance(const struct lab_reference *reference);

/* 1 <= k < 2^24, or 2^22 on tensor cores; NaN above, so that nothing passes. */
struct lab_tolerance lab_tolerance_of(enum lab_precision precision, int k);

double lab_tolerance_at(const struct lab_tolerance *t, double want, double mag);

/* 1 if got is within the tolerance, else 0: a NaN never is. */
int lab_is_close(const struct lab_tolerance *t, float got, double want,
                 double mag);

/*
 * Compares C, m x n in host memory, with the reference. Returns 0 if it is
 * right, 1 if it is wrong; diff is filled either way. Returns -1 with errno
 * EINVAL if a pointer is NULL. Allocates nothing and prints nothing.
 */
int lab_verify(const struct lab_reference *reference, const float *C,
               struct lab_diff *diff);

#ifdef __cplusplus
}
#endif

#endif /* LAB_VERIFY_H */
