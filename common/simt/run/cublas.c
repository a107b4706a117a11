/*
 * cuBLAS for the CPU device: include/cublas_v2.h. Matrices are those of
 * Fortran: element (row, col) of A is A[row + col * lda]. Only the product of
 * two matrices is worth a library; all else are loops over a vector.
 */
#define _GNU_SOURCE
#include "simt/include/cublas_v2.h"

#include "base/library.h"
#include "run.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BY_COLUMNS = 102, /* CblasColMajor */
    AS_IT_IS = 111,   /* CblasNoTrans */
    TURNED = 112      /* CblasTrans */
};

typedef void sgemm_function(int order, int turn_a, int turn_b, int m, int n,
                            int k, float alpha, const float *A, int lda,
                            const float *B, int ldb, float beta, float *C,
                            int ldc);
typedef void dgemm_function(int order, int turn_a, int turn_b, int m, int n,
                            int k, double alpha, const double *A, int lda,
                            const double *B, int ldb, double beta, double *C,
                            int ldc);

static sgemm_function *sgemm; /* NULL: OpenBLAS is not there */
static dgemm_function *dgemm;

static void open_library(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so",
                                        NULL};
    void *const library = base_library_open(names);

    if (library != NULL) {
        base_library_find(library, "cblas_sgemm", &sgemm);
        base_library_find(library, "cblas_dgemm", &dgemm);
    }
    fprintf(stderr, "cuBLAS is %s on the CPU device\n",
            sgemm != NULL && dgemm != NULL
                ? "OpenBLAS"
                : "plain loops (there is no libopenblas.so.0)");
}

void simt_blas_open(void)
{
    static pthread_once_t opened = PTHREAD_ONCE_INIT;

    pthread_once(&opened, open_library);
}

/* --- arguments ------------------------------------------------------------ */

/* A vector or matrix among the arguments. */
struct operand {
    const char *name; /* "A" */
    const void *at;
    size_t elements; /* from the first to the last */
    cudaDataType_t type;
    int is_written;
};

static size_t vector_elements(int n, int step)
{
    return n <= 0 ? 0 : ((size_t)n - 1) * (size_t)abs(step) + 1;
}

static size_t matrix_elements(int rows, int columns, int ld)
{
    return rows <= 0 || columns <= 0
               ? 0
               : ((size_t)columns - 1) * (size_t)ld + (size_t)rows;
}

/* Begins a call from `code`: device memory is open to it if SUCCESS is
   returned. */
static cublasStatus_t begin(const void *code, const char *call,
                            cublasHandle_t handle,
                            const struct operand *operand, size_t count)
{
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    simt_memory_open();
    if (simt_enter(call, code) != 0) {
        simt_memory_close();
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t bytes =
            operand[i].elements * simt_blas_size(operand[i].type);

        if (bytes == 0 || simt_memory_valid(operand[i].at, bytes) ||
            simt_variable_holds(operand[i].at, bytes))
            continue;
        fprintf(stderr,
                "%s: %s is no array of the device, or one of less than %zu "
                "bytes\n",
                call, operand[i].name, bytes);
        simt_memory_close();
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t end(const struct operand *operand, size_t count)
{
    simt_memory_close();
    for (size_t i = 0; i < count; i++) {
        if (operand[i].is_written && operand[i].elements > 0) {
            simt_memory_written((void *)(uintptr_t)operand[i].at,
                                operand[i].elements *
                                    simt_blas_size(operand[i].type));
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* --- matrices ------------------------------------------------------------- */

/* C = alpha op(A) op(B) + beta C. */
struct product {
    int turn_a, turn_b, m, n, k;
    double alpha, beta;
    const void *A, *B;
    void *C;
    int lda, ldb, ldc;
    cudaDataType_t a_type, b_type, c_type;
};

static void multiply_plainly(const struct product *p)
{
    const size_t lda = (size_t)p->lda, ldb = (size_t)p->ldb;

    for (size_t j = 0; j < (size_t)p->n; j++) {
        for (size_t i = 0; i < (size_t)p->m; i++) {
            const size_t at = i + j * (size_t)p->ldc;
            double sum = 0;

            for (size_t l = 0; l < (size_t)p->k; l++) {
                sum += simt_blas_load(p->a_type, p->A,
                                      p->turn_a ? l + i * lda : i + l * lda) *
                       simt_blas_load(p->b_type, p->B,
                                      p->turn_b ? j + l * ldb : l + j * ldb);
            }
            sum *= p->alpha;
            if (p->beta != 0)
                sum += p->beta * simt_blas_load(p->c_type, p->C, at);
            simt_blas_store(p->c_type, p->C, at, sum);
        }
    }
}

/* A matrix by columns of double, without gaps; to be freed. NULL: no memory. */
static double *as_doubles(int rows, int columns, const void *from, int ld,
                          cudaDataType_t type)
{
    const size_t height = (size_t)rows;
    double *to = malloc((height * (size_t)columns + 1) * sizeof *to);

    for (size_t j = 0; to != NULL && j < (size_t)columns; j++) {
        for (size_t i = 0; i < height; i++)
            to[i + j * height] = simt_blas_load(type, from, i + j * (size_t)ld);
    }
    return to;
}

/* Any types, by way of double, of which no product of two and no sum of int or
   half is rounded before C is stored. Returns 0, or -1: by another way. */
static int multiply_as_doubles(const struct product *p)
{
    const int rows_a = p->turn_a ? p->k : p->m,
              rows_b = p->turn_b ? p->n : p->k;
    const int columns_a = p->turn_a ? p->m : p->k;
    const int columns_b = p->turn_b ? p->k : p->n;
    const size_t m = (size_t)p->m;
    double *A = NULL, *B = NULL, *C = NULL;
    int status = -1;

    if (dgemm == NULL)
        return -1;
    A = as_doubles(rows_a, columns_a, p->A, p->lda, p->a_type);
    B = as_doubles(rows_b, columns_b, p->B, p->ldb, p->b_type);
    C = as_doubles(p->m, p->n, p->C, p->ldc, p->c_type);
    if (A != NULL && B != NULL && C != NULL) {
        dgemm(BY_COLUMNS, p->turn_a ? TURNED : AS_IT_IS,
              p->turn_b ? TURNED : AS_IT_IS, p->m, p->n, p->k, p->alpha, A,
              rows_a > 0 ? rows_a : 1, B, rows_b > 0 ? rows_b : 1, p->beta, C,
              p->m);
        for (size_t j = 0; j < (size_t)p->n; j++) {
            for (size_t i = 0; i < m; i++) {
                simt_blas_store(p->c_type, p->C, i + j * (size_t)p->ldc,
                                C[i + j * m]);
            }
        }
        status = 0;
    }
    free(A);
    free(B);
    free(C);
    return status;
}

static void multiply(const struct product *p)
{
    const int turn_a = p->turn_a ? TURNED : AS_IT_IS;
    const int turn_b = p->turn_b ? TURNED : AS_IT_IS;
    const int is_one_type = p->a_type == p->b_type && p->b_type == p->c_type;

    if (is_one_type && p->c_type == CUDA_R_32F && sgemm != NULL) {
        sgemm(BY_COLUMNS, turn_a, turn_b, p->m, p->n, p->k, (float)p->alpha,
              p->A, p->lda, p->B, p->ldb, (float)p->beta, p->C, p->ldc);
    } else if (is_one_type && p->c_type == CUDA_R_64F && dgemm != NULL) {
        dgemm(BY_COLUMNS, turn_a, turn_b, p->m, p->n, p->k, p->alpha, p->A,
              p->lda, p->B, p->ldb, p->beta, p->C, p->ldc);
    } else if (multiply_as_doubles(p) != 0) {
        multiply_plainly(p);
    }
}

static cublasStatus_t gemm(const char *call, cublasHandle_t handle,
                           struct product p, long long a_step, long long b_step,
                           long long c_step, int count)
{
    const int rows_a = p.turn_a ? p.k : p.m, rows_b = p.turn_b ? p.n : p.k;
    const size_t last = count > 0 ? (size_t)count - 1 : 0;
    const struct operand operands[] = {
        {"A", p.A,
         matrix_elements(rows_a, p.turn_a ? p.m : p.k, p.lda) +
             last * (size_t)a_step,
         p.a_type, 0},
        {"B", p.B,
         matrix_elements(rows_b, p.turn_b ? p.k : p.n, p.ldb) +
             last * (size_t)b_step,
         p.b_type, 0},
        {"C", p.C, matrix_elements(p.m, p.n, p.ldc) + last * (size_t)c_step,
         p.c_type, 1},
    };
    cublasStatus_t status;

    if (p.m < 0 || p.n < 0 || p.k < 0 || p.lda < rows_a || p.lda < 1 ||
        p.ldb < rows_b || p.ldb < 1 || p.ldc < p.m || p.ldc < 1) {
        fprintf(stderr,
                "%s: the leading dimensions are %d, %d and %d, and must be at "
                "least the %d, %d and %d rows that A, B and C have in memory "
                "(matrices lie by columns)\n",
                call, p.lda, p.ldb, p.ldc, rows_a, rows_b, p.m);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (p.m == 0 || p.n == 0 || count <= 0)
        return CUBLAS_STATUS_SUCCESS;
    status = begin(__builtin_return_address(0), call, handle, operands, 3);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    for (size_t i = 0; i < (size_t)count; i++) {
        struct product one = p;

        one.A =
            (const char *)p.A + i * (size_t)a_step * simt_blas_size(p.a_type);
        one.B =
            (const char *)p.B + i * (size_t)b_step * simt_blas_size(p.b_type);
        one.C = (char *)p.C + i * (size_t)c_step * simt_blas_size(p.c_type);
        multiply(&one);
    }
    return end(operands, 3);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t turn_a,
                            cublasOperation_t turn_b, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType_t a_type, int lda, const void *B,
                            cudaDataType_t b_type, int ldb, const void *beta,
                            void *C, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    const cudaDataType_t sums = compute == CUBLAS_COMPUTE_64F   ? CUDA_R_64F
                                : compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I
                                : compute == CUBLAS_COMPUTE_16F ? CUDA_R_16F
                                                                : CUDA_R_32F;

    (void)algorithm;
    if (alpha == NULL || beta == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (simt_blas_size(a_type) == 0 || simt_blas_size(b_type) == 0 ||
        simt_blas_size(c_type) == 0) {
        fputs("cublasGemmEx: the CPU device multiplies CUDA_R_64F, 32F, 16F, "
              "16BF, 32I and 8I alone\n",
              stderr);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return gemm("cublasGemmEx", handle,
                (struct product){turn_a != CUBLAS_OP_N, turn_b != CUBLAS_OP_N,
                                 m, n, k, simt_blas_load(sums, alpha, 0),
                                 simt_blas_load(sums, beta, 0), A, B, C, lda,
                                 ldb, ldc, a_type, b_type, c_type},
                0, 0, 0, 1);
}

/* y = alpha op(A) x + beta y, as a product with a matrix of one column, or row
   by row where y's elements are apart. */
static cublasStatus_t gemv(const char *call, cublasHandle_t handle, int turn,
                           int m, int n, double alpha, const void *A, int lda,
                           const void *x, int x_step, double beta, void *y,
                           int y_step, cudaDataType_t type)
{
    const int results = turn ? n : m, terms = turn ? m : n;
    const struct operand operands[] = {
        {"A", A, matrix_elements(m, n, lda), type, 0},
        {"x", x, vector_elements(terms, x_step), type, 0},
        {"y", y, vector_elements(results, y_step), type, 1},
    };
    cublasStatus_t status;

    if (m < 0 || n < 0 || lda < m || lda < 1 || x_step < 1 || y_step < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    status = begin(__builtin_return_address(0), call, handle, operands, 3);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    for (size_t i = 0; i < (size_t)results; i++) {
        const size_t at = i * (size_t)y_step;
        double sum = 0;

        for (size_t j = 0; j < (size_t)terms; j++) {
            sum +=
                simt_blas_load(
                    type, A, turn ? j + i * (size_t)lda : i + j * (size_t)lda) *
                simt_blas_load(type, x, j * (size_t)x_step);
        }
        sum *= alpha;
        simt_blas_store(type, y, at,
                        beta == 0 ? sum
                                  : sum + beta * simt_blas_load(type, y, at));
    }
    return end(operands, 3);
}

/* --- vectors -------------------------------------------------------------- */

/* y = alpha x + beta y. */
static cublasStatus_t add(const char *call, cublasHandle_t handle, int n,
                          double alpha, const void *x, int x_step, double beta,
                          void *y, int y_step, cudaDataType_t type)
{
    const struct operand operands[] = {
        {"x", x, vector_elements(n, x_step), type, 0},
        {"y", y, vector_elements(n, y_step), type, 1},
    };
    cublasStatus_t status;

    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (x_step < 1 || y_step < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    status = begin(__builtin_return_address(0), call, handle, operands, 2);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    for (size_t i = 0; i < (size_t)n; i++) {
        const size_t at = i * (size_t)y_step;
        const double value =
            alpha * simt_blas_load(type, x, i * (size_t)x_step);

        simt_blas_store(type, y, at,
                        beta == 0 ? value
                                  : value + beta * simt_blas_load(type, y, at));
    }
    return end(operands, 2);
}

/* The sum of x times y, its root, the sum of the sizes of x, or the place of
   its largest, as an int. */
enum reduction {
    DOT,
    NORM,
    SIZES,
    LARGEST
};

static double reduced(const void *x, int x_step, const void *y, int y_step,
                      int n, cudaDataType_t type, enum reduction reduction)
{
    double result = 0, largest = -1;

    for (size_t i = 0; i < (size_t)n; i++) {
        const double value = simt_blas_load(type, x, i * (size_t)x_step);

        if (reduction == DOT || reduction == NORM) {
            result += value * simt_blas_load(type, y, i * (size_t)y_step);
        } else if (reduction == SIZES) {
            result += fabs(value);
        } else if (fabs(value) > largest) {
            largest = fabs(value);
            result = (double)i + 1; /* as in Fortran */
        }
    }
    return reduction == NORM ? sqrt(result) : result;
}

/* The result may lie in device memory, if the program says so. */
static cublasStatus_t reduce(const char *call, cublasHandle_t handle, int n,
                             const void *x, int x_step, const void *y,
                             int y_step, cudaDataType_t type,
                             enum reduction reduction, void *result)
{
    const struct operand operands[] = {
        {"x", x, vector_elements(n, x_step), type, 0},
        {"y", y, vector_elements(n, y_step), type, 0},
        {"the result", result, simt_memory_holds(result) ? 1 : 0,
         reduction == LARGEST ? CUDA_R_32F : type, 1},
    };
    cublasStatus_t status;

    if (result == NULL || (n > 0 && (x_step < 1 || y_step < 1)))
        return CUBLAS_STATUS_INVALID_VALUE;
    status = begin(__builtin_return_address(0), call, handle, operands, 3);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (reduction == LARGEST) {
        *(int *)result = (int)reduced(x, x_step, y, y_step, n, type, reduction);
    } else {
        simt_blas_store(type, result, 0,
                        reduced(x, x_step, y, y_step, n, type, reduction));
    }
    return end(operands, 3);
}

static double number(cudaDataType_t type, const void *at)
{
    double value;

    if (!simt_memory_holds(at))
        return simt_blas_load(type, at, 0);
    simt_memory_open();
    value = simt_blas_load(type, at, 0);
    simt_memory_close();
    return value;
}

/* --- the calls, for float and double -------------------------------------- */

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-non-const-parameter) */
#define OF_ONE(call, type, TYPE, reduction, result_type)                       \
    cublasStatus_t call(cublasHandle_t handle, int n, const type *x,           \
                        int x_step, result_type *result)                       \
    {                                                                          \
        return reduce(#call, handle, n, x, x_step, x, x_step, TYPE, reduction, \
                      result);                                                 \
    }

#define CALLS(S, s, type, TYPE)                                                \
    cublasStatus_t cublas##S##gemmStridedBatched(                              \
        cublasHandle_t handle, cublasOperation_t turn_a,                       \
        cublasOperation_t turn_b, int m, int n, int k, const type *alpha,      \
        const type *A, int lda, long long a_step, const type *B, int ldb,      \
        long long b_step, const type *beta, type *C, int ldc,                  \
        long long c_step, int count)                                           \
    {                                                                          \
        const struct product p = {turn_a != CUBLAS_OP_N,                       \
                                  turn_b != CUBLAS_OP_N,                       \
                                  m,                                           \
                                  n,                                           \
                                  k,                                           \
                                  number(TYPE, alpha),                         \
                                  number(TYPE, beta),                          \
                                  A,                                           \
                                  B,                                           \
                                  C,                                           \
                                  lda,                                         \
                                  ldb,                                         \
                                  ldc,                                         \
                                  TYPE,                                        \
                                  TYPE,                                        \
                                  TYPE};                                       \
                                                                               \
        return gemm("cublas" #S "gemm", handle, p, a_step, b_step, c_step,     \
                    count);                                                    \
    }                                                                          \
    cublasStatus_t cublas##S##gemm(                                            \
        cublasHandle_t handle, cublasOperation_t turn_a,                       \
        cublasOperation_t turn_b, int m, int n, int k, const type *alpha,      \
        const type *A, int lda, const type *B, int ldb, const type *beta,      \
        type *C, int ldc)                                                      \
    {                                                                          \
        return cublas##S##gemmStridedBatched(handle, turn_a, turn_b, m, n, k,  \
                                             alpha, A, lda, 0, B, ldb, 0,      \
                                             beta, C, ldc, 0, 1);              \
    }                                                                          \
    cublasStatus_t cublas##S##gemv(                                            \
        cublasHandle_t handle, cublasOperation_t turn, int m, int n,           \
        const type *alpha, const type *A, int lda, const type *x, int x_step,  \
        const type *beta, type *y, int y_step)                                 \
    {                                                                          \
        return gemv("cublas" #S "gemv", handle, turn != CUBLAS_OP_N, m, n,     \
                    number(TYPE, alpha), A, lda, x, x_step,                    \
                    number(TYPE, beta), y, y_step, TYPE);                      \
    }                                                                          \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n,               \
                                   const type *alpha, const type *x,           \
                                   int x_step, type *y, int y_step)            \
    {                                                                          \
        return add("cublas" #S "axpy", handle, n, number(TYPE, alpha), x,      \
                   x_step, 1, y, y_step, TYPE);                                \
    }                                                                          \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n,               \
                                   const type *alpha, type *x, int x_step)     \
    {                                                                          \
        return add("cublas" #S "scal", handle, n, number(TYPE, alpha), x,      \
                   x_step, 0, x, x_step, TYPE);                                \
    }                                                                          \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n,               \
                                   const type *x, int x_step, type *y,         \
                                   int y_step)                                 \
    {                                                                          \
        return add("cublas" #S "copy", handle, n, 1, x, x_step, 0, y, y_step,  \
                   TYPE);                                                      \
    }                                                                          \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, \
                                  int x_step, const type *y, int y_step,       \
                                  type *result)                                \
    {                                                                          \
        return reduce("cublas" #S "dot", handle, n, x, x_step, y, y_step,      \
                      TYPE, DOT, result);                                      \
    }                                                                          \
    OF_ONE(cublas##S##nrm2, type, TYPE, NORM, type)                            \
    OF_ONE(cublas##S##asum, type, TYPE, SIZES, type)                           \
    OF_ONE(cublasI##s##amax, type, TYPE, LARGEST, int)

CALLS(S, s, float, CUDA_R_32F)
CALLS(D, d, double, CUDA_R_64F)
/* NOLINTEND(bugprone-macro-parentheses,readability-non-const-parameter) */
