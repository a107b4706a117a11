/* The second file of test_blocks.c: the same template as in the first, and one
   more of its instances. */
#include "calculations.h"

void second_calculations(const float *in, float *out)
{
    const char *file = "tests/simt/calculations/calculations.h";

    *out = sum_of_products<7>(in);
    expect_flops("the template of another file", file, LINE_OF_SUM, 14);
    *out = sum_of_products<3>(in);
    expect_flops("another instance", file, LINE_OF_SUM, 14 + 6);
#line 500 "one.cu"
    out[1] = in[0] + in[1];
#line 500 "other.cu"
    out[2] = in[1] * in[2] - in[3];
    expect_flops("one file", "one.cu", 500, 1);
    expect_flops("the same line of another file", "other.cu", 500, 2);
}
