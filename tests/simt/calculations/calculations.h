/* calculations.h: code whose floating-point operations are known, for
   test_blocks.c. */
#ifndef CALCULATIONS_H
#define CALCULATIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Says how many operations the line has performed so far. */
void expect_flops(const char *what, const char *file, int line, uint64_t flops);

/* Each calculates and expects, in one of two files. `in` holds 16 numbers, the
   n-th is n + 1; what comes out does not matter. */
void first_calculations(const float *in, float *out);
void second_calculations(const float *in, float *out);

#ifdef __cplusplus
}

/* Both files have this function, and a linker keeps one of the two. */
template <int TERMS>
__attribute__((noinline)) float sum_of_products(const float *in)
{
    float sum = in[0];

#pragma GCC unroll 1
    for (int i = 0; i < TERMS; i++)
        sum += in[i] * in[TERMS];
    return sum;
}
constexpr int LINE_OF_SUM = __LINE__ - 3;
#endif

#endif
