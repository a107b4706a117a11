/* cudaMalloc and its like: who asks for memory, and who may free it. */
#define _GNU_SOURCE
#include "device.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static cudaError_t allocate_memory(void **pointer, size_t size,
                                   enum simt_memory_kind kind)
{
    void *memory = NULL;

    if (pointer == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (size > 0) {
        simt_fault_catch();
        memory = simt_memory_take(size, kind);
        if (memory == NULL)
            return simt_set_error(cudaErrorMemoryAllocation);
        /* Nobody sees what host code writes there. */
        if (kind != SIMT_DEVICE_MEMORY)
            simt_memory_written(memory, size);
    }
    *pointer = memory;
    simt_host_calls_add_memory(SIMT_CALL_MALLOC, "cudaMalloc", memory, NULL,
                               size);
    return cudaSuccess;
}

/* What cudaMalloc and its like give. */
static enum simt_memory_kind plain = SIMT_DEVICE_MEMORY;

void simt_host_reaches_device(void)
{
    plain = SIMT_MANAGED_MEMORY;
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    SIMT_ENTER("cudaMalloc");
    return allocate_memory(pointer, size, plain);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    (void)stream;
    SIMT_ENTER("cudaMallocAsync");
    return allocate_memory(pointer, size, plain);
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
    return allocate_memory(pointer, *pitch * height, plain);
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

/* Who frees it instead. */
static const char *freed_by(const struct simt_allocation *a)
{
    return a != NULL && a->kind == SIMT_PINNED_MEMORY
               ? "this is pinned host memory: cudaFreeHost is for it"
               : "this is device memory: cudaFree is for it";
}

const char *simt_not_for_free(const void *memory)
{
    return simt_memory_holds(memory) ? freed_by(simt_memory_find(memory))
                                     : NULL;
}

void simt_host_free(void *memory)
{
    const char *const why = simt_not_for_free(memory), *file;
    int line;

    if (why == NULL) {
        free(memory);
        return;
    }
    simt_called_from(__builtin_return_address(0));
    simt_caller_line(&file, &line);
    simt_say(file, line, "free(): %s", why);
    simt_end_program(SIGABRT);
}

/* Frees what `call` may free. */
static cudaError_t release(const char *call, void *pointer, int pinned)
{
    const int held __attribute__((cleanup(simt_let_go), unused)) = simt_hold();
    const struct simt_allocation *a = simt_memory_find(pointer);
    const char *why, *file;
    int line;

    if (simt_sticky_error() != cudaSuccess)
        return simt_set_error(simt_sticky_error());
    if (pointer == NULL)
        return cudaSuccess;
    if (a == NULL) {
        why = "this is host memory: free() is for malloc, cudaFree for "
              "cudaMalloc, cudaFreeHost for cudaMallocHost";
    } else if (!a->freed && (a->kind == SIMT_PINNED_MEMORY) != pinned) {
        why = freed_by(a);
    } else if (simt_memory_free(pointer) == 0) {
        simt_host_calls_add_memory(SIMT_CALL_FREE, call, pointer, NULL, 0);
        return cudaSuccess;
    } else if (a->freed && pointer == a->base) {
        why = "this device array was freed before: it is freed twice";
    } else {
        why = "this is not the beginning of a device array";
    }
    simt_caller_line(&file, &line);
    simt_say(file, line, "%s: %s", call, why);
    return simt_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaFree(void *pointer)
{
    simt_called_from(__builtin_return_address(0));
    return release("cudaFree", pointer, 0);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    simt_called_from(__builtin_return_address(0));
    return release("cudaFreeAsync", pointer, 0);
}

cudaError_t cudaFreeHost(void *pointer)
{
    simt_called_from(__builtin_return_address(0));
    return release("cudaFreeHost", pointer, 1);
}

/* --- host memory that kernels reach as well ------------------------------- */

enum {
    MOST_REGISTERED = 256
};

static struct {
    const char *begin;
    size_t size;
} registered[MOST_REGISTERED];

static int registered_count;

int simt_memory_registered(const void *address)
{
    for (int i = 0; i < registered_count; i++) {
        if ((uintptr_t)address - (uintptr_t)registered[i].begin <
            registered[i].size)
            return 1;
    }
    return 0;
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
    (void)flags;
    SIMT_ENTER("cudaHostRegister");
    if (pointer == NULL || size == 0)
        return simt_set_error(cudaErrorInvalidValue);
    if (simt_memory_registered(pointer) || simt_memory_find(pointer) != NULL)
        return simt_set_error(cudaErrorHostMemoryAlreadyRegistered);
    if (registered_count == MOST_REGISTERED)
        return simt_set_error(cudaErrorMemoryAllocation);
    registered[registered_count].begin = pointer;
    registered[registered_count++].size = size;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer)
{
    SIMT_ENTER("cudaHostUnregister");
    for (int i = 0; i < registered_count; i++) {
        if (registered[i].begin == pointer) {
            registered[i] = registered[--registered_count];
            return cudaSuccess;
        }
    }
    return simt_set_error(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size,
                                 struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream)
{
    (void)location;
    (void)flags;
    (void)stream;
    SIMT_ENTER("cudaMemPrefetchAsync");
    return simt_memory_valid(pointer, size) ||
                   simt_variable_holds(pointer, size)
               ? cudaSuccess
               : simt_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t size,
                          enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice;
    return cudaMemPrefetchAsync(pointer, size, location, 0, 0);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    const struct simt_allocation *a = simt_memory_find(host);

    SIMT_ENTER("cudaHostGetDevicePointer");
    if (device == NULL || flags != 0 ||
        (!simt_memory_registered(host) &&
         (a == NULL || a->freed || a->kind != SIMT_PINNED_MEMORY)))
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
