/*
 * precision.h: in which arithmetic does a lab multiply, and how are its
 * matrices stored?
 *
 *           factors               sums    stored   bits of a significand
 *   fp32    float                 float   float    24
 *   tf32    float, rounded        float   float    11 of a factor
 *   bf16    bf16                  float   bf16     8
 *
 * bf16 is the upper half of a float. The harness holds all matrices as floats;
 * those of a bf16 lab are rounded when they are filled, and packed for the
 * device, so the reference is that of the numbers which the lab gets.
 */
#ifndef LAB_PRECISION_H
#define LAB_PRECISION_H

#include <stddef.h>

#include "course/index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its word in labs/INDEX and in results: "fp32". */
const char *lab_precision_word(enum lab_precision precision);

/* What a message says of it: "factors rounded to TF32". */
const char *lab_precision_says(enum lab_precision precision);

/* Bytes of an element in device memory. */
size_t lab_precision_bytes(enum lab_precision precision);

/* Rounds each of count floats to bf16, to nearest and half to even; a NaN stays
   one. */
void lab_bf16_pack(unsigned short *to, const float *from, size_t count);

/* The floats with these values. The upper half of poison (inputs.h) becomes
   poison. */
void lab_bf16_unpack(float *to, const unsigned short *from, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* LAB_PRECISION_H */
