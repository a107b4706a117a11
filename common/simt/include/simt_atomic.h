/*
 * simt_atomic.h: atomic operations of kernels, as the CUDA C++ Programming
 * Guide, "Atomic Functions", has them. Each returns the old value.
 *
 * Blocks run on several OS threads, so the operations are real ones. The
 * forms for a block and for the whole system are no different here.
 */
#ifndef SIMT_ATOMIC_H
#define SIMT_ATOMIC_H

#include "simt_kernel.h"

#include <string.h>
#include <type_traits>

namespace simt_device
{

/* 1 if T is one of these types. */
template <class T, class... Types>
constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/* The type itself; a parameter of this type does not take part when the
   compiler finds out what T is, so that 1 may be added to a float. */
template <class T> struct same {
    typedef T type;
};
template <class T> using same_t = typename same<T>::type;

/* Replaces *address by change(*address). T has 2, 4 or 8 bytes, and any type:
   the processor compares its bits. */
template <class T, class Change>
SIMT_NOT_RECORDED static inline T atomic_change(T *address, Change change)
{
    typedef std::conditional_t<
        sizeof(T) == 2, uint16_t,
        std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>
        bits;
    bits *const place = reinterpret_cast<bits *>(address);
    bits before = __atomic_load_n(place, __ATOMIC_RELAXED), after;
    T old, changed;

    do {
        __builtin_memcpy((void *)&old, &before, sizeof old);
        changed = change(old);
        __builtin_memcpy(&after, &changed, sizeof after);
    } while (!__atomic_compare_exchange_n(place, &before, after, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return old;
}

} // namespace simt_device

/*
 * One operation: its name, the types that CUDA has it for, and the new value,
 * calculated from `old` and `value`. Not inlined, so that the address it
 * returns to is that of the kernel's own line.
 */
#define SIMT_ATOMIC(name, new_value, ...)                                 \
    template <class T>                                                    \
    SIMT_NOT_RECORDED __attribute__((noinline)) static T name(            \
        T *address, simt_device::same_t<T> value)                         \
    {                                                                     \
        static_assert(simt_device::is_one_of<T, __VA_ARGS__>,             \
                      #name " has no form for this type in CUDA");        \
        simt_atomic(address, sizeof(T), __builtin_return_address(0),      \
                    __builtin_dwarf_cfa());                               \
        return simt_device::atomic_change(                                \
            address,                                                      \
            [value](T old) SIMT_NOT_RECORDED -> T { return new_value; }); \
    }

SIMT_ATOMIC(atomicAdd, old + value, int, unsigned, unsigned long long, float,
            double)
SIMT_ATOMIC(atomicSub, old - value, int, unsigned)
SIMT_ATOMIC(atomicExch, ((void)old, value), int, unsigned, unsigned long long,
            float)
SIMT_ATOMIC(atomicMin, value < old ? value : old, int, unsigned, long long,
            unsigned long long)
SIMT_ATOMIC(atomicMax, value > old ? value : old, int, unsigned, long long,
            unsigned long long)
SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
SIMT_ATOMIC(atomicAnd, old &value, int, unsigned, unsigned long long)
SIMT_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
SIMT_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)

#undef SIMT_ATOMIC

/* From compute capability 9.0 on a float2 and a float4, each element of which
   is added on its own. */
#define SIMT_ATOMIC_VECTOR(type, ...)                                          \
    SIMT_NOT_RECORDED __attribute__((noinline, unused)) static type atomicAdd( \
        type *address, type value)                                             \
    {                                                                          \
        const auto add = [](float *to, float x) SIMT_NOT_RECORDED {            \
            return simt_device::atomic_change(                                 \
                to, [x](float old) SIMT_NOT_RECORDED { return old + x; });     \
        };                                                                     \
                                                                               \
        simt_atomic(address, sizeof(type), __builtin_return_address(0),        \
                    __builtin_dwarf_cfa());                                    \
        return type{__VA_ARGS__};                                              \
    }

SIMT_ATOMIC_VECTOR(float2, add(&address->x, value.x), add(&address->y, value.y))
SIMT_ATOMIC_VECTOR(float4, add(&address->x, value.x), add(&address->y, value.y),
                   add(&address->z, value.z), add(&address->w, value.w))

#undef SIMT_ATOMIC_VECTOR

/* Writes value if the old one is `expected`. */
template <class T>
SIMT_NOT_RECORDED __attribute__((noinline)) static T
atomicCAS(T *address, simt_device::same_t<T> expected,
          simt_device::same_t<T> value)
{
    static_assert(simt_device::is_one_of<T, int, unsigned, unsigned short,
                                         unsigned long long>,
                  "atomicCAS has no form for this type in CUDA");
    simt_atomic_cas(address, sizeof(T), __builtin_return_address(0),
                    __builtin_dwarf_cfa());
    __atomic_compare_exchange_n(address, &expected, value, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

#define atomicAdd_block   atomicAdd
#define atomicAdd_system  atomicAdd
#define atomicSub_block   atomicSub
#define atomicSub_system  atomicSub
#define atomicExch_block  atomicExch
#define atomicExch_system atomicExch
#define atomicMin_block   atomicMin
#define atomicMin_system  atomicMin
#define atomicMax_block   atomicMax
#define atomicMax_system  atomicMax
#define atomicInc_block   atomicInc
#define atomicInc_system  atomicInc
#define atomicDec_block   atomicDec
#define atomicDec_system  atomicDec
#define atomicCAS_block   atomicCAS
#define atomicCAS_system  atomicCAS
#define atomicAnd_block   atomicAnd
#define atomicAnd_system  atomicAnd
#define atomicOr_block    atomicOr
#define atomicOr_system   atomicOr
#define atomicXor_block   atomicXor
#define atomicXor_system  atomicXor

static inline void __threadfence()
{
    simt_fence();
}

static inline void __threadfence_block()
{
    simt_fence();
}

static inline void __threadfence_system()
{
    simt_fence();
}

#endif /* SIMT_ATOMIC_H */
