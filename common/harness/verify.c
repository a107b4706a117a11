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
static const double unit_tf32 = 0x1p-11;
static const double unit_bf16 = 0x1p-8;
static const double cut_float = 0x1p-23; /* a float's last bit, cut off */

/* Bounds the relative error after so many roundings (Higham, lemma 3.1). */
static double gamma_of(double roundings, double unit)
{
    const double sum = roundings * unit;

    return sum < 1.0 ? sum / (1.0 - sum) : (double)NAN;
}

/* What the sums may be off, times mag, and the factors (verify.h). */
static double kernel_factor(enum lab_precision precision, int k)
{
    const double sums = precision == LAB_FP32
                            ? gamma_of(fmax(k, 4.0), unit_float)
                            : gamma_of(2.0 * k, cut_float);
    const double factors =
        precision == LAB_TF32 ? (2.0 + unit_tf32) * unit_tf32 : 0.0;

    return sums + factors + sums * factors;
}

/*
 * A right kernel has |got - exact| <= factor mag, or more if it rounds what it
 * stores. The reference has |want - exact| <= g mag and a mag that may be g too
 * small. The eight more roundings are those of the comparison itself.
 */
struct lab_tolerance lab_tolerance_of(enum lab_precision precision, int k)
{
    const double g = gamma_of(k + 8.0, unit_double);
    const double factor = kernel_factor(precision, k);
    const double stored = precision == LAB_BF16 ? unit_bf16 : 0.0;

    return (struct lab_tolerance){
        .of_mag = (factor + stored * (factor + g) + g) / (1.0 - g),
        .of_want = stored,
    };
}

struct lab_tolerance
lab_reference_tolerance(const struct lab_reference *reference)
{
    if (lab_reference_problem(reference)->want != NULL)
        return (struct lab_tolerance){.of_mag = 1.0};
    return lab_tolerance_of(lab_reference_precision(reference),
                            lab_reference_factors(reference)->k);
}

double lab_tolerance_at(const struct lab_tolerance *t, double want, double mag)
{
    return t->of_mag * mag + t->of_want * fabs(want);
}

int lab_is_close(const struct lab_tolerance *t, float got, double want,
                 double mag)
{
    return fabs((double)got - want) <= lab_tolerance_at(t, want, mag);
}

/*
 * The same for a sum, times its mag. Each of its elements passed, so it is
 * within `element` of the exact one; the sums of C and of the reference are
 * rounded too.
 */
static double sum_tolerance_factor(const struct lab_tolerance *t, int k)
{
    const double g = gamma_of((double)k + LAB_SUM_WIDTH + 8.0, unit_double);
    const double both = t->of_mag + t->of_want * (1.0 + g);
    const double element = both * (1.0 + g) + g;

    return (element + (2.0 + element) * g) / (1.0 - g);
}

static void compare_element(struct lab_diff *diff, int row, int col, float got,
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
                       int row, int col, int count,
                       const struct lab_tolerance *t, struct lab_diff *diff)
{
    double want[LAB_SUM_WIDTH], mag[LAB_SUM_WIDTH];

    lab_reference_span(reference, row, col, count, want, mag);
    for (int j = 0; j < count; j++) {
        compare_element(diff, row, col + j, got[j], want[j],
                        lab_tolerance_at(t, want[j], mag[j]));
    }
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

    const struct lab_factors *factors = lab_reference_factors(reference);
    const int n = factors->n;
    const struct lab_tolerance t = lab_reference_tolerance(reference);
    const double sum_factor = sum_tolerance_factor(&t, factors->k);
    int rows, apart = 0;

    *diff = (struct lab_diff){0};
    lab_reference_rows(reference, &rows);
    diff->exact = rows == factors->m;

    for (int row = 0; row < factors->m; row++) {
        const float *got = &C[(size_t)row * (size_t)n];
        const double *want, *mag;

        if (lab_reference_row(reference, row, &want, &mag)) {
            for (int col = 0; col < n; col++) {
                compare_element(diff, row, col, got[col], want[col],
                                lab_tolerance_at(&t, want[col], mag[col]));
            }
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
                take_apart(reference, &got[col], row, col, count, &t, diff);
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
