/* cuda_bf16.h: bfloat16, the upper half of a float, as the CUDA Math API has
   it. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "simt_narrow.h"

namespace simt_device
{

struct bfloat16_code {
    SIMT_NOT_RECORDED static unsigned short bits_of(float x)
    {
        const unsigned u = bits_as<unsigned>(x);

        if (x != x)
            return 0x7fff;
        return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    SIMT_NOT_RECORDED static float value_of(unsigned short bits)
    {
        return bits_as<float>((unsigned)bits << 16);
    }
};

} // namespace simt_device

typedef simt_device::narrow<simt_device::bfloat16_code> __nv_bfloat16;
typedef simt_device::narrow2<simt_device::bfloat16_code> __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

SIMT_NARROW_NAMES(bfloat16, __nv_bfloat16, __nv_bfloat162)

#endif /* SIMT_CUDA_BF16_H */
