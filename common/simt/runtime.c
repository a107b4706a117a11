/*
 * The CUDA runtime API. A call that fails returns its error and keeps it for
 * cudaGetLastError, as CUDA does; after a kernel has gone wrong every call
 * returns that error until cudaDeviceReset (CUDA calls it a sticky error).
 */
#define _GNU_SOURCE
#include "device.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaError_t last_error, sticky_error;
static long calls_until_failure; /* fault injection; 0: off */
static const char *failed_call;

struct simt_stream {
    int unused;
};

struct simt_event {
    long long nanoseconds; /* -1: not recorded yet */
};

void simt_fail_call(long nth)
{
    calls_until_failure = nth;
    failed_call = NULL;
}

const char *simt_failed_call(void)
{
    return failed_call;
}

void simt_set_error(cudaError_t error)
{
    if (error == cudaErrorIllegalAddress ||
        error == cudaErrorMisalignedAddress || error == cudaErrorLaunchFailure)
        sticky_error = error;
    last_error = error;
}

static cudaError_t result(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

int simt_enter(const char *call)
{
    if (sticky_error != cudaSuccess)
        return (int)result(sticky_error);
    if (calls_until_failure > 0 && --calls_until_failure == 0) {
        failed_call = call;
        return (int)result(cudaErrorMemoryAllocation);
    }
    return 0;
}

/* Leaves the calling function if the call must fail. */
#define ENTER(call)                          \
    do {                                     \
        const int error_ = simt_enter(call); \
        if (error_ != 0)                     \
            return (cudaError_t)error_;      \
    } while (0)

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;

    last_error = sticky_error;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError",
     "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer",
     "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorNoDevice, "cudaErrorNoDevice",
     "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice",
     "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress",
     "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure",
     "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].error == error)
            return errors[i].name;
    }
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].error == error)
            return errors[i].text;
    }
    return "unknown error";
}

cudaError_t cudaDeviceSynchronize(void)
{
    ENTER("cudaDeviceSynchronize");
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    simt_memory_free_all();
    last_error = sticky_error = cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    ENTER("cudaMalloc");
    if (pointer == NULL)
        return result(cudaErrorInvalidValue);
    if (size == 0) {
        *pointer = NULL;
        return cudaSuccess;
    }
    void *memory = simt_memory_take(size);

    if (memory == NULL)
        return result(cudaErrorMemoryAllocation);
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    if (sticky_error != cudaSuccess)
        return result(sticky_error);
    if (pointer == NULL || simt_memory_free(pointer) == 0)
        return cudaSuccess;
    fprintf(stderr, "cudaFree(%p): %s\n", pointer,
            simt_memory_holds(pointer)
                ? "not, or not any more, the beginning of a device array: "
                  "freed twice?"
                : "this is host memory: free() is for malloc, cudaFree for "
                  "cudaMalloc");
    return result(cudaErrorInvalidValue);
}

/* Says what is wrong with one side of a copy. Returns 0 if nothing is. */
static int check_side(const char *call, const char *side, const void *pointer,
                      size_t size, int device)
{
    const struct simt_allocation *a = simt_memory_find(pointer);
    const char *wrong = NULL;

    if (device && !simt_memory_holds(pointer)) {
        wrong = "is host memory where the direction says device";
    } else if (!device && simt_memory_holds(pointer)) {
        wrong = "is device memory where the direction says host";
    } else if (device && a != NULL && a->freed) {
        wrong = "is device memory that was freed";
    } else if (device && !simt_memory_valid(pointer, size)) {
        wrong = "is a device array with fewer bytes than are to be copied";
    }
    if (wrong == NULL)
        return 0;
    fprintf(stderr, "%s of %zu bytes: the %s pointer %s\n", call, size, side,
            wrong);
    return -1;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       enum cudaMemcpyKind kind)
{
    int to_device, from_device;

    ENTER("cudaMemcpy");
    switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
        to_device =
            kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        from_device =
            kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        break;
    case cudaMemcpyDefault:
        to_device = simt_memory_holds(to);
        from_device = simt_memory_holds(from);
        break;
    default:
        return result(cudaErrorInvalidMemcpyDirection);
    }
    if (size == 0)
        return cudaSuccess;
    if (to == NULL || from == NULL ||
        check_side("cudaMemcpy", "destination", to, size, to_device) != 0 ||
        check_side("cudaMemcpy", "source", from, size, from_device) != 0)
        return result(cudaErrorInvalidValue);
    simt_memory_open();
    memmove(to, from, size);
    if (to_device)
        simt_memory_written(to, size);
    simt_memory_close();
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, size, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t size)
{
    ENTER("cudaMemset");
    if (size == 0)
        return cudaSuccess;
    if (check_side("cudaMemset", "destination", to, size, 1) != 0)
        return result(cudaErrorInvalidValue);
    simt_memory_open();
    memset(to, value, size);
    simt_memory_written(to, size);
    simt_memory_close();
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    ENTER("cudaMemGetInfo");
    if (free_bytes == NULL || total_bytes == NULL)
        return result(cudaErrorInvalidValue);
    simt_memory_info(free_bytes, total_bytes);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    ENTER("cudaStreamCreate");
    if (stream == NULL)
        return result(cudaErrorInvalidValue);
    *stream = calloc(1, sizeof **stream);
    return *stream ? cudaSuccess : result(cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    ENTER("cudaStreamSynchronize");
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    ENTER("cudaEventCreate");
    if (event == NULL)
        return result(cudaErrorInvalidValue);
    *event = malloc(sizeof **event);
    if (*event == NULL)
        return result(cudaErrorMemoryAllocation);
    (*event)->nanoseconds = -1;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event == NULL)
        return result(cudaErrorInvalidResourceHandle);
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    ENTER("cudaEventRecord");
    if (event == NULL)
        return result(cudaErrorInvalidResourceHandle);
    event->nanoseconds = simt_nanoseconds();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    ENTER("cudaEventSynchronize");
    return event ? cudaSuccess : result(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from,
                                 cudaEvent_t to)
{
    ENTER("cudaEventElapsedTime");
    if (milliseconds == NULL)
        return result(cudaErrorInvalidValue);
    if (from == NULL || to == NULL || from->nanoseconds < 0 ||
        to->nanoseconds < 0)
        return result(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)(to->nanoseconds - from->nanoseconds) / 1e6f;
    return cudaSuccess;
}
