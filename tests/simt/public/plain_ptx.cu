/* Plain instructions of PTX as inline assembly, one or several. */
/* expect: 0 */
/* says: 0 wrong */
#include <cstdint>
#include "check.h"

enum {
    RESULTS = 27
};

/* One bit of a choice, as a hash has it. */
static __device__ uint32_t choice(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d;

    asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

static __device__ uint32_t rotations(uint32_t x)
{
    uint32_t sum, rotated;

    asm("shf.r.wrap.b32 %0, %2, %2, 6;"
        "shf.r.wrap.b32 %1, %2, %2, 11;"
        "xor.b32 %0, %0, %1;"
        : "=r"(sum), "=r"(rotated)
        : "r"(x));
    return sum;
}

__global__ void calculate(uint32_t *out, float *numbers, const float *in)
{
    __shared__ uint32_t s[32];
    uint32_t t, n, address, word, a = 0x12345678, b = 0x9abcdef0;
    uint64_t product;
    int whole, low, number = -70000;
    float x, y, z;
    float4 v;
    double big;

    asm("mov.u32 %0, %%tid.x;" : "=r"(t));
    asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(n));
    s[t] = t * 3;
    asm volatile("bar.sync 0;\n" ::: "memory");
    asm volatile("{.reg .u64 u64addr;\n"
                 " cvta.to.shared.u64 u64addr, %1;\n"
                 " cvt.u32.u64 %0, u64addr;}\n"
                 : "=r"(address)
                 : "l"(s + (t + 1) % 32));
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address));
    asm("ld.global.nc.f32 %0, [%1+4];" : "=f"(x) : "l"(in + t));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(2.0f), "f"(0.5f));
    asm("add.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
    asm volatile("st.global.wt.f32 [%0], %1;" ::"l"(numbers + t), "f"(z));
    if (t != 0)
        return;
    asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(in));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(whole) : "f"(-2.5f));
    asm("{ .reg .s32 val, other; mov.b32 val, %1; mul.lo.s32 other, val, val;"
        " add.s32 %0, other, 1; }"
        : "=r"(low)
        : "r"(number));
    asm("cvt.f64.f32 %0, %1;" : "=d"(big) : "f"(v.w));
    asm volatile("" ::: "memory");
    out[0] = n, out[1] = word, out[2] = choice(a, b, 0xff00ff00);
    out[3] = rotations(a), out[4] = (uint32_t)product;
    out[5] = (uint32_t)(product >> 32), out[6] = whole, out[7] = low;
    out[8] = (uint32_t)(big * 8);
    asm("prmt.b32 %0, %1, %2, 0x6420;" : "=r"(out[9]) : "r"(a), "r"(b));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(out[10]) : "r"(a));
    asm("bfe.s32 %0, %1, 28, 8;" : "=r"(out[11]) : "r"(b));
    asm("popc.b32 %0, %1;" : "=r"(out[12]) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(out[13]) : "r"(a));
    asm("brev.b32 %0, %1;" : "=r"(out[14]) : "r"(a));
    asm("shr.s32 %0, %1, %2;" : "=r"(out[15]) : "r"(b), "r"(4));
    asm("shr.u32 %0, %1, 40;" : "=r"(out[16]) : "r"(b));
    asm("shl.b32 %0, %1, 3;" : "=r"(out[17]) : "r"(b));
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(out[18]) : "r"(a), "r"(b));
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(out[19]) : "r"(a), "r"(b), "r"(7));
    asm("min.s32 %0, %1, %2;" : "=r"(out[20]) : "r"(a), "r"(b));
    asm("mov.b32 %0, %1;" : "=r"(out[21]) : "f"(1.5f));
    asm("not.b32 %0, %1;" : "=r"(out[22]) : "r"(a));
    asm("rem.u32 %0, %1, 1000;" : "=r"(out[23]) : "r"(a));
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(out[24]) : "f"(-3.0f));
    asm("sub.s32 %0, %1, %2;" : "=r"(out[25]) : "r"(a), "r"(b));
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out + 26), "r"(a),
                 "r"(b));
}

int main()
{
    static const uint32_t expected[RESULTS + 1] = {
        32,         3,          0xff34ff70, 0x2f4a97d3, 0x242d2080, 0xb00ea4e,
        0xfffffffe, 605032705,  28,         0xbcf03478, 0x67,       0xfffffff9,
        13,         3,          0x1e6a2c48, 0xf9abcdef, 0,          0xd5e6f780,
        0xf8cc93d6, 0x242d2087, 0x9abcdef0, 0x3fc00000, 0xedcba987, 896,
        0,          0x77777788, 0x12345678, 0x9abcdef0};
    uint32_t *out;
    float *numbers, *in;
    int wrong = 0;

    CHECK(cudaMallocManaged(&out, (RESULTS + 1) * sizeof *out));
    CHECK(cudaMallocManaged(&numbers, 32 * sizeof *numbers));
    CHECK(cudaMallocManaged(&in, 33 * sizeof *in));
    for (int i = 0; i < 33; i++)
        in[i] = (float)i + 0.5f;
    calculate<<<1, 32>>>(out, numbers, in);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        wrong += numbers[i] != in[i + 1] * 3 + 0.5f;
    for (int i = 0; i <= RESULTS; i++) {
        if (out[i] != expected[i]) {
            printf("%d: 0x%x, not 0x%x\n", i, out[i], expected[i]);
            wrong++;
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
