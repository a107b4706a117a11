/* Accesses outside of arrays in device memory, and misaligned ones. */
/* build: analyse */
/* expect: 0 */
/* says: past the end: {A}: access outside of an array: x */
/* says: line {A}: thread (60,0) reads element 100 of x, which has 100 */
/* says: past the end: 1 found, cudaErrorIllegalAddress */
/* says: up to the end: 0 found, cudaSuccess */
/* says: before: {B}: access outside of an array: y */
/* says: line {B}: thread (0,0) writes element -1 of y, which has 100 */
/* says: before: 1 found, cudaErrorIllegalAddress */
/* says: last bytes: {C}: access outside of an array: x */
/* says: line {C}: thread (0,0) reads element 12 of x, which has 12 */
/* says: last bytes: 1 found, cudaErrorIllegalAddress */
/* says: structs: {D}: access outside of an array: p */
/* says: reads element */
/* says: structs: 1 found, cudaErrorIllegalAddress */
/* says: pitch: 0 found, cudaSuccess */
/* says: rows for columns: {E}: access outside of an array: x */
/* says: rows for columns: 1 found, cudaErrorIllegalAddress */
/* says: atomic: {F}: access outside of an array: bins */
/* says: changes element 10 of bins, which has 10 */
/* says: atomic: 1 found, cudaErrorIllegalAddress */
/* says: variable: {G}: access outside of an array: table */
/* says: reads table[60], which has 60 */
/* says: variable: 1 found, cudaErrorIllegalAddress */
/* says: past shared: {M}: access outside of an array: s */
/* says: past shared: 1 found, cudaErrorIllegalAddress */
/* says: dynamic: {H}: access outside of an array: dynamic shared */
/* says: dynamic: 1 found, cudaErrorIllegalAddress */
/* says: far behind: {N}: access outside of an array: dynamic shared */
/* says: writes element 9000063 of the dynamic shared memory */
/* says: far behind: 1 found, cudaErrorIllegalAddress */
/* says: far before: {N}: access outside of an array: dynamic shared */
/* says: writes element -8999937 of the dynamic shared memory */
/* says: far before: 1 found, cudaErrorIllegalAddress */
/* says: float4: {I}: misaligned access on x */
/* says: of x, no multiple of 16 */
/* says: float4: 1 found, cudaErrorMisalignedAddress */
/* says: aligned float4: 0 found, cudaSuccess */
/* says: float2: {J}: misaligned access on x */
/* says: line {J}: thread (0,0) reads 8 bytes at byte 4 of x, no multiple of 8 */
/* says: float2: 1 found, cudaErrorMisalignedAddress */
/* says: int: {K}: misaligned access on x */
/* says: line {K}: thread (3,0) writes 4 bytes at byte 3 of x, no multiple of 4 */
/* says: int: 1 found, cudaErrorMisalignedAddress */
/* says: shared float4: {L}: misaligned access on s */
/* says: shared float4: 1 found, cudaErrorMisalignedAddress */
#include "found.h"

__global__ void shift(const float *x, float *y, int n, int by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = x[i + by]; /* A */
}

__global__ void before(const float *x, float *y)
{
    const int i = threadIdx.x;

    y[i - 1] = x[i]; /* B */
}

__global__ void last_bytes(const double *x, double *y)
{
    y[threadIdx.x] = x[threadIdx.x + 12]; /* C */
}

struct point {
    float x, y, z;
};

__global__ void structs(const point *p, float *y)
{
    const point q = p[threadIdx.x]; /* D */

    y[threadIdx.x] = q.x + q.y + q.z;
}

/* A walk over rows by 5 columns; x has that many rows of `pitch` bytes. */
__global__ void walk(const char *x, float *y, int rows, size_t pitch)
{
    for (int row = 0; row < rows; row++) {
        const float *line = (const float *)(x + row * pitch);

        for (int col = 0; col < 5; col++)
            y[row * 5 + col] = line[col]; /* E */
    }
}

__global__ void count(int *bins)
{
    atomicAdd(&bins[threadIdx.x], 1); /* F */
}

/* Whichever of the others comes behind it, there is room in between. */
__device__ __align__(256) int one[64];
__device__ float table[60];
__device__ __align__(256) int two[64];

__global__ void variable(float *y)
{
    y[threadIdx.x] = table[threadIdx.x] + (float)(one[0] + two[0]); /* G */
}

/* A shared variable and what lies behind it, past the 8 elements of in_shared
   if the compiler puts these there. */
__global__ void past_shared(float *y)
{
    __shared__ float s[64];
    float *first = s;

    first[threadIdx.x] = 1.0f; /* M */
    __syncthreads();
    y[threadIdx.x] = first[63];
}

__global__ void dynamic(float *y)
{
    extern __shared__ float d[];

    d[threadIdx.x] = 1.0f; /* H */
    __syncthreads();
    y[threadIdx.x] = d[threadIdx.x];
}

/* What lies that far from it is mapped on one machine, and not on another. */
__global__ void far_away(float *y, long long by)
{
    extern __shared__ float d[];
    const long long last = threadIdx.x == 63 ? by : 0;

    d[threadIdx.x + last] = 1.0f; /* N */
    y[threadIdx.x] = 1.0f;
}

__global__ void by_float4(const float *x, float4 *y, int from)
{
    y[threadIdx.x] = *(const float4 *)&x[from + 4 * threadIdx.x]; /* I */
}

__global__ void by_float2(const float *x, float *y, int from)
{
    const float2 pair = *(const float2 *)&x[from]; /* J */

    y[threadIdx.x] = pair.x + pair.y;
}

__global__ void by_int(char *x, int first)
{
    if (threadIdx.x >= first)
        *(int *)&x[threadIdx.x] = 1; /* K */
}

__global__ void in_shared(float4 *y, int from)
{
    __shared__ __align__(16) float s[8];

    if (threadIdx.x < 8)
        s[threadIdx.x] = 0.0f;
    __syncthreads();
    y[threadIdx.x] = *(const float4 *)&s[from]; /* L */
}

int main()
{
    float *x, *y;
    size_t pitch;

    simt_findings_print(0);
    x = fresh<float>("x", 100);
    cudaMemset(x, 0, 400);
    shift<<<2, 64>>>(x, floats("y"), 100, 40);
    tell("past the end");
    x = fresh<float>("x", 100);
    cudaMemset(x, 0, 400);
    shift<<<2, 64>>>(x, floats("y"), 60, 40);
    tell("up to the end");
    before<<<1, 64>>>(floats("x"), fresh<float>("y", 100));
    tell("before");

    double *wide = fresh<double>("x", 12);

    cudaMemset(wide, 0, 12 * sizeof(double));
    last_bytes<<<1, 1>>>(wide, zeros<double>("y"));
    tell("last bytes");

    point *p = fresh<point>("p", 21);

    cudaMemset(p, 0, 21 * sizeof(point));
    structs<<<1, 32>>>(p, floats("y"));
    tell("structs");

    cudaMallocPitch(&x, &pitch, 5 * sizeof(float), 3);
    cudaMemset2D(x, pitch, 0, 5 * sizeof(float), 3);
    walk<<<1, 1>>>((const char *)x, floats("y"), 3, pitch);
    tell("pitch");
    x = fresh<float>("x", 15);
    cudaMemset(x, 0, 60);
    walk<<<1, 1>>>((const char *)x, floats("y"), 5, 3 * sizeof(float));
    tell("rows for columns");
    y = (float *)fresh<int>("bins", 10);
    cudaMemset(y, 0, 40);
    count<<<1, 32>>>((int *)y);
    tell("atomic");
    variable<<<1, 96>>>(floats("y"));
    tell("variable");
    past_shared<<<1, 64 + 8 + 1>>>(floats("y"));
    tell("past shared");
    dynamic<<<1, 64, 63 * sizeof(float)>>>(floats("y"));
    tell("dynamic");
    far_away<<<1, 64, 64 * sizeof(float)>>>(floats("y"), 9000000);
    tell("far behind");
    far_away<<<1, 64, 64 * sizeof(float)>>>(floats("y"), -9000000);
    tell("far before");

    by_float4<<<1, 32>>>(floats("x"), zeros<float4>("y"), 1);
    tell("float4");
    by_float4<<<1, 32>>>(floats("x"), zeros<float4>("y"), 4);
    tell("aligned float4");
    by_float2<<<1, 32>>>(floats("x"), floats("y"), 1);
    tell("float2");
    by_int<<<1, 32>>>(chars("x"), 3);
    tell("int");
    in_shared<<<1, 32>>>(zeros<float4>("y"), 1);
    tell("shared float4");
    return 0;
}
