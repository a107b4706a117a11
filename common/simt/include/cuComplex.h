/* cuComplex.h: complex numbers, for the host and the device. A product and a
   quotient are rounded as the schoolbook's formulas say, without NVIDIA's care
   for overflow. */
#ifndef SIMT_CU_COMPLEX_H
#define SIMT_CU_COMPLEX_H

#include "vector_types.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* T: the complex type; R: of its parts; f: what stands behind each name. */
#define SIMT_COMPLEX(T, R, f, root)                             \
    static inline R cuCreal##f(T x)                             \
    {                                                           \
        return x.x;                                             \
    }                                                           \
    static inline R cuCimag##f(T x)                             \
    {                                                           \
        return x.y;                                             \
    }                                                           \
    static inline T cuConj##f(T x)                              \
    {                                                           \
        return T{x.x, -x.y};                                    \
    }                                                           \
    static inline T cuCadd##f(T a, T b)                         \
    {                                                           \
        return T{a.x + b.x, a.y + b.y};                         \
    }                                                           \
    static inline T cuCsub##f(T a, T b)                         \
    {                                                           \
        return T{a.x - b.x, a.y - b.y};                         \
    }                                                           \
    static inline T cuCmul##f(T a, T b)                         \
    {                                                           \
        return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; \
    }                                                           \
    static inline T cuCdiv##f(T a, T b)                         \
    {                                                           \
        const R size = b.x * b.x + b.y * b.y;                   \
                                                                \
        return T{(a.x * b.x + a.y * b.y) / size,                \
                 (a.y * b.x - a.x * b.y) / size};               \
    }                                                           \
    static inline T cuCfma##f(T a, T b, T c)                    \
    {                                                           \
        return cuCadd##f(cuCmul##f(a, b), c);                   \
    }                                                           \
    static inline R cuCabs##f(T x)                              \
    {                                                           \
        return root(x.x, x.y);                                  \
    }

SIMT_COMPLEX(cuFloatComplex, float, f, hypotf)
SIMT_COMPLEX(cuDoubleComplex, double, , hypot)
#undef SIMT_COMPLEX

static inline cuFloatComplex make_cuFloatComplex(float x, float y)
{
    return cuFloatComplex{x, y};
}

static inline cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    return cuDoubleComplex{x, y};
}

static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}

static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}

static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif /* SIMT_CU_COMPLEX_H */
