/*
 * products.h: which matrix products does bench.c time?
 *
 * Two algorithms, each as a CUDA kernel and as plain C: one sum of products for
 * each element of C, and the same by tiles of 16 x 16. C = A B, all row-major
 * with n rows and n columns, n a multiple of PRODUCT_TILE.
 */
#ifndef SIMT_PRODUCTS_H
#define SIMT_PRODUCTS_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PRODUCT_TILE = 16 /* also the side of a block of threads */
};

/* On host memory, by one core. */
void plain_naive(const float *A, const float *B, float *C, int n);
void plain_tiled(const float *A, const float *B, float *C, int n);

/* On device memory. cudaGetLastError tells whether the launch went well. */
void launch_naive(const float *A, const float *B, float *C, int n);
void launch_tiled(const float *A, const float *B, float *C, int n);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_PRODUCTS_H */
