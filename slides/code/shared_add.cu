/*
 * The smallest kernel with shared memory: each thread loads one element, waits,
 * adds one, waits, stores.
 *
 * Run     make run FILE=slides/code/shared_add.cu
 */
#include <stdio.h>

#define N 64 /* elements; also threads of the block */

__global__ void add_one(const int *in, int *out)
{
    __shared__ int s[N];
    const int tid = threadIdx.x;

    s[tid] = in[tid]; /* load */
    __syncthreads();  /* s is complete */
    s[tid] += 1;      /* add */
    __syncthreads();  /* all have added */
    out[tid] = s[tid];
}

int main(void)
{
    int host[N], *in, *out, wrong = 0;

    for (int i = 0; i < N; i++)
        host[i] = 10 * i;
    if (cudaMalloc(&in, sizeof host) || cudaMalloc(&out, sizeof host) ||
        cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice))
        return 2;
    add_one<<<1, N>>>(in, out);
    if (cudaGetLastError() ||
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost))
        return 2;
    for (int i = 0; i < N; i++)
        wrong += host[i] != 10 * i + 1;
    printf("%d of %d elements are right\n", N - wrong, N);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
