/*
 * simt_launch.h: what does simt_rewrite make of a launch and of dynamic shared
 * memory?
 */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "cuda_runtime_api.h"
#include "simt_kernel.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace simt_device
{

/* What stands between <<< and >>>. */
struct configuration {
    dim3 grid, block;
    size_t shared; /* bytes of dynamic shared memory */
    cudaStream_t stream;
    int cooperative = 0;

    configuration(dim3 grid_size, dim3 block_size, size_t shared_bytes = 0,
                  cudaStream_t in = nullptr)
        : grid(grid_size), block(block_size), shared(shared_bytes), stream(in)
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

template <class T> static inline simt_object object_in(const T &argument)
{
    return {reinterpret_cast<const char *>(&argument),
            std::is_class_v<T> ? sizeof argument : 0, std::is_same_v<T, int>,
            std::is_pointer_v<T> &&
                !std::is_function_v<std::remove_pointer_t<T>>};
}

/* Runs one thread of the kernel: closure is what launch() made. */
template <class Closure> SIMT_NOT_RECORDED static void run_thread(void *closure)
{
    (*static_cast<Closure *>(closure))();
}

/* Runs closure() for each thread. Errors are kept for cudaGetLastError. */
template <bool can_wait, class Closure, class... Arguments>
static void launch_closure(const char *file, int line, const char *name,
                           const void *function, const configuration &size,
                           Closure &closure, const Arguments &...arguments)
{
    const void *const pointers[] = {pointer_in(arguments)..., nullptr};
    const simt_object objects[] = {object_in(arguments)..., {nullptr, 0, 0, 0}};
    struct simt_launch what = {};

    what.kernel = name;
    what.function = function;
    what.file = file;
    what.line = line;
    what.grid = size.grid;
    what.block = size.block;
    what.dynamic_shared = size.shared;
    what.stream = size.stream;
    what.pointers = pointers;
    what.objects = objects;
    what.pointer_count = sizeof...(arguments);
    what.run_thread = run_thread<Closure>;
    what.closure = &closure;
    what.closure_size = sizeof closure;
    what.can_wait = can_wait;
    what.is_cooperative = size.cooperative;
    simt_launch_kernel(&what);
}

/* What a thread gets of such an argument: its bytes, which it may change. */
template <class T> struct bytes_of {
    alignas(T) char bytes[sizeof(T)];

    explicit SIMT_NOT_RECORDED bytes_of(const T &from)
    {
        __builtin_memcpy(bytes, static_cast<const void *>(&from), sizeof from);
    }
    SIMT_NOT_RECORDED operator T &()
    {
        return *reinterpret_cast<T *>(bytes);
    }
};

/*
 * A kernel, one of whose arguments is of a class that does more than to copy
 * its bytes. As on a GPU its constructor of copies runs once, for the launch,
 * and each thread has the bytes of that copy. It is passed by its address
 * (Itanium C++ ABI, "Value Parameters").
 */
template <class... Parameters> struct shared_arguments {
    template <class T>
    using passed = std::conditional_t<std::is_trivially_copyable_v<T>, T, T &>;
    template <class T>
    using given =
        std::conditional_t<std::is_trivially_copyable_v<T> ||
                               std::is_reference_v<T>,
                           std::add_lvalue_reference_t<T>, bytes_of<T>>;
    typedef void function(passed<Parameters>...);

    function *kernel;
    std::tuple<Parameters...> copies;

    template <size_t... I>
    SIMT_NOT_RECORDED void call(std::index_sequence<I...>)
    {
        kernel(static_cast<given<Parameters>>(std::get<I>(copies))...);
    }
    SIMT_NOT_RECORDED void operator()()
    {
        call(std::index_sequence_for<Parameters...>());
    }
};

/* What a kernel's parameter gets: the launch's argument, which a reference
   names and all else copies. */
template <class Parameter, class T>
static decltype(auto) given_to(const T &given)
{
    if constexpr (std::is_reference_v<Parameter>)
        return static_cast<Parameter>(const_cast<T &>(given));
    else
        return (given);
}

/* And what of it is looked at before the kernel runs: what a reference names
   must be the device's, as what a pointer points to. */
template <class Parameter, class T>
static decltype(auto) seen_by(const T &given)
{
    if constexpr (std::is_reference_v<Parameter>)
        return &given;
    else
        return (given);
}

/* An argument as its copy takes it: an array, whose const is launch()'s, as a
   pointer to its first element. */
template <class T> static decltype(auto) copied_from(const T &given)
{
    if constexpr (std::is_array_v<T>)
        return const_cast<std::decay_t<T>>(given);
    else
        return (given);
}

/* Asks whether a parameter of the kernel is a reference. */
struct asking_for_references {
    template <class... Parameters>
    std::bool_constant<(std::is_reference_v<Parameters> || ...)>
    operator()(void (*)(Parameters...)) const
    {
        return {};
    }
};

template <class Address> static constexpr bool takes_references()
{
    if constexpr (std::is_invocable_v<Address &, asking_for_references>)
        return std::invoke_result_t<Address &, asking_for_references>::value;
    return false;
}

/* Asks for the kernel's address. A template whose arguments follow from the
   launch is taken for their types. */
template <class... Arguments> struct asking_for_function {
    template <class... Parameters>
    const void *operator()(void (*kernel)(Parameters...)) const
    {
        return reinterpret_cast<const void *>(kernel);
    }
    const void *operator()(void (*kernel)(Arguments...)) const
    {
        return reinterpret_cast<const void *>(kernel);
    }
};

/* The kernel's address, NULL if that is not known. */
template <class... Arguments, class Address>
static const void *function_of(Address &address)
{
    typedef asking_for_function<std::decay_t<Arguments>...> asking;

    if constexpr (std::is_invocable_v<Address &, const asking &>)
        return address(asking());
    return nullptr;
}

/* Stands for the launch's arguments while the kernel's address is asked for. A
   template whose arguments follow from the launch is taken for their types. */
template <class... Arguments> struct sharing {
    const char *file, *name;
    int line;
    const configuration &size;
    std::tuple<const Arguments &...> given;

    template <class... Parameters>
    void operator()(void (*kernel)(Parameters...)) const
    {
        typedef shared_arguments<std::remove_cv_t<Parameters>...> closure;
        auto *const address = reinterpret_cast<typename closure::function *>(
            reinterpret_cast<void *>(kernel));

        std::apply(
            [&](const Arguments &...arguments) {
                closure shared = {address,
                                  {given_to<Parameters>(arguments)...}};

                launch_closure<false>(
                    file, line, name, reinterpret_cast<void *>(kernel), size,
                    shared, seen_by<Parameters>(arguments)...);
            },
            given);
    }
    void operator()(void (*kernel)(Arguments...)) const
    {
        operator()<Arguments...>(kernel);
    }
};

/*
 * What simt_rewrite makes of kernel<<<...>>>(...). The arguments are copied
 * here, once, as on a GPU; `kernel` is a function object that calls the kernel,
 * and `address` one that gives the kernel's address to another, if it has but
 * one. simt_rewrite writes the call down once more, for the compiler to look
 * at: if that is wrong, nothing is said here.
 */
template <class Kernel, class Address, class... Arguments>
static void launch(const char *file, int line, const char *name,
                   const configuration &size, Kernel kernel, Address address,
                   const Arguments &...arguments)
{
    typedef sharing<std::decay_t<Arguments>...> sharing;

    if constexpr (!std::is_invocable_v<Kernel &, std::decay_t<Arguments> &...>)
        return;
    else if constexpr ((takes_references<Address>() ||
                        !(std::is_trivially_copyable_v<
                              std::decay_t<Arguments>> &&
                          ...)) &&
                       std::is_invocable_v<Address &, const sharing &>)
        address(sharing{file, name, line, size, {arguments...}});
    else
        [&](std::decay_t<Arguments>... copies) {
            auto closure = [=]()
                               SIMT_MUTABLE_NOT_RECORDED { kernel(copies...); };

            launch_closure<
                std::is_empty_v<Kernel> &&
                (std::is_trivially_copyable_v<std::decay_t<Arguments>> && ...)>(
                file, line, name, function_of<Arguments...>(address), size,
                closure, copies...);
        }(copied_from(arguments)...);
}

template <class Kernel, class Address, class... Arguments>
static void launch(const char *file, int line, const char *name, size_t,
                   const configuration &size, Kernel kernel, Address address,
                   const Arguments &...arguments)
{
    launch(file, line, name, size, kernel, address, arguments...);
}

/* The lambda that gives the address away; the rest of the one that calls
   the kernel. */
#define SIMT_KERNEL_ADDRESS(...)                                \
    [&](auto simt_take)                                         \
        SIMT_NOT_RECORDED -> decltype(simt_take(__VA_ARGS__)) { \
            return simt_take(__VA_ARGS__);                      \
        }
#define SIMT_KERNEL_CALL(...)                \
    SIMT_NOT_RECORDED->decltype(__VA_ARGS__) \
    {                                        \
        return __VA_ARGS__;                  \
    }

/*
 * cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream), in front of
 * whose arguments simt_rewrite puts the launch's place and the kernel's name.
 */
template <class... Parameters, size_t... I>
static void launch_pointers(const char *file, int line, const char *name,
                            const configuration &size,
                            void (*kernel)(Parameters...), void **arguments,
                            std::index_sequence<I...>)
{
    launch(
        file, line, name,
        size, [=](auto &...given) SIMT_KERNEL_CALL(kernel(given...)),
        SIMT_KERNEL_ADDRESS(kernel),
        *static_cast<std::remove_reference_t<Parameters> *>(arguments[I])...);
}

template <class... Parameters>
static cudaError_t
cudaLaunchKernel(const char *file, int line, const char *name,
                 void (*kernel)(Parameters...), dim3 grid, dim3 block,
                 void **arguments, size_t shared = 0,
                 cudaStream_t stream = nullptr)
{
    launch_pointers(file, line, name,
                    configuration(grid, block, shared, stream), kernel,
                    arguments, std::index_sequence_for<Parameters...>());
    return cudaPeekAtLastError();
}

template <class... Parameters>
static cudaError_t
cudaLaunchCooperativeKernel(const char *file, int line, const char *name,
                            void (*kernel)(Parameters...), dim3 grid,
                            dim3 block, void **arguments, size_t shared = 0,
                            cudaStream_t stream = nullptr)
{
    configuration size(grid, block, shared, stream);

    size.cooperative = 1;
    launch_pointers(file, line, name, size, kernel, arguments,
                    std::index_sequence_for<Parameters...>());
    return cudaPeekAtLastError();
}

/* Of a pointer that has lost the kernel's type nobody knows the arguments. */
cudaError_t cudaLaunchKernel(const char *, int, const char *, const void *,
                             dim3, dim3, void **, size_t = 0,
                             cudaStream_t = nullptr)
    __attribute__((error("cudaLaunchKernel wants the kernel's own name on the "
                         "CPU device, or a pointer of its type")));
cudaError_t cudaLaunchCooperativeKernel(const char *, int, const char *,
                                        const void *, dim3, dim3, void **,
                                        size_t = 0, cudaStream_t = nullptr)
    __attribute__((error("cudaLaunchCooperativeKernel wants the kernel's own "
                         "name on the CPU device, or a pointer of its type")));

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
