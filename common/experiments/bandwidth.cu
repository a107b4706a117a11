/*
 * The roofs of a GPU's memory, found as its peak is (common/harness/peak.cu):
 * by kernels that do nothing else, the best of several runs.
 */
#include "bandwidth.h"

#include "harness/best_ms.h"

enum {
    THREADS = 256,
    ROUNDS = 2048,     /* of a block over its piece of the cache */
    PIECE = 16 * 1024, /* bytes */
    BLOCKS_PER_SM = 8
};

static const size_t most_bytes = (size_t)1 << 30; /* of one array */

/* Each thread takes four floats at a time, the widest access there is, and
   walks in steps of the whole grid. */
__global__ void copy(float4 *to, const float4 *from, size_t count)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step)
        to[i] = from[i];
}

__global__ void triad(float4 *a, const float4 *b, const float4 *c, float s,
                      size_t count)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step) {
        const float4 x = b[i], y = c[i];

        a[i] = {x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w};
    }
}

/* All blocks of a multiprocessor read the same PIECE bytes. The compiler does
   not know step, so it cannot tell that a round reads what the last one did.
   The sum keeps the loads alive; it is stored if it is a NaN: never. */
__global__ void read_again(const float4 *from, int step, float *never)
{
    enum {
        IN_PIECE = PIECE / sizeof(float4)
    };
    float sum = 0.0f;

    for (int i = 0; i < ROUNDS * IN_PIECE / THREADS; i += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int at = ((i + j) * step + threadIdx.x) % IN_PIECE;
            const float4 x = __ldca(&from[at]);

            sum += x.x + x.y + x.z + x.w;
        }
    }
    if (sum != sum)
        *never = sum;
}

struct roof {
    enum bandwidth_kind kind;
    float4 *array[3];
    size_t bytes; /* of one array */
    int blocks;
};

static void launch(const struct roof *r)
{
    const size_t count = r->bytes / sizeof(float4);

    if (r->kind == BANDWIDTH_COPY) {
        copy<<<r->blocks, THREADS>>>(r->array[0], r->array[1], count);
    } else if (r->kind == BANDWIDTH_TRIAD) {
        triad<<<r->blocks, THREADS>>>(r->array[0], r->array[1], r->array[2],
                                      3.0f, count);
    } else {
        read_again<<<r->blocks, THREADS>>>(r->array[0], THREADS,
                                           (float *)r->array[1]);
    }
}

static double bytes_moved(const struct roof *r)
{
    if (r->kind == BANDWIDTH_COPY)
        return 2.0 * (double)r->bytes;
    if (r->kind == BANDWIDTH_TRIAD)
        return 3.0 * (double)r->bytes;
    return (double)r->blocks * ROUNDS * PIECE;
}

/* Arrays of an eighth of the free memory each, up to 1 GiB. */
static int allocate(struct roof *r)
{
    size_t free_bytes, total;

    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return -1;
    r->bytes = free_bytes / 8 / sizeof(float4) * sizeof(float4);
    if (r->bytes > most_bytes)
        r->bytes = most_bytes;
    for (int i = 0; i < 3; i++) {
        if (cudaMalloc((void **)&r->array[i], r->bytes) != cudaSuccess ||
            cudaMemset(r->array[i], 0, r->bytes) != cudaSuccess)
            return -1;
    }
    return 0;
}

double bandwidth_measure(enum bandwidth_kind kind)
{
    struct roof r = {kind, {NULL, NULL, NULL}, 0, 0};
    int device, multiprocessors = 0;
    double ms = 0.0;

    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               device) == cudaSuccess &&
        allocate(&r) == 0) {
        r.blocks = multiprocessors * BLOCKS_PER_SM;
        ms = lab_best_ms(0, [&](int) { launch(&r); });
    }
    for (int i = 0; i < 3; i++)
        cudaFree(r.array[i]);
    return ms > 0.0 ? bytes_moved(&r) / ms / 1e6 : 0.0;
}
