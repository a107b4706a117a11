/*
 * blas.h: C += A * B in float64, as fast as this machine can.
 *
 * OpenBLAS does it where the product is large enough and the library is there.
 * It is opened at run time, so that no program needs it to be built or to
 * start. Without it, loops of our own share the rows among all cores. Both add
 * up in float64; their sums differ by roundoff of 2^-53, far below the
 * tolerances that verify.h sets for float32.
 */
#ifndef LAB_BLAS_H
#define LAB_BLAS_H

#include <stddef.h>

/*
 * C += A * B. A is m x k and B k x n, both dense and row-major; C is m x n with
 * rows of c_step elements. None may overlap. large says that this is part of so
 * much work that opening OpenBLAS pays, which takes some 30 ms.
 */
void lab_blas_multiply_add(double *C, size_t c_step, const double *A,
                           const double *B, int m, int n, int k, int large);

#endif /* LAB_BLAS_H */
