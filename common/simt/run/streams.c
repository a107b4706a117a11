/*
 * Streams and events. The device does one thing at a time and each call
 * returns when its work is done, so all that a stream was given is done
 * whenever somebody asks.
 */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>

enum {
    GREATEST_PRIORITY = -5 /* an H200's; the least is 0 */
};

struct simt_stream {
    unsigned flags;
    int priority;
};

struct simt_event {
    long long nanoseconds; /* -1: not recorded yet */
    unsigned flags;
};

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags,
                                 int priority)
{
    if (stream == NULL ||
        (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
        return simt_set_error(cudaErrorInvalidValue);
    *stream = malloc(sizeof **stream);
    if (*stream == NULL)
        return simt_set_error(cudaErrorMemoryAllocation);
    priority = priority > 0 ? 0 : priority;
    **stream = (struct simt_stream){
        flags, priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority};
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    SIMT_ENTER("cudaStreamCreate");
    return create_stream(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    SIMT_ENTER("cudaStreamCreateWithFlags");
    return create_stream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority)
{
    SIMT_ENTER("cudaStreamCreateWithPriority");
    return create_stream(stream, flags, priority);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    SIMT_ENTER("cudaDeviceGetStreamPriorityRange");
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}

/* The streams that are there without being created have no memory. */
static int is_built_in(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy ||
           stream == cudaStreamPerThread;
}

/* After an error that stays nothing was created either: what a program then
   destroys may be anything. */
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (simt_sticky_error() != cudaSuccess)
        return simt_set_error(simt_sticky_error());
    if (is_built_in(stream))
        return simt_set_error(cudaErrorInvalidResourceHandle);
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    SIMT_ENTER("cudaStreamSynchronize");
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    SIMT_ENTER("cudaStreamQuery");
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags)
{
    SIMT_ENTER("cudaStreamWaitEvent");
    if (event == NULL)
        return simt_set_error(cudaErrorInvalidResourceHandle);
    simt_graph_wait(stream, event);
    return flags == 0 ? cudaSuccess : simt_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                               void *data)
{
    const struct simt_step step = {.function = function, .data = data};

    SIMT_ENTER("cudaLaunchHostFunc");
    if (function == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (simt_capture == NULL || !simt_capture(stream, &step))
        function(data);
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t function, void *data,
                                  unsigned flags)
{
    SIMT_ENTER("cudaStreamAddCallback");
    if (function == NULL || flags != 0)
        return simt_set_error(cudaErrorInvalidValue);
    function(stream, cudaSuccess, data);
    return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                     size_t size, unsigned flags)
{
    (void)stream;
    (void)size;
    (void)flags;
    SIMT_ENTER("cudaStreamAttachMemAsync");
    return simt_memory_find(pointer) != NULL
               ? cudaSuccess
               : simt_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize(void)
{
    SIMT_ENTER("cudaDeviceSynchronize");
    return cudaSuccess;
}

/* --- events --------------------------------------------------------------- */

static cudaError_t create_event(cudaEvent_t *event, unsigned flags)
{
    if (event == NULL ||
        flags > (cudaEventBlockingSync | cudaEventDisableTiming))
        return simt_set_error(cudaErrorInvalidValue);
    *event = malloc(sizeof **event);
    if (*event == NULL)
        return simt_set_error(cudaErrorMemoryAllocation);
    **event = (struct simt_event){-1, flags};
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    SIMT_ENTER("cudaEventCreate");
    return create_event(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    SIMT_ENTER("cudaEventCreateWithFlags");
    return create_event(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (simt_sticky_error() != cudaSuccess)
        return simt_set_error(simt_sticky_error());
    if (event == NULL)
        return simt_set_error(cudaErrorInvalidResourceHandle);
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    SIMT_ENTER("cudaEventRecord");
    if (event == NULL)
        return simt_set_error(cudaErrorInvalidResourceHandle);
    simt_graph_event(event, stream);
    event->nanoseconds = simt_nanoseconds();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    SIMT_ENTER("cudaEventSynchronize");
    return event ? cudaSuccess : simt_set_error(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    SIMT_ENTER("cudaEventQuery");
    return event ? cudaSuccess : simt_set_error(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from,
                                 cudaEvent_t to)
{
    SIMT_ENTER("cudaEventElapsedTime");
    if (milliseconds == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (from == NULL || to == NULL || from->nanoseconds < 0 ||
        to->nanoseconds < 0 || from->flags & cudaEventDisableTiming ||
        to->flags & cudaEventDisableTiming)
        return simt_set_error(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)(to->nanoseconds - from->nanoseconds) / 1e6f;
    return cudaSuccess;
}
