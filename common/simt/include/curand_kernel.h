/*
 * curand_kernel.h: random numbers in kernels, those of cuRAND: the generators
 * XORWOW (G. Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (J. Salmon et
 * al., "Parallel random numbers: as easy as 1, 2, 3", 2011), seeded as NVIDIA's
 * "cuRAND Library" does. Normal distributions are as exact as C's functions, so
 * their last digits differ from a GPU's.
 */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "cuda_runtime.h"
#include "curand.h"

/* What is kept of a pair of normal numbers. */
struct simt_second_normal {
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

struct curandStateXORWOW {
    unsigned d, v[5];
    struct simt_second_normal kept;
};

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; /* of the four numbers of output, the next */
    struct simt_second_normal kept;
};

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* --- XORWOW --------------------------------------------------------------- */

static inline void skipahead(unsigned long long count, curandState *state)
{
    simt_xorwow_skip(state->v, count, 0);
    state->d += 362437u * (unsigned)count;
}

static inline void skipahead_sequence(unsigned long long count,
                                      curandState *state)
{
    simt_xorwow_skip(state->v, count, 1);
}

static inline void curand_init(unsigned long long seed,
                               unsigned long long sequence,
                               unsigned long long offset, curandState *state)
{
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);

    *state = {6615241u + high + low,
              {123456789u + low, 362436069u ^ low, 521288629u + high,
               88675123u ^ high, 5783321u + low},
              {}};
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}

static inline unsigned curand(curandState *state)
{
    simt_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* --- Philox --------------------------------------------------------------- */

namespace simt_device
{

static inline uint4 philox(uint4 c, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xd2511f53ull * c.x;
        const unsigned long long b = 0xcd9e8d57ull * c.z;

        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b,
                       (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a);
        key = make_uint2(key.x + 0x9e3779b9u, key.y + 0xbb67ae85u);
    }
    return c;
}

/* Adds to the upper or the lower half of a counter. */
static inline void count_on(unsigned &low, unsigned &high,
                            unsigned long long count)
{
    const unsigned long long sum =
        ((unsigned long long)high << 32 | low) + count;

    low = (unsigned)sum;
    high = (unsigned)(sum >> 32);
}

} // namespace simt_device

static inline void skipahead(unsigned long long count,
                             curandStatePhilox4_32_10_t *state)
{
    const unsigned at = state->STATE + (unsigned)(count & 3);
    const uint4 c = state->ctr;

    simt_device::count_on(state->ctr.x, state->ctr.y, count / 4 + at / 4);
    if (state->ctr.y < c.y || (state->ctr.y == c.y && state->ctr.x < c.x))
        simt_device::count_on(state->ctr.z, state->ctr.w, 1);
    state->STATE = at % 4;
    state->output = simt_device::philox(state->ctr, state->key);
}

static inline void skipahead_sequence(unsigned long long count,
                                      curandStatePhilox4_32_10_t *state)
{
    simt_device::count_on(state->ctr.z, state->ctr.w, count);
    state->output = simt_device::philox(state->ctr, state->key);
}

static inline void curand_init(unsigned long long seed,
                               unsigned long long sequence,
                               unsigned long long offset,
                               curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}

static inline unsigned curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 four = state->output;
    const unsigned at = state->STATE;

    if (at == 3) {
        skipahead(1, state);
    } else {
        state->STATE = at + 1;
    }
    return at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w;
}

static inline uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const unsigned x = curand(state), y = curand(state), z = curand(state);

    return make_uint4(x, y, z, curand(state));
}

/* --- distributions -------------------------------------------------------- */

namespace simt_device
{

static inline float uniform_of(unsigned x)
{
    return (float)x * 0x1p-32f + 0x1p-33f;
}

static inline double uniform_of(unsigned x, unsigned y)
{
    const unsigned long long z = x ^ (unsigned long long)y << 21;

    return (double)z * 0x1p-53 + 0x1p-54;
}

/* Two normal numbers of two uniform ones: G. Box and M. Muller, 1958. */
static inline float2 normal_of(unsigned x, unsigned y)
{
    const float turn = 0x1p-32f * 6.2831855f;
    const float angle = (float)y * turn + turn / 2;
    const float size = sqrtf(-2 * logf(uniform_of(x)));

    return make_float2(sinf(angle) * size, cosf(angle) * size);
}

} // namespace simt_device

template <class State> static inline float curand_uniform(State *state)
{
    return simt_device::uniform_of(curand(state));
}

static inline double curand_uniform_double(curandState *state)
{
    const unsigned x = curand(state);

    return simt_device::uniform_of(x, curand(state));
}

template <class State> static inline float2 curand_normal2(State *state)
{
    const unsigned x = curand(state);

    return simt_device::normal_of(x, curand(state));
}

template <class State> static inline float curand_normal(State *state)
{
    const bool is_kept = state->kept.boxmuller_flag;

    state->kept.boxmuller_flag = !is_kept;
    if (is_kept)
        return state->kept.boxmuller_extra;
    const float2 pair = curand_normal2(state);

    state->kept.boxmuller_extra = pair.y;
    return pair.x;
}

static inline double2 curand_normal2_double(curandState *state)
{
    const double u = curand_uniform_double(state);
    const double v = 2 * curand_uniform_double(state);
    const double size = sqrt(-2 * log(u));

    return make_double2(sinpi(v) * size, cospi(v) * size);
}

static inline double curand_normal_double(curandState *state)
{
    const bool is_kept = state->kept.boxmuller_flag_double;

    state->kept.boxmuller_flag_double = !is_kept;
    if (is_kept)
        return state->kept.boxmuller_extra_double;
    const double2 pair = curand_normal2_double(state);

    state->kept.boxmuller_extra_double = pair.y;
    return pair.x;
}

template <class State>
static inline float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}

static inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);

    return make_float4(
        simt_device::uniform_of(x.x), simt_device::uniform_of(x.y),
        simt_device::uniform_of(x.z), simt_device::uniform_of(x.w));
}

static inline float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float2 a = simt_device::normal_of(x.x, x.y);
    const float2 b = simt_device::normal_of(x.z, x.w);

    return make_float4(a.x, a.y, b.x, b.y);
}

#endif /* SIMT_CURAND_KERNEL_H */
