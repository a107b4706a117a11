/* product.h: a product of matrices, its reference, and room for C, which each
   test fills. */
#ifndef TESTS_HARNESS_PRODUCT_H
#define TESTS_HARNESS_PRODUCT_H

#include "harness/verify.h"

struct product {
    int m, n, k;
    float *A, *B, *C;
    struct lab_reference *reference;
};

/* A and B are drawn with the seeds `fill` and the next one, the reference's
   rows (sampled: 32 of them) with `seed`. Where `round` is no NULL each element
   is what it returns. */
struct product product_make(int m, int n, int k, uint64_t fill, uint64_t seed,
                            int sampled, float (*round)(float));
void product_free(struct product *p);

#endif /* TESTS_HARNESS_PRODUCT_H */
