/* What test_blocks.c counts. The line before each EXPECT calculates. */
#include "calculations.h"

#include <cuda_runtime.h>

#define EXPECT(what, flops) expect_flops(what, __FILE__, __LINE__ - 1, flops)

static void single_operations(const float *in, float *out)
{
    out[0] = in[0] + in[1];
    EXPECT("addition", 1);
    out[1] = in[0] - in[1];
    EXPECT("subtraction", 1);
    out[2] = in[0] * in[1];
    EXPECT("multiplication", 1);
    out[3] = in[0] / in[1];
    EXPECT("division", 1);
    out[4] = sqrtf(in[1]);
    EXPECT("square root", 1);
    out[5] = fmaf(in[0], in[1], in[2]);
    EXPECT("fused multiply-add", 2);
    out[6] = (float)((double)in[0] * (double)in[1] + 1.0);
    EXPECT("double precision", 2);
}

static void no_operations(const float *in, float *out, size_t number)
{
    out[0] = -in[0];
    EXPECT("sign", 0);
    out[1] = min(in[0], fabsf(in[1]));
    EXPECT("minimum", 0);
    out[2] = (float)number + 0 * (out[3] = (float)(int)number);
    EXPECT("conversions, an addition and a multiplication", 2);
    out[4] = in[0] > in[1] ? in[2] : in[3];
    EXPECT("comparison", 0);
}

/* An element that is moved as a whole is still calculated with one number at a
   time. */
static void vectors(const float *in, float2 *two, float4 *four)
{
    const float factor = in[1];
    float2 a = *two;
    float4 b = *four;

    a.x *= factor;
    a.y *= factor;
    *two = a;
    EXPECT("nothing but a store", 0);
    expect_flops("float2.x", __FILE__, __LINE__ - 4, 1);
    expect_flops("float2.y", __FILE__, __LINE__ - 4, 1);
    b.x += in[0], b.y += in[1], b.z += in[2], b.w += in[3];
    *four = b;
    expect_flops("float4", __FILE__, __LINE__ - 2, 4);
}

static inline __attribute__((always_inline)) float square(float x)
{
    return x * x;
}
constexpr int LINE_OF_SQUARE = __LINE__ - 2;

static void branches(const float *in, float *out)
{
    float sum = in[0];

    for (int i = 0; i < 16; i++) {
        if (in[i] > 12.0f)
            sum += in[i] * 2.5f;
        else if (in[i] > 10.0f)
            sum = in[i] - sum;
    }
    *out = sum;
    expect_flops("taken four times", __FILE__, __LINE__ - 5, 8);
    expect_flops("taken twice", __FILE__, __LINE__ - 4, 2);
    for (int i = 0; i < 5; i++)
        out[i] = square(in[i]) + 1.0f;
    EXPECT("what a function adds to it is on another line", 5);
    expect_flops("inlined", __FILE__, LINE_OF_SQUARE, 5);
}

void first_calculations(const float *in, float *out)
{
    single_operations(in, out);
    no_operations(in, out, (size_t)in[5]);
    vectors(in, (float2 *)out, (float4 *)out);
    branches(in, out);
    *out = sum_of_products<7>(in);
    expect_flops("a template", "tests/simt/calculations/calculations.h",
                 LINE_OF_SUM, 14);
}
