/*
 * simt_ptx.h: those instructions of the PTX ISA that simt_rewrite makes of
 * inline assembly. Each is a macro, so that its accesses stand in the kernel's
 * own line. Operands are in the order of the instruction.
 */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

#include "cuda_pipeline_primitives.h"
#include "simt_ptx_plain.h"
#include "simt_warp.h"

/* Addresses in shared memory are numbers of 32 bits for PTX. */
static inline size_t __cvta_generic_to_shared(const void *pointer)
{
    return simt_shared_number(pointer);
}

static inline void *__cvta_shared_to_generic(size_t number)
{
    return simt_shared_pointer((unsigned)number);
}

namespace simt_device
{

struct four_floats {
    float x, y, z, w;
};

struct four_words {
    unsigned x, y, z, w;
};

/* mma.sync of TF32, m16n8k8, or of bf16, m16n8k16, as lanes see it. */
SIMT_NOT_RECORDED static inline four_floats
mma(simt_warp_operation operation, unsigned a0, unsigned a1, unsigned a2,
    unsigned a3, unsigned b0, unsigned b1, float c0, float c1, float c2,
    float c3, SIMT_HERE)
{
    simt_fragments f = {{a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}};

    warp(operation, "mma.sync", file, line, ~0u, (uintptr_t)&f);
    return four_floats{f.c[0], f.c[1], f.c[2], f.c[3]};
}

/* All lanes come to an ldmatrix before one of them loads. That is no barrier:
   what they stored before is not ordered by it. */
SIMT_NOT_RECORDED static inline void meet(SIMT_HERE)
{
    warp(SIMT_WARP_BALLOT, "ldmatrix", file, line, ~0u, 0);
}

/* The words that the lanes have loaded, dealt out as by ldmatrix. */
SIMT_NOT_RECORDED static inline four_words
deal_matrices(simt_warp_operation operation, unsigned x, unsigned y, unsigned z,
              unsigned w, SIMT_HERE)
{
    simt_fragments f = {{x, y, z, w}, {0, 0}, {0, 0, 0, 0}};

    warp(operation, "ldmatrix", file, line, ~0u, (uintptr_t)&f);
    return four_words{f.a[0], f.a[1], f.a[2], f.a[3]};
}

static inline unsigned thread_number()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

} // namespace simt_device

#define SIMT_PTX_MMA(operation, d0, d1, d2, d3, ...)        \
    do {                                                    \
        const simt_device::four_floats d_ =                 \
            simt_device::mma(operation, __VA_ARGS__);       \
        (d0) = d_.x, (d1) = d_.y, (d2) = d_.z, (d3) = d_.w; \
    } while (0)
#define SIMT_PTX_MMA_M16N8K8_TF32(...) \
    SIMT_PTX_MMA(SIMT_WARP_MMA_TF32, __VA_ARGS__)
#define SIMT_PTX_MMA_M16N8K16_BF16(...) \
    SIMT_PTX_MMA(SIMT_WARP_MMA_BF16, __VA_ARGS__)
#define SIMT_PTX_MMA_M16N8K16_F16(...) \
    SIMT_PTX_MMA(SIMT_WARP_MMA_F16, __VA_ARGS__)

#define SIMT_PTX_LDMATRIX(operation, d0, d1, d2, d3, address)          \
    do {                                                               \
        simt_device::meet();                                           \
        const simt_four_words own_ =                                   \
            *(const simt_four_words *)simt_shared_pointer(address);    \
        const simt_device::four_words d_ = simt_device::deal_matrices( \
            operation, own_[0], own_[1], own_[2], own_[3]);            \
        (d0) = d_.x, (d1) = d_.y, (d2) = d_.z, (d3) = d_.w;            \
    } while (0)
#define SIMT_PTX_LDMATRIX_X4(...) \
    SIMT_PTX_LDMATRIX(SIMT_WARP_LDMATRIX, __VA_ARGS__)
#define SIMT_PTX_LDMATRIX_X4_TRANS(...) \
    SIMT_PTX_LDMATRIX(SIMT_WARP_LDMATRIX_TRANSPOSED, __VA_ARGS__)

/* One matrix, or two: of the first 8 or 16 lanes' addresses. */
#define SIMT_PTX_LDMATRIX_FEW(operation, lanes, d0, d1, address)           \
    do {                                                                   \
        simt_device::meet();                                               \
        simt_four_words own_ = {0, 0, 0, 0};                               \
        if (simt_lane() < (lanes))                                         \
            own_ = *(const simt_four_words *)simt_shared_pointer(address); \
        const simt_device::four_words d_ = simt_device::deal_matrices(     \
            operation, own_[0], own_[1], own_[2], own_[3]);                \
        (d1) = d_.y, (d0) = d_.x;                                          \
    } while (0)
#define SIMT_PTX_LDMATRIX_X1(d, address) \
    SIMT_PTX_LDMATRIX_FEW(SIMT_WARP_LDMATRIX, 8, d, d, address)
#define SIMT_PTX_LDMATRIX_X1_TRANS(d, address) \
    SIMT_PTX_LDMATRIX_FEW(SIMT_WARP_LDMATRIX_TRANSPOSED, 8, d, d, address)
#define SIMT_PTX_LDMATRIX_X2(...) \
    SIMT_PTX_LDMATRIX_FEW(SIMT_WARP_LDMATRIX, 16, __VA_ARGS__)
#define SIMT_PTX_LDMATRIX_X2_TRANS(...) \
    SIMT_PTX_LDMATRIX_FEW(SIMT_WARP_LDMATRIX_TRANSPOSED, 16, __VA_ARGS__)

#define SIMT_PTX_laneid      simt_lane()
#define SIMT_PTX_warpid      (simt_device::thread_number() / 32)
#define SIMT_PTX_smid        0u
#define SIMT_PTX_clock       ((unsigned)simt_nanoseconds())
#define SIMT_PTX_clock64     ((unsigned long long)simt_nanoseconds())
#define SIMT_PTX_globaltimer SIMT_PTX_clock64
#define SIMT_PTX_tid_x       threadIdx.x
#define SIMT_PTX_tid_y       threadIdx.y
#define SIMT_PTX_tid_z       threadIdx.z
#define SIMT_PTX_ntid_x      blockDim.x
#define SIMT_PTX_ntid_y      blockDim.y
#define SIMT_PTX_ntid_z      blockDim.z
#define SIMT_PTX_ctaid_x     blockIdx.x
#define SIMT_PTX_ctaid_y     blockIdx.y
#define SIMT_PTX_ctaid_z     blockIdx.z
#define SIMT_PTX_nctaid_x    gridDim.x
#define SIMT_PTX_nctaid_y    gridDim.y
#define SIMT_PTX_nctaid_z    gridDim.z
#define SIMT_PTX_lanemask_eq (1u << simt_lane())
#define SIMT_PTX_lanemask_lt (SIMT_PTX_lanemask_eq - 1)
#define SIMT_PTX_lanemask_le (SIMT_PTX_lanemask_lt << 1 | 1)
#define SIMT_PTX_lanemask_gt (~SIMT_PTX_lanemask_le)
#define SIMT_PTX_lanemask_ge (~SIMT_PTX_lanemask_lt)

#define SIMT_PTX_CP_ASYNC(to, from, size) \
    __pipeline_memcpy_async(simt_shared_pointer(to), from, size)
#define SIMT_PTX_CP_ASYNC_COMMIT()    __pipeline_commit()
#define SIMT_PTX_CP_ASYNC_WAIT(prior) __pipeline_wait_prior(prior)

#endif /* SIMT_PTX_H */
