/* cuBLAS's types of elements: floats of 16 to 64 bits, and whole numbers. */
#define _GNU_SOURCE
#include "simt/include/cublas_v2.h"

#include "run.h"

#include <math.h>
#include <string.h>

size_t simt_blas_size(int type)
{
    switch (type) {
    case CUDA_R_64F:
        return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_8I:
        return 1;
    default:
        return 0;
    }
}

/* The value of half, whose bits these are: IEEE 754, binary16. */
static double half_value(unsigned bits)
{
    const int exponent = bits >> 10 & 31;
    const double rest = bits & 0x3ff;
    const double size = exponent == 0 ? ldexp(rest, -24)
                        : exponent == 31
                            ? (rest > 0 ? (double)NAN : (double)INFINITY)
                            : ldexp(rest + 1024, exponent - 25);

    return bits & 0x8000 ? -size : size;
}

/* And back, to nearest and of two the even one. */
static uint16_t half_bits(double x)
{
    const unsigned sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    double size = fabs(x);

    if (isnan(x))
        return 0x7fff;
    if (size >= 65520)
        return (uint16_t)(sign | 0x7c00);
    frexp(size, &exponent); /* size is below 2^exponent */
    exponent = exponent < -13 ? -13 : exponent;
    size = nearbyint(ldexp(size, 11 - exponent));
    /* What is rounded up to 2048 goes into the exponent by itself. */
    return (uint16_t)(sign |
                      ((unsigned)(exponent + 13) * 1024 + (unsigned)size));
}

double simt_blas_load(int type, const void *array, size_t i)
{
    const uint16_t *const shorts = array;
    uint32_t bits;
    float value;

    if (type == CUDA_R_64F)
        return ((const double *)array)[i];
    if (type == CUDA_R_32F)
        return (double)((const float *)array)[i];
    if (type == CUDA_R_16F)
        return half_value(shorts[i]);
    if (type == CUDA_R_32I)
        return ((const int32_t *)array)[i];
    if (type == CUDA_R_8I)
        return ((const int8_t *)array)[i];
    bits = (uint32_t)shorts[i] << 16;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

void simt_blas_store(int type, void *array, size_t i, double value)
{
    const float single = (float)value;
    uint32_t bits;

    if (type == CUDA_R_64F) {
        ((double *)array)[i] = value;
    } else if (type == CUDA_R_32F) {
        ((float *)array)[i] = single;
    } else if (type == CUDA_R_16F) {
        ((uint16_t *)array)[i] = half_bits(value);
    } else if (type == CUDA_R_32I) { /* a sum of more wraps around */
        ((int32_t *)array)[i] = (int32_t)(uint32_t)(int64_t)value;
    } else if (type == CUDA_R_8I) {
        ((int8_t *)array)[i] = (int8_t)fmin(fmax(rint(value), -128), 127);
    } else {
        memcpy(&bits, &single, sizeof bits);
        bits += isnan(single) ? 0 : 0x7fff + (bits >> 16 & 1);
        ((uint16_t *)array)[i] = (uint16_t)(bits >> 16);
    }
}
