/* cuda_fp8.h: numbers of 8 bits, E4M3 and E5M2, as the CUDA Math API has them:
   conversions, rounded to nearest, too large ones to the largest. Pairs and
   fours of them are not here. */
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;

typedef enum {
    __NV_NOSAT,
    __NV_SATFINITE
} __nv_saturation_t;

typedef enum {
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

namespace simt_device
{

struct fp8_form {
    int bias, digits; /* of the exponent; bits behind the point */
    unsigned largest; /* finite; the next is infinite, or a NaN */
    unsigned beyond;  /* what stands for too much, where that is kept */
};

static inline fp8_form form_of(__nv_fp8_interpretation_t kind)
{
    return kind == __NV_E4M3 ? fp8_form{7, 3, 0x7e, 0x7f}
                             : fp8_form{15, 2, 0x7b, 0x7c};
}

static inline float fp8_value(unsigned bits, __nv_fp8_interpretation_t kind)
{
    const fp8_form form = form_of(kind);
    const int exponent = (int)(bits & 0x7f) >> form.digits;
    const int rest = (int)bits & ((1 << form.digits) - 1);
    const float size =
        (bits & 0x7f) > form.largest
            ? (kind == __NV_E5M2 && rest == 0 ? HUGE_VALF : nanf(""))
        : exponent == 0 ? ldexpf((float)rest, 1 - form.bias - form.digits)
                        : ldexpf((float)(rest + (1 << form.digits)),
                                 exponent - form.bias - form.digits);

    return bits & 0x80 ? -size : size;
}

} // namespace simt_device

static inline __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                       __nv_fp8_interpretation_t kind)
{
    const simt_device::fp8_form form = simt_device::form_of(kind);
    const unsigned sign = signbit(x) ? 0x80 : 0;
    const double size = fabs(x);
    int exponent = 0;
    unsigned bits;

    if (x != x)
        return (__nv_fp8_storage_t)0x7f;
    frexp(size, &exponent); /* size is below 2^exponent */
    exponent = exponent - 1 < 1 - form.bias ? 1 - form.bias : exponent - 1;
    if (size == 0 || size > 0x1p20) {
        bits = size == 0 ? 0 : 0x80;
    } else {
        /* What is rounded up to a power of two goes into the exponent. */
        bits = (unsigned)((exponent + form.bias - 1) << form.digits) +
               (unsigned)nearbyint(ldexp(size, form.digits - exponent));
    }
    if (bits > form.largest)
        bits = saturation == __NV_SATFINITE ? form.largest : form.beyond;
    return (__nv_fp8_storage_t)(sign | bits);
}

static inline __nv_fp8_storage_t
__nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                      __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((double)x, saturation, kind);
}

namespace simt_device
{

template <__nv_fp8_interpretation_t kind> struct fp8 {
    __nv_fp8_storage_t __x;

    fp8() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    explicit fp8(T x)
        : __x(__nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, kind))
    {
    }
    template <class Code>
    explicit fp8(narrow<Code> x)
        : __x(__nv_cvt_float_to_fp8(x.value(), __NV_SATFINITE, kind))
    {
    }
    explicit operator float() const
    {
        return fp8_value(__x, kind);
    }
    explicit operator double() const
    {
        return (double)fp8_value(__x, kind);
    }
    explicit operator __half() const
    {
        return __half(fp8_value(__x, kind));
    }
    explicit operator __nv_bfloat16() const
    {
        return __nv_bfloat16(fp8_value(__x, kind));
    }
};

} // namespace simt_device

typedef simt_device::fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef simt_device::fp8<__NV_E5M2> __nv_fp8_e5m2;

#endif /* SIMT_CUDA_FP8_H */
