/*
 * Memory pools. Each call takes its memory by itself and gives it back at once:
 * a pool keeps its threshold, and that is all.
 */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>
#include <string.h>

struct simt_pool {
    uint64_t threshold; /* bytes */
};

static struct simt_pool default_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    SIMT_ENTER("cudaDeviceGetDefaultMemPool");
    if (device != 0)
        return simt_set_error(cudaErrorInvalidDevice);
    if (pool == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    *pool = &default_pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties)
{
    SIMT_ENTER("cudaMemPoolCreate");
    if (pool == NULL || properties == NULL ||
        properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice ||
        properties->location.id != 0)
        return simt_set_error(cudaErrorInvalidValue);
    *pool = calloc(1, sizeof **pool);
    return *pool == NULL ? simt_set_error(cudaErrorMemoryAllocation)
                         : cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    SIMT_ENTER("cudaMemPoolDestroy");
    if (pool == NULL || pool == &default_pool)
        return simt_set_error(cudaErrorInvalidValue);
    free(pool);
    return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size,
                                    cudaMemPool_t pool, cudaStream_t stream)
{
    SIMT_ENTER("cudaMallocFromPoolAsync");
    return pool == NULL ? simt_set_error(cudaErrorInvalidValue)
                        : cudaMallocAsync(pointer, size, stream);
}

static int is_threshold(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                        const void *value)
{
    return pool != NULL && value != NULL &&
           attribute == cudaMemPoolAttrReleaseThreshold;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute, void *value)
{
    SIMT_ENTER("cudaMemPoolSetAttribute");
    if (!is_threshold(pool, attribute, value))
        return simt_set_error(cudaErrorInvalidValue);
    memcpy(&pool->threshold, value, sizeof pool->threshold);
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute, void *value)
{
    SIMT_ENTER("cudaMemPoolGetAttribute");
    if (!is_threshold(pool, attribute, value))
        return simt_set_error(cudaErrorInvalidValue);
    memcpy(value, &pool->threshold, sizeof pool->threshold);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_kept)
{
    (void)bytes_kept;
    SIMT_ENTER("cudaMemPoolTrimTo");
    return pool == NULL ? simt_set_error(cudaErrorInvalidValue) : cudaSuccess;
}
