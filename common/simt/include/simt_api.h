/*
 * simt_api.h: what does the runtime API look like in C++? Calls that take a
 * pointer of any type, a kernel or a variable by its name.
 */
#ifndef SIMT_API_H
#define SIMT_API_H

#include "cuda_runtime_api.h"

#include <type_traits>

namespace simt_device
{

/* Lets call(&memory) allocate for a pointer of any type, which is NULL on
   failure. */
template <class T, class Call>
static inline cudaError_t allocate(T **pointer, Call call)
{
    void *memory = nullptr;
    const cudaError_t error = call(pointer ? &memory : nullptr);

    if (pointer != nullptr)
        *pointer = static_cast<T *>(memory);
    return error;
}

/* A kernel as the C calls take it. */
template <class T> static inline const void *kernel_address(T *kernel)
{
    return reinterpret_cast<const void *>(kernel);
}

template <class T> static inline simt_symbol symbol_of(const T &variable)
{
    return simt_symbol{&reinterpret_cast<const char &>(variable),
                       sizeof variable};
}

} // namespace simt_device

/* --- memory --------------------------------------------------------------- */

template <class T>
static inline cudaError_t cudaMalloc(T **pointer, size_t size)
{
    return simt_device::allocate(
        pointer, [=](void **memory) { return cudaMalloc(memory, size); });
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t size,
                                          cudaStream_t stream)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return cudaMallocAsync(memory, size, stream);
    });
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size,
                                                  cudaMemPool_t pool,
                                                  cudaStream_t stream)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return cudaMallocFromPoolAsync(memory, size, pool, stream);
    });
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch,
                                          size_t width, size_t height)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return cudaMallocPitch(memory, pitch, width, height);
    });
}

template <class T>
static inline cudaError_t
cudaMallocManaged(T **pointer, size_t size,
                  unsigned flags = cudaMemAttachGlobal)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return cudaMallocManaged(memory, size, flags);
    });
}

template <class T>
static inline cudaError_t cudaMallocHost(T **pointer, size_t size,
                                         unsigned flags = cudaHostAllocDefault)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return flags == cudaHostAllocDefault
                   ? cudaMallocHost(memory, size)
                   : cudaHostAlloc(memory, size, flags);
    });
}

template <class T>
static inline cudaError_t cudaHostRegister(T *pointer, size_t size,
                                           unsigned flags)
{
    return cudaHostRegister(static_cast<void *>(pointer), size, flags);
}

template <class T>
static inline cudaError_t cudaHostAlloc(T **pointer, size_t size,
                                        unsigned flags)
{
    return simt_device::allocate(pointer, [=](void **memory) {
        return cudaHostAlloc(memory, size, flags);
    });
}

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                                   unsigned flags)
{
    return simt_device::allocate(device, [=](void **memory) {
        return cudaHostGetDevicePointer(memory, host, flags);
    });
}

/* As before CUDA 13, by the number of a device. */
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size,
                                               int device,
                                               cudaStream_t stream = nullptr)
{
    return cudaMemPrefetchAsync(
        pointer, size, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0,
        stream);
}

static inline cudaError_t cudaMemAdvise(const void *pointer, size_t size,
                                        enum cudaMemoryAdvise advice,
                                        int device)
{
    return cudaMemAdvise(pointer, size, advice,
                         cudaMemLocation{cudaMemLocationTypeDevice, device});
}

/* --- variables ------------------------------------------------------------ */

template <class T>
static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                   size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    const simt_symbol variable = simt_device::symbol_of(symbol);

    return simt_symbol_write(&variable, from, size, offset, kind);
}

template <class T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    const simt_symbol variable = simt_device::symbol_of(symbol);

    return simt_symbol_read(to, &variable, size, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = nullptr)
{
    return cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(
    void *to, const T &symbol, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t = nullptr)
{
    return cudaMemcpyFromSymbol(to, symbol, size, offset, kind);
}

template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    const simt_symbol variable = simt_device::symbol_of(symbol);

    return simt_symbol_address(address, &variable);
}

template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    const simt_symbol variable = simt_device::symbol_of(symbol);

    return simt_symbol_bytes(size, &variable);
}

/* --- events --------------------------------------------------------------- */

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* --- kernels -------------------------------------------------------------- */

template <class T>
static inline cudaError_t
cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes,
                                 simt_device::kernel_address(kernel));
}

template <class T>
static inline cudaError_t
cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute(simt_device::kernel_address(kernel), attribute,
                                value);
}

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *kernel,
                                                 enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig(simt_device::kernel_address(kernel), config);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel,
                                              int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, simt_device::kernel_address(kernel), threads, shared);
}

/* shared_of(threads) is the dynamic shared memory that such a block needs. */
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *blocks, int *threads, T *kernel, F shared_of, int limit = 0)
{
    return simt_best_block(
        blocks, threads, simt_device::kernel_address(kernel),
        [](int size, const void *data) -> size_t {
            return (*static_cast<const F *>(data))(size);
        },
        &shared_of, limit);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *blocks, int *threads, T *kernel,
                                   size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        blocks, threads, kernel, [=](int) { return shared; }, limit);
}

#endif /* SIMT_API_H */
