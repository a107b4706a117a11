/* cuBLASLt over cuBLAS: include/cublasLt.h. */
#define _GNU_SOURCE
#include "simt/include/cublasLt.h"

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    return cublasCreate(handle);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    return cublasDestroy(handle);
}

static cublasStatus_t copy_of(void **to, const void *from, size_t size)
{
    *to = malloc(size);
    if (*to == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memcpy(*to, from, size);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc,
                                        cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
    const cublasLtMatmulDescOpaque_t begin = {
        .compute = (int)compute, .scale = (int)scale, .epilogue = 1};

    return copy_of((void **)desc, &begin, sizeof begin);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
    free(desc);
    return CUBLAS_STATUS_SUCCESS;
}

/* Sets *to, an int, from an attribute of 4 bytes. */
static cublasStatus_t set_int(int *to, const void *value, size_t bytes)
{
    if (bytes != sizeof *to)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                               cublasLtMatmulDescAttributes_t which,
                               const void *value, size_t bytes)
{
    if (desc == NULL || value == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
        return set_int(&desc->compute, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
        return set_int(&desc->scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA:
        return set_int(&desc->turn_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
        return set_int(&desc->turn_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return set_int(&desc->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
        if (bytes != sizeof desc->bias)
            return CUBLAS_STATUS_INVALID_VALUE;
        memcpy(&desc->bias, value, bytes);
        return CUBLAS_STATUS_SUCCESS;
    default:
        desc->wrong = 1;
        fprintf(stderr,
                "cublasLtMatmulDescSetAttribute: attribute %d is not on the "
                "CPU device\n",
                (int)which);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType_t type, uint64_t rows,
                                          uint64_t columns, int64_t ld)
{
    const cublasLtMatrixLayoutOpaque_t begin = {.type = (int)type,
                                                .count = 1,
                                                .rows = rows,
                                                .columns = columns,
                                                .ld = ld};

    return copy_of((void **)layout, &begin, sizeof begin);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_long(void *to, const void *value, size_t bytes)
{
    if (bytes != sizeof(int64_t))
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                 cublasLtMatrixLayoutAttribute_t which,
                                 const void *value, size_t bytes)
{
    if (layout == NULL || value == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
        return set_int(&layout->type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
        return set_int(&layout->order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
        return set_long(&layout->rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
        return set_long(&layout->columns, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD:
        return set_long(&layout->ld, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
        return set_int(&layout->count, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
        return set_long(&layout->step, value, bytes);
    default:
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    const cublasLtMatmulPreferenceOpaque_t begin = {0};

    return copy_of((void **)preference, &begin, sizeof begin);
}

cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    free(preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                     cublasLtMatmulPreferenceAttributes_t which,
                                     const void *value, size_t bytes)
{
    (void)which;
    (void)value;
    (void)bytes;
    return preference == NULL ? CUBLAS_STATUS_INVALID_VALUE
                              : CUBLAS_STATUS_SUCCESS;
}

/* What of a product is not here; NULL: nothing. */
static const char *missing(const cublasLtMatmulDescOpaque_t *desc,
                           const cublasLtMatrixLayoutOpaque_t *const layout[4])
{
    if (desc->wrong)
        return "an attribute of its description";
    if (desc->epilogue & ~7)
        return "its epilogue: a bias and ReLU are";
    for (int i = 0; i < 4; i++) {
        if (layout[i]->order != CUBLASLT_ORDER_COL)
            return "a matrix by rows: those by columns are";
        if (layout[i]->type != CUDA_R_32F && layout[i]->type != CUDA_R_64F &&
            layout[i]->type != CUDA_R_16F && layout[i]->type != CUDA_R_16BF)
            return "the type of a matrix";
    }
    return layout[2]->type != layout[3]->type ? "a C of another type than D"
                                              : NULL;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted,
    cublasLtMatmulHeuristicResult_t result[], int *found)
{
    const cublasLtMatrixLayoutOpaque_t *const layout[] = {a, b, c, d};

    (void)preference;
    if (handle == NULL || wanted < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    *found = missing(desc, layout) == NULL;
    if (*found)
        result[0] = (cublasLtMatmulHeuristicResult_t){.wavesCount = 1};
    return *found ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Element i of a result: + bias, then not below 0. */
static void finish(const cublasLtMatmulDescOpaque_t *desc, void *D,
                   const cublasLtMatrixLayoutOpaque_t *d)
{
    const int type = d->type;

    simt_memory_open();
    for (int64_t batch = 0; batch < d->count; batch++) {
        for (uint64_t i = 0; i < d->rows * d->columns; i++) {
            const uint64_t row = i % d->rows;
            const size_t at =
                (size_t)(batch * d->step) + row + i / d->rows * (uint64_t)d->ld;
            double value = simt_blas_load(type, D, at);

            if (desc->epilogue & CUBLASLT_EPILOGUE_BIAS)
                value += simt_blas_load(type, desc->bias, row);
            if (desc->epilogue & CUBLASLT_EPILOGUE_RELU && !(value > 0))
                value = value != value ? value : 0;
            simt_blas_store(type, D, at, value);
        }
    }
    simt_memory_close();
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
               const void *alpha, const void *A, cublasLtMatrixLayout_t a,
               const void *B, cublasLtMatrixLayout_t b, const void *beta,
               const void *C, cublasLtMatrixLayout_t c, void *D,
               cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algorithm,
               void *workspace, size_t bytes, cudaStream_t stream)
{
    const cublasLtMatrixLayoutOpaque_t *const layout[] = {a, b, c, d};
    const char *const what = missing(desc, layout);
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;

    (void)algorithm;
    (void)workspace;
    (void)bytes;
    (void)stream;
    if (what != NULL || (C != D && C != NULL)) {
        fprintf(stderr,
                "cublasLtMatmul: %s is not on the CPU device (of all else: "
                "cublasLt.h)\n",
                what != NULL ? what : "a C that is not D");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    for (int64_t i = 0; i < d->count && status == CUBLAS_STATUS_SUCCESS; i++) {
        status = cublasGemmEx(
            handle, (cublasOperation_t)desc->turn_a,
            (cublasOperation_t)desc->turn_b, (int)d->rows, (int)d->columns,
            (int)(desc->turn_a == CUBLAS_OP_N ? a->columns : a->rows), alpha,
            (const char *)A + (size_t)(i * a->step) * simt_blas_size(a->type),
            (cudaDataType_t)a->type, (int)a->ld,
            (const char *)B + (size_t)(i * b->step) * simt_blas_size(b->type),
            (cudaDataType_t)b->type, (int)b->ld, beta,
            (char *)D + (size_t)(i * d->step) * simt_blas_size(d->type),
            (cudaDataType_t)d->type, (int)d->ld,
            (cublasComputeType_t)desc->compute, CUBLAS_GEMM_DEFAULT);
    }
    if (status == CUBLAS_STATUS_SUCCESS && desc->epilogue != 1)
        finish(desc, D, d);
    return status;
}
