/* Shared memory, also in templates, inline functions and at file scope: each
 * block has its own, and finds NaNs where it has not written. */
/* expect: 0 */
/* says: plain: 0 bad */
/* says: template 32: 0 bad */
/* says: template 64: 0 bad */
/* says: inline: 0 bad */
/* says: file scope: 0 bad */
/* says: dynamic: 0 bad */
#include <stdio.h>

/* Adds up, in thread 0, what is not right in a block's shared array. */
static __device__ inline void check(float *s, int *bad)
{
    const int tid = threadIdx.x;
    const float before = s[tid];
    const int was_number = before == before;

    __syncthreads();
    s[tid] = (float)(blockIdx.x * 1000 + tid);
    __syncthreads();
    const float neighbour = s[blockDim.x - 1 - tid];

    bad[blockIdx.x * blockDim.x + tid] =
        was_number ||
        neighbour != (float)(blockIdx.x * 1000 + blockDim.x - 1 - tid);
}

__global__ void plain(int *bad)
{
    __shared__ float s[64], unused;

    check(s, bad);
    (void)unused;
}

template <int SIZE> __global__ void templated(int *bad)
{
    __shared__ float s[SIZE];

    check(s, bad);
}

inline __device__ float *inline_shared()
{
    __shared__ float s[64];

    return s;
}

__global__ void in_inline(int *bad)
{
    check(inline_shared(), bad);
}

__shared__ float at_file_scope[64];

__global__ void file_scope(int *bad)
{
    check(at_file_scope, bad);
}

__global__ void dynamic(int *bad)
{
    extern __shared__ float s[];

    check(s, bad);
}

static int *bad;

static void show(const char *what, int threads)
{
    int host[100 * 64], count = 0;

    if (cudaMemcpy(host, bad, sizeof host, cudaMemcpyDeviceToHost) != 0)
        count = -1;
    for (int i = 0; i < 100 * threads; i++)
        count += host[i];
    printf("%s: %d bad\n", what, count);
    cudaMemset(bad, 1, sizeof host);
}

int main()
{
    cudaMalloc(&bad, 100 * 64 * sizeof(int));
    plain<<<100, 64>>>(bad);
    show("plain", 64);
    templated<32><<<100, 32>>>(bad);
    show("template 32", 32);
    templated<64><<<100, 64>>>(bad);
    show("template 64", 64);
    in_inline<<<100, 64>>>(bad);
    show("inline", 64);
    file_scope<<<100, 64>>>(bad);
    show("file scope", 64);
    dynamic<<<100, 64, 64 * sizeof(float)>>>(bad);
    show("dynamic", 64);
    return 0;
}
