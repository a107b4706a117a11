/*
 * tile_maps.h: how does the host describe a matrix for copies of tiles?
 *
 * For labs 16 and 17, by way of hopper.h. Matrices are bf16, in device memory.
 */
#ifndef TILE_MAPS_H
#define TILE_MAPS_H

#include "lab.h"

#include <cuda.h>

/* A matrix of rows x cols. A row begins every `apart` elements: a multiple of
   8, or copies of tiles cannot have it. */
struct matrix {
    unsigned short *data;
    int rows, cols, apart;
};

/* Describes a matrix for copies of box_rows x 64 elements. The function is the
   driver's; asked for in this way it need not be linked. */
static inline CUtensorMap describe(const struct matrix *x, unsigned box_rows)
{
    const cuuint64_t size[2] = {(cuuint64_t)x->cols, (cuuint64_t)x->rows};
    const cuuint64_t apart[1] = {(cuuint64_t)x->apart * 2}; /* bytes */
    const cuuint32_t box[2] = {64, box_rows}, every[2] = {1, 1};
    cudaDriverEntryPointQueryResult found;
    void *function = NULL;
    CUtensorMap map;

    LAB_CHECK(cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess ||
        ((decltype(&cuTensorMapEncodeTiled))function)(
            &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, x->data, size, apart,
            box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        LAB_CHECK(cudaErrorInvalidValue); /* the matrix cannot be described */
    return map;
}

/* A matrix whose rows lie one behind the other, or a copy whose rows begin at
   multiples of 16 bytes, which take_back frees. */
static inline struct matrix align(const unsigned short *data, int rows,
                                  int cols)
{
    struct matrix x = {(unsigned short *)data, rows, cols, cols};

    if (cols % 8 == 0)
        return x;
    x.apart = (int)lab_ceil_div(cols, 8) * 8;
    LAB_CHECK(cudaMallocAsync((void **)&x.data, (size_t)rows * x.apart * 2, 0));
    LAB_CHECK(cudaMemcpy2DAsync(x.data, (size_t)x.apart * 2, data,
                                (size_t)cols * 2, (size_t)cols * 2, rows,
                                cudaMemcpyDeviceToDevice, 0));
    return x;
}

static inline void take_back(const struct matrix *x)
{
    if (x->cols % 8 != 0)
        LAB_CHECK(cudaFreeAsync(x->data, 0));
}

#endif /* TILE_MAPS_H */
