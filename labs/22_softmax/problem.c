/* y = softmax of x, row by row: y[r][c] = exp(x[r][c]) / the sum of row r's
   exp(x[r][...]). M rows of N floats. */
#include <float.h>
#include <math.h>

#include "harness/inputs.h"
#include "problem/problem.h"

/* From 96 to 104 at first: exp of that is more than a float holds, unless the
   largest of the row is subtracted first. Longer and longer stretches follow,
   each around another thousand from -4000 to 4000, which is too much for a
   double as well: rows differ, and some change within, so that neither a
   constant nor a row's first element will do. */
static void fill(int i, float *x, size_t count, uint64_t seed)
{
    const size_t longer = 40; /* than the stretch before */
    size_t stretch = longer, left = stretch;
    float around = 100.0f;

    (void)i;
    lab_fill(x, count, seed);
    for (size_t at = 0; at < count; at++, left--) {
        if (left == 0) {
            around = 1000.0f * (float)(lab_random(&seed) % 9) - 4000.0f;
            left = stretch += longer;
        }
        x[at] = around + 4.0f * x[at];
    }
}

static double largest_of(const float *x, int n)
{
    double most = (double)x[0];

    for (int col = 1; col < n; col++)
        most = fmax(most, (double)x[col]);
    return most;
}

/* Each term of the sum may be scaled anew at each step: exp is taken, which is
   off by two roundings, of a difference that is rounded, and multiplied. Less
   than the least normal float may be 0. */
static void want(struct course_shape size, const float *const in[2],
                 double *want, double *tolerance)
{
    const double error = lab_rounding(5.0 * size.n + 40.0);

    for (int row = 0; row < size.m; row++) {
        const float *x = &in[0][(size_t)row * (size_t)size.n];
        double *y = &want[(size_t)row * (size_t)size.n];
        const double most = largest_of(x, size.n);
        double sum = 0.0;

        for (int col = 0; col < size.n; col++)
            sum += exp((double)x[col] - most);
        for (int col = 0; col < size.n; col++) {
            y[col] = exp((double)x[col] - most) / sum;
            tolerance[y - want + col] = error * y[col] + (double)FLT_MIN;
        }
    }
}

const struct lab_problem lab_problem_softmax = {
    .array = {[LAB_A] = {"x", .rows = LAB_M, .cols = LAB_N},
              [LAB_C] = {"y", .rows = LAB_M, .cols = LAB_N}},
    .fill = fill,
    .want = want,
};
