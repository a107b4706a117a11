/* What could go wrong where a lab is allowed less than single precision? */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "harness/inputs.h"
#include "harness/precision.h"
#include "harness/run.h"
#include "harness/verify.h"
#include "product.h"

static float of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float rounded_bf16(float x)
{
    unsigned short packed;

    lab_bf16_pack(&packed, &x, 1);
    lab_bf16_unpack(&x, &packed, 1);
    return x;
}

/* To 11 bits, as adding half of the last bit and cutting off does it. */
static float rounded_tf32(float x)
{
    return of_bits((bits_of(x) + 0x1000) & 0xffffe000);
}

static float cut_tf32(float x)
{
    return of_bits(bits_of(x) & 0xffffe000);
}

/* --- packing -------------------------------------------------------------- */

TEST(test_bf16_is_the_nearest_and_the_even_one_of_two)
{
    assert_true(rounded_bf16(1.0f) == 1.0f);
    assert_true(rounded_bf16(-0.15625f) == -0.15625f);
    /* From 1 on they are 2^-7 apart. */
    assert_true(rounded_bf16(1.0f + 0x1p-8f) == 1.0f);
    assert_true(rounded_bf16(1.0f + 0x3p-8f) == 1.0f + 0x4p-8f);
    assert_true(rounded_bf16(1.0f + 0x1.02p-8f) == 1.0f + 0x1p-7f);
    assert_true(rounded_bf16(-1.0f - 0x1.02p-8f) == -1.0f - 0x1p-7f);
    assert_true(rounded_bf16(0x1.fffffep-1f) == 1.0f); /* into the exponent */
    assert_true(rounded_bf16(0x1.fffffep127f) == (float)INFINITY);
    assert_true(rounded_bf16(-(float)INFINITY) == -(float)INFINITY);
    assert_true(signbit(rounded_bf16(-0.0f)));
}

TEST(test_a_nan_stays_one_and_poison_is_known_again)
{
    unsigned short packed;
    float x;

    /* Cut off, these bits would be those of infinity; rounded, of -0. */
    assert_true(isnan(rounded_bf16(of_bits(0x7f800001))));
    assert_true(isnan(rounded_bf16(of_bits(0x7fffffff))));
    assert_false(lab_is_poison(rounded_bf16(of_bits(0x7fffffff))));
    lab_poison(&x, 1);
    lab_bf16_pack(&packed, &x, 1);
    x = 0.0f;
    lab_bf16_unpack(&x, &packed, 1);
    assert_true(lab_is_poison(x));
}

/* --- tolerances ----------------------------------------------------------- */

static struct product make_product(int m, int n, int k,
                                   enum lab_precision precision)
{
    const struct product p = product_make(
        m, n, k, 7, 1, 0, precision == LAB_BF16 ? rounded_bf16 : NULL);

    lab_reference_allow(p.reference, precision);
    return p;
}

/* A sum as tensor cores do it: `block` products and the sum so far are shifted
   to the largest exponent, cut off there, added, and cut off again. */
static float block_sum(const struct product *p, int row, int col, int block,
                       float (*factor)(float))
{
    float sum = 0.0f;

    for (int first = 0; first < p->k; first += block) {
        double term[17] = {(double)sum}, largest = fabs((double)sum), all = 0.0;
        int exponent;

        for (int i = 0; i < block; i++) {
            const int at = first + i;

            term[1 + i] = at < p->k ? (double)factor(p->A[row * p->k + at]) *
                                          (double)factor(p->B[at * p->n + col])
                                    : 0.0;
            largest = fmax(largest, fabs(term[1 + i]));
        }
        if (!(largest > 0.0))
            continue;
        frexp(largest, &exponent);
        for (int i = 0; i <= block; i++)
            all += ldexp(trunc(ldexp(term[i], 24 - exponent)), exponent - 24);
        frexp(all, &exponent);
        sum = (float)ldexp(trunc(ldexp(all, 24 - exponent)), exponent - 24);
    }
    return sum;
}

static float as_it_is(float x)
{
    return x;
}

static void compute(const struct product *p, int block, float (*factor)(float),
                    float (*stored)(float))
{
    for (int row = 0; row < p->m; row++) {
        for (int col = 0; col < p->n; col++) {
            p->C[row * p->n + col] =
                stored(block_sum(p, row, col, block, factor));
        }
    }
}

static int verdict(const struct product *p)
{
    struct lab_diff diff;

    return lab_verify(p->reference, p->C, &diff);
}

TEST(test_tf32_passes_as_tf32_alone)
{
    static const int k[] = {1, 5, 257, 1000};

    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct product p = make_product(19, 23, k[i], LAB_TF32);

        for (int block = 4; block <= 16; block *= 2) {
            compute(&p, block, rounded_tf32, as_it_is);
            assert_int_equal(verdict(&p), 0);
        }
        /* A float's worst case grows with k, and is met by chance later. */
        lab_reference_allow(p.reference, LAB_FP32);
        assert_int_equal(k[i] <= 5 ? verdict(&p) : 1, 1);
        product_free(&p);
    }
}

/* The tensor cores cut off what is not rounded before. */
TEST(test_factors_that_are_cut_off_fail_where_k_is_1)
{
    struct product p = make_product(129, 68, 1, LAB_TF32);

    compute(&p, 8, cut_tf32, as_it_is);
    assert_int_equal(verdict(&p), 1);
    compute(&p, 8, rounded_bf16, as_it_is);
    assert_int_equal(verdict(&p), 1);
    product_free(&p);
}

TEST(test_bf16_passes_as_bf16_alone)
{
    static const int k[] = {1, 5, 257, 1000};

    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct product p = make_product(19, 23, k[i], LAB_BF16);

        for (int block = 4; block <= 16; block *= 2) {
            compute(&p, block, as_it_is, rounded_bf16);
            assert_int_equal(verdict(&p), 0);
        }
        lab_reference_allow(p.reference, LAB_TF32);
        assert_int_equal(k[i] <= 5 ? verdict(&p) : 1, 1);
        lab_reference_allow(p.reference, LAB_FP32);
        assert_int_equal(k[i] <= 5 ? verdict(&p) : 1, 1);
        product_free(&p);
    }
}

/* C in bf16 is rounded to nearest: cut off, it fails where the sum is short. */
TEST(test_a_result_that_is_cut_off_to_bf16_fails)
{
    struct product p = make_product(60, 60, 1, LAB_BF16);

    compute(&p, 16, as_it_is, as_it_is);
    for (int i = 0; i < 60 * 60; i++)
        p.C[i] = of_bits(bits_of(p.C[i]) & 0xffff0000);
    assert_int_equal(verdict(&p), 1);
    product_free(&p);
}

TEST(test_just_above_the_tolerance_fails)
{
    static const enum lab_precision each[] = {LAB_FP32, LAB_TF32, LAB_BF16};

    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        struct product p = make_product(3, 4, 77, each[i]);
        const struct lab_tolerance t = lab_tolerance_of(each[i], 77);

        for (int row = 0; row < 3; row++) {
            for (int col = 0; col < 4; col++) {
                float *const c = &p.C[row * 4 + col];
                double want, mag, off;

                compute(&p, 8, as_it_is, as_it_is);
                lab_reference_span(p.reference, row, col, 1, &want, &mag);
                off = lab_tolerance_at(&t, want, mag);
                for (*c = (float)(want + off); (double)*c - want <= off;)
                    *c = nextafterf(*c, (float)INFINITY);
                assert_int_equal(verdict(&p), 1);
                while (!((double)*c - want <= off))
                    *c = nextafterf(*c, -(float)INFINITY);
                assert_int_equal(verdict(&p), 0);
            }
        }
        product_free(&p);
    }
}

static int nearly(double x, double y)
{
    return fabs(x - y) <= 1e-6 * fabs(y);
}

/* By hand, from the formulas of verify.h. */
TEST(test_tolerances_are_those_of_the_formulas)
{
    const double f = 0x1p-10 + 0x1p-22;
    const double s = 200 * 0x1p-23 / (1 - 200 * 0x1p-23);

    assert_true(nearly(lab_tolerance_of(LAB_FP32, 1).of_mag, 0x1p-22));
    assert_true(lab_tolerance_of(LAB_FP32, 1).of_want == 0.0);
    assert_true(
        nearly(lab_tolerance_of(LAB_TF32, 100).of_mag, (1 + f) * (1 + s) - 1));
    assert_true(lab_tolerance_of(LAB_TF32, 100).of_want == 0.0);
    assert_true(
        nearly(lab_tolerance_of(LAB_BF16, 100).of_mag, s * (1 + 0x1p-8)));
    assert_true(lab_tolerance_of(LAB_BF16, 100).of_want == 0x1p-8);
    assert_true(lab_tolerance_of(LAB_TF32, (1 << 22) - 1).of_mag > 0.0);
    assert_true(isnan(lab_tolerance_of(LAB_TF32, 1 << 22).of_mag));
    assert_true(isnan(lab_tolerance_of(LAB_BF16, 1 << 22).of_mag));
}

/* --- from the inputs to the verdict --------------------------------------- */

static int spoiled; /* an element of C that the lab below gets wrong, or -1 */
static int unwritten;
static int one_short;

/* A lab in bf16: on the host, with copies of its own. */
static void multiply_bf16(const struct lab_matmul_bf16 *p)
{
    const size_t count[] = {(size_t)p->m * (size_t)p->k,
                            (size_t)p->k * (size_t)p->n,
                            (size_t)p->m * (size_t)p->n};
    unsigned short *packed = malloc(2 * (count[0] + count[1] + count[2] + 1));
    float *a = malloc(sizeof *a * (count[0] + count[1] + count[2]));
    float *b, *c;

    assert_true(packed != NULL && a != NULL);
    b = a + count[0];
    c = b + count[1];
    cudaMemcpy(packed, p->A, 2 * count[0], cudaMemcpyDeviceToHost);
    cudaMemcpy(packed + count[0], p->B, 2 * count[1], cudaMemcpyDeviceToHost);
    lab_bf16_unpack(a, packed, count[0] + count[1]);
    for (int row = 0; row < p->m; row++) {
        for (int col = 0; col < p->n; col++) {
            float sum = 0.0f;

            for (int i = 0; i < p->k; i++)
                sum += a[row * p->k + i] * b[i * p->n + col];
            c[row * p->n + col] = sum;
        }
    }
    if (spoiled >= 0)
        c[spoiled] += 1.0f;
    lab_bf16_pack(packed, c, count[2]);
    packed[count[2]] = 0;
    if (!unwritten)
        cudaMemcpy(p->C, packed, 2 * (count[2] - (size_t)one_short),
                   cudaMemcpyHostToDevice);
    free(packed);
    free(a);
}

static struct lab_outcome run_bf16(int expected)
{
    static const struct course_entry entry = {.variant = "kernel",
                                              .kind = COURSE_LAUNCH,
                                              .precision = LAB_BF16,
                                              .run_bf16 = multiply_bf16};
    const struct course_shape shape = {17, 33, 5};
    struct lab_buffers b;
    struct lab_reference *reference;
    struct lab_outcome outcome;
    char why[300] = "";

    if (lab_buffers_new(&b, shape, NULL, 3, 1, LAB_BF16, why, sizeof why) != 0)
        fail_msg("%s", why);
    for (size_t i = 0; i < b.count[LAB_A]; i++)
        assert_true(b.filled[LAB_A][i] == rounded_bf16(b.filled[LAB_A][i]));
    reference = lab_reference_new(
        (struct lab_factors){b.filled[LAB_A], b.filled[LAB_B], 17, 33, 5, 0}, 3,
        why, sizeof why);
    lab_reference_allow(reference, LAB_BF16);
    assert_int_equal(lab_run(&entry, &b, reference, &outcome, why, sizeof why),
                     expected);
    assert_string_equal(why, "");
    lab_reference_free(reference);
    lab_buffers_free(&b);
    return outcome;
}

TEST(test_a_lab_in_bf16_is_run_and_judged)
{
    struct lab_outcome outcome;

    spoiled = -1;
    outcome = run_bf16(0);
    assert_true(outcome.diff.max_error > 0.0);
    spoiled = 40;
    outcome = run_bf16(1);
    assert_int_equal(outcome.diff.bad, 1);
    assert_int_equal(outcome.diff.first[0].row, 1);
    assert_int_equal(outcome.diff.first[0].col, 7);
    spoiled = -1;
    unwritten = 1;
    outcome = run_bf16(1);
    assert_true(outcome.nothing_written);
    unwritten = 0;
    one_short = 1; /* the last element is not written */
    outcome = run_bf16(1);
    assert_int_equal(outcome.diff.nan, 1);
    one_short = 0;
}
