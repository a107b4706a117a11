/* y = softmax of x, row by row: y[r][c] = exp(x[r][c]) / the sum of row r's
   exp(x[r][...]). M rows of N floats. */
#include <math.h>

#include "harness/inputs.h"
#include "problem/problem.h"

/* From 96 to 104: exp of that is more than a float holds, unless the largest
   of the row is subtracted first. */
static void fill(int i, float *x, size_t count, uint64_t seed)
{
    (void)i;
    lab_fill(x, count, seed);
    for (size_t at = 0; at < count; at++)
        x[at] = 100.0f + 4.0f * x[at];
}

/* Each term of the sum may be scaled anew at each step: exp is taken, which is
   off by two roundings, of a difference that is rounded, and multiplied. */
static void want(struct course_shape size, const float *const in[2],
                 double *want, double *tolerance)
{
    const double error = lab_rounding(5.0 * size.n + 40.0);

    for (int row = 0; row < size.m; row++) {
        const float *x = &in[0][(size_t)row * (size_t)size.n];
        double *y = &want[(size_t)row * (size_t)size.n];
        double sum = 0.0;

        for (int col = 0; col < size.n; col++)
            sum += exp((double)x[col]);
        for (int col = 0; col < size.n; col++) {
            y[col] = exp((double)x[col]) / sum;
            tolerance[y - want + col] = error * y[col];
        }
    }
}

const struct lab_problem lab_problem_softmax = {
    .array = {[LAB_A] = {"x", .rows = LAB_M, .cols = LAB_N},
              [LAB_C] = {"y", .rows = LAB_M, .cols = LAB_N}},
    .fill = fill,
    .want = want,
};
