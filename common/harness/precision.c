#include "precision.h"

#include "inputs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const char *lab_precision_word(enum lab_precision precision)
{
    static const char *const word[] = {"fp32", "tf32", "bf16"};

    return word[precision];
}

const char *lab_precision_says(enum lab_precision precision)
{
    static const char *const says[] = {
        "single precision",
        "factors rounded to TF32",
        "matrices in bf16, sums in float",
    };

    return says[precision];
}

size_t lab_precision_bytes(enum lab_precision precision)
{
    return precision == LAB_BF16 ? sizeof(unsigned short) : sizeof(float);
}

static unsigned short pack(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    /* Half of the last bit that stays, less one if that bit is 0: so a tie goes
       to the even one. A carry into the exponent is right as it is. */
    if (isnan(x)) {
        bits |= 0x400000; /* quiet: not an infinity if only low bits were set */
    } else {
        bits += 0x7fff + (bits >> 16 & 1);
    }
    return (unsigned short)(bits >> 16);
}

void lab_bf16_pack(unsigned short *to, const float *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = pack(from[i]);
}

void lab_bf16_unpack(float *to, const unsigned short *from, size_t count)
{
    float poison;

    lab_poison(&poison, 1);
    const unsigned short packed = pack(poison);

    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)from[i] << 16;

        /* As bits: to pass a NaN through a float may change them. */
        if (from[i] == packed) {
            memcpy(&to[i], &poison, sizeof poison);
        } else {
            memcpy(&to[i], &bits, sizeof bits);
        }
    }
}
