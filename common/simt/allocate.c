/* cudaMalloc and its like: who asks for memory, and who may free it. */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>

static cudaError_t allocate_memory(void **pointer, size_t size,
                                   enum simt_memory_kind kind)
{
    void *memory = NULL;

    if (pointer == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (size > 0) {
        memory = simt_memory_take(size, kind);
        if (memory == NULL)
            return simt_set_error(cudaErrorMemoryAllocation);
        /* Nobody sees what host code writes there. */
        if (kind != SIMT_DEVICE_MEMORY)
            simt_memory_written(memory, size);
    }
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    SIMT_ENTER("cudaMalloc");
    return allocate_memory(pointer, size, SIMT_DEVICE_MEMORY);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    (void)stream;
    SIMT_ENTER("cudaMallocAsync");
    return allocate_memory(pointer, size, SIMT_DEVICE_MEMORY);
}

/* 512 bytes: what GPUs of today align rows to, as NVIDIA's textureAlignment
   says of them. */
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
                            size_t height)
{
    SIMT_ENTER("cudaMallocPitch");
    if (pitch == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    return allocate_memory(pointer, *pitch * height, SIMT_DEVICE_MEMORY);
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    SIMT_ENTER("cudaMallocManaged");
    if (size == 0 ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return simt_set_error(cudaErrorInvalidValue);
    return allocate_memory(pointer, size, SIMT_MANAGED_MEMORY);
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    SIMT_ENTER("cudaMallocHost");
    return allocate_memory(pointer, size, SIMT_PINNED_MEMORY);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    SIMT_ENTER("cudaHostAlloc");
    if (flags > (cudaHostAllocPortable | cudaHostAllocMapped |
                 cudaHostAllocWriteCombined))
        return simt_set_error(cudaErrorInvalidValue);
    return allocate_memory(pointer, size, SIMT_PINNED_MEMORY);
}

/* Frees what `call` may free. */
static cudaError_t release(const char *call, void *pointer, int pinned)
{
    const struct simt_allocation *a = simt_memory_find(pointer);
    const char *why;

    if (simt_sticky_error() != cudaSuccess)
        return simt_set_error(simt_sticky_error());
    if (pointer == NULL)
        return cudaSuccess;
    if (a == NULL) {
        why = "this is host memory: free() is for malloc, cudaFree for "
              "cudaMalloc, cudaFreeHost for cudaMallocHost";
    } else if (!a->freed && (a->kind == SIMT_PINNED_MEMORY) != pinned) {
        why = pinned ? "this is device memory: cudaFree is for it"
                     : "this is pinned host memory: cudaFreeHost is for it";
    } else if (simt_memory_free(pointer) == 0) {
        return cudaSuccess;
    } else {
        why = "not, or not any more, the beginning of a device array: freed "
              "twice?";
    }
    fprintf(stderr, "%s(%p): %s\n", call, pointer, why);
    return simt_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaFree(void *pointer)
{
    return release("cudaFree", pointer, 0);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    return release("cudaFreeAsync", pointer, 0);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release("cudaFreeHost", pointer, 1);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    const struct simt_allocation *a = simt_memory_find(host);

    SIMT_ENTER("cudaHostGetDevicePointer");
    if (device == NULL || flags != 0 || a == NULL || a->freed ||
        a->kind != SIMT_PINNED_MEMORY)
        return simt_set_error(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer)
{
    const struct simt_allocation *a = simt_memory_find(pointer);
    void *same = (void *)(uintptr_t)pointer;

    SIMT_ENTER("cudaPointerGetAttributes");
    if (attributes == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = same};
    if (a == NULL || a->freed) {
        if (simt_variable_kind(pointer) == SIMT_NO_VARIABLE)
            return cudaSuccess;
        attributes->type = cudaMemoryTypeDevice;
    } else {
        attributes->type = a->kind == SIMT_PINNED_MEMORY ? cudaMemoryTypeHost
                           : a->kind == SIMT_MANAGED_MEMORY
                               ? cudaMemoryTypeManaged
                               : cudaMemoryTypeDevice;
    }
    attributes->device = 0;
    attributes->devicePointer = same;
    if (attributes->type == cudaMemoryTypeDevice)
        attributes->hostPointer = NULL;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    SIMT_ENTER("cudaMemGetInfo");
    if (free_bytes == NULL || total_bytes == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    simt_memory_info(free_bytes, total_bytes);
    return cudaSuccess;
}
