/*
 * Shared memory: wavefronts of loads and stores of one warp, by type and
 * stride, in whole warps and in parts of one. The arrays are volatile where a
 * type may be: then nvcc makes each access as it stands, merges none and leaves
 * none out. A float4 is one access of 16 bytes anyhow.
 */
#include "launches.h"

enum {
    WARP = 32,
    ELEMENTS = 64 * WARP /* of each array: stride 64 */
};

template <class T> __global__ void load(int stride, int lanes, T *C)
{
    __shared__ volatile T s[ELEMENTS];
    const int t = threadIdx.x;

    for (int i = t; i < ELEMENTS; i += WARP)
        s[i] = (T)i;
    __syncthreads(); /* s is complete */
    if (t < lanes)
        C[t] = s[stride * t];
}

template <class T> __global__ void store(int stride, int lanes)
{
    __shared__ volatile T s[ELEMENTS];
    const int t = threadIdx.x;

    if (t < lanes)
        s[stride * t] = (T)t;
}

/* Groups of `same` lanes share an element. */
template <class T> __global__ void share(int same, T *C)
{
    __shared__ volatile T s[ELEMENTS];
    const int t = threadIdx.x;

    s[t] = (T)t;
    __syncthreads(); /* s is complete */
    C[t] = s[t / same];
}

__global__ void share_float4(int same, const float4 *A, float4 *C)
{
    __shared__ float4 s[WARP];
    const int t = threadIdx.x;

    s[t] = A[t];
    __syncthreads(); /* s is complete */
    C[t] = s[t / same];
}

static const int strides[] = {1,  2,  3,  4,  5,  6,  7,  8, 12,
                              15, 16, 17, 24, 31, 32, 33, 64};

static const int parts[] = {1, 5, 8, 16, 20, 31}; /* lanes of a warp */

template <class T> static void launch(const char *type, void *memory)
{
    T *C = (T *)memory;

    for (int stride : strides) {
        load<<<1, WARP>>>(stride, WARP, C);
        launched("%s stride %d", type, stride);
        store<T><<<1, WARP>>>(stride, WARP);
        launched("%s stride %d", type, stride);
    }
    for (int lanes : parts) {
        load<<<1, WARP>>>(4, lanes, C);
        launched("%s stride 4 lanes %d", type, lanes);
        store<T><<<1, WARP>>>(4, lanes);
        launched("%s stride 4 lanes %d", type, lanes);
    }
    for (int same = 2; same <= WARP; same *= 2) {
        share<<<1, WARP>>>(same, C);
        launched("%s shared by %d", type, same);
    }
}

int main()
{
    void *A = zeros(WARP * sizeof(float4));
    void *C = zeros(WARP * sizeof(float4));

    launch<char>("char", C);
    launch<short>("short", C);
    launch<float>("float", C);
    launch<double>("double", C);
    for (int same = 1; same <= WARP; same *= 2) {
        share_float4<<<1, WARP>>>(same, (const float4 *)A, (float4 *)C);
        launched("float4 shared by %d", same);
    }
    return 0;
}
