/*
 * cublas.h: how fast is NVIDIA's own library on the same product, in the same
 * precision?
 *
 * The library is opened at run time: a program is built without it, and runs
 * where it is missing.
 */
#ifndef LAB_CUBLAS_H
#define LAB_CUBLAS_H

#include <stddef.h>

#include "harness/precision.h"
#include "lab.h"

struct lab_cublas;

/* Opens the library. Free with lab_cublas_close. Returns NULL with a reason in
   why, always on the CPU device. */
struct lab_cublas *lab_cublas_open(char *why, size_t size);
void lab_cublas_close(struct lab_cublas *cublas);

/*
 * Launches C = A * B in device memory. Of LAB_FP32 the library may not round
 * factors to TF32, of LAB_TF32 it may; of LAB_BF16 the pointers in p are to
 * bf16, and sums are float. Returns 0, or the library's error number.
 */
int lab_cublas_launch(struct lab_cublas *cublas, enum lab_precision precision,
                      const struct lab_matmul *p);

#endif /* LAB_CUBLAS_H */
