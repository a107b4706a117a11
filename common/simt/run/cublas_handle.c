/* Handles of cuBLAS, and its copies: include/cublas_v2.h. */
#define _GNU_SOURCE
#include "simt/include/cublas_v2.h"

#include "run.h"

#include <stdlib.h>

struct simt_blas {
    cudaStream_t stream;
};

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (handle == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    simt_blas_open();
    *handle = calloc(1, sizeof **handle);
    return *handle == NULL ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
    (void)handle;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    (void)mode;
    return handle == NULL ? CUBLAS_STATUS_NOT_INITIALIZED
                          : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle,
                                    cublasPointerMode_t mode)
{
    (void)mode;
    return handle == NULL ? CUBLAS_STATUS_NOT_INITIALIZED
                          : CUBLAS_STATUS_SUCCESS;
}

/* A vector is a matrix of one row, whose columns lie a step apart. */
cublasStatus_t cublasSetVector(int n, int size, const void *x, int x_step,
                               void *y, int y_step)
{
    return cublasSetMatrix(1, n, size, x, x_step, y, y_step);
}

cublasStatus_t cublasGetVector(int n, int size, const void *x, int x_step,
                               void *y, int y_step)
{
    return cublasGetMatrix(1, n, size, x, x_step, y, y_step);
}

static cublasStatus_t copy_matrix(int rows, int columns, int size,
                                  const void *A, int lda, void *B, int ldb,
                                  enum cudaMemcpyKind kind)
{
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMemcpy2D(B, (size_t)ldb * (size_t)size, A,
                        (size_t)lda * (size_t)size, (size_t)rows * (size_t)size,
                        (size_t)columns, kind) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *A,
                               int lda, void *B, int ldb)
{
    return copy_matrix(rows, columns, size, A, lda, B, ldb,
                       cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *A,
                               int lda, void *B, int ldb)
{
    return copy_matrix(rows, columns, size, A, lda, B, ldb,
                       cudaMemcpyDeviceToHost);
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
        return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_MAPPING_ERROR:
        return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
    default:
        return "CUBLAS_STATUS_INTERNAL_ERROR";
    }
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}
