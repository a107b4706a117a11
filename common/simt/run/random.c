/*
 * Skipping ahead in the XORWOW generator (curand_kernel.h). Its step is linear
 * over bits: a matrix of 160 x 160 of them, whose powers are kept here. By
 * NVIDIA's "cuRAND Library" each sequence has 2^67 numbers of its own.
 */
#define _GNU_SOURCE
#include "simt/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 5,
    BITS = 32 * WORDS,
    SEQUENCE = 67, /* numbers of one, as a power of two */
    POWERS = SEQUENCE + 64
};

/* What becomes of each bit. */
struct matrix {
    uint32_t of[BITS][WORDS];
};

static struct matrix *power; /* POWERS of them; power[k]: 2^k steps */

static void apply(const struct matrix *m, uint32_t v[WORDS])
{
    uint32_t result[WORDS] = {0};

    for (int bit = 0; bit < BITS; bit++) {
        if (!(v[bit / 32] >> bit % 32 & 1))
            continue;
        for (int i = 0; i < WORDS; i++)
            result[i] ^= m->of[bit][i];
    }
    memcpy(v, result, sizeof result);
}

static void make_powers(void)
{
    power = calloc(POWERS, sizeof *power);
    if (power == NULL) {
        fputs("curand: no memory is left for what skips numbers\n", stderr);
        exit(1);
    }
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t *const v = power[0].of[bit];

        v[bit / 32] = UINT32_C(1) << bit % 32;
        simt_xorwow_step(v);
    }
    for (int k = 1; k < POWERS; k++) {
        power[k] = power[k - 1];
        for (int bit = 0; bit < BITS; bit++)
            apply(&power[k - 1], power[k].of[bit]);
    }
}

void simt_xorwow_skip(unsigned v[5], unsigned long long count, int sequences)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (count == 0)
        return;
    pthread_once(&once, make_powers);
    for (int k = sequences ? SEQUENCE : 0; count != 0; k++, count >>= 1) {
        if (count & 1)
            apply(&power[k], v);
    }
}
