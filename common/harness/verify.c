#include "verify.h"

#include <errno.h>
#include <math.h>

/* Failing sums that are taken apart; of the others it is only known that at
   least one element is wrong. Each takes 16 k steps. */
enum {
    TAKEN_APART = 256
};

static const double unit_float = 0x1p-24;
static const double unit_double = 0x1p-53;

/* Bounds the relative error after so many roundings (Higham, lemma 3.1). */
static double gamma_of(double roundings, double unit)
{
    return roundings * unit / (1.0 - roundings * unit);
}

/*
 * A right kernel has |got - exact| <= gamma mag, and the reference has
 * |want - exact| <= g mag and a mag that may be g too small. The eight more
 * roundings are those of the comparison itself.
 */
double lab_tolerance_factor(int k)
{
    const double g = gamma_of(k + 8.0, unit_double);

    return (gamma_of(k, unit_float) + g) / (1.0 - g);
}

/*
 * The same for a sum. Each of its elements passed, so it is within `element`
 * of the exact one; the sums of C and of the reference are rounded too.
 */
static double sum_tolerance_factor(int k)
{
    const double g = gamma_of((double)k + LAB_SUM_WIDTH + 8.0, unit_double);
    const double element = lab_tolerance_factor(k) * (1.0 + g) + g;

    return (element + (2.0 + element) * g) / (1.0 - g);
}

static void compare(struct lab_diff *diff, int row, int col, float got,
                    double want, double tolerance)
{
    const double error = fabs((double)got - want);

    diff->compared++;
    diff->tolerance = fmax(diff->tolerance, tolerance);
    if (isfinite(error)) {
        diff->max_error = fmax(diff->max_error, error);
        if (error > 0.0) {
            diff->max_ratio =
                fmax(diff->max_ratio,
                     tolerance > 0.0 ? error / tolerance : (double)INFINITY);
        }
    }
    if (error <= tolerance)
        return;

    diff->bad++;
    diff->nan += isnan(got) != 0;
    if (diff->shown < LAB_DIFF_SHOWN) {
        diff->first[diff->shown++] =
            (struct lab_wrong){row, col, got, want, tolerance};
    }
}

/* 1 if every set's sum over these elements of a row passes, else 0. */
static int sums_pass(const struct lab_reference *reference, const float *got,
                     int row, int block, int count, double factor)
{
    for (int set = 0; set < LAB_SUM_SETS; set++) {
        const signed char *sign =
            lab_reference_signs(reference, set) + block * LAB_SUM_WIDTH;
        double sum = 0.0, want, mag;

        for (int j = 0; j < count; j++)
            sum += sign[j] * (double)got[j];
        lab_reference_sum(reference, set, row, block, &want, &mag);
        if (!(fabs(sum - want) <= factor * mag))
            return 0;
    }
    return 1;
}

/* Finds the wrong elements behind a sum that failed. */
static void take_apart(const struct lab_reference *reference, const float *got,
                       int row, int col, int count, double factor,
                       struct lab_diff *diff)
{
    double want[LAB_SUM_WIDTH], mag[LAB_SUM_WIDTH];

    lab_reference_span(reference, row, col, count, want, mag);
    for (int j = 0; j < count; j++)
        compare(diff, row, col + j, got[j], want[j], factor * mag[j]);
}

/* Counts what can be seen without computing: what is not finite. */
static void count_at_least(const float *got, int count, struct lab_diff *diff)
{
    int bad = 0;

    for (int j = 0; j < count; j++) {
        bad += !isfinite(got[j]);
        diff->nan += isnan(got[j]) != 0;
    }
    diff->bad += bad > 0 ? bad : 1;
}

int lab_verify(const struct lab_reference *reference, const float *C,
               struct lab_diff *diff)
{
    if (reference == NULL || C == NULL || diff == NULL) {
        errno = EINVAL;
        return -1;
    }

    const struct lab_problem *problem = lab_reference_problem(reference);
    const int n = problem->n;
    const double factor = lab_tolerance_factor(problem->k);
    const double sum_factor = sum_tolerance_factor(problem->k);
    int rows, apart = 0;

    *diff = (struct lab_diff){0};
    lab_reference_rows(reference, &rows);
    diff->exact = rows == problem->m;

    for (int row = 0; row < problem->m; row++) {
        const float *got = &C[(size_t)row * (size_t)n];
        const double *want, *mag;

        if (lab_reference_row(reference, row, &want, &mag)) {
            for (int col = 0; col < n; col++)
                compare(diff, row, col, got[col], want[col], factor * mag[col]);
            continue;
        }
        for (int block = 0; block <= (n - 1) / LAB_SUM_WIDTH; block++) {
            const int col = block * LAB_SUM_WIDTH;
            const int count = n - col < LAB_SUM_WIDTH ? n - col : LAB_SUM_WIDTH;
            const long long known = diff->bad;

            diff->sums += LAB_SUM_SETS;
            if (sums_pass(reference, &got[col], row, block, count, sum_factor))
                continue;
            if (apart++ < TAKEN_APART) {
                take_apart(reference, &got[col], row, col, count, factor, diff);
            } else {
                count_at_least(&got[col], count, diff);
            }
            /* Never so by the bound; were it so, the sum decides. */
            if (diff->bad == known)
                diff->bad++;
        }
    }
    return diff->bad != 0;
}
