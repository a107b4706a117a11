/*
 * Graphs by capture: include/simt_graph.h. A stream that is captured keeps what
 * it is given instead of doing it, and so does one that waits for an event of
 * such a stream. The order of the calls is one that the graph allows.
 */
#define _GNU_SOURCE
#include "simt/include/simt_graph.h"

#include "base/memory.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

struct simt_graph {
    struct simt_step *step;
    size_t count;
    int users; /* the graph itself and what was made of it */
};

/* A stream that is captured, or an event that such a one has recorded. */
struct captured {
    const void *of;
    struct simt_graph *graph;
    int is_origin; /* the stream that was asked for */
};

static struct captured *captured;
static size_t captured_count;

static struct captured *find(const void *of)
{
    for (size_t i = 0; i < captured_count; i++) {
        if (captured[i].of == of)
            return &captured[i];
    }
    return NULL;
}

/* 0, or -1 without memory. */
static int join(const void *of, struct simt_graph *graph, int is_origin)
{
    struct captured *const known = find(of);
    struct captured *const one =
        known != NULL ? known
                      : base_list_add(&captured, &captured_count, sizeof *one);

    if (one == NULL)
        return -1;
    *one = (struct captured){of, graph, is_origin};
    return 0;
}

/* What the hook of device.h calls. */
static int capture(cudaStream_t stream, const struct simt_step *step)
{
    struct captured *const of = stream != NULL ? find(stream) : NULL;
    struct simt_step *added;

    if (of == NULL)
        return 0;
    if (step->launch != NULL && !step->launch->launch.can_wait) {
        simt_say(step->launch->launch.file, step->launch->launch.line,
                 "launch of %s: a graph cannot keep one whose arguments have "
                 "constructors of their own, on the CPU device",
                 step->launch->launch.kernel);
        simt_set_error(cudaErrorNotSupported);
        return 1;
    }
    added = base_list_add(&of->graph->step, &of->graph->count, sizeof *added);
    if (added == NULL) {
        simt_set_error(cudaErrorMemoryAllocation);
        return 1;
    }
    *added = *step;
    if (step->launch != NULL) {
        added->launch = simt_child_copy(&step->launch->launch);
        if (added->launch == NULL)
            simt_set_error(cudaErrorMemoryAllocation);
    }
    return 1;
}

void simt_graph_event(const void *event, cudaStream_t stream)
{
    struct captured *const of = stream != NULL ? find(stream) : NULL;

    if (of != NULL && join(event, of->graph, 0) != 0)
        simt_set_error(cudaErrorMemoryAllocation);
}

void simt_graph_wait(cudaStream_t stream, const void *event)
{
    struct captured *const of = find(event);

    if (of != NULL && stream != NULL && find(stream) == NULL &&
        join(stream, of->graph, 0) != 0)
        simt_set_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    struct simt_graph *graph;

    (void)mode;
    SIMT_ENTER("cudaStreamBeginCapture");
    if (stream == NULL || find(stream) != NULL)
        return simt_set_error(cudaErrorInvalidValue);
    graph = calloc(1, sizeof *graph);
    if (graph == NULL || join(stream, graph, 1) != 0) {
        free(graph);
        return simt_set_error(cudaErrorMemoryAllocation);
    }
    graph->users = 1;
    simt_capture = capture;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    struct captured *of;
    size_t kept = 0;

    SIMT_ENTER("cudaStreamEndCapture");
    of = find(stream);
    if (graph == NULL || of == NULL || !of->is_origin)
        return simt_set_error(cudaErrorInvalidValue);
    *graph = of->graph;
    for (size_t i = 0; i < captured_count; i++) {
        if (captured[i].graph != *graph)
            captured[kept++] = captured[i];
    }
    captured_count = kept;
    if (kept == 0) {
        free(captured);
        captured = NULL;
    }
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status)
{
    SIMT_ENTER("cudaStreamIsCapturing");
    *status = find(stream) != NULL ? cudaStreamCaptureStatusActive
                                   : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    SIMT_ENTER("cudaGraphInstantiate");
    if (exec == NULL || graph == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    graph->users++;
    *exec = graph;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *count)
{
    SIMT_ENTER("cudaGraphGetNodes");
    if (graph == NULL || count == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (nodes != NULL)
        return simt_set_error(cudaErrorNotSupported);
    *count = graph->count;
    return cudaSuccess;
}

static cudaError_t run_step(const struct simt_step *step)
{
    if (step->launch != NULL) {
        simt_launch_kernel(&step->launch->launch);
        return cudaPeekAtLastError();
    }
    if (step->function != NULL) {
        step->function(step->data);
        return cudaSuccess;
    }
    return step->from != NULL
               ? cudaMemcpyAsync(step->to, step->from, step->size, step->kind,
                                 NULL)
               : cudaMemsetAsync(step->to, step->value, step->size, NULL);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;

    SIMT_ENTER("cudaGraphLaunch");
    if (exec == NULL || find(stream) != NULL)
        return simt_set_error(cudaErrorInvalidValue);
    for (size_t i = 0; i < exec->count && error == cudaSuccess; i++) {
        const struct simt_child *const kept = exec->step[i].launch;
        struct simt_step step = exec->step[i];
        struct simt_child again;

        if (kept != NULL) { /* in no captured stream any more */
            again = *kept;
            again.launch.stream = NULL;
            step.launch = &again;
        }
        error = run_step(&step);
    }
    return error;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)stream;
    return exec != NULL ? cudaSuccess : simt_set_error(cudaErrorInvalidValue);
}

static cudaError_t drop(struct simt_graph *graph)
{
    if (graph == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (--graph->users > 0)
        return cudaSuccess;
    for (size_t i = 0; i < graph->count; i++)
        free(graph->step[i].launch);
    free(graph->step);
    free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    SIMT_ENTER("cudaGraphExecDestroy");
    return drop(exec);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    SIMT_ENTER("cudaGraphDestroy");
    return drop(graph);
}
