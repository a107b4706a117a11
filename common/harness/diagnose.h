/*
 * diagnose.h: what do the values of a wrong C prove?
 *
 * What is seen in C, which elements were never written or are NaN; and a wrong
 * formula, if it gives every wrong element of the rows that the reference
 * holds, to the bit. Nothing else is said: --why follows the program (cause.h).
 */
#ifndef LAB_DIAGNOSE_H
#define LAB_DIAGNOSE_H

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a sentence about C, m x n in host memory and poisoned by lab_poison
 * before the kernel ran, to text. Writes an empty string if nothing is wrong,
 * or nothing is proven. 200 bytes are enough.
 *
 * Returns 0, or -1 with errno EINVAL if a pointer is NULL or size is 0.
 */
int lab_diagnose(const struct lab_reference *reference, const float *C,
                 char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LAB_DIAGNOSE_H */
