/* Reads of what nobody wrote, each beside the same kernel without one. */
/* build: analyse */
/* expect: 0 */
/* says: edge: {A}: read of shared memory that nobody wrote on s */
/* says: line {A}: thread (40,0) reads s[40] */
/* says: Seen 24 times in kernel edge, as in block (0,0) */
/* says: edge: 1 found, cudaSuccess */
/* says: filled edge: 0 found, cudaSuccess */
/* says: other block: {B}: read of shared memory that nobody wrote on s */
/* says: as in block (1,0) */
/* says: other block: 1 found, cudaSuccess */
/* says: byte: {C}: read of shared memory that nobody wrote on c */
/* says: reads c[63] */
/* says: byte: 1 found, cudaSuccess */
/* says: float4: {D}: read of shared memory that nobody wrote on corners */
/* says: line {D}: thread (13,0) reads corners[13] */
/* says: float4: 1 found, cudaSuccess */
/* says: word of bytes: 0 found, cudaSuccess */
/* says: word of 3 bytes: {E}: read of shared memory that nobody wrote on s */
/* says: word of 3 bytes: 1 found, cudaSuccess */
/* says: dynamic: {F}: read of shared memory that nobody wrote on dynamic shared */
/* says: reads element 63 of the dynamic shared memory */
/* says: dynamic: 1 found, cudaSuccess */
/* says: atomic: {G}: read of shared memory that nobody wrote on sum */
/* says: atomic: 1 found, cudaSuccess */
/* says: never copied: {H}: read of global memory that nobody wrote on x */
/* says: never copied: 1 found, cudaSuccess */
/* says: copied: 0 found, cudaSuccess */
/* says: half copied: {H}: read of global memory that nobody wrote on x */
/* says: line {H}: thread (32,0) reads element 32 of x */
/* says: Seen 32 times in kernel copy, as in block (0,0) */
/* says: half copied: 1 found, cudaSuccess */
/* says: half set: {H}: read of global memory that nobody wrote on x */
/* says: half set: 1 found, cudaSuccess */
/* says: both halves: 0 found, cudaSuccess */
/* says: earlier kernel: 0 found, cudaSuccess */
/* says: half a kernel: {H}: read of global memory that nobody wrote on y */
/* says: half a kernel: 1 found, cudaSuccess */
/* says: copied from unwritten: 0 found, cudaSuccess */
/* says: bytes: {I}: read of global memory that nobody wrote on x */
/* says: line {I}: thread (10,0) reads element 10 of x */
/* says: bytes: 1 found, cudaSuccess */
/* says: adds: {J}: read of global memory that nobody wrote on y */
/* says: adds: 1 found, cudaSuccess */
/* says: freed and new: {H}: read of global memory that nobody wrote on x */
/* says: freed and new: 1 found, cudaSuccess */
/* says: pinned: 0 found, cudaSuccess */
/* says: managed: 0 found, cudaSuccess */
/* says: variable: 0 found, cudaSuccess */
#include "found.h"

/* Threads past the edge store nothing: their part of s stays as it was. */
__global__ void edge(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    if (t < n)
        s[t] = x[t];
    __syncthreads();
    y[t] = s[t]; /* A */
}

__global__ void filled_edge(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = t < n ? x[t] : 0.0f;
    __syncthreads();
    y[t] = s[t];
}

/* What block 0 wrote is not there for block 1. */
__global__ void other_block(float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    if (blockIdx.x == 0)
        s[t] = 1.0f;
    __syncthreads();
    y[blockIdx.x * 64 + t] = s[t]; /* B */
}

__global__ void byte(char *y)
{
    __shared__ char c[64];
    const int t = threadIdx.x;

    if (t != 63)
        c[t] = 1;
    __syncthreads();
    y[t] = c[t]; /* C */
}

/* Of one float4 the last component is missing. */
__global__ void vectors(float *y)
{
    __shared__ float4 corners[16];
    const int t = threadIdx.x;

    corners[t].x = corners[t].y = corners[t].z = 1.0f;
    if (t != 13)
        corners[t].w = 1.0f;
    __syncthreads();
    const float4 value = corners[t]; /* D */

    y[t] = value.x + value.y + value.z + value.w;
}

__global__ void word_of_bytes(int *y, int bytes)
{
    __shared__ union {
        char c[4];
        int word;
    } s;

    for (int i = 0; i < bytes; i++)
        s.c[i] = 1;
    y[0] = s.word; /* E */
}

extern __shared__ float d[];

__global__ void dynamic(float *y)
{
    const int t = threadIdx.x;

    if (t < 63)
        d[t] = 1.0f;
    __syncthreads();
    y[t] = d[t]; /* F */
}

__global__ void atomic(int *y)
{
    __shared__ int sum;

    atomicAdd(&sum, 1); /* G */
    __syncthreads();
    y[threadIdx.x] = sum;
}

__global__ void copy(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x]; /* H */
}

__global__ void copy_bytes(const char *in, char *out)
{
    out[threadIdx.x] = in[threadIdx.x]; /* I */
}

__global__ void add(const float *in, float *out)
{
    out[threadIdx.x] += in[threadIdx.x]; /* J */
}

__device__ float variable[64];

int main()
{
    static float host[64];
    float *x, *y;

    simt_findings_print(0);
    edge<<<1, 64>>>(floats("x"), floats("y"), 40);
    tell("edge");
    filled_edge<<<1, 64>>>(floats("x"), floats("y"), 40);
    tell("filled edge");
    simt_set_threads(1);
    other_block<<<2, 64>>>(floats("y"));
    tell("other block");
    simt_set_threads(0);
    byte<<<1, 64>>>(chars("y"));
    tell("byte");
    word_of_bytes<<<1, 1>>>(ints("y"), 4);
    tell("word of bytes");
    word_of_bytes<<<1, 1>>>(ints("y"), 3);
    tell("word of 3 bytes");
    vectors<<<1, 16>>>(floats("y"));
    tell("float4");
    dynamic<<<1, 64, 64 * sizeof(float)>>>(floats("y"));
    tell("dynamic");
    atomic<<<1, 64>>>(ints("y"));
    tell("atomic");

    copy<<<1, 64>>>(fresh<float>("x", 64), floats("y"));
    tell("never copied");
    x = fresh<float>("x", 64);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    copy<<<1, 64>>>(x, floats("y"));
    tell("copied");
    x = fresh<float>("x", 64);
    cudaMemcpy(x, host, 32 * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<1, 64>>>(x, floats("y"));
    tell("half copied");
    x = fresh<float>("x", 64);
    cudaMemset(x, 0, 32 * sizeof(float));
    copy<<<1, 64>>>(x, floats("y"));
    tell("half set");
    x = fresh<float>("x", 64);
    cudaMemset(x, 0, 32 * sizeof(float));
    cudaMemset(x + 32, 0, 32 * sizeof(float));
    copy<<<1, 64>>>(x, floats("y"));
    tell("both halves");
    y = fresh<float>("y", 64);
    copy<<<1, 64>>>(floats("x"), y);
    copy<<<1, 64>>>(y, floats("z"));
    tell("earlier kernel");
    y = fresh<float>("y", 64);
    copy<<<1, 32>>>(floats("x"), y);
    copy<<<1, 64>>>(y, floats("z"));
    tell("half a kernel");
    y = fresh<float>("y", 64);
    cudaMemcpy(y, fresh<float>("x", 64), 256, cudaMemcpyDeviceToDevice);
    copy<<<1, 64>>>(y, floats("z"));
    tell("copied from unwritten");

    char *bytes = fresh<char>("x", 64);

    cudaMemset(bytes, 0, 10);
    copy_bytes<<<1, 64>>>(bytes, chars("y"));
    tell("bytes");
    add<<<1, 64>>>(floats("x"), fresh<float>("y", 64));
    tell("adds");
    cudaFree(floats("x"));
    copy<<<1, 64>>>(fresh<float>("x", 1024), floats("y"));
    tell("freed and new");

    cudaMallocHost(&x, sizeof host);
    copy<<<1, 64>>>(x, floats("y"));
    tell("pinned");
    cudaMallocManaged(&x, sizeof host);
    copy<<<1, 64>>>(x, floats("y"));
    tell("managed");
    cudaGetSymbolAddress((void **)&x, variable);
    copy<<<1, 64>>>(x, floats("y"));
    tell("variable");
    return 0;
}
