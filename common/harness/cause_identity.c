/* Which elements stand in a wrong sum, if the inputs tell them apart? See
   cause.h. */
#include "cause_parts.h"

#include "inputs.h"

#include <math.h>
#include <stdlib.h>

/* Values are these integers divided by 64: products are multiples of 2^-12, and
   a sum whose terms add up to less than 2^24 of them is exact in float. */
#define UNIT 0x1p-6
#define MOST (0x1p24 * UNIT * UNIT)

static int by_value(const void *left, const void *right)
{
    const float a = ((const struct lab_known *)left)->value;
    const float b = ((const struct lab_known *)right)->value;

    return (a > b) - (a < b);
}

/* Numbers from the first-th on, each with both signs, shuffled. */
static void fill_distinct(float *x, size_t count, size_t first, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        /* Neither whole numbers nor halves, which a lab may have of itself. */
        const size_t nth = first - 1 + i / 2;
        const size_t whole = nth + nth / 31 + 1;
        const double number = (double)whole;

        x[i] = (float)((i % 2 ? -number : number) * UNIT);
    }
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(lab_random(&seed) % i);
        const float kept = x[i - 1];

        x[i - 1] = x[j];
        x[j] = kept;
    }
}

struct lab_identity *lab_identity_new(float *A, float *B, int m, int n, int k)
{
    const size_t a = (size_t)m * (size_t)k, b = (size_t)k * (size_t)n;
    struct lab_identity *identity = malloc(sizeof *identity);

    if (identity == NULL)
        return NULL;
    *identity = (struct lab_identity){A, B, m, n, k, NULL, a + b};
    identity->known = malloc((a + b) * sizeof *identity->known);
    if (identity->known == NULL) {
        free(identity);
        return NULL;
    }
    fill_distinct(A, a, 1, 1);
    fill_distinct(B, b, 1 + (a + 1) / 2, 2);
    for (size_t i = 0; i < a + b; i++) {
        identity->known[i].value = i < a ? A[i] : B[i - a];
        identity->known[i].at = (int)i;
    }
    qsort(identity->known, a + b, sizeof *identity->known, by_value);
    return identity;
}

void lab_identity_free(struct lab_identity *identity)
{
    if (identity != NULL)
        free(identity->known);
    free(identity);
}

double lab_cause_a(const struct lab_identity *d, int row, int i)
{
    return (double)d->A[(size_t)row * (size_t)d->k + (size_t)i];
}

double lab_cause_b(const struct lab_identity *d, int i, int col)
{
    return (double)d->B[(size_t)i * (size_t)d->n + (size_t)col];
}

int lab_cause_is_exact(double size)
{
    return size < MOST;
}

double lab_identity_want(const struct lab_identity *d, int row, int col,
                         int *exact)
{
    double sum = 0.0, mag = 0.0;

    for (int i = 0; i < d->k; i++) {
        const double term = lab_cause_a(d, row, i) * lab_cause_b(d, i, col);

        sum += term;
        mag += fabs(term);
    }
    *exact = lab_cause_is_exact(mag);
    return sum;
}

int lab_identity_is_wrong(const struct lab_identity *d, int row, int col,
                          float got)
{
    const double unit = 0x1p-23;
    double sum = 0.0, mag = 0.0;

    for (int i = 0; i < d->k; i++) {
        const double term = lab_cause_a(d, row, i) * lab_cause_b(d, i, col);

        sum += term;
        mag += fabs(term);
    }
    return lab_cause_is_exact(mag)
               ? (double)got != sum
               : !(fabs((double)got - sum) <= d->k * unit * mag);
}

void lab_cause_identify(const struct lab_identity *d, float value,
                        struct lab_load *load)
{
    const struct lab_known key = {value, 0};
    const struct lab_known *found;
    const int a = d->m * d->k;

    load->value = (double)value;
    load->what = value == 0.0f  ? LAB_ZERO
                 : isnan(value) ? LAB_UNSET
                                : LAB_UNKNOWN;
    if (load->what != LAB_UNKNOWN)
        return;
    found = bsearch(&key, d->known, d->count, sizeof *d->known, by_value);
    if (found == NULL)
        return;
    if (found->at < a) {
        load->what = LAB_OF_A;
        load->row = found->at / d->k;
        load->col = found->at % d->k;
    } else {
        load->what = LAB_OF_B;
        load->row = (found->at - a) / d->n;
        load->col = (found->at - a) % d->n;
    }
}
