/*
 * Texture objects: what a fetch at some coordinates gives (CUDA C++ Programming
 * Guide, "Texture Fetching").
 */
#define _GNU_SOURCE
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct texture {
    struct cudaArray from; /* also where there is no array */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    int is_float; /* as a fetch gives it */
};

/* What a fetch reads from. 0, or -1 if that is wrong. */
static int read_resource(struct cudaArray *from,
                         const struct cudaResourceDesc *resource)
{
    if (resource->resType == cudaResourceTypeArray) {
        if (resource->res.array.array == NULL)
            return -1;
        *from = *resource->res.array.array;
        return 0;
    }
    if (resource->resType == cudaResourceTypeLinear) {
        from->at = resource->res.linear.devPtr;
        from->format = resource->res.linear.desc;
        from->bytes = (size_t)simt_element_bytes(&from->format);
        if (from->bytes > 0)
            from->width = resource->res.linear.sizeInBytes / from->bytes;
        from->pitch = resource->res.linear.sizeInBytes;
        from->height = 1;
    } else if (resource->resType == cudaResourceTypePitch2D) {
        from->at = resource->res.pitch2D.devPtr;
        from->format = resource->res.pitch2D.desc;
        from->bytes = (size_t)simt_element_bytes(&from->format);
        from->width = resource->res.pitch2D.width;
        from->height = resource->res.pitch2D.height;
        from->pitch = resource->res.pitch2D.pitchInBytes;
    }
    from->depth = 1;
    return from->bytes > 0 && from->width > 0 && from->height > 0 &&
                   simt_memory_valid(from->at,
                                     from->pitch * (from->height - 1) +
                                         from->width * from->bytes)
               ? 0
               : -1;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view)
{
    struct texture *t;
    int wrong;

    SIMT_ENTER("cudaCreateTextureObject");
    if (texture == NULL || resource == NULL || description == NULL ||
        view != NULL)
        return simt_set_error(cudaErrorInvalidValue);
    t = calloc(1, sizeof *t);
    if (t == NULL)
        return simt_set_error(cudaErrorMemoryAllocation);
    t->resource = *resource;
    t->how = *description;
    wrong = read_resource(&t->from, resource);
    t->is_float = t->from.format.f == cudaChannelFormatKindFloat ||
                  (t->how.readMode == cudaReadModeNormalizedFloat &&
                   t->from.format.x < 32);
    if (wrong != 0 ||
        (t->how.filterMode == cudaFilterModeLinear && !t->is_float)) {
        free(t);
        return simt_set_error(wrong != 0 ? cudaErrorInvalidValue
                                         : cudaErrorInvalidFilterSetting);
    }
    *texture = (cudaTextureObject_t)(uintptr_t)t;
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    SIMT_ENTER("cudaDestroyTextureObject");
    free((void *)(uintptr_t)texture);
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    SIMT_ENTER("cudaGetTextureObjectResourceDesc");
    if (resource == NULL || texture == 0)
        return simt_set_error(cudaErrorInvalidValue);
    *resource = ((const struct texture *)(uintptr_t)texture)->resource;
    return cudaSuccess;
}

/* --- fetching ------------------------------------------------------------- */

static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const float size = exponent == 31 ? mantissa == 0 ? INFINITY : NAN
                       : exponent == 0
                           ? ldexpf((float)mantissa, -24)
                           : ldexpf((float)(1024 + mantissa), exponent - 25);

    return half >> 15 ? -size : size;
}

/* Channel `c` of the element at `at`, as the fetch gives it. */
static void read_channel(const struct texture *t, const char *at, int c,
                         struct simt_texel *texel)
{
    const int bits = t->from.format.x;
    const int is_signed = t->from.format.f == cudaChannelFormatKindSigned;
    /* Of whole numbers of 32 bits nobody makes floats. */
    const float largest =
        bits < 32 ? (float)((1 << (bits - is_signed)) - 1) : 1.0f;
    uint32_t value = 0;

    memcpy(&value, at + c * bits / 8, (size_t)bits / 8);
    if (t->from.format.f == cudaChannelFormatKindFloat) {
        if (bits == 16) {
            texel->f[c] = half_to_float((uint16_t)value);
        } else {
            memcpy(&texel->f[c], &value, sizeof value);
        }
        return;
    }
    if (is_signed && bits < 32)
        value = (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
    memcpy(&texel->i[c], &value, sizeof value);
    if (t->is_float)
        texel->f[c] = fmaxf((float)texel->i[c] / largest, -1.0f);
}

/* The element of that column, row and layer; a negative number: what lies
   around the texture. */
static void read_element(const struct texture *t, const long at[3],
                         struct simt_texel *texel)
{
    const struct cudaArray *from = &t->from;

    memset(texel, 0, sizeof *texel);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        memcpy(texel->f, t->how.borderColor, sizeof texel->f);
        return;
    }
    for (int c = 0; c * from->format.x < 8 * (int)from->bytes; c++) {
        read_channel(t,
                     from->at +
                         ((size_t)at[2] * from->height + (size_t)at[1]) *
                             from->pitch +
                         (size_t)at[0] * from->bytes,
                     c, texel);
    }
}

/* The place for number i of n; -1: outside. Only coordinates from 0 to 1 come
   again. */
static long place_of(const struct texture *t, int axis, long i, long n)
{
    enum cudaTextureAddressMode mode = t->how.addressMode[axis];

    if (mode == cudaAddressModeBorder)
        return i >= 0 && i < n ? i : -1;
    if (t->how.normalizedCoords && mode == cudaAddressModeWrap)
        return (i % n + n) % n;
    if (t->how.normalizedCoords && mode == cudaAddressModeMirror) {
        i = (i % (2 * n) + 2 * n) % (2 * n);
        return i < n ? i : 2 * n - 1 - i;
    }
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* The element left of a coordinate and, in 256ths, how far the next one counts;
   0 where nothing is filtered. */
static long split(const struct texture *t, float x, long n, float *part)
{
    const float wide = t->how.normalizedCoords ? x * (float)n : x;
    const float near = fminf(fmaxf(wide, -1e9f), 1e9f); /* a NaN too */
    float left = floorf(near);

    *part = 0.0f;
    if (t->how.filterMode == cudaFilterModeLinear) {
        left = floorf(near - 0.5f);
        *part = rintf((near - 0.5f - left) * 256.0f) / 256.0f;
    }
    return (long)left;
}

void simt_texture_fetch(cudaTextureObject_t texture, int dimensions,
                        const float at[3], int layer, struct simt_texel *texel)
{
    const struct texture *t = (const struct texture *)(uintptr_t)texture;
    const long size[3] = {(long)t->from.width, (long)t->from.height,
                          (long)t->from.depth};
    const int filtered = t->how.filterMode == cudaFilterModeLinear;
    struct simt_texel sum = {{0.0f}, {0}};
    float part[3] = {0.0f};
    long left[3] = {0};

    for (int i = 0; i < dimensions && i < 3; i++)
        left[i] = split(t, at[i], size[i], &part[i]);
    for (int corner = 0; corner < (filtered ? 1 << dimensions : 1); corner++) {
        long place[3] = {0, 0,
                         layer < 0         ? 0
                         : layer < size[2] ? layer
                                           : size[2] - 1};
        float weight = 1.0f;

        for (int i = 0; i < dimensions && i < 3; i++) {
            const int right = corner >> i & 1;

            place[i] = place_of(t, i, left[i] + right, size[i]);
            weight *= right ? part[i] : 1.0f - part[i];
        }
        read_element(t, place, texel);
        for (int c = 0; c < 4 && weight > 0.0f; c++)
            sum.f[c] += weight * texel->f[c];
    }
    if (filtered)
        *texel = sum;
}

void simt_texture_element(cudaTextureObject_t texture, int number,
                          struct simt_texel *texel)
{
    const struct texture *t = (const struct texture *)(uintptr_t)texture;
    const long at[3] = {number, 0, 0};

    memset(texel, 0, sizeof *texel);
    if (number >= 0 && (size_t)number < t->from.width)
        read_element(t, at, texel);
}
