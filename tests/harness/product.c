#include "../testing.h"
#include "product.h"

#include "harness/inputs.h"

#include <stdlib.h>

static float *matrix(int rows, int cols, uint64_t seed, float (*round)(float))
{
    const size_t size = (size_t)rows * (size_t)cols;
    float *const x = malloc(size * sizeof *x);

    assert_non_null(x);
    lab_fill(x, size, seed);
    for (size_t i = 0; round != NULL && i < size; i++)
        x[i] = round(x[i]);
    return x;
}

struct product product_make(int m, int n, int k, uint64_t fill, uint64_t seed,
                            int sampled, float (*round)(float))
{
    struct product p = {.m = m, .n = n, .k = k};
    char why[200] = "";

    p.A = matrix(m, k, fill, round);
    p.B = matrix(k, n, fill + 1, round);
    p.C = matrix(m, n, fill, NULL);
    p.reference =
        lab_reference_new((struct lab_factors){p.A, p.B, m, n, k, sampled},
                          seed, why, sizeof why);
    if (p.reference == NULL)
        fail_msg("%s", why);
    return p;
}

void product_free(struct product *p)
{
    lab_reference_free(p->reference);
    free(p->A);
    free(p->B);
    free(p->C);
}
