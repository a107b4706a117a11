#include "inputs.h"

#include <string.h>

/* A quiet NaN, sign 0; the lower bits are this project's mark. */
static const uint32_t poison_bits = 0x7fc5a5a5;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

uint64_t lab_random(uint64_t *state)
{
    return mix(*state += 0x9e3779b97f4a7c15);
}

void lab_fill(float *x, size_t count, uint64_t seed)
{
    /* Mixed once, or seeds that differ by the generator's step would give
       the same stream, one element apart. */
    uint64_t state = mix(seed);

    for (size_t i = 0; i < count; i++) {
        const int32_t upper = (int32_t)(lab_random(&state) >> 40); /* 24 bits */

        x[i] = (float)(2 * upper + 1 - (1 << 24)) * 0x1p-24f;
    }
}

void lab_poison(float *x, size_t count)
{
    /* Copied as bits: to pass a NaN through a float may change them. */
    for (size_t i = 0; i < count; i++)
        memcpy(&x[i], &poison_bits, sizeof poison_bits);
}

int lab_is_poison(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits == poison_bits;
}
