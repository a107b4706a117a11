/*
 * Limits of kernels, and how many blocks fit on a multiprocessor. There is no
 * register allocator here and no linker that knows which kernel has which
 * shared variable: so a kernel is taken to need no registers and no shared
 * memory but what the caller names, and the answers are the most that any
 * kernel could get.
 */
#define _GNU_SOURCE
#include "device.h"

#include <string.h>

static size_t opted_in; /* the most that a kernel was allowed */

size_t simt_dynamic_limit(void)
{
    return opted_in > SIMT_SHARED_PLAIN ? opted_in : SIMT_SHARED_PLAIN;
}

/* Bytes that one block may ask for at most. */
static size_t largest(void)
{
    const size_t bytes = (size_t)simt_limits()->opt_in * 1024;

    return bytes < SIMT_MAX_SHARED ? bytes : SIMT_MAX_SHARED;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *kernel)
{
    SIMT_ENTER("cudaFuncGetAttributes");
    if (attributes == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    if (kernel == NULL)
        return simt_set_error(cudaErrorInvalidDeviceFunction);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = SIMT_MAX_THREADS;
    attributes->ptxVersion = attributes->binaryVersion =
        10 * simt_limits()->major + simt_limits()->minor;
    attributes->maxDynamicSharedSizeBytes = (int)simt_dynamic_limit();
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel,
                                 enum cudaFuncAttribute attribute, int value)
{
    SIMT_ENTER("cudaFuncSetAttribute");
    if (kernel == NULL)
        return simt_set_error(cudaErrorInvalidDeviceFunction);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || (size_t)value > largest())
            return simt_set_error(cudaErrorInvalidValue);
        if ((size_t)value > opted_in)
            opted_in = (size_t)value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        return value >= -1 && value <= 100
                   ? cudaSuccess
                   : simt_set_error(cudaErrorInvalidValue);
    default:
        return simt_set_error(cudaErrorInvalidValue);
    }
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel,
                                   enum cudaFuncCache configuration)
{
    (void)configuration;
    SIMT_ENTER("cudaFuncSetCacheConfig");
    return kernel ? cudaSuccess
                  : simt_set_error(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache configuration)
{
    (void)configuration;
    SIMT_ENTER("cudaDeviceSetCacheConfig");
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    SIMT_ENTER("cudaDeviceSetSharedMemConfig");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    SIMT_ENTER("cudaDeviceGetSharedMemConfig");
    if (config == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

/* From compute capability 8.0 on 1 KB of each block's shared memory is the
   system's (CUDA C++ Programming Guide, "Shared Memory" of 8.x and 9.0). */
static int blocks_that_fit(int threads, size_t shared)
{
    const struct simt_limits *limits = simt_limits();
    const int warps = (threads + SIMT_WARP - 1) / SIMT_WARP;
    const size_t reserved = limits->major >= 8 ? 1024 : 0;
    const size_t each = (shared + reserved + 127) / 128 * 128;
    int blocks = limits->threads / SIMT_WARP / warps;

    if (blocks > limits->blocks)
        blocks = limits->blocks;
    if (each > 0 && (size_t)blocks > (size_t)limits->shared * 1024 / each)
        blocks = (int)((size_t)limits->shared * 1024 / each);
    return blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *kernel,
                                                          int threads,
                                                          size_t shared)
{
    SIMT_ENTER("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (kernel == NULL)
        return simt_set_error(cudaErrorInvalidDeviceFunction);
    if (blocks == NULL || threads <= 0)
        return simt_set_error(cudaErrorInvalidValue);
    *blocks = threads > SIMT_MAX_THREADS || shared > largest()
                  ? 0
                  : blocks_that_fit(threads, shared);
    return cudaSuccess;
}

/* Among the sizes that keep most threads resident CUDA prefers the largest. */
cudaError_t simt_best_block(int *blocks, int *threads, const void *kernel,
                            size_t (*shared_of)(int threads, const void *data),
                            const void *data, int limit)
{
    int best = 0, best_threads = 0, best_blocks = 0;

    SIMT_ENTER("cudaOccupancyMaxPotentialBlockSize");
    if (kernel == NULL)
        return simt_set_error(cudaErrorInvalidDeviceFunction);
    if (blocks == NULL || threads == NULL || limit < 0)
        return simt_set_error(cudaErrorInvalidValue);
    if (limit == 0 || limit > SIMT_MAX_THREADS)
        limit = SIMT_MAX_THREADS;
    for (int size = limit; size > 0;
         size = (size + SIMT_WARP - 1) / SIMT_WARP * SIMT_WARP - SIMT_WARP) {
        const size_t shared = shared_of(size, data);
        const int fit = shared > largest() ? 0 : blocks_that_fit(size, shared);

        if (fit * size > best) {
            best = fit * size;
            best_threads = size;
            best_blocks = fit;
        }
    }
    *threads = best_threads;
    *blocks = best_blocks * simt_worker_count();
    return cudaSuccess;
}
