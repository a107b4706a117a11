/*
 * simt_launch.h: what does simt_rewrite make of a launch and of dynamic shared
 * memory?
 */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "cuda_runtime_api.h"
#include "simt_kernel.h"

#include <type_traits>

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

#endif /* SIMT_LAUNCH_H */
