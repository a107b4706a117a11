/*
 * simt_math.h: the floating-point mathematics of CUDA that C's <math.h> does
 * not have (CUDA Math API). Where a GPU gives an approximation, as __expf does,
 * this gives the C library's result: the last bits differ.
 */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <math.h>

/*
 * C23 has these names too, and glibc declares them: sinpi and cospi from 2.41
 * on, rsqrt from 2.42 on. A declaration cannot be taken back, so here they
 * stand for other names, with every library.
 */
#define rsqrt  simt_rsqrt
#define rsqrtf simt_rsqrtf
#define sinpi  simt_sinpi
#define sinpif simt_sinpif
#define cospi  simt_cospi
#define cospif simt_cospif

#define SIMT_FUNCTION(type, name, parameters, ...) \
    static inline type name parameters             \
    {                                              \
        return __VA_ARGS__;                        \
    }

/* --- functions of float and double ---------------------------------------- */

SIMT_FUNCTION(float, rsqrtf, (float x), 1 / sqrtf(x))
SIMT_FUNCTION(double, rsqrt, (double x), 1 / sqrt(x))
SIMT_FUNCTION(float, rsqrt, (float x), 1 / sqrtf(x))
SIMT_FUNCTION(float, rcbrtf, (float x), 1 / cbrtf(x))
SIMT_FUNCTION(double, rcbrt, (double x), 1 / cbrt(x))
SIMT_FUNCTION(float, fdividef, (float a, float b), a / b)
SIMT_FUNCTION(float, normcdff, (float x), 0.5f * erfcf(x * -0.70710678f))
SIMT_FUNCTION(double, normcdf, (double x), 0.5 * erfc(x * -0.70710678118654752))

SIMT_FUNCTION(float, rhypotf, (float a, float b), 1 / hypotf(a, b))
SIMT_FUNCTION(double, rhypot, (double a, double b), 1 / hypot(a, b))
SIMT_FUNCTION(float, norm3df, (float a, float b, float c),
              hypotf(hypotf(a, b), c))
SIMT_FUNCTION(double, norm3d, (double a, double b, double c),
              hypot(hypot(a, b), c))
SIMT_FUNCTION(float, rnorm3df, (float a, float b, float c),
              1 / norm3df(a, b, c))
SIMT_FUNCTION(double, rnorm3d, (double a, double b, double c),
              1 / norm3d(a, b, c))
SIMT_FUNCTION(float, norm4df, (float a, float b, float c, float d),
              hypotf(hypotf(a, b), hypotf(c, d)))
SIMT_FUNCTION(double, norm4d, (double a, double b, double c, double d),
              hypot(hypot(a, b), hypot(c, d)))
SIMT_FUNCTION(float, rnorm4df, (float a, float b, float c, float d),
              1 / norm4df(a, b, c, d))
SIMT_FUNCTION(double, rnorm4d, (double a, double b, double c, double d),
              1 / norm4d(a, b, c, d))

static inline float normf(int count, const float *x)
{
    float sum = 0;

    for (int i = 0; i < count; i++)
        sum = hypotf(sum, x[i]);
    return sum;
}

static inline double norm(int count, const double *x)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum = hypot(sum, x[i]);
    return sum;
}

SIMT_FUNCTION(float, rnormf, (int count, const float *x), 1 / normf(count, x))
SIMT_FUNCTION(double, rnorm, (int count, const double *x), 1 / norm(count, x))

/* sin(pi x) and cos(pi x): exact at the multiples of 1/2, since x is taken
   modulo 2 before it is multiplied. */
static inline double sinpi(double x)
{
    const double rest = fmod(x, 2);

    return fmod(rest, 1) == 0 ? 0 * x : sin(M_PI * rest);
}

static inline double cospi(double x)
{
    const double rest = fmod(fabs(x), 2);

    return rest == 0.5 || rest == 1.5 ? 0 : cos(M_PI * rest);
}

SIMT_FUNCTION(float, sinpif, (float x), (float)sinpi(x))
SIMT_FUNCTION(float, cospif, (float x), (float)cospi(x))

static inline void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

static inline void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

/* --- approximations ------------------------------------------------------- */

SIMT_FUNCTION(float, __fdividef, (float a, float b), a / b)
SIMT_FUNCTION(float, __saturatef, (float x), x > 1 ? 1 : x > 0 ? x : 0)

/* glibc declares these names, and has no functions for them. */
#define __expf    expf
#define __exp10f  exp10f
#define __logf    logf
#define __log2f   log2f
#define __log10f  log10f
#define __powf    powf
#define __sinf    sinf
#define __cosf    cosf
#define __tanf    tanf
#define __sincosf sincosf

/* --- rounded to nearest: of doubles the only rounding that there is here -- */

SIMT_FUNCTION(float, __fadd_rn, (float a, float b), a + b)
SIMT_FUNCTION(float, __fsub_rn, (float a, float b), a - b)
SIMT_FUNCTION(float, __fmul_rn, (float a, float b), a *b)
SIMT_FUNCTION(float, __fdiv_rn, (float a, float b), a / b)
SIMT_FUNCTION(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
SIMT_FUNCTION(float, __frcp_rn, (float x), 1 / x)
SIMT_FUNCTION(float, __fsqrt_rn, (float x), sqrtf(x))
SIMT_FUNCTION(float, __frsqrt_rn, (float x), (float)(1 / sqrt((double)x)))
SIMT_FUNCTION(double, __dadd_rn, (double a, double b), a + b)
SIMT_FUNCTION(double, __dsub_rn, (double a, double b), a - b)
SIMT_FUNCTION(double, __dmul_rn, (double a, double b), a *b)
SIMT_FUNCTION(double, __ddiv_rn, (double a, double b), a / b)
SIMT_FUNCTION(double, __fma_rn, (double a, double b, double c), fma(a, b, c))
SIMT_FUNCTION(double, __drcp_rn, (double x), 1 / x)
SIMT_FUNCTION(double, __dsqrt_rn, (double x), sqrt(x))

/* --- floats rounded towards zero, up and down ----------------------------- */

/* The float next to a + b, from which side `way` says: 0: that of zero. */
static inline float simt_rounded_sum(double a, double b, int way)
{
    const double sum = a + b, part = sum - a;
    const double rest = (a - (sum - part)) + (b - part); /* lost by the sum */
    const float near = (float)sum;
    const double off = ((double)near - sum) - rest;

    if (way == 0)
        way = near > 0 ? -1 : near < 0 ? 1 : 0;
    if (way == 0 || isnan(off) || off == 0 || (off > 0) != (way < 0))
        return near;
    return nextafterf(near, way < 0 ? -INFINITY : INFINITY);
}

#define SIMT_ROUNDED(mode, way)                                      \
    SIMT_FUNCTION(float, __fadd_##mode, (float a, float b),          \
                  simt_rounded_sum(a, b, way))                       \
    SIMT_FUNCTION(float, __fsub_##mode, (float a, float b),          \
                  simt_rounded_sum(a, -b, way))                      \
    SIMT_FUNCTION(float, __fmul_##mode, (float a, float b),          \
                  simt_rounded_sum((double)a *b, 0, way))            \
    SIMT_FUNCTION(float, __fmaf_##mode, (float a, float b, float c), \
                  simt_rounded_sum((double)a *b, c, way))

SIMT_ROUNDED(rz, 0)
SIMT_ROUNDED(ru, 1)
SIMT_ROUNDED(rd, -1)

#undef SIMT_ROUNDED
#undef SIMT_FUNCTION

#endif /* SIMT_MATH_H */
