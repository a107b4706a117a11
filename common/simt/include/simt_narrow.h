/*
 * simt_narrow.h: numbers of 16 bits, for cuda_fp16.h and cuda_bf16.h.
 *
 * As the CUDA Math API has them: what is calculated with them is calculated in
 * float and rounded to nearest, which for one operation gives what a GPU's own
 * instruction gives, since a float has more than twice as many bits. Code says
 * how such a number is coded:
 *
 *   static unsigned short bits_of(float x);
 *   static float value_of(unsigned short bits);
 */
#ifndef SIMT_NARROW_H
#define SIMT_NARROW_H

#include "cuda_runtime.h"

namespace simt_device
{

template <class Code> struct narrow {
    unsigned short bits;

    constexpr narrow() : bits(0)
    {
    }
    constexpr narrow(const narrow &) = default;
    narrow &operator=(const narrow &) = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    narrow(T x) : bits(Code::bits_of((float)x))
    {
    }
    template <class Other>
    explicit narrow(narrow<Other> x) : bits(Code::bits_of(x.value()))
    {
    }
    operator float() const
    {
        return Code::value_of(bits);
    }
    float value() const
    {
        return Code::value_of(bits);
    }

#define SIMT_NARROW_OPERATOR(op)                       \
    friend narrow operator op(narrow a, narrow b)      \
    {                                                  \
        return narrow(a.value() op b.value());         \
    }                                                  \
    friend narrow &operator op##=(narrow &a, narrow b) \
    {                                                  \
        a = narrow(a.value() op b.value());            \
        return a;                                      \
    }
    SIMT_NARROW_OPERATOR(+)
    SIMT_NARROW_OPERATOR(-)
    SIMT_NARROW_OPERATOR(*)
    SIMT_NARROW_OPERATOR(/)
#undef SIMT_NARROW_OPERATOR

#define SIMT_NARROW_OPERATOR(op)                \
    friend bool operator op(narrow a, narrow b) \
    {                                           \
        return a.value() op b.value();          \
    }
    SIMT_NARROW_OPERATOR(==)
    SIMT_NARROW_OPERATOR(!=)
    SIMT_NARROW_OPERATOR(<)
    SIMT_NARROW_OPERATOR(<=)
    SIMT_NARROW_OPERATOR(>)
    SIMT_NARROW_OPERATOR(>=)
#undef SIMT_NARROW_OPERATOR

    friend narrow operator-(narrow a)
    {
        a.bits ^= 0x8000;
        return a;
    }
    narrow &operator++()
    {
        return *this = narrow(value() + 1);
    }
};

/* Two of them, in one word. */
template <class Code> struct alignas(4) narrow2 {
    narrow<Code> x, y;

    constexpr narrow2() = default;
    constexpr narrow2(narrow<Code> low, narrow<Code> high) : x(low), y(high)
    {
    }

#define SIMT_NARROW_OPERATOR(op)                          \
    friend narrow2 operator op(narrow2 a, narrow2 b)      \
    {                                                     \
        return narrow2(a.x op b.x, a.y op b.y);           \
    }                                                     \
    friend narrow2 &operator op##=(narrow2 &a, narrow2 b) \
    {                                                     \
        return a = narrow2(a.x op b.x, a.y op b.y);       \
    }
    SIMT_NARROW_OPERATOR(+)
    SIMT_NARROW_OPERATOR(-)
    SIMT_NARROW_OPERATOR(*)
    SIMT_NARROW_OPERATOR(/)
#undef SIMT_NARROW_OPERATOR

    friend bool operator==(narrow2 a, narrow2 b)
    {
        return a.x == b.x && a.y == b.y;
    }
    friend narrow2 operator-(narrow2 a)
    {
        return narrow2(-a.x, -a.y);
    }
};

} // namespace simt_device

/* Conversions, which each type has under its own name: __float2half and
   __float2bfloat16. */
#define SIMT_NARROW_MAKE(type, name, parameters, ...) \
    static inline type name parameters                \
    {                                                 \
        return __VA_ARGS__;                           \
    }
#define SIMT_NARROW_NAMES(N, T, T2)                                            \
    SIMT_NARROW_MAKE(T, __float2##N, (float x), T(x))                          \
    SIMT_NARROW_MAKE(T, __float2##N##_rn, (float x), T(x))                     \
    SIMT_NARROW_MAKE(T, __double2##N, (double x), T((float)x))                 \
    SIMT_NARROW_MAKE(T, __int2##N##_rn, (int x), T((float)x))                  \
    SIMT_NARROW_MAKE(T, __uint2##N##_rn, (unsigned x), T((float)x))            \
    SIMT_NARROW_MAKE(T, __short2##N##_rn, (short x), T((float)x))              \
    SIMT_NARROW_MAKE(T, __ushort2##N##_rn, (unsigned short x), T((float)x))    \
    SIMT_NARROW_MAKE(float, __##N##2float, (T x), x.value())                   \
    SIMT_NARROW_MAKE(int, __##N##2int_rn, (T x), __float2int_rn(x.value()))    \
    SIMT_NARROW_MAKE(int, __##N##2int_rz, (T x), __float2int_rz(x.value()))    \
    SIMT_NARROW_MAKE(unsigned short, __##N##_as_ushort, (T x), x.bits)         \
    SIMT_NARROW_MAKE(short, __##N##_as_short, (T x), (short)x.bits)            \
    SIMT_NARROW_MAKE(T, __ushort_as_##N, (unsigned short x),                   \
                     simt_device::bits_as<T>(x))                               \
    SIMT_NARROW_MAKE(T, __short_as_##N, (short x), simt_device::bits_as<T>(x)) \
    SIMT_NARROW_MAKE(T2, make_##N##2, (T x, T y), T2(x, y))                    \
    SIMT_NARROW_MAKE(T2, __halves2##N##2, (T x, T y), T2(x, y))                \
    SIMT_NARROW_MAKE(T2, __##N##2##N##2, (T x), T2(x, x))                      \
    SIMT_NARROW_MAKE(T2, __float2##N##2_rn, (float x), T2(x, x))               \
    SIMT_NARROW_MAKE(T2, __floats2##N##2_rn, (float x, float y), T2(x, y))     \
    SIMT_NARROW_MAKE(T2, __float22##N##2_rn, (float2 x), T2(x.x, x.y))         \
    SIMT_NARROW_MAKE(float2, __##N##22float2, (T2 x),                          \
                     make_float2(x.x.value(), x.y.value()))                    \
    SIMT_NARROW_MAKE(T, __low2##N, (T2 x), x.x)                                \
    SIMT_NARROW_MAKE(T, __high2##N, (T2 x), x.y)                               \
    SIMT_NARROW_MAKE(T2, __low2##N##2, (T2 x), T2(x.x, x.x))                   \
    SIMT_NARROW_MAKE(T2, __high2##N##2, (T2 x), T2(x.y, x.y))                  \
    SIMT_NARROW_MAKE(T2, __lows2##N##2, (T2 x, T2 y), T2(x.x, y.x))            \
    SIMT_NARROW_MAKE(T2, __highs2##N##2, (T2 x, T2 y), T2(x.y, y.y))

/* --- calculating ---------------------------------------------------------- */

#define SIMT_NARROW(name, result, parameters, ...)          \
    template <class C> static inline result name parameters \
    {                                                       \
        return __VA_ARGS__;                                 \
    }
#define SIMT_N  simt_device::narrow<C>
#define SIMT_N2 simt_device::narrow2<C>

SIMT_NARROW(__hadd, SIMT_N, (SIMT_N a, SIMT_N b), a + b)
SIMT_NARROW(__hsub, SIMT_N, (SIMT_N a, SIMT_N b), a - b)
SIMT_NARROW(__hmul, SIMT_N, (SIMT_N a, SIMT_N b), a *b)
SIMT_NARROW(__hdiv, SIMT_N, (SIMT_N a, SIMT_N b), a / b)
SIMT_NARROW(__hneg, SIMT_N, (SIMT_N a), -a)
SIMT_NARROW(__habs, SIMT_N, (SIMT_N a), a.bits & 0x8000 ? -a : a)
SIMT_NARROW(__hmax, SIMT_N, (SIMT_N a, SIMT_N b), fmaxf(a.value(), b.value()))
SIMT_NARROW(__hmin, SIMT_N, (SIMT_N a, SIMT_N b), fminf(a.value(), b.value()))
SIMT_NARROW(__hfma, SIMT_N, (SIMT_N a, SIMT_N b, SIMT_N c),
            fmaf(a.value(), b.value(), c.value()))
SIMT_NARROW(__hisnan, bool, (SIMT_N a), a.value() != a.value())
SIMT_NARROW(__heq, bool, (SIMT_N a, SIMT_N b), a == b)
SIMT_NARROW(__hne, bool, (SIMT_N a, SIMT_N b), a != b)
SIMT_NARROW(__hlt, bool, (SIMT_N a, SIMT_N b), a < b)
SIMT_NARROW(__hle, bool, (SIMT_N a, SIMT_N b), a <= b)
SIMT_NARROW(__hgt, bool, (SIMT_N a, SIMT_N b), a > b)
SIMT_NARROW(__hge, bool, (SIMT_N a, SIMT_N b), a >= b)

/* hexp() of one number, h2exp() of two. */
#define SIMT_NARROW_FUNCTION(name, of)                      \
    SIMT_NARROW(h##name, SIMT_N, (SIMT_N a), of(a.value())) \
    SIMT_NARROW(h2##name, SIMT_N2, (SIMT_N2 a),             \
                SIMT_N2(of(a.x.value()), of(a.y.value())))
SIMT_NARROW_FUNCTION(exp, expf)
SIMT_NARROW_FUNCTION(exp2, exp2f)
SIMT_NARROW_FUNCTION(log, logf)
SIMT_NARROW_FUNCTION(log2, log2f)
SIMT_NARROW_FUNCTION(sqrt, sqrtf)
SIMT_NARROW_FUNCTION(rsqrt, rsqrtf)
SIMT_NARROW_FUNCTION(rcp, 1 /)
SIMT_NARROW_FUNCTION(sin, sinf)
SIMT_NARROW_FUNCTION(cos, cosf)
SIMT_NARROW_FUNCTION(tanh, tanhf)
SIMT_NARROW_FUNCTION(floor, floorf)
SIMT_NARROW_FUNCTION(ceil, ceilf)
SIMT_NARROW_FUNCTION(trunc, truncf)
SIMT_NARROW_FUNCTION(rint, rintf)
#undef SIMT_NARROW_FUNCTION

SIMT_NARROW(__hadd2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b), a + b)
SIMT_NARROW(__hsub2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b), a - b)
SIMT_NARROW(__hmul2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b), a *b)
SIMT_NARROW(__h2div, SIMT_N2, (SIMT_N2 a, SIMT_N2 b), a / b)
SIMT_NARROW(__hneg2, SIMT_N2, (SIMT_N2 a), -a)
SIMT_NARROW(__hmax2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b),
            SIMT_N2(__hmax(a.x, b.x), __hmax(a.y, b.y)))
SIMT_NARROW(__hmin2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b),
            SIMT_N2(__hmin(a.x, b.x), __hmin(a.y, b.y)))
SIMT_NARROW(__hfma2, SIMT_N2, (SIMT_N2 a, SIMT_N2 b, SIMT_N2 c),
            SIMT_N2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)))
SIMT_NARROW(__low2float, float, (SIMT_N2 a), a.x.value())
SIMT_NARROW(__high2float, float, (SIMT_N2 a), a.y.value())
SIMT_NARROW(__lowhigh2highlow, SIMT_N2, (SIMT_N2 a), SIMT_N2(a.y, a.x))

/* --- shuffles and atomic operations --------------------------------------- */

/* Shuffles move words: what a lane has is bits in the lower end of one. */
namespace simt_device
{

template <class T> SIMT_NOT_RECORDED static inline unsigned word_of(T value)
{
    unsigned word = 0;

    __builtin_memcpy(&word, &value, sizeof value);
    return word;
}

template <class T> SIMT_NOT_RECORDED static inline T from_word(unsigned word)
{
    T value;

    __builtin_memcpy((void *)&value, &word, sizeof value);
    return value;
}

} // namespace simt_device

#define SIMT_NARROW_SHUFFLE(type, name, which)                                 \
    template <class C>                                                         \
    SIMT_NOT_RECORDED static type name(unsigned mask, type value, which,       \
                                       int width = 32, SIMT_HERE)              \
    {                                                                          \
        return simt_device::from_word<type>(                                   \
            name(mask, simt_device::word_of(value), lane, width, file, line)); \
    }
#define SIMT_NARROW_WARP(type)                                          \
    SIMT_NARROW_SHUFFLE(type, __shfl_sync, int lane)                    \
    SIMT_NARROW_SHUFFLE(type, __shfl_up_sync, unsigned lane)            \
    SIMT_NARROW_SHUFFLE(type, __shfl_down_sync, unsigned lane)          \
    SIMT_NARROW_SHUFFLE(type, __shfl_xor_sync, int lane)                \
    template <class C>                                                  \
    SIMT_NOT_RECORDED __attribute__((noinline)) static type atomicAdd(  \
        type *address, type value)                                      \
    {                                                                   \
        simt_atomic(address, sizeof(type), __builtin_return_address(0), \
                    __builtin_dwarf_cfa());                             \
        return simt_device::atomic_change(                              \
            address, [value](type old) SIMT_NOT_RECORDED -> type {      \
                return old + value;                                     \
            });                                                         \
    }

SIMT_NARROW_WARP(SIMT_N)
SIMT_NARROW_WARP(SIMT_N2)

#undef SIMT_NARROW_SHUFFLE
#undef SIMT_NARROW_WARP
#undef SIMT_NARROW
#undef SIMT_N
#undef SIMT_N2

#endif /* SIMT_NARROW_H */
