/*
 * assert.h: assert() that a kernel may use as well. One that does not hold in
 * a kernel ends the launch with cudaErrorAssert. Like the C library's header,
 * which it extends, it may be included again with another NDEBUG.
 */
#pragma GCC system_header
#include_next <assert.h>

#if defined(__cplusplus) && !defined(NDEBUG)

#include "simt_kernel.h"

#undef assert
#define assert(expression)         \
    (static_cast<bool>(expression) \
         ? static_cast<void>(0)    \
         : simt_assert_failed(#expression, __FILE__, __LINE__, __func__))

#endif
