/*
 * simt_ptx_plain.h: what simt_rewrite makes of plain instructions of PTX, in
 * inline assembly: SIMT_PTX_SET(d, simt_ptx::add_<int>(a, b)), and accesses,
 * which are macros so that they stand in the kernel's own line. An operand of
 * an instruction is a register: its bits count, and not its type.
 */
#ifndef SIMT_PTX_PLAIN_H
#define SIMT_PTX_PLAIN_H

#include "simt_integer.h"
#include "simt_kernel.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace simt_ptx
{

template <class T, class V> SIMT_NOT_RECORDED static inline T as(const V &v)
{
    if constexpr (sizeof(T) == sizeof(V)) {
        T bits;

        __builtin_memcpy(&bits, &v, sizeof bits);
        return bits;
    } else if constexpr (std::is_pointer_v<V>) {
        return (T)(uintptr_t)v;
    } else {
        return (T)v;
    }
}

/* Of whole numbers sums, differences and products go round. */
template <class T, bool = std::is_integral_v<T>> struct round_type {
    typedef std::make_unsigned_t<T> type;
};
template <class T> struct round_type<T, false> {
    typedef T type;
};
template <class T> using round = typename round_type<T>::type;

/* Twice the bits. */
template <class T>
using wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
    std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;

template <class T> static inline T mov_(T a)
{
    return a;
}
template <class T> static inline T add_(T a, T b)
{
    return (T)((round<T>)a + (round<T>)b);
}
template <class T> static inline T sub_(T a, T b)
{
    return (T)((round<T>)a - (round<T>)b);
}
template <class T> static inline T mul_(T a, T b)
{
    return (T)((round<T>)a * (round<T>)b);
}
template <class T> static inline T mul_lo_(T a, T b)
{
    return mul_(a, b);
}
template <class T> static inline wide<T> mul_wide_(T a, T b)
{
    return (wide<T>)a * (wide<T>)b;
}
template <class T> static inline T mul_hi_(T a, T b)
{
    if constexpr (sizeof(T) < 8)
        return (T)(mul_wide_(a, b) >> 8 * sizeof(T));
    else if constexpr (std::is_signed_v<T>)
        return __mul64hi(a, b);
    else
        return __umul64hi(a, b);
}
template <class T> static inline T mad_lo_(T a, T b, T c)
{
    return add_(mul_(a, b), c);
}
template <class T> static inline T fma_(T a, T b, T c)
{
    return std::fma(a, b, c);
}
template <class T> static inline T mad_(T a, T b, T c)
{
    return fma_(a, b, c);
}
/* A division by 0 gives a number that nobody says. */
template <class T> static inline T div_(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return b == 0 ? (T)-1 : (T)(a / b);
    else
        return a / b;
}
template <class T> static inline T rem_(T a, T b)
{
    return b == 0 ? (T)-1 : (T)(a % b);
}
template <class T> static inline T min_(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return a < b ? a : b;
    else
        return std::fmin(a, b);
}
template <class T> static inline T max_(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return a > b ? a : b;
    else
        return std::fmax(a, b);
}
template <class T> static inline T neg_(T a)
{
    return (T) - (round<T>)a;
}
template <class T> static inline T abs_(T a)
{
    return a < 0 ? neg_(a) : a;
}
template <class T> static inline T and_(T a, T b)
{
    return (T)(a & b);
}
template <class T> static inline T or_(T a, T b)
{
    return (T)(a | b);
}
template <class T> static inline T xor_(T a, T b)
{
    return (T)(a ^ b);
}
template <class T> static inline T not_(T a)
{
    return (T)~a;
}
/* By more than the bits: all are gone. */
template <class T> static inline T shl_(T a, T by)
{
    return (round<T>)by >= 8 * sizeof(T) ? (T)0 : (T)((round<T>)a << by);
}
template <class T> static inline T shr_(T a, T by)
{
    if ((round<T>)by >= 8 * sizeof(T))
        return a < 0 ? (T)-1 : (T)0;
    return (T)(a >> by);
}
template <class T> static inline unsigned popc_(T a)
{
    return (unsigned)__popcll((round<T>)a);
}
template <class T> static inline unsigned clz_(T a)
{
    return (unsigned)(__clzll((long long)(round<T>)a) -
                      (int)(64 - 8 * sizeof(T)));
}
template <class T> static inline T brev_(T a)
{
    return (T)(__brevll(a) >> (64 - 8 * sizeof(T)));
}
template <class T> static inline T lop3_(T a, T b, T c, T table)
{
    T all = 0;

    for (unsigned i = 0; i < 8; i++) {
        if (table >> i & 1)
            all |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return all;
}
template <class T> static inline T prmt_(T a, T b, T places)
{
    return __byte_perm(a, b, places);
}
template <class T> static inline T shf_l_(T low, T high, T by)
{
    return __funnelshift_l(low, high, by);
}
template <class T> static inline T shf_r_(T low, T high, T by)
{
    return __funnelshift_r(low, high, by);
}
template <class T> static inline T bfe_(T a, T from, T bits)
{
    const unsigned most = 8 * sizeof(T), at = from & 0xff, n = bits & 0xff;

    if (n == 0)
        return 0;
    if (at + n >= most)
        return shr_(a, (T)at);
    return shr_(shl_(a, (T)(most - at - n)), (T)(most - n));
}
template <class T> static inline T sqrt_(T a)
{
    return std::sqrt(a);
}
template <class T> static inline T rsqrt_(T a)
{
    return 1 / std::sqrt(a);
}
template <class T> static inline T rcp_(T a)
{
    return 1 / a;
}
template <class T> static inline T ex2_(T a)
{
    return std::exp2(a);
}
template <class T> static inline T lg2_(T a)
{
    return std::log2(a);
}
template <class T> static inline T sin_(T a)
{
    return std::sin(a);
}
template <class T> static inline T cos_(T a)
{
    return std::cos(a);
}
template <class T> static inline T tanh_(T a)
{
    return std::tanh(a);
}

/* From one type to another; what is too large becomes the largest number. */
template <class To, class From, int nearest> static inline To convert(From a)
{
    if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
        const From whole = nearest ? std::nearbyint(a) : a;

        if (!(whole >= (From)std::numeric_limits<To>::min()))
            return whole != whole ? 0 : std::numeric_limits<To>::min();
        return whole >= (From)std::numeric_limits<To>::max()
                   ? std::numeric_limits<To>::max()
                   : (To)whole;
    } else {
        return (To)a;
    }
}

template <int is_shared, class V>
SIMT_NOT_RECORDED static inline void *address(const V &base, long offset)
{
    if constexpr (is_shared && std::is_integral_v<V>)
        return (char *)simt_shared_pointer((unsigned)base) + offset;
    else
        return (char *)as<uintptr_t>(base) + offset;
}

template <class T> struct alignas(2 * sizeof(T)) two {
    T x, y;
};
template <class T> struct alignas(4 * sizeof(T)) four {
    T x, y, z, w;
};

} // namespace simt_ptx

#define SIMT_PTX_SET(d, value) \
    ((d) = simt_ptx::as<std::decay_t<decltype(d)>>(value))
#define SIMT_PTX_CVT(d, to, from, nearest, a) \
    SIMT_PTX_SET(                             \
        d, (simt_ptx::convert<to, from, nearest>(simt_ptx::as<from>(a))))
#define SIMT_PTX_TO_SHARED(d, a)                            \
    SIMT_PTX_SET(d, (unsigned long long)simt_shared_number( \
                        (const void *)simt_ptx::as<uintptr_t>(a)))
#define SIMT_PTX_AT(T, is_shared, base, offset) \
    ((T *)simt_ptx::address<is_shared>(base, offset))
#define SIMT_PTX_LD1(T, qualifier, at, d)                \
    do {                                                 \
        const T simt_value = *(qualifier const T *)(at); \
        SIMT_PTX_SET(d, simt_value);                     \
    } while (0)
#define SIMT_PTX_LD2(T, qualifier, at, d0, d1)                         \
    do {                                                               \
        const simt_ptx::two<T> simt_value = *(simt_ptx::two<T> *)(at); \
        SIMT_PTX_SET(d0, simt_value.x);                                \
        SIMT_PTX_SET(d1, simt_value.y);                                \
    } while (0)
#define SIMT_PTX_LD4(T, qualifier, at, d0, d1, d2, d3)                   \
    do {                                                                 \
        const simt_ptx::four<T> simt_value = *(simt_ptx::four<T> *)(at); \
        SIMT_PTX_SET(d0, simt_value.x);                                  \
        SIMT_PTX_SET(d1, simt_value.y);                                  \
        SIMT_PTX_SET(d2, simt_value.z);                                  \
        SIMT_PTX_SET(d3, simt_value.w);                                  \
    } while (0)
#define SIMT_PTX_ST1(T, qualifier, at, a) \
    (*(qualifier T *)(at) = simt_ptx::as<T>(a))
#define SIMT_PTX_ST2(T, qualifier, at, a, b) \
    (*(simt_ptx::two<T> *)(at) =             \
         simt_ptx::two<T>{simt_ptx::as<T>(a), simt_ptx::as<T>(b)})
#define SIMT_PTX_ST4(T, qualifier, at, a, b, c, d)                 \
    (*(simt_ptx::four<T> *)(at) =                                  \
         simt_ptx::four<T>{simt_ptx::as<T>(a), simt_ptx::as<T>(b), \
                           simt_ptx::as<T>(c), simt_ptx::as<T>(d)})

#endif /* SIMT_PTX_PLAIN_H */
