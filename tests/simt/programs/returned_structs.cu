/* A store of a structure that a function returns is a store like any other: g++
 * puts it where it goes without a copy, unless it is told not to. */
/* build: analyse */
/* expect: 0 */
/* says: to_global C store: 2 requests, 64 lanes, 32 sectors */
/* says: to_shared dynamic shared store: 2 requests, 64 lanes, 8 wavefronts */
/* says: to_shared C load: 2 requests, 64 lanes, 32 sectors */
/* says: five_floats C store: 5 requests, 160 lanes, 100 sectors */
/* says: either C store: 2 requests, 64 lanes, 16 sectors */
/* says: in order: 0 found */
/* says: past the end: {A}: access outside of an array: C */
/* says: thread (31,0) writes element 31 of C, which has 31 */
/* says: past shared: {B}: access outside of an array: dynamic shared */
/* says: one for all: {B}: race in shared memory */
/* says: copied: {C}: access outside of an array: C */
#include "counted.h"
#include "found.h"

struct five {
    float x[5];
};

struct pair {
    float value;
    int index;
};

__device__ __noinline__ float4 four_of(int i)
{
    return make_float4((float)i, 1.0f, 2.0f, 3.0f);
}

__device__ __noinline__ five five_of(int i)
{
    five f;

    for (int k = 0; k < 5; k++)
        f.x[k] = (float)(i + k);
    return f;
}

__device__ __noinline__ pair pair_of(int i)
{
    return {(float)i, i};
}

__global__ void to_global(float4 *C)
{
    C[threadIdx.x] = four_of(threadIdx.x); /* A */
}

/* Each thread copies by way of what it has stored itself. */
__global__ void to_shared(float4 *C, int step)
{
    extern __shared__ float4 s[];

    s[step * threadIdx.x] = four_of(threadIdx.x); /* B */
    __syncthreads();
    const float4 before = C[threadIdx.x]; /* C */

    C[threadIdx.x].x = before.x + s[step * threadIdx.x].y;
}

__global__ void five_floats(five *C)
{
    C[threadIdx.x] = five_of(threadIdx.x);
}

__global__ void either(pair *C)
{
    C[threadIdx.x] =
        threadIdx.x & 1 ? pair_of(threadIdx.x) : pair_of(-threadIdx.x);
}

int main()
{
    const size_t bytes = sizeof(float4);
    float4 *C;

    simt_findings_print(0);
    C = zeros<float4>("C");
    to_global<<<1, 64>>>(C);
    to_shared<<<1, 64, 64 * bytes>>>(C, 1);
    five_floats<<<1, 32>>>((five *)C);
    either<<<1, 32>>>((pair *)C);
    print_counts();
    tell("in order");
    to_global<<<1, 32>>>((float4 *)fresh<float>("C", 31 * 4));
    tell("past the end");
    to_shared<<<1, 32, 31 * bytes>>>(zeros<float4>("C"), 1);
    tell("past shared");
    to_shared<<<1, 32, 32 * bytes>>>(zeros<float4>("C"), 0);
    tell("one for all");
    C = (float4 *)fresh<float>("C", 31 * 4);
    cudaMemset(C, 0, 31 * bytes);
    to_shared<<<1, 32, 32 * bytes>>>(C, 1);
    tell("copied");
    return 0;
}
