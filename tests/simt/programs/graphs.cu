/* A graph of what two streams are given, captured once and run three times. */
/* expect: 0 */
/* says: captured 5 calls, done 0 */
/* says: after 3 runs: 3 calls of the host, 6 and 9 */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add(int *x, int value)
{
    x[threadIdx.x] += value;
}

static int calls;

static void count_calls(void *data)
{
    *(int *)data += 1;
}

int main()
{
    int h[2][32] = {{0}}, *d, *e;
    size_t count;
    cudaStream_t stream, other;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    cudaMalloc(&d, sizeof h[0]);
    cudaMalloc(&e, sizeof h[0]);
    cudaMemset(d, 0, sizeof h[0]);
    cudaMemset(e, 0, sizeof h[0]);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(other, forked, 0);
    add<<<1, 32, 0, stream>>>(d, 2);
    add<<<1, 32, 0, other>>>(e, 3);
    cudaMemcpyAsync(h[1], e, sizeof h[1], cudaMemcpyDeviceToHost, other);
    cudaEventRecord(joined, other);
    cudaStreamWaitEvent(stream, joined, 0);
    cudaMemcpyAsync(h[0], d, sizeof h[0], cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count_calls, &calls);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphGetNodes(graph, NULL, &count);
    printf("captured %zu calls, done %d\n", count, calls + h[0][0] + h[1][0]);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    printf("after 3 runs: %d calls of the host, %d and %d\n", calls, h[0][31],
           h[1][31]);
    return cudaGetLastError() != cudaSuccess;
}
