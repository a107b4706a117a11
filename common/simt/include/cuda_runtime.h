/*
 * cuda_runtime.h: CUDA C++ for g++, so that a .cu file runs on the CPU device.
 *
 * g++ reads the file after simt_rewrite has rewritten what no macro can, such
 * as kernel<<<...>>>(...). Everything else that CUDA adds to the language is
 * here: a macro, a type or a function.
 *
 *   simt_launch.h    launches
 *   simt_api.h       the C++ forms of the runtime API
 *   simt_warp.h      barriers, shuffles and votes
 *   simt_atomic.h    atomic operations and fences
 *   simt_math.h      floating-point mathematics that C does not have
 *   simt_integer.h   integers, conversions, loads and stores by name
 *   simt_ptx.h       a few instructions of PTX
 *   simt_texture.h   arrays and texture objects
 *   simt_graph.h     graphs of calls
 *   vector_types.h   float4 and its like
 *   assert.h         assert() in kernels
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "simt_kernel.h"

#define __host__
#define __device__

#ifdef __cplusplus

/* Before the C library declares it. */
extern "C" void free(void *) noexcept __asm__("simt_host_free");

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if !defined(__wasm__)
#include <new> /* as NVIDIA's does */
#endif

#define __global__      __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __grid_constant__

/* What simt_rewrite makes of the words before a variable, which tells the
   device where such variables are (variables.c). In a header, which it does not
   rewrite, nothing is made of them. */
#define SIMT_VARIABLE(name) __attribute__((section(name)))
#define __constant__
#define __managed__

/*
 * A block runs on one OS thread, so storage that each OS thread has for
 * itself is what a block shares. The device fills it with NaNs before each
 * block; see shared_begin.c for how it knows where these variables are.
 */
#if !defined(__wasm__)
#define __shared__ thread_local
#else /* which has one OS thread, names the part of memory, and keeps all */
#define __shared__ static __attribute__((section("simt_shared"), used))
#endif

constexpr int warpSize = 32;

/* What simt_rewrite makes of #pragma unroll. Macros in the number are expanded
   before GCC sees it; without a number a loop of a constant length of up to
   this many rounds is unrolled whole. */
#define SIMT_UNROLL_ALL 128
#if defined(__clang__)
#define SIMT_UNROLL(n) SIMT_PRAGMA(unroll n)
#else
#define SIMT_UNROLL(n) SIMT_PRAGMA(GCC unroll n)
#endif
#define SIMT_PRAGMA(words)     _Pragma(#words)
#define SIMT_STRING(...)       SIMT_STRING_AS_IS(__VA_ARGS__)
#define SIMT_STRING_AS_IS(...) #__VA_ARGS__

#define __trap() simt_trap(__FILE__, __LINE__)

/* Nanoseconds: the CPU device has no clock that a GPU's could be compared
   with. clock() is the C library's. */
static inline long long clock64()
{
    return simt_nanoseconds();
}

/* Nothing waits for time to pass. */
static inline void __nanosleep(unsigned)
{
}

#include "simt_api.h"
#include "simt_graph.h"
#include "simt_atomic.h"
#include "simt_integer.h"
#include "simt_launch.h"
#include "simt_math.h"
#include "simt_ptx.h"
#include "simt_texture.h"
#include "simt_warp.h"

#endif /* __cplusplus */

#endif /* SIMT_CUDA_RUNTIME_H */
