/*
 * simt_warp.h: shuffles, votes and barriers of kernels, as the CUDA C++
 * Programming Guide, "Warp Vote Functions" and those behind it, has them.
 *
 * What a lane reads from one that takes no part, which CUDA leaves undefined,
 * has all its bits set here: as float, a NaN. The last two parameters of each
 * function are the line that calls it, for messages.
 */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include "simt_kernel.h"

#include <string.h>
#include <type_traits>

#define SIMT_HERE \
    const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* __COUNTER__ tells two barriers on one line apart. */
#define __syncthreads() simt_barrier(__COUNTER__, __FILE__, __LINE__)
#define __syncthreads_count(predicate) \
    simt_barrier_count(__COUNTER__, __FILE__, __LINE__, (predicate) != 0)
#define __syncthreads_or(predicate) (__syncthreads_count(predicate) != 0)
#define __syncthreads_and(predicate) \
    (__syncthreads_count((predicate) == 0) == 0)

namespace simt_device
{

SIMT_NOT_RECORDED static inline uint64_t
warp(simt_warp_operation operation, const char *name, const char *file,
     int line, unsigned mask, uint64_t value = 0, unsigned source = 0)
{
    const simt_warp_call call = {operation, name,  file,  line,
                                 mask,      value, source};

    return simt_warp(&call);
}

/* What a shuffle of a T gives: char and short are int by then, as in a call of
   CUDA's functions. */
template <class T> using shuffled = decltype(+T());

/* The value that lane `source` has. */
template <class T>
SIMT_NOT_RECORDED static T shuffle(const char *name, const char *file, int line,
                                   unsigned mask, T value, unsigned source)
{
    uint64_t bits = 0;
    T result;

    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= sizeof bits,
                  "shuffles move numbers of 4 or 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = warp(SIMT_WARP_SHUFFLE, name, file, line, mask, bits, source);
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}

/* The same of a T of any size, as words. */
template <class T>
SIMT_NOT_RECORDED static T shuffle_bytes(const char *name, const char *file,
                                         int line, unsigned mask, T value,
                                         unsigned source)
{
    uint64_t words[(sizeof(T) + 7) / 8] = {};

    static_assert(std::is_trivially_copyable_v<T>,
                  "a shuffle moves what may be copied byte by byte");
    __builtin_memcpy(words, &value, sizeof value);
    for (uint64_t &word : words)
        word = warp(SIMT_WARP_SHUFFLE, name, file, line, mask, word, source);
    __builtin_memcpy((void *)&value, words, sizeof value);
    return value;
}

} // namespace simt_device

/*
 * Shuffles. Each group of `width` neighbours, a power of two, is one of its
 * own; a lane whose source would lie outside of it keeps its own value.
 */
template <class T>
SIMT_NOT_RECORDED static simt_device::shuffled<T>
__shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_HERE)
{
    const unsigned group = simt_lane() & ~((unsigned)width - 1);

    return simt_device::shuffle<simt_device::shuffled<T>>(
        "__shfl_sync", file, line, mask, value,
        group + ((unsigned)source & ((unsigned)width - 1)));
}

template <class T>
SIMT_NOT_RECORDED static simt_device::shuffled<T>
__shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
               SIMT_HERE)
{
    const unsigned lane = simt_lane(), place = lane & ((unsigned)width - 1);

    return simt_device::shuffle<simt_device::shuffled<T>>(
        "__shfl_up_sync", file, line, mask, value,
        delta <= place ? lane - delta : lane);
}

template <class T>
SIMT_NOT_RECORDED static simt_device::shuffled<T>
__shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 SIMT_HERE)
{
    const unsigned lane = simt_lane(), place = lane & ((unsigned)width - 1);

    return simt_device::shuffle<simt_device::shuffled<T>>(
        "__shfl_down_sync", file, line, mask, value,
        delta < (unsigned)width - place ? lane + delta : lane);
}

/* A lane may read from an earlier group than its own, but not from a later one:
   then it keeps its own value. */
template <class T>
SIMT_NOT_RECORDED static simt_device::shuffled<T>
__shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                SIMT_HERE)
{
    const unsigned lane = simt_lane(), source = lane ^ (unsigned)lane_mask;
    const unsigned last = lane | ((unsigned)width - 1);

    return simt_device::shuffle<simt_device::shuffled<T>>(
        "__shfl_xor_sync", file, line, mask, value,
        source <= last ? source : lane);
}

/* --- votes ---------------------------------------------------------------- */

SIMT_NOT_RECORDED static inline unsigned __ballot_sync(unsigned mask,
                                                       int predicate, SIMT_HERE)
{
    return (unsigned)simt_device::warp(SIMT_WARP_BALLOT, "__ballot_sync", file,
                                       line, mask, predicate != 0);
}

SIMT_NOT_RECORDED static inline int __any_sync(unsigned mask, int predicate,
                                               SIMT_HERE)
{
    return simt_device::warp(SIMT_WARP_OR, "__any_sync", file, line, mask,
                             predicate != 0) != 0;
}

SIMT_NOT_RECORDED static inline int __all_sync(unsigned mask, int predicate,
                                               SIMT_HERE)
{
    return simt_device::warp(SIMT_WARP_AND, "__all_sync", file, line, mask,
                             predicate != 0) != 0;
}

/* The lanes that come here together: those that wait nowhere else. */
SIMT_NOT_RECORDED static inline unsigned __activemask(SIMT_HERE)
{
    return (unsigned)simt_device::warp(SIMT_WARP_ACTIVE, "__activemask", file,
                                       line, 0);
}

SIMT_NOT_RECORDED static inline void __syncwarp(unsigned mask = 0xffffffffu,
                                                SIMT_HERE)
{
    simt_device::warp(SIMT_WARP_SYNC, "__syncwarp", file, line, mask);
}

template <class T>
SIMT_NOT_RECORDED static unsigned __match_any_sync(unsigned mask, T value,
                                                   SIMT_HERE)
{
    uint64_t bits = 0;

    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= sizeof bits,
                  "lanes are matched by numbers of 4 or 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof value);
    return (unsigned)simt_device::warp(SIMT_WARP_MATCH, "__match_any_sync",
                                       file, line, mask, bits);
}

template <class T>
SIMT_NOT_RECORDED static unsigned __match_all_sync(unsigned mask, T value,
                                                   int *predicate, SIMT_HERE)
{
    *predicate = __match_any_sync(mask, value, file, line) == mask;
    return *predicate ? mask : 0;
}

/* --- sums and the like ---------------------------------------------------- */

namespace simt_device
{

template <class T>
SIMT_NOT_RECORDED static T reduce(simt_warp_operation operation,
                                  const char *name, const char *file, int line,
                                  unsigned mask, T value)
{
    return (T)(int64_t)warp(operation, name, file, line, mask,
                            (uint64_t)(int64_t)value);
}

} // namespace simt_device

#define SIMT_REDUCE(name, operation, type)                                     \
    SIMT_NOT_RECORDED static inline type name(unsigned mask, type value,       \
                                              SIMT_HERE)                       \
    {                                                                          \
        return simt_device::reduce(operation, #name, file, line, mask, value); \
    }

SIMT_REDUCE(__reduce_add_sync, SIMT_WARP_ADD, unsigned)
SIMT_REDUCE(__reduce_add_sync, SIMT_WARP_ADD, int)
SIMT_REDUCE(__reduce_min_sync, SIMT_WARP_MIN, unsigned)
SIMT_REDUCE(__reduce_min_sync, SIMT_WARP_MIN, int)
SIMT_REDUCE(__reduce_max_sync, SIMT_WARP_MAX, unsigned)
SIMT_REDUCE(__reduce_max_sync, SIMT_WARP_MAX, int)
SIMT_REDUCE(__reduce_and_sync, SIMT_WARP_AND, unsigned)
SIMT_REDUCE(__reduce_or_sync, SIMT_WARP_OR, unsigned)
SIMT_REDUCE(__reduce_xor_sync, SIMT_WARP_XOR, unsigned)

#undef SIMT_REDUCE

#endif /* SIMT_WARP_H */
