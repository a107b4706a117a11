/*
 * What the compiler calls in an instrumented program where C++ has an atomic
 * operation or an object with virtual functions: std::atomic, std::shared_ptr,
 * local static variables. Such code is the host's; the atomic operations of
 * kernels are functions of the device (simt_atomic.h).
 */
#include <stdint.h>

/* The functions below are not static and have no header: the compiler calls
   them by name. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-non-const-parameter) */
/* All orders are the strongest one. */
#define ORDER __ATOMIC_SEQ_CST

#define CHANGE(bits, type, name, operation)                          \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, \
                                      int order)                     \
    {                                                                \
        (void)order;                                                 \
        return operation(at, value, ORDER);                          \
    }

#define COMPARE(bits, type, name)                                            \
    int __tsan_atomic##bits##_compare_exchange_##name(                       \
        volatile type *at, type *expected, type value, int order, int other) \
    {                                                                        \
        (void)order;                                                         \
        (void)other;                                                         \
        return __atomic_compare_exchange_n(at, expected, value, 0, ORDER,    \
                                           ORDER);                           \
    }

#define ATOMICS(bits, type)                                                    \
    type __tsan_atomic##bits##_load(const volatile type *at, int order)        \
    {                                                                          \
        (void)order;                                                           \
        return __atomic_load_n(at, ORDER);                                     \
    }                                                                          \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
    {                                                                          \
        (void)order;                                                           \
        __atomic_store_n(at, value, ORDER);                                    \
    }                                                                          \
    CHANGE(bits, type, exchange, __atomic_exchange_n)                          \
    CHANGE(bits, type, fetch_add, __atomic_fetch_add)                          \
    CHANGE(bits, type, fetch_sub, __atomic_fetch_sub)                          \
    CHANGE(bits, type, fetch_and, __atomic_fetch_and)                          \
    CHANGE(bits, type, fetch_or, __atomic_fetch_or)                            \
    CHANGE(bits, type, fetch_xor, __atomic_fetch_xor)                          \
    CHANGE(bits, type, fetch_nand, __atomic_fetch_nand)                        \
    COMPARE(bits, type, strong)                                                \
    COMPARE(bits, type, weak)                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(                           \
        volatile type *at, type expected, type value, int order, int other)    \
    {                                                                          \
        (void)order;                                                           \
        (void)other;                                                           \
        __atomic_compare_exchange_n(at, &expected, value, 0, ORDER, ORDER);    \
        return expected;                                                       \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
/* NOLINTEND(bugprone-macro-parentheses,readability-non-const-parameter) */

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(ORDER);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

/* An object becomes one of another class while it is made or ended. */
void __tsan_vptr_update(void **at, void *value)
{
    (void)at;
    (void)value;
}

void __tsan_vptr_read(void **at)
{
    (void)at;
}
