/* sum[0] is the sum of x, of N floats. */
#include "harness/inputs.h"
#include "problem/problem.h"

/* Odd multiples of 1/64 in (-1, 1). Up to 2^18 of them have sums that a float
   holds exactly, in any order: so one element too many or too few shows. */
static void fill(int i, float *x, size_t count, uint64_t seed)
{
    (void)i;
    for (size_t at = 0; at < count; at++)
        x[at] = (float)(2 * (int)(lab_random(&seed) % 64) - 63) / 64.0f;
}

static void want(struct course_shape size, const float *const in[2],
                 double *want, double *tolerance)
{
    for (int i = 0; i < size.n; i++)
        want[0] += (double)in[0][i];
    tolerance[0] = 0.0;
}

const struct lab_problem lab_problem_reduction = {
    .array = {[LAB_A] = {"x", .cols = LAB_N}, [LAB_C] = {"sum", .cols = 1}},
    .fill = fill,
    .want = want,
};
