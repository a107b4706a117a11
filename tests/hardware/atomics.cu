/*
 * Atomic additions of one warp to global and to shared memory, each lane by its
 * own index. What is added differs by lane, and nobody can tell beforehand
 * which lanes meet: so nvcc adds nothing up in registers first.
 */
#include "launches.h"

enum {
    WARP = 32,
    ELEMENTS = 32 * WARP
};

/* Nobody asks for the old value: a reduction. */
template <class T> __global__ void add(const int *index, int lanes, T *C)
{
    const int t = threadIdx.x;

    if (t < lanes)
        atomicAdd(&C[index[t]], (T)(t + 1));
}

template <class T>
__global__ void add_and_return(const int *index, int lanes, T *C, T *old)
{
    const int t = threadIdx.x;

    if (t < lanes)
        old[t] = atomicAdd(&C[index[t]], (T)(t + 1));
}

__global__ void add_shared(const int *index, int lanes, int *C)
{
    __shared__ int s[ELEMENTS];
    const int t = threadIdx.x;

    for (int i = t; i < ELEMENTS; i += WARP)
        s[i] = 0;
    __syncthreads(); /* s is complete */
    if (t < lanes)
        atomicAdd(&s[index[t]], t + 1);
    __syncthreads(); /* and added to */
    C[t] = s[t];
}

static const struct {
    const char *name;
    int lanes;
    int (*of)(int lane);
} indexes[] = {
    {"consecutive", 32, [](int lane) { return lane; }},
    {"one for all", 32, [](int) { return 5; }},
    {"pairs", 32, [](int lane) { return lane / 2; }},
    {"fours", 32, [](int lane) { return lane / 4; }},
    {"stride 2", 32, [](int lane) { return 2 * lane; }},
    {"stride 32", 32, [](int lane) { return 32 * lane; }},
    {"random of 16", 32, [](int lane) { return lane * 1103 % 509 % 16; }},
    {"random of 500", 32, [](int lane) { return lane * 1103 % 509; }},
    /* Lanes that share a word beside lanes whose words share a bank. */
    {"one word beside one bank", 32,
     [](int lane) { return lane < 16 ? 0 : 32 * (lane - 16) + 7; }},
    {"fours beside one bank", 32,
     [](int lane) { return lane < 8 ? lane / 4 : 32 * (lane % 8) + 7; }},
    {"random of 64", 32, [](int lane) { return lane * 1103 % 509 % 64; }},
    {"first 5 consecutive", 5, [](int lane) { return lane; }},
    {"first 20 stride 2", 20, [](int lane) { return 2 * lane; }},
};

static int *index_of_lane;

template <class T> static void launch_global(const char *type)
{
    T *C = (T *)zeros(ELEMENTS * sizeof(T)), *old = (T *)zeros(32 * sizeof(T));

    for (const auto &index : indexes) {
        int host[WARP];

        for (int lane = 0; lane < WARP; lane++)
            host[lane] = index.of(lane);
        need(cudaMemcpy(index_of_lane, host, sizeof host,
                        cudaMemcpyHostToDevice));
        add<<<1, WARP>>>(index_of_lane, index.lanes, C);
        launched("%s %s", type, index.name);
        add_and_return<<<1, WARP>>>(index_of_lane, index.lanes, C, old);
        launched("%s %s", type, index.name);
        if (sizeof(T) == sizeof(int)) {
            add_shared<<<1, WARP>>>(index_of_lane, index.lanes, (int *)old);
            launched("%s %s", type, index.name);
        }
    }
    need(cudaFree(C));
    need(cudaFree(old));
}

int main()
{
    index_of_lane = (int *)zeros(WARP * sizeof(int));
    launch_global<int>("int");
    launch_global<double>("double");
    return 0;
}
