/* simt_graph.h: graphs of calls, as far as a stream is captured: launches,
   copies, fills and functions of the host, which run in the order in which they
   were captured. Nodes that are added one by one are not here. */
#ifndef SIMT_GRAPH_H
#define SIMT_GRAPH_H

#include "cuda_runtime_api.h"

typedef struct simt_graph *cudaGraph_t;
typedef struct simt_graph *cudaGraphExec_t;
typedef struct simt_graph_step *cudaGraphNode_t;

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1
};

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags SIMT_ELSE(0));
/* Their number alone, if nodes is NULL; else they are not here. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *count);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

#ifdef __cplusplus
}

/* As before CUDA 12. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                               cudaGraph_t graph,
                                               cudaGraphNode_t *, char *,
                                               size_t)
{
    return cudaGraphInstantiate(exec, graph, 0ull);
}
#endif

#endif /* SIMT_GRAPH_H */
