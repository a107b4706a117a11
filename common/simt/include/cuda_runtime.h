/*
 * cuda_runtime.h: CUDA C++ for g++, so that a .cu file runs on the CPU device.
 *
 * g++ reads the file after simt_rewrite has turned kernel<<<...>>>(...) into
 * simt_device::launch(...), which is declared below. Everything else that
 * CUDA adds to the language is a macro, a type or a function here.
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "simt_kernel.h"

#define __host__
#define __device__

#ifdef __cplusplus

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#define __global__      __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

/*
 * A block runs on one OS thread, so storage that each OS thread has for
 * itself is what a block shares. The device fills it with NaNs before each
 * block; see shared_begin.c for how it knows where these variables are.
 */
#define __shared__ thread_local

#define threadIdx (simt_thread_index())
#define blockIdx  (simt_block_index())
#define blockDim  (simt_block_size())
#define gridDim   (simt_grid_size())

constexpr int warpSize = 32;

/* __COUNTER__ tells two barriers on one line apart. */
#define __syncthreads() simt_barrier(__COUNTER__, __FILE__, __LINE__)

/* Nanoseconds: the CPU device has no clock that a GPU's could be compared
   with. */
static inline long long clock64()
{
    return simt_nanoseconds();
}

static inline int min(int a, int b)
{
    return a < b ? a : b;
}

static inline int max(int a, int b)
{
    return a > b ? a : b;
}

static inline unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static inline unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static inline float min(float a, float b)
{
    return fminf(a, b);
}

static inline float max(float a, float b)
{
    return fmaxf(a, b);
}

/* CUDA offers cudaMalloc for a pointer of any type. */
template <class T>
static inline cudaError_t cudaMalloc(T **pointer, size_t size)
{
    void *memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, size);

    *pointer = static_cast<T *>(memory); /* NULL on failure */
    return error;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    return cudaEventRecord(event, nullptr);
}

/* What simt_rewrite makes of #pragma unroll. Macros in the number are expanded
   before GCC sees it; without a number a loop of a constant length of up to
   this many rounds is unrolled whole. */
#define SIMT_UNROLL_ALL        128
#define SIMT_UNROLL(n)         SIMT_PRAGMA(GCC unroll n)
#define SIMT_PRAGMA(words)     _Pragma(#words)
#define SIMT_STRING(...)       SIMT_STRING_AS_IS(__VA_ARGS__)
#define SIMT_STRING_AS_IS(...) #__VA_ARGS__

namespace simt_device
{

/* What stands between <<< and >>>. */
struct configuration {
    dim3 grid, block;
    size_t shared; /* bytes of dynamic shared memory */

    configuration(dim3 grid_size, dim3 block_size, size_t shared_bytes = 0,
                  cudaStream_t = nullptr)
        : grid(grid_size), block(block_size), shared(shared_bytes)
    {
    }
};

/* Data pointers among a launch's arguments are looked at before the kernel
   runs: one that points to host memory is the commonest first mistake. */
template <class T> static inline const void *pointer_in(const T &argument)
{
    if constexpr (std::is_pointer_v<T>) {
        if constexpr (!std::is_function_v<std::remove_pointer_t<T>>)
            return const_cast<const void *>(
                static_cast<const volatile void *>(argument));
    }
    return nullptr;
}

/* Runs one thread of the kernel: closure is what launch() made. */
template <class Closure> SIMT_NOT_RECORDED static void run_thread(void *closure)
{
    (*static_cast<Closure *>(closure))();
}

/*
 * A kernel launch. The arguments are copied here, once, as on a GPU; `kernel`
 * is a function object that calls the kernel. Errors are kept for
 * cudaGetLastError.
 */
template <class Kernel, class... Arguments>
static void launch(const char *file, int line, const char *name,
                   const configuration &size, Kernel kernel,
                   Arguments... arguments)
{
    auto closure = [=]() SIMT_NOT_RECORDED { kernel(arguments...); };
    const void *const pointers[] = {pointer_in(arguments)..., nullptr};
    struct simt_launch what = {};

    what.kernel = name;
    what.file = file;
    what.line = line;
    what.grid = size.grid;
    what.block = size.block;
    what.dynamic_shared = size.shared;
    what.pointers = pointers;
    what.pointer_count = sizeof...(arguments);
    what.run_thread = run_thread<decltype(closure)>;
    what.closure = &closure;
    what.closure_size = sizeof closure;
    simt_launch_kernel(&what);
}

/* extern __shared__ T name[]; outside a function becomes one of these. */
template <class T> struct dynamic_shared_array {
    operator T *() const
    {
        return static_cast<T *>(simt_dynamic_shared());
    }
};

static inline void *dynamic_shared()
{
    return simt_dynamic_shared();
}

} // namespace simt_device

#endif /* __cplusplus */

#endif /* SIMT_CUDA_RUNTIME_H */
