#include "cublas.h"

#include "base/library.h"
#include "device_kind.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Names and values: cuBLAS Library, NVIDIA. */
enum {
    CUBLAS_OP_N = 0,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69, /* and no TF32 */
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    REAL_32F = 0,  /* CUDA_R_32F */
    REAL_16BF = 14 /* CUDA_R_16BF */
};

typedef int create_function(void **handle);
typedef int destroy_function(void *handle);
typedef int gemm_function(void *handle, int transpose_a, int transpose_b, int m,
                          int n, int k, const void *alpha, const void *A,
                          int type_a, int lda, const void *B, int type_b,
                          int ldb, const void *beta, void *C, int type_c,
                          int ldc, int compute, int algorithm);

struct lab_cublas {
    void *library, *handle;
    create_function *create;
    destroy_function *destroy;
    gemm_function *gemm;
};

struct lab_cublas *lab_cublas_open(char *why, size_t size)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                        "libcublas.so.11", "libcublas.so",
                                        NULL};
    struct lab_cublas *c;

    if (!lab_device_is_gpu()) {
        snprintf(why, size, "cuBLAS needs a GPU");
        return NULL;
    }
    c = calloc(1, sizeof *c);
    if (c == NULL) {
        snprintf(why, size, "out of memory");
        return NULL;
    }
    c->library = base_library_open(names);
    if (c->library == NULL) {
        snprintf(why, size, "libcublas.so is not found (set LD_LIBRARY_PATH)");
    } else if (!base_library_find(c->library, "cublasCreate_v2", &c->create) ||
               !base_library_find(c->library, "cublasDestroy_v2",
                                  &c->destroy) ||
               !base_library_find(c->library, "cublasGemmEx", &c->gemm)) {
        snprintf(why, size, "libcublas.so lacks a function: too old");
    } else if (c->create(&c->handle) != 0) {
        c->handle = NULL;
        snprintf(why, size, "cublasCreate failed");
    } else {
        return c;
    }
    lab_cublas_close(c);
    return NULL;
}

void lab_cublas_close(struct lab_cublas *cublas)
{
    if (cublas == NULL)
        return;
    if (cublas->handle != NULL)
        cublas->destroy(cublas->handle);
    if (cublas->library != NULL)
        dlclose(cublas->library);
    free(cublas);
}

int lab_cublas_launch(struct lab_cublas *cublas, enum lab_precision precision,
                      const struct lab_matmul *p)
{
    static const int compute[] = {CUBLAS_COMPUTE_32F_PEDANTIC,
                                  CUBLAS_COMPUTE_32F_FAST_TF32,
                                  CUBLAS_COMPUTE_32F};
    const int type = precision == LAB_BF16 ? REAL_16BF : REAL_32F;
    const float one = 1.0f, zero = 0.0f;

    /* The library's matrices are column-major. Read that way, our row-major C
       is its own transpose, and the transpose of A B is B^T A^T. */
    return cublas->gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, p->n, p->m,
                        p->k, &one, p->B, type, p->n, p->A, type, p->k, &zero,
                        p->C, type, p->n, compute[precision],
                        CUBLAS_GEMM_DEFAULT);
}
