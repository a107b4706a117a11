/* cuda_fp16.h: half precision, 11 bits of significand, as the CUDA Math API
   has it. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt_narrow.h"

namespace simt_device
{

struct half_code {
    SIMT_NOT_RECORDED static unsigned short bits_of(float x)
    {
        unsigned u = bits_as<unsigned>(x), sign = u >> 16 & 0x8000;

        u &= 0x7fffffff;
        if (u >= 0x477ff000) /* too large, infinite, or a NaN */
            return (unsigned short)(u > 0x7f800000 ? 0x7fff : sign | 0x7c00);
        if (u < 0x38800000) /* below the least normal number, 2^-14 */
            return (unsigned short)(sign | (unsigned)rintf(fabsf(x) * 0x1p24f));
        u += 0xfff + (u >> 13 & 1);
        return (unsigned short)(sign | (u - 0x38000000) >> 13);
    }
    SIMT_NOT_RECORDED static float value_of(unsigned short bits)
    {
        const unsigned sign = (unsigned)(bits & 0x8000) << 16;
        const unsigned exponent = bits >> 10 & 31, rest = bits & 0x3ff;

        if (exponent == 0)
            return bits_as<float>(sign |
                                  bits_as<unsigned>((float)rest * 0x1p-24f));
        return bits_as<float>(
            sign | (exponent == 31 ? 255 : exponent + 112) << 23 | rest << 13);
    }
};

} // namespace simt_device

typedef simt_device::narrow<simt_device::half_code> __half;
typedef simt_device::narrow2<simt_device::half_code> __half2;
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;

SIMT_NARROW_NAMES(half, __half, __half2)

#endif /* SIMT_CUDA_FP16_H */
