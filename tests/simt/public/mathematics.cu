/* The mathematics that kernels use and C does not have. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuComplex.h>
#include <cuda_runtime.h>
#include "check.h"

#include <cfloat>
#include <climits>
#include <cmath>

#define EXPECT(condition)                                          \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition); \
            atomicAdd(wrong, 1);                                   \
        }                                                          \
    } while (0)
#define NEAR(a, b) \
    EXPECT(fabs((double)(a) - (double)(b)) <= 2e-6 * fabs((double)(b)))

__global__ void floats(int *wrong, float x, double y)
{
    float s, c;
    double ds, dc;

    NEAR(rsqrtf(4 * x), 0.5);
    NEAR(rsqrt(16 * y), 0.25);
    NEAR(rcbrtf(8 * x), 0.5);
    NEAR(__fdividef(x, 8), 0.125);
    NEAR(fdividef(x, 8), 0.125);
    NEAR(__expf(x), 2.718281828);
    NEAR(__logf(2 * x), 0.69314718);
    NEAR(__log2f(8 * x), 3);
    NEAR(__powf(2 * x, 3), 8);
    NEAR(__sinf(x), 0.84147098);
    NEAR(__cosf(x), 0.54030231);
    NEAR(exp10f(x), 10);
    sincosf(x, &s, &c);
    NEAR(s, 0.84147098);
    NEAR(c, 0.54030231);
    sincospi(y / 4, &ds, &dc);
    NEAR(ds, 0.70710678);
    EXPECT(sinpif(3 * x) == 0 && cospif(2 * x) == 1 && cospif(x / 2) == 0);
    NEAR(sinpi(y / 6), 0.5);
    NEAR(norm3df(x, 2 * x, 2 * x), 3);
    NEAR(norm4df(x, x, x, x), 2);
    NEAR(rnorm3df(x, 2 * x, 2 * x), 1.0 / 3);
    NEAR(rhypotf(3 * x, 4 * x), 0.2);
    NEAR(normcdff(0 * x), 0.5);
    EXPECT(__saturatef(3 * x) == 1 && __saturatef(-x) == 0 &&
           __saturatef(x / 2) == 0.5f);
    EXPECT(fmaf(x, 2, 3) == 5 && __fmaf_rn(x, 2, 3) == 5);
    EXPECT(__fadd_rn(x, 2) == 3 && __fmul_rn(x, 2) == 2);
    EXPECT(__fdiv_rn(x, 4) == 0.25f && __frcp_rn(4 * x) == 0.25f);
    EXPECT(__fsqrt_rn(9 * x) == 3 && __dadd_rn(y, 2) == 3);
    EXPECT(__fma_rn(y, 2, 3) == 5 && __ddiv_rn(y, 4) == 0.25);
    EXPECT(__fadd_rz(x, 1e-9f) == 1 && __fadd_rz(-x, -1e-9f) == -1);
    EXPECT(__fadd_ru(x, 1e-9f) == 1 + FLT_EPSILON &&
           __fadd_rd(-x, -1e-9f) == -1 - FLT_EPSILON);
    EXPECT(__fsub_rd(x, 1e-9f) == 1 - FLT_EPSILON / 2 &&
           __fsub_ru(x, 1e-9f) == 1);
    EXPECT(__fmul_ru(x / 3, 3) == 1 + FLT_EPSILON && __fmul_rz(x / 3, 3) == 1);
    EXPECT(__fmaf_rd(x / 3, 3, -1) > 0 && __fmaf_rz(x, 2, 1e-9f) == 2);
    EXPECT(min(x, 2.0f) == 1 && max(x, 2.0f) == 2 && min(x, 2.0) == 1);
    EXPECT(fminf(x, 2) == 1 && fmaxf(x, nanf("")) == 1);
    EXPECT(isnan(sqrtf(-x)) && isinf(x / (x - 1)));
    EXPECT(abs(-2.5f * x) == 2.5f && fabsf(-x) == 1);
    EXPECT(rintf(2.5f * x) == 2 && roundf(2.5f * x) == 3);
}

__global__ void integers(int *wrong, int one)
{
    const long long big = 1LL << 40;

    EXPECT(min(3, 4 * one) == 3 && max(-3, -4 * one) == -3);
    EXPECT(max(3u, 4u * one) == 4u && min(big, 2 * big * one) == big);
    EXPECT(abs(-5 * one) == 5 && llabs(-big * one) == big);
    EXPECT(__popc(0xf0f0 * one) == 8 && __popcll(big * one - 1) == 40);
    EXPECT(__clz(one) == 31 && __clz(0 * one) == 32 && __clz(-one) == 0);
    EXPECT(__clzll(big * one) == 23);
    EXPECT(__ffs(8 * one) == 4 && __ffs(0 * one) == 0);
    EXPECT(__ffsll(big * one) == 41);
    EXPECT(__brev(one) == 0x80000000u &&
           __brev(0x12345678 * one) == 0x1e6a2c48u);
    EXPECT(__brevll(one) == 1ull << 63);
    EXPECT(__mul24(-3 * one, 5) == -15 && __umul24(0x1000003u * one, 2) == 6);
    EXPECT(__mulhi(1 << 30, 8 * one) == 2 && __mulhi(-one, 1) == -1);
    EXPECT(__umulhi(0x80000000u, 2u * one) == 1);
    EXPECT(__mul64hi(big, big * one) == 1 << 16);
    EXPECT(__umul64hi(1ull << 63, 2ull * one) == 1);
    EXPECT(__sad(3, 10 * one, 5u) == 12 && __hadd(7, 8 * one) == 7);
    EXPECT(__rhadd(7, 8 * one) == 8);
    EXPECT(__byte_perm(0x03020100 * one, 0x07060504, 0x7520) == 0x07050200);
    EXPECT(__funnelshift_l(0x80000000u * one, 1, 1) == 3);
    EXPECT(__funnelshift_r(2 * one, 1, 1) == 0x80000001u);
    EXPECT(__float_as_int(one) == 0x3f800000);
    EXPECT(__int_as_float(0x40000000 * one) == 2);
    EXPECT(__float_as_uint(-1.0f * one) == 0xbf800000u);
    EXPECT(__uint_as_float(0x40400000u * one) == 3);
    EXPECT(__longlong_as_double(__double_as_longlong(2.5 * one)) == 2.5);
    EXPECT(__hiloint2double(__double2hiint(2.5 * one),
                            __double2loint(2.5 * one)) == 2.5);
    EXPECT(__float2int_rn(2.5f * one) == 2 &&
           __float2int_rz(-2.5f * one) == -2);
    EXPECT(__float2int_ru(2.1f * one) == 3 &&
           __float2int_rd(-2.1f * one) == -3);
    EXPECT(__float2int_rz(1e20f * one) == INT_MAX);
    EXPECT(__float2uint_rz(-5.0f * one) == 0);
    EXPECT(__double2int_rn(3.5 * one) == 4);
    EXPECT(__int2float_rn(16777217 * one) == 16777216.0f);
    EXPECT(__ldg(wrong) >= 0);
}

__global__ void complex(int *wrong, float one)
{
    const cuFloatComplex z = make_cuFloatComplex(one, 2.0f * one);
    const cuFloatComplex square = cuCmulf(z, z), half = cuCdivf(z, square);
    const cuDoubleComplex w = cuComplexFloatToDouble(cuConjf(z));

    EXPECT(cuCrealf(square) == -3.0f && cuCimagf(square) == 4.0f);
    NEAR(half.x, 0.2);
    NEAR(half.y, -0.4);
    EXPECT(cuCsub(w, cuCadd(w, w)).y == 2.0);
    EXPECT(cuCabs(make_cuDoubleComplex(3.0 * one, 4.0)) == 5.0);
}

__global__ void clocks(int *wrong, long long *spent)
{
    const long long start = clock64();
    const clock_t also = clock();

    for (int i = 0; i < 100; i++)
        atomicAdd((unsigned long long *)spent, 1ull);
    spent[1] = clock64() - start;
    EXPECT(spent[1] > 0 && (long long)(clock() - also) >= 0);
}

static_assert(__CUDACC_VER_MAJOR__ >= 9,
              "a version that has cooperative groups");

int main()
{
    int *d_wrong, wrong = -1;
    long long *d_spent;

    CHECK(cudaMalloc(&d_wrong, sizeof(int)));
    CHECK(cudaMalloc(&d_spent, 2 * sizeof(long long)));
    CHECK(cudaMemset(d_wrong, 0, sizeof(int)));
    CHECK(cudaMemset(d_spent, 0, 2 * sizeof(long long)));
    floats<<<1, 1>>>(d_wrong, 1, 1);
    integers<<<1, 1>>>(d_wrong, 1);
    complex<<<1, 1>>>(d_wrong, 1.0f);
    clocks<<<1, 1>>>(d_wrong, d_spent);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(d_wrong));
    CHECK(cudaFree(d_spent));
    return wrong ? 1 : 0;
}
