/*
 * simt_integer.h: CUDA's functions of integers, minima and maxima, conversions,
 * and loads and stores by name (CUDA Math API; CUDA C++ Programming Guide).
 */
#ifndef SIMT_INTEGER_H
#define SIMT_INTEGER_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- min and max ---------------------------------------------------------- */

/* Of two types the result is the one that C would give their sum. */
#define SIMT_MIN_MAX(result, type_a, type_b)                  \
    static inline result min(type_a a, type_b b)              \
    {                                                         \
        return (result)a < (result)b ? (result)a : (result)b; \
    }                                                         \
    static inline result max(type_a a, type_b b)              \
    {                                                         \
        return (result)a > (result)b ? (result)a : (result)b; \
    }

SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef SIMT_MIN_MAX

/* Of a number and a NaN these give the number, as fminf does. */
#define SIMT_MIN_MAX(result, suffix, type_a, type_b) \
    static inline result min(type_a a, type_b b)     \
    {                                                \
        return fmin##suffix(a, b);                   \
    }                                                \
    static inline result max(type_a a, type_b b)     \
    {                                                \
        return fmax##suffix(a, b);                   \
    }

SIMT_MIN_MAX(float, f, float, float)
SIMT_MIN_MAX(double, , double, double)
SIMT_MIN_MAX(double, , float, double)
SIMT_MIN_MAX(double, , double, float)

#undef SIMT_MIN_MAX

#define SIMT_FUNCTION(type, name, parameters, ...) \
    static inline type name parameters             \
    {                                              \
        return __VA_ARGS__;                        \
    }

SIMT_FUNCTION(unsigned, umin, (unsigned a, unsigned b), a < b ? a : b)
SIMT_FUNCTION(unsigned, umax, (unsigned a, unsigned b), a > b ? a : b)

/* --- conversions ---------------------------------------------------------- */

namespace simt_device
{

/* The bits of one type as a value of another. */
template <class To, class From> static inline To bits_as(From from)
{
    To to;

    static_assert(sizeof to == sizeof from, "as many bits");
    __builtin_memcpy((void *)&to, &from, sizeof to);
    return to;
}

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* A number that is rounded already, as T; one too large is the largest T, and
   a NaN 0, as on a GPU. */
template <class T> static inline T to_integer(double x, T least, T most)
{
    return x >= (double)most    ? most
           : x <= (double)least ? least
           : x == x             ? (T)x
                                : 0;
}

} // namespace simt_device

SIMT_FUNCTION(int, __float_as_int, (float x), simt_device::bits_as<int>(x))
SIMT_FUNCTION(float, __int_as_float, (int x), simt_device::bits_as<float>(x))
SIMT_FUNCTION(unsigned, __float_as_uint, (float x),
              simt_device::bits_as<unsigned>(x))
SIMT_FUNCTION(float, __uint_as_float, (unsigned x),
              simt_device::bits_as<float>(x))
SIMT_FUNCTION(long long, __double_as_longlong, (double x),
              simt_device::bits_as<long long>(x))
SIMT_FUNCTION(double, __longlong_as_double, (long long x),
              simt_device::bits_as<double>(x))
SIMT_FUNCTION(int, __double2loint, (double x),
              (int)(unsigned)simt_device::bits_as<uint64_t>(x))
SIMT_FUNCTION(int, __double2hiint, (double x),
              (int)(unsigned)(simt_device::bits_as<uint64_t>(x) >> 32))
SIMT_FUNCTION(double, __hiloint2double, (int high, int low),
              simt_device::bits_as<double>((uint64_t)(unsigned)high << 32 |
                                           (unsigned)low))

/* name_rn: to nearest; _rz: towards zero; _ru, _rd: up and down. */
#define SIMT_TO_INTEGER(from, name, type, least, most)                      \
    SIMT_FUNCTION(type, name##_rn, (from x),                                \
                  simt_device::to_integer<type>(nearbyint(x), least, most)) \
    SIMT_FUNCTION(type, name##_rz, (from x),                                \
                  simt_device::to_integer<type>(trunc(x), least, most))     \
    SIMT_FUNCTION(type, name##_ru, (from x),                                \
                  simt_device::to_integer<type>(ceil(x), least, most))      \
    SIMT_FUNCTION(type, name##_rd, (from x),                                \
                  simt_device::to_integer<type>(floor(x), least, most))

SIMT_TO_INTEGER(float, __float2int, int, INT_MIN, INT_MAX)
SIMT_TO_INTEGER(float, __float2uint, unsigned, 0, UINT_MAX)
SIMT_TO_INTEGER(float, __float2ll, long long, LLONG_MIN, LLONG_MAX)
SIMT_TO_INTEGER(float, __float2ull, unsigned long long, 0, ULLONG_MAX)
SIMT_TO_INTEGER(double, __double2int, int, INT_MIN, INT_MAX)
SIMT_TO_INTEGER(double, __double2uint, unsigned, 0, UINT_MAX)
SIMT_TO_INTEGER(double, __double2ll, long long, LLONG_MIN, LLONG_MAX)
SIMT_TO_INTEGER(double, __double2ull, unsigned long long, 0, ULLONG_MAX)

#undef SIMT_TO_INTEGER

SIMT_FUNCTION(float, __int2float_rn, (int x), (float)x)
SIMT_FUNCTION(float, __uint2float_rn, (unsigned x), (float)x)
SIMT_FUNCTION(float, __ll2float_rn, (long long x), (float)x)
SIMT_FUNCTION(float, __ull2float_rn, (unsigned long long x), (float)x)
SIMT_FUNCTION(float, __double2float_rn, (double x), (float)x)
SIMT_FUNCTION(double, __int2double_rn, (int x), x)
SIMT_FUNCTION(double, __uint2double_rn, (unsigned x), x)
SIMT_FUNCTION(double, __ll2double_rn, (long long x), (double)x)
SIMT_FUNCTION(double, __ull2double_rn, (unsigned long long x), (double)x)

/* --- integers ------------------------------------------------------------- */

SIMT_FUNCTION(int, __popc, (unsigned x), __builtin_popcount(x))
SIMT_FUNCTION(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
SIMT_FUNCTION(int, __clz, (int x), x ? __builtin_clz((unsigned)x) : 32)
SIMT_FUNCTION(int, __clzll, (long long x),
              x ? __builtin_clzll((unsigned long long)x) : 64)
SIMT_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
SIMT_FUNCTION(int, __ffsll, (long long x), __builtin_ffsll(x))

static inline unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

SIMT_FUNCTION(unsigned long long, __brevll, (unsigned long long x),
              (unsigned long long)__brev((unsigned)x) << 32 |
                  __brev((unsigned)(x >> 32)))

/* The low 24 bits of a, with their sign: a shift left and one right. */
SIMT_FUNCTION(int, __mul24, (int a, int b),
              (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                    (unsigned)((int)((unsigned)b << 8) >> 8)))
SIMT_FUNCTION(unsigned, __umul24, (unsigned a, unsigned b),
              (a & 0xffffff) * (b & 0xffffff))
SIMT_FUNCTION(int, __mulhi, (int a, int b), (int)((long long)a *b >> 32))
SIMT_FUNCTION(unsigned, __umulhi, (unsigned a, unsigned b),
              (unsigned)((unsigned long long)a *b >> 32))
SIMT_FUNCTION(long long, __mul64hi, (long long a, long long b),
              (long long)((simt_device::wide)a *b >> 64))
SIMT_FUNCTION(unsigned long long, __umul64hi,
              (unsigned long long a, unsigned long long b),
              (unsigned long long)((simt_device::unsigned_wide)a *b >> 64))
SIMT_FUNCTION(unsigned, __sad, (int a, int b, unsigned c),
              c + (a > b ? (unsigned)a - (unsigned)b
                         : (unsigned)b - (unsigned)a))
SIMT_FUNCTION(unsigned, __usad, (unsigned a, unsigned b, unsigned c),
              c + (a > b ? a - b : b - a))
SIMT_FUNCTION(int, __hadd, (int a, int b), (int)(((long long)a + b) >> 1))
SIMT_FUNCTION(int, __rhadd, (int a, int b), (int)(((long long)a + b + 1) >> 1))
SIMT_FUNCTION(unsigned, __uhadd, (unsigned a, unsigned b),
              (unsigned)(((unsigned long long)a + b) >> 1))
SIMT_FUNCTION(unsigned, __urhadd, (unsigned a, unsigned b),
              (unsigned)(((unsigned long long)a + b + 1) >> 1))
SIMT_FUNCTION(unsigned, __funnelshift_l,
              (unsigned low, unsigned high, unsigned shift),
              (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32))
SIMT_FUNCTION(unsigned, __funnelshift_r,
              (unsigned low, unsigned high, unsigned shift),
              (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31)))

/* Four bytes of the eight in b:a, each chosen by a hexadecimal digit of s, of
   which the highest bit asks for eight times the byte's sign. */
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned result = 0;

    for (int i = 0; i < 4; i++) {
        const unsigned digit = s >> 4 * i;
        unsigned byte = (unsigned)(bytes >> 8 * (digit & 7)) & 0xff;

        if (digit & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* --- loads and stores that tell a cache what to do: there is none --------- */

#define SIMT_LOAD(name)                                 \
    template <class T> static inline T name(const T *p) \
    {                                                   \
        return *p;                                      \
    }
#define SIMT_STORE(name)                                      \
    template <class T> static inline void name(T *p, T value) \
    {                                                         \
        *p = value;                                           \
    }

SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)

#undef SIMT_LOAD
#undef SIMT_STORE

#undef SIMT_FUNCTION

#endif /* SIMT_INTEGER_H */
