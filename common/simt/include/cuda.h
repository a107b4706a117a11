/* cuda.h: many programs include it and use the runtime API alone. Of the driver
   API the CPU device has what the runtime API does as well (simt_driver.h), and
   what describes a matrix for copies of tiles: two dimensions, nothing between
   the elements. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#include "cuda_runtime_api.h"
#include "simt_driver.h"

#include <stdint.h>
#include <stdlib.h> /* as NVIDIA's does */

#define CUDA_VERSION CUDART_VERSION

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

typedef struct CUtensorMap_st {
    cuuint64_t opaque[16];
} CUtensorMap;

typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11
} CUtensorMapDataType;

typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0
} CUtensorMapInterleave;

typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;

typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;

typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0
} CUtensorMapFloatOOBfill;

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1
};

enum {
    cudaEnableDefault = 0
};

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes and boxes in elements, the first along a row; apart in bytes. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type,
                                cuuint32_t rank, void *data,
                                const cuuint64_t *size, const cuuint64_t *apart,
                                const cuuint32_t *box, const cuuint32_t *every,
                                CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill);

/* The function of that name, of those above; else *found says that there is
   none. */
cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                 unsigned version, unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *found);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_CUDA_H */
