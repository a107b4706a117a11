/*
 * Global memory: which requests and sectors do loads and stores of all widths
 * cost, at strides, offsets, in parts of a warp, and by an index?
 */
#include "launches.h"

enum {
    THREADS = 128,
    COPIERS = 1024,             /* threads of a launch that copies */
    LARGEST = 32 * COPIERS * 16 /* bytes: stride 32, float4 */
};

template <class T> __global__ void copy(const T *A, T *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[i];
}

__global__ void stride_load(const float *A, float *C, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[i * stride];
}

__global__ void stride_store(const float *A, float *C, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i * stride] = A[i];
}

__global__ void offset_copy(const float *A, float *C, int offset)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i + offset] = A[i + offset];
}

/* The last warp has lanes without an element. */
template <class T> __global__ void first_n(const T *A, T *C, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        C[i] = A[i];
}

__global__ void every_nth(const float *A, float *C, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i % n == 0)
        C[i] = A[i];
}

/* One warp, each lane by its own index. */
template <class T> __global__ void gather(const int *index, const T *A, T *C)
{
    C[threadIdx.x] = A[index[threadIdx.x]];
}

/* Lanes with one index store to one element: it does not matter who wins. */
template <class T> __global__ void scatter(const int *index, const T *A, T *C)
{
    C[index[threadIdx.x]] = A[threadIdx.x];
}

/* Indexes of 32 lanes, by name. */
static const struct {
    const char *name;
    int (*of)(int lane);
} indexes[] = {
    {"one for all", [](int) { return 5; }},
    {"reversed", [](int lane) { return 31 - lane; }},
    {"pairs", [](int lane) { return lane / 2; }},
    {"fours", [](int lane) { return lane / 4; }},
    {"every quarter the same", [](int lane) { return lane % 8; }},
    {"both halves the same", [](int lane) { return lane % 16; }},
    {"odd and even apart", [](int lane) { return lane / 2 + lane % 2 * 64; }},
    {"quarters in turn", [](int lane) { return lane % 4 * 8 + lane / 4; }},
    {"stride 2", [](int lane) { return 2 * lane; }},
    {"stride 5", [](int lane) { return 5 * lane; }},
    {"random of 16", [](int lane) { return lane * 1103 % 509 % 16; }},
    {"random of 64", [](int lane) { return lane * 1103 % 509 % 64; }},
    {"random of 500", [](int lane) { return lane * 1103 % 509; }},
};

static float *A, *C;
static int *index_of_lane;

template <class T> static void launch_by_index(const char *type, bool stores)
{
    for (const auto &index : indexes) {
        int host[32];

        for (int lane = 0; lane < 32; lane++)
            host[lane] = index.of(lane);
        need(cudaMemcpy(index_of_lane, host, sizeof host,
                        cudaMemcpyHostToDevice));
        gather<<<1, 32>>>(index_of_lane, (const T *)A, (T *)C);
        launched("%s %s", type, index.name);
        if (!stores)
            continue;
        scatter<<<1, 32>>>(index_of_lane, (const T *)A, (T *)C);
        launched("%s %s", type, index.name);
    }
}

template <class T> static void launch_copies(const char *type)
{
    static const int some[] = {1, 7, 9, 31, 33, 100};

    copy<<<COPIERS / THREADS, THREADS>>>((const T *)A, (T *)C);
    launched("%s", type);
    for (int n : some) {
        first_n<<<1, THREADS>>>((const T *)A, (T *)C, n);
        launched("%s n %d", type, n);
    }
}

int main()
{
    static const int strides[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32};

    expect_races();
    A = (float *)zeros(LARGEST);
    C = (float *)zeros(LARGEST);
    index_of_lane = (int *)zeros(32 * sizeof(int));
    launch_copies<char>("char");
    launch_copies<short>("short");
    launch_copies<float>("float");
    launch_copies<double>("double");
    launch_copies<float2>("float2");
    launch_copies<float4>("float4");
    for (int stride : strides) {
        stride_load<<<COPIERS / THREADS, THREADS>>>(A, C, stride);
        launched("stride %d", stride);
        stride_store<<<COPIERS / THREADS, THREADS>>>(A, C, stride);
        launched("stride %d", stride);
    }
    for (int offset = 0; offset < 32; offset++) {
        offset_copy<<<COPIERS / THREADS, THREADS>>>(A, C, offset);
        launched("offset %d", offset);
    }
    for (int n = 2; n <= 32; n *= 2) {
        every_nth<<<COPIERS / THREADS, THREADS>>>(A, C, n);
        launched("every %d", n);
    }
    launch_by_index<char>("char", false);
    launch_by_index<float>("float", true);
    launch_by_index<double>("double", false);
    launch_by_index<float4>("float4", true);
    return 0;
}
