/*
 * cublas_v2.h: those calls of cuBLAS that courses compare their kernels with,
 * over OpenBLAS if that can be opened, else over plain loops. They are host
 * code: nothing of them is counted. What each does: NVIDIA's "cuBLAS Library".
 * Pointers of matrices and vectors are those of the device.
 */
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H

#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VERSION 130000
#define CUBLAS_API_H_

typedef enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2
} cublasOperation_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

typedef enum {
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

typedef enum {
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1
} cublasSideMode_t;

typedef enum {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

typedef struct simt_blas *cublasHandle_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
/* There is one stream, and float is calculated as float. */
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle,
                                    cublasPointerMode_t mode);

cublasStatus_t cublasSetVector(int n, int size, const void *x, int x_step,
                               void *y, int y_step);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int x_step,
                               void *y, int y_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *A,
                               int lda, void *B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *A,
                               int lda, void *B, int ldb);

#define SIMT_BLAS_ASYNC(call)                                             \
    static inline cublasStatus_t call##MatrixAsync(                       \
        int rows, int columns, int size, const void *A, int lda, void *B, \
        int ldb, cudaStream_t stream)                                     \
    {                                                                     \
        (void)stream;                                                     \
        return call##Matrix(rows, columns, size, A, lda, B, ldb);         \
    }                                                                     \
    static inline cublasStatus_t call##VectorAsync(                       \
        int n, int size, const void *x, int x_step, void *y, int y_step,  \
        cudaStream_t stream)                                              \
    {                                                                     \
        (void)stream;                                                     \
        return call##Vector(n, size, x, x_step, y, y_step);               \
    }

SIMT_BLAS_ASYNC(cublasSet)
SIMT_BLAS_ASYNC(cublasGet)

#undef SIMT_BLAS_ASYNC

/* cublasSgemm, cublasIsamax and so on for float, and with D for double. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define SIMT_BLAS(S, s, type)                                                  \
    cublasStatus_t cublas##S##gemm(                                            \
        cublasHandle_t handle, cublasOperation_t turn_a,                       \
        cublasOperation_t turn_b, int m, int n, int k, const type *alpha,      \
        const type *A, int lda, const type *B, int ldb, const type *beta,      \
        type *C, int ldc);                                                     \
    cublasStatus_t cublas##S##gemmStridedBatched(                              \
        cublasHandle_t handle, cublasOperation_t turn_a,                       \
        cublasOperation_t turn_b, int m, int n, int k, const type *alpha,      \
        const type *A, int lda, long long a_step, const type *B, int ldb,      \
        long long b_step, const type *beta, type *C, int ldc,                  \
        long long c_step, int count);                                          \
    cublasStatus_t cublas##S##gemv(                                            \
        cublasHandle_t handle, cublasOperation_t turn, int m, int n,           \
        const type *alpha, const type *A, int lda, const type *x, int x_step,  \
        const type *beta, type *y, int y_step);                                \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n,               \
                                   const type *alpha, const type *x,           \
                                   int x_step, type *y, int y_step);           \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n,               \
                                   const type *alpha, type *x, int x_step);    \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n,               \
                                   const type *x, int x_step, type *y,         \
                                   int y_step);                                \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, \
                                  int x_step, const type *y, int y_step,       \
                                  type *result);                               \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n,               \
                                   const type *x, int x_step, type *result);   \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n,               \
                                   const type *x, int x_step, type *result);   \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n,              \
                                    const type *x, int x_step, int *result);

SIMT_BLAS(S, s, float)
SIMT_BLAS(D, d, double)

#undef SIMT_BLAS
/* NOLINTEND(bugprone-macro-parentheses) */

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;

typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

/* What the library may do to be faster: here it is not. */
typedef enum {
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

static inline cublasStatus_t
cublasSetEmulationStrategy(cublasHandle_t handle,
                           cublasEmulationStrategy_t strategy)
{
    (void)strategy;
    return handle == NULL ? CUBLAS_STATUS_NOT_INITIALIZED
                          : CUBLAS_STATUS_SUCCESS;
}

/* Sums are float, double for double and int for int; alpha and beta have that
   type too. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t turn_a,
                            cublasOperation_t turn_b, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType_t a_type, int lda, const void *B,
                            cudaDataType_t b_type, int ldb, const void *beta,
                            void *C, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* As before CUDA 11, with the type of the sums. */
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t turn_a,
             cublasOperation_t turn_b, int m, int n, int k, const void *alpha,
             const void *A, cudaDataType_t a_type, int lda, const void *B,
             cudaDataType_t b_type, int ldb, const void *beta, void *C,
             cudaDataType_t c_type, int ldc, cudaDataType_t sums,
             cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, turn_a, turn_b, m, n, k, alpha, A, a_type, lda,
                        B, b_type, ldb, beta, C, c_type, ldc,
                        sums == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                        : sums == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                        : sums == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                             : CUBLAS_COMPUTE_32F,
                        algorithm);
}
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
#include "cuda_fp16.h"

/* Here alpha and beta are half too. */
static inline cublasStatus_t
cublasHgemm(cublasHandle_t handle, cublasOperation_t turn_a,
            cublasOperation_t turn_b, int m, int n, int k, const __half *alpha,
            const __half *A, int lda, const __half *B, int ldb,
            const __half *beta, __half *C, int ldc)
{
    const float a = alpha->value(), b = beta->value();

    return cublasGemmEx(handle, turn_a, turn_b, m, n, k, &a, A, CUDA_R_16F, lda,
                        B, CUDA_R_16F, ldb, &b, C, CUDA_R_16F, ldc,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
#endif

#endif /* SIMT_CUBLAS_V2_H */
