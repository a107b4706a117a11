/*
 * diagnose.h: what does the pattern of wrong elements suggest?
 *
 * A guess for a beginner, made as a teacher makes it: where are the wrong
 * elements, what is in them, and which wrong formula gives just these values?
 * A formula is only named after it has been computed, in float64, for a
 * sample of the wrong elements and was right for nine tenths of them.
 */
#ifndef LAB_DIAGNOSE_H
#define LAB_DIAGNOSE_H

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes one to three sentences about C, m x n in host memory and poisoned by
 * lab_poison before the kernel ran, to text: what is seen, what it suggests
 * and where to look next. Writes an empty string if nothing is wrong. 400
 * bytes are enough.
 *
 * Returns 0, or -1 with errno EINVAL if a pointer is NULL or size is 0, or
 * ENOMEM.
 */
int lab_diagnose(const struct lab_reference *reference, const float *C,
                 char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LAB_DIAGNOSE_H */
