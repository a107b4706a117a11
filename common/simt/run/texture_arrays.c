/*
 * Arrays of textures, and memory of three dimensions. An array is device memory
 * whose rows follow each other: where a GPU puts its elements nobody may know.
 */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>

int simt_element_bytes(const struct cudaChannelFormatDesc *format)
{
    const int channels =
        (format->x > 0) + (format->y > 0) + (format->z > 0) + (format->w > 0);
    const int bits = format->x;

    if ((bits != 8 && bits != 16 && bits != 32) ||
        (format->f == cudaChannelFormatKindFloat && bits == 8) ||
        format->f > cudaChannelFormatKindFloat || channels == 3 ||
        (channels > 1 && format->y != bits) ||
        (channels > 2 && (format->z != bits || format->w != bits)))
        return 0;
    return channels * bits / 8;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    struct cudaArray *a;
    void *memory;

    SIMT_ENTER("cudaMalloc3DArray");
    if (array == NULL || format == NULL || simt_element_bytes(format) == 0 ||
        extent.width == 0 ||
        flags > (cudaArrayLayered | cudaArraySurfaceLoadStore))
        return simt_set_error(cudaErrorInvalidValue);
    a = calloc(1, sizeof *a);
    if (a == NULL)
        return simt_set_error(cudaErrorMemoryAllocation);
    a->format = *format;
    a->bytes = (size_t)simt_element_bytes(format);
    a->width = extent.width;
    a->height = extent.height > 0 ? extent.height : 1;
    a->depth = extent.depth > 0 ? extent.depth : 1;
    a->pitch = a->width * a->bytes;
    simt_fault_catch();
    memory =
        simt_memory_take(a->pitch * a->height * a->depth, SIMT_DEVICE_MEMORY);
    if (memory == NULL) {
        free(a);
        return simt_set_error(cudaErrorMemoryAllocation);
    }
    a->at = memory;
    *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    const struct cudaExtent extent = {width, height, 0};

    return cudaMalloc3DArray(array, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    SIMT_ENTER("cudaFreeArray");
    if (array == NULL)
        return cudaSuccess;
    simt_memory_free(array->at);
    free(array);
    return cudaSuccess;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer,
                         struct cudaExtent extent)
{
    if (pointer == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value,
                         struct cudaExtent extent)
{
    for (size_t z = 0; z < extent.depth; z++) {
        const cudaError_t error = cudaMemset2D(
            (char *)pointer.ptr + z * pointer.ysize * pointer.pitch,
            pointer.pitch, value, extent.width, extent.height);

        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* --- copies --------------------------------------------------------------- */

/* 1 if so many bytes of so many rows from byte x of row y on lie in it. */
static int holds(cudaArray_const_t array, size_t x, size_t y, size_t width,
                 size_t height)
{
    const size_t rows = array == NULL ? 0 : array->height * array->depth;

    return array != NULL && x <= array->pitch && width <= array->pitch - x &&
           y <= rows && height <= rows - y;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(to, x, y, width, height))
        return simt_set_error(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->at + y * to->pitch + x, to->pitch, from, pitch,
                        width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    if (!holds(from, x, y, width, height))
        return simt_set_error(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->at + y * from->pitch + x, from->pitch,
                        width, height, kind);
}

/* One end of a copy of boxes. */
struct box {
    char *at;
    size_t pitch, rows; /* bytes of a row, rows of a layer */
};

/* Returns 0, or -1 if the array does not hold the box. */
static int find_box(struct box *box, cudaArray_const_t array,
                    const struct cudaPitchedPtr *pointer,
                    const struct cudaPos *position,
                    const struct cudaExtent *extent)
{
    size_t x = position->x;

    *box = (struct box){pointer->ptr, pointer->pitch, pointer->ysize};
    if (array != NULL) {
        x *= array->bytes;
        if (!holds(array, x, position->y, extent->width * array->bytes,
                   extent->height) ||
            position->y + extent->height > array->height ||
            position->z + extent->depth > array->depth)
            return -1;
        *box = (struct box){array->at, array->pitch, array->height};
    }
    if (box->at == NULL)
        return -1;
    box->at += (position->z * box->rows + position->y) * box->pitch + x;
    return 0;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *what)
{
    struct box to, from;
    cudaArray_const_t array;

    SIMT_ENTER("cudaMemcpy3D");
    if (what == NULL ||
        find_box(&to, what->dstArray, &what->dstPtr, &what->dstPos,
                 &what->extent) != 0 ||
        find_box(&from, what->srcArray, &what->srcPtr, &what->srcPos,
                 &what->extent) != 0)
        return simt_set_error(cudaErrorInvalidValue);
    array = what->srcArray != NULL ? what->srcArray : what->dstArray;
    for (size_t z = 0; z < what->extent.depth; z++) {
        const cudaError_t error =
            cudaMemcpy2D(to.at + z * to.rows * to.pitch, to.pitch,
                         from.at + z * from.rows * from.pitch, from.pitch,
                         what->extent.width * (array ? array->bytes : 1),
                         what->extent.height, what->kind);

        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* --- surfaces ------------------------------------------------------------- */

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    SIMT_ENTER("cudaCreateSurfaceObject");
    if (surface == NULL || resource == NULL ||
        resource->resType != cudaResourceTypeArray ||
        resource->res.array.array == NULL)
        return simt_set_error(cudaErrorInvalidValue);
    *surface = (uintptr_t)resource->res.array.array;
    return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    SIMT_ENTER("cudaDestroySurfaceObject");
    (void)surface;
    return cudaSuccess;
}

static long clamped(long at, long behind)
{
    return at < 0 ? 0 : at < behind ? at : behind - 1;
}

void *simt_surface_at(cudaSurfaceObject_t surface, long x, long y, long z,
                      int bytes, enum cudaSurfaceBoundaryMode mode,
                      const char *file, int line)
{
    const struct cudaArray *a = (const struct cudaArray *)(uintptr_t)surface;
    const long width = (long)a->pitch / bytes, height = (long)a->height;
    const long depth = (long)a->depth;
    long at = x / bytes;

    if (x < 0 || at >= width || y < 0 || y >= height || z < 0 || z >= depth) {
        if (mode == cudaBoundaryModeTrap) {
            simt_report(simt_self, SIMT_BOUNDS, cudaErrorLaunchFailure, file,
                        line,
                        "is outside of a surface of %ld x %ld x %ld elements: "
                        "byte %ld of row %ld, layer %ld.",
                        width, height, depth, x, y, z);
            simt_abandon_block(simt_self);
        }
        if (mode == cudaBoundaryModeZero)
            return NULL;
        at = x < 0 ? 0 : clamped(at, width);
        y = clamped(y, height);
        z = clamped(z, depth);
    }
    return a->at + (z * height + y) * (long)a->pitch + at * bytes;
}
