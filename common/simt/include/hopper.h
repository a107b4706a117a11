/*
 * hopper.h: the CPU device's own form of common/hopper.h, which says what each
 * function does. A GPU gets instructions of the PTX ISA; here each is a call of
 * the device, with the line of the lab that makes it.
 */
#ifndef SIMT_HOPPER_H
#define SIMT_HOPPER_H

#include "tile_maps.h"

#include <cuda_bf16.h>

static inline unsigned shared_address(const void *pointer)
{
    return simt_hopper_address(pointer);
}

/* --- barriers ------------------------------------------------------------- */

SIMT_NOT_RECORDED static inline void barrier_init(unsigned barrier, int count,
                                                  SIMT_HERE)
{
    simt_mbarrier_init(barrier, count, file, line);
}

SIMT_NOT_RECORDED static inline void barrier_init_done()
{
    simt_mbarrier_init_done();
}

SIMT_NOT_RECORDED static inline void barrier_arrive(unsigned barrier, SIMT_HERE)
{
    simt_mbarrier_arrive(barrier, file, line);
}

SIMT_NOT_RECORDED static inline void barrier_expect(unsigned barrier, int bytes,
                                                    SIMT_HERE)
{
    simt_mbarrier_expect(barrier, bytes, file, line);
}

SIMT_NOT_RECORDED static inline void barrier_wait(unsigned barrier, int parity,
                                                  SIMT_HERE)
{
    simt_mbarrier_wait(barrier, parity, file, line);
}

SIMT_NOT_RECORDED static inline void warpgroup_sync(int number, SIMT_HERE)
{
    simt_named_barrier(number, 128, file, line);
}

/* --- copies of tiles ------------------------------------------------------ */

SIMT_NOT_RECORDED static inline void tile_load(unsigned to,
                                               const CUtensorMap *map, int row,
                                               int col, unsigned barrier,
                                               SIMT_HERE)
{
    simt_tile_load(to, map, row, col, barrier, file, line);
}

SIMT_NOT_RECORDED static inline void
tile_store(const CUtensorMap *map, int row, int col, unsigned from, SIMT_HERE)
{
    simt_tile_store(map, row, col, from, file, line);
}

template <int LEFT> SIMT_NOT_RECORDED static inline void tile_store_wait_read()
{
    simt_tile_wait(LEFT);
}

SIMT_NOT_RECORDED static inline void tile_store_wait()
{
    simt_tile_wait(0);
}

SIMT_NOT_RECORDED static inline void shared_written()
{
    simt_shared_written();
}

/* --- a warp's small matrices -------------------------------------------- */

SIMT_NOT_RECORDED static inline void mma(float *c, const unsigned *a,
                                         unsigned b0, unsigned b1, SIMT_HERE)
{
    const simt_device::four_floats d =
        simt_device::mma(SIMT_WARP_MMA_BF16, a[0], a[1], a[2], a[3], b0, b1,
                         c[0], c[1], c[2], c[3], file, line);

    c[0] = d.x, c[1] = d.y, c[2] = d.z, c[3] = d.w;
}

/* Macros, so that the accesses stand in the lab's own line. */
#define ldmatrix(x, row) \
    SIMT_PTX_LDMATRIX_X4((x)[0], (x)[1], (x)[2], (x)[3], row)
#define ldmatrix_transposed(x, row) \
    SIMT_PTX_LDMATRIX_X4_TRANS((x)[0], (x)[1], (x)[2], (x)[3], row)

SIMT_NOT_RECORDED static inline unsigned bf16_pair(float low, float high)
{
    return simt_device::bfloat16_code::bits_of(low) |
           (unsigned)simt_device::bfloat16_code::bits_of(high) << 16;
}

/* The lane's row of the four matrices, which it stores. */
SIMT_NOT_RECORDED static inline simt_device::four_words
simt_rows_of(const unsigned *x, SIMT_HERE)
{
    simt_fragments f = {{x[0], x[1], x[2], x[3]}, {0, 0}, {0, 0, 0, 0}};

    simt_device::warp(SIMT_WARP_STMATRIX, "stmatrix", file, line, ~0u,
                      (uintptr_t)&f);
    return simt_device::four_words{f.a[0], f.a[1], f.a[2], f.a[3]};
}

#define stmatrix(row, x)                                      \
    do {                                                      \
        const unsigned to_ = (row);                           \
        const simt_device::four_words row_ = simt_rows_of(x); \
        *(simt_four_words *)simt_shared_pointer(to_) =        \
            simt_four_words{row_.x, row_.y, row_.z, row_.w};  \
    } while (0)

/* --- a warpgroup's multiplication ----------------------------------------- */

static inline unsigned long long tile_descriptor(unsigned address, int across)
{
    return (unsigned long long)(address >> 4 & 0x3fff) |
           (unsigned long long)(across >> 4) << 16 |
           (unsigned long long)(1024 >> 4) << 32 | 1ull << 62;
}

SIMT_NOT_RECORDED static inline void wgmma_begin()
{
    simt_wgmma_fence();
}

SIMT_NOT_RECORDED static inline void wgmma_commit()
{
    simt_wgmma_commit();
}

template <int LEFT> SIMT_NOT_RECORDED static inline void wgmma_wait(SIMT_HERE)
{
    static_assert(LEFT >= 0 && LEFT <= 7, "a number of batches: 0 to 7");
    simt_wgmma_wait(LEFT, file, line);
}

template <int SUMS>
SIMT_NOT_RECORDED static inline void
wgmma(float (&d)[SUMS], unsigned long long a, unsigned long long b, SIMT_HERE)
{
    static_assert(SUMS == 128 || SUMS == 32, "64 x 256 or 64 x 64 of D");
    simt_wgmma(d, 2 * SUMS, a, b, file, line);
}

/* --- registers ------------------------------------------------------------ */

/* There are none here that could be too few. */
template <int COUNT> static inline void registers_fewer()
{
    static_assert(COUNT >= 24 && COUNT <= 256 && COUNT % 8 == 0, "a count");
}

template <int COUNT> static inline void registers_more()
{
    static_assert(COUNT >= 24 && COUNT <= 256 && COUNT % 8 == 0, "a count");
}

#endif /* SIMT_HOPPER_H */
