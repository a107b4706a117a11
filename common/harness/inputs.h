/*
 * inputs.h: what is in A and B, and what is in C before a kernel runs?
 *
 * Inputs are random and signed, because constant ones hide mistakes: with
 * equal elements a swapped index changes nothing. C starts as a NaN, so that
 * an element that nobody wrote can never pass for a right one.
 */
#ifndef LAB_INPUTS_H
#define LAB_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The next number of the stream that *state stands for; any state will do.
 * splitmix64: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014, with its mixing function "variant 13".
 */
uint64_t lab_random(uint64_t *state);

/*
 * Fills x with count values spread evenly over (-1, 1): odd multiples of
 * 2^-24, so none is zero and each is exact. The same seed gives the same
 * values on every machine; A and B want different seeds.
 */
void lab_fill(float *x, size_t count, uint64_t seed);

/* Fills x with a NaN that lab_is_poison knows again. */
void lab_poison(float *x, size_t count);

/*
 * 1 if x is the NaN of lab_poison, bit for bit, else 0: the element has not
 * been written. A GPU's arithmetic returns another NaN, 0x7fffffff (PTX ISA,
 * section on floating-point instructions). An x86 processor hands a NaN
 * operand on, so there x may also be a sum that poison went into.
 */
int lab_is_poison(float x);

#ifdef __cplusplus
}
#endif

#endif /* LAB_INPUTS_H */
