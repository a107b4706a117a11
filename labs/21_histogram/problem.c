/* counts[v] is how many of the N keys are v; keys are ints from 0 to 255. */
#include "harness/inputs.h"
#include "problem/problem.h"

enum {
    BINS = 256
};

/* Small keys are more frequent than large ones. */
static void fill(int i, float *x, size_t count, uint64_t seed)
{
    (void)i;
    for (size_t at = 0; at < count; at++) {
        const int one = (int)(lab_random(&seed) % BINS);
        const int two = (int)(lab_random(&seed) % BINS);
        const int key = one * two / BINS;

        x[at] = (float)key;
    }
}

/* Ints are exact: no element may be off. */
static void want(struct course_shape size, const float *const in[2],
                 double *want, double *tolerance)
{
    (void)tolerance;
    for (int i = 0; i < size.n; i++)
        want[(int)in[0][i]] += 1.0;
}

const struct lab_problem lab_problem_histogram = {
    .array = {[LAB_A] = {"keys", .is_int = 1, .cols = LAB_N},
              [LAB_C] = {"counts", .is_int = 1, .cols = BINS}},
    .fill = fill,
    .want = want,
};
