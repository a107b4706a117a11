/*
 * Latencies by pointer chasing: a thread loads where to load next, so that no
 * load begins before the one before it has ended. (Mei and Chu, "Dissecting GPU
 * Memory Hierarchy through Microbenchmarking", IEEE TPDS 2017.)
 */
#include "chip.h"

#include "harness/best_ms.h"

enum {
    STEPS = 2048,
    THREADS = 256,
    L2_BYTES = 16 << 20, /* of an array that an L2 holds as a whole */
    L1_BYTES = 8 << 10,
    FLUSH = 512 << 20, /* bytes: what an L2 held before is gone then */
    LINE = 128,
    CHAINS = 8
};

/* What a kernel tells: cycles of one step, and of the clock a microsecond. */
struct times {
    float dram, l2, l1, shared, barrier, mhz;
    unsigned never;
};

__device__ static unsigned chase_l2(const unsigned *next, int steps)
{
    unsigned at = 0;

    for (int i = 0; i < steps; i++)
        at = __ldcg(&next[at]); /* past the L1 */
    return at;
}

__device__ static unsigned chase_l1(const unsigned *next, int steps)
{
    unsigned at = 0;

    for (int i = 0; i < steps; i++)
        at = __ldca(&next[at]);
    return at;
}

/* As `latencies`, but for the first time since the L2 was filled with something
   else. */
__global__ void latency_of_dram(const unsigned *far, struct times *times)
{
    const long long begin = clock64();
    const unsigned at = chase_l2(far, STEPS);

    times->dram = (float)(clock64() - begin) / STEPS;
    times->never = at;
}

/* One thread, in two rounds, of which the second counts. far and near hold
   chains of one line after the other. */
__global__ void latencies(const unsigned *far, const unsigned *near,
                          struct times *times)
{
    __shared__ unsigned chain[1024];
    unsigned at = 0;

    for (int i = 0; i < 1024; i++)
        chain[i] = (i + 33) % 1024;
    for (int round = 0; round < 2; round++) {
        long long begin = clock64();

        at += chase_l2(far, STEPS);
        times->l2 = (float)(clock64() - begin) / STEPS;
        begin = clock64();
        at += chase_l1(near, STEPS);
        times->l1 = (float)(clock64() - begin) / STEPS;
        begin = clock64();
        at %= 1024;
        for (int i = 0; i < STEPS; i++)
            at = chain[at];
        times->shared = (float)(clock64() - begin) / STEPS;
    }
    times->never = at;
}

__global__ void barriers(struct times *times)
{
    const long long begin = clock64();

    for (int i = 0; i < STEPS; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        times->barrier = (float)(clock64() - begin) / STEPS;
}

__device__ static unsigned long long nanoseconds(void)
{
    unsigned long long t;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Multiplies and adds on registers alone, on the whole chip. */
__global__ void work(struct times *times, int rounds, float a, float b)
{
    float x[CHAINS];
    const long long begin = clock64();
    const unsigned long long time = nanoseconds();

    for (int c = 0; c < CHAINS; c++)
        x[c] = a + (float)(threadIdx.x + c);
#pragma unroll 16
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + b;
    }
    for (int c = 1; c < CHAINS; c++)
        x[0] += x[c];
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        times->mhz = (float)(1e3 * (double)(clock64() - begin) /
                             (double)(nanoseconds() - time));
        times->never = (unsigned)x[0];
    }
}

/* All blocks read the same array from the L2, each from a place of its own
   on. */
__global__ void read_l2(const float4 *from, int count, int rounds,
                        struct times *times)
{
    float sum = 0.0f;
    int at =
        (int)((blockIdx.x * 977u * THREADS + threadIdx.x) % (unsigned)count);

    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const float4 x = __ldcg(&from[at]);

            sum += x.x + x.y + x.z + x.w;
            at += THREADS;
            at -= at >= count ? count : 0;
        }
    }
    if (sum != 0.0f) /* the array holds zeros */
        times->never = 1;
}

__global__ void do_nothing(void)
{
}

/* A chain through `bytes`, 33 lines at a time, as one walks down a column. */
static int make_chain(unsigned *chain, int bytes)
{
    const int lines = bytes / LINE, words = LINE / 4;
    unsigned *host = new unsigned[bytes / 4]();
    cudaError_t error;

    for (int i = 0, at = 0; i < lines; i++) {
        const int next = (at + 33) % lines;

        host[at * words] = (unsigned)(next * words);
        at = next;
    }
    error = cudaMemcpy(chain, host, (size_t)bytes, cudaMemcpyHostToDevice);
    delete[] host;
    return error == cudaSuccess ? 0 : -1;
}

static int measure(struct chip_limits *limits, void *flush, unsigned *far,
                   unsigned *near, struct times *times, int multiprocessors)
{
    const int blocks = multiprocessors * 8, rounds = 4096;
    const int count = L2_BYTES / (int)sizeof(float4);
    struct times measured;
    double ms;

    if (make_chain(far, L2_BYTES) != 0 || make_chain(near, L1_BYTES) != 0)
        return -1;
    if (cudaMemset(flush, 1, FLUSH) != cudaSuccess)
        return -1;
    latency_of_dram<<<1, 1>>>(far, times);
    latencies<<<1, 1>>>(far, near, times);
    barriers<<<1, THREADS>>>(times);
    /* A second of work, for the clock to settle. */
    for (int i = 0; i < 30; i++)
        work<<<blocks, THREADS>>>(times, 1 << 18, 1.0f, 1e-9f);
    if (cudaMemcpy(&measured, times, sizeof measured, cudaMemcpyDeviceToHost) !=
            cudaSuccess ||
        cudaMemset(far, 0, L2_BYTES) != cudaSuccess)
        return -1;
    limits->clock_mhz = measured.mhz;
    limits->dram_latency = measured.dram;
    limits->l2_latency = measured.l2;
    limits->l1_latency = measured.l1;
    limits->shared_latency = measured.shared;
    limits->barrier = measured.barrier;
    ms = lab_best_ms(1, [&](int) {
        read_l2<<<blocks, THREADS>>>((const float4 *)far, count, rounds, times);
    });
    if (ms > 0.0)
        limits->l2_gbytes =
            (double)blocks * THREADS * rounds * sizeof(float4) / ms / 1e6;
    /* Between two events, as labs are timed. */
    limits->launch_us =
        1e3 * lab_best_ms(1, [](int) { do_nothing<<<1, 1>>>(); });
    return cudaGetLastError() == cudaSuccess ? 0 : -1;
}

int chip_measure(struct chip_limits *limits)
{
    void *flush = NULL, *far = NULL, *near = NULL, *times = NULL;
    int device, multiprocessors = 0, failed = -1;

    *limits = chip_limits();
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               device) == cudaSuccess &&
        cudaMalloc(&flush, FLUSH) == cudaSuccess &&
        cudaMalloc(&far, L2_BYTES) == cudaSuccess &&
        cudaMalloc(&near, L1_BYTES) == cudaSuccess &&
        cudaMalloc(&times, sizeof(struct times)) == cudaSuccess)
        failed = measure(limits, flush, (unsigned *)far, (unsigned *)near,
                         (struct times *)times, multiprocessors);
    cudaFree(flush);
    cudaFree(far);
    cudaFree(near);
    cudaFree(times);
    return failed;
}
