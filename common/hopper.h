/*
 * hopper.h: how does a kernel ask a Hopper GPU for what CUDA C has no words
 * for: barriers that count bytes, copies of whole tiles, and a warpgroup's
 * multiplication?
 *
 * For labs 16 and 17. Each function is one instruction of the PTX ISA, which
 * says more under the name in brackets. Those of this header need compute
 * capability 9.0 and, for wgmma and setmaxnreg, the target sm_90a. Addresses in
 * shared memory are numbers of 32 bits (shared_address), in bytes.
 */
#ifndef HOPPER_H
#define HOPPER_H

#include "tile_maps.h"

static __device__ unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* --- barriers in shared memory [mbarrier] --------------------------------- */

/*
 * A barrier of 8 bytes. Its phase is complete when `count` threads have arrived
 * and all bytes that were announced have come; then the next phase begins.
 */
static __device__ void barrier_init(unsigned barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(count)
                 : "memory");
}

/* After the last barrier_init: the copies see the barriers too. */
static __device__ void barrier_init_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;\n\t"
                 "fence.proxy.async;" ::
                     : "memory");
}

static __device__ void barrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
                 : "memory");
}

/* Arrives, and announces that so many bytes will come. */
static __device__ void barrier_expect(unsigned barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
        "r"(bytes)
        : "memory");
}

/*
 * Waits until the phase of that parity is complete: 0 for the first phase, 1
 * for the second, 0 for the third and so on. Of a new barrier the phase before
 * the first, parity 1, counts as complete. A wait of about two seconds cannot
 * end well: then the kernel does, with an error.
 */
static __device__ void barrier_wait(unsigned barrier, int parity)
{
    const long long begin = clock64();
    unsigned complete;

    for (;;) {
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(complete)
                     : "r"(barrier), "r"(parity)
                     : "memory");
        if (complete)
            return;
        if (clock64() - begin > 4000000000LL)
            __trap();
    }
}

/* The 128 threads of a warpgroup wait for each other [barrier]. number: 1 to
   15; 0 is that of __syncthreads. */
static __device__ void warpgroup_sync(int number)
{
    asm volatile("bar.sync %0, 128;" ::"r"(number) : "memory");
}

/* --- copies of tiles [cp.async.bulk.tensor] ------------------------------- */

/* Begins to copy a tile to shared memory: the map's box, from element (row,
   col) on; zeros for what is not there. The barrier counts the bytes. */
static __device__ void tile_load(unsigned to, const CUtensorMap *map, int row,
                                 int col, unsigned barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(col), "r"(row)
        : "memory");
}

/* Begins to copy what is in the matrix of a tile from shared memory. */
static __device__ void tile_store(const CUtensorMap *map, int row, int col,
                                  unsigned from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%2, %3}], [%1];\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(map),
                 "r"(from), "r"(col), "r"(row)
                 : "memory");
}

/* Waits until at most LEFT of this thread's tile_store still read. */
template <int LEFT> static __device__ void tile_store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(LEFT) : "memory");
}

/* Waits until all of this thread's tile_store are done. */
static __device__ void tile_store_wait()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* What this thread stored in shared memory is there for the copies, too. */
static __device__ void shared_written()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* --- a warp's small matrices [mma, ldmatrix, stmatrix, cvt] --------------- */

/* C += A B in bf16 with sums in float: A is 16 x 16, B is 16 x 8. As in lab
   15, but that a register has two neighbours along k: with g = lane / 4 and t =
   lane % 4 register a0 has columns 2t and 2t + 1 of row g. */
static __device__ void mma(float *c, const unsigned *a, unsigned b0,
                           unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

/* Loads four matrices of 8 rows x 16 bytes, as in lab 15: lane l points at row
   l % 8 of matrix l / 8, and gets the elements 2t and 2t + 1 of row g of
   each. */
static __device__ void ldmatrix(unsigned *x, unsigned row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(row)
                 : "memory");
}

/* The same, transposed: the lane gets element g of rows 2t and 2t + 1. */
static __device__ void ldmatrix_transposed(unsigned *x, unsigned row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(row)
                 : "memory");
}

/* Stores four matrices of 8 rows x 16 bytes: the inverse of ldmatrix. */
static __device__ void stmatrix(unsigned row, const unsigned *x)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "[%0], {%1, %2, %3, %4};" ::"r"(row),
                 "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
                 : "memory");
}

/* Two floats as bf16, rounded to nearest: low in the lower half. */
static __device__ unsigned bf16_pair(float low, float high)
{
    unsigned pair;

    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

/* --- a warpgroup's multiplication [wgmma] --------------------------------- */

/*
 * Describes a tile in shared memory whose rows are 128 bytes, swizzled as the
 * copies do it: piece p of 16 bytes of row r is at place p ^ r % 8. A pattern
 * of 8 rows repeats every 1024 bytes. across: bytes from 64 columns to the next
 * 64, where rows are along n (section "Matrix Descriptor Format").
 */
static __device__ unsigned long long tile_descriptor(unsigned address,
                                                     int across)
{
    return (unsigned long long)(address >> 4 & 0x3fff) |
           (unsigned long long)(across >> 4) << 16 |
           (unsigned long long)(1024 >> 4) << 32 | 1ull << 62;
}

/* Before a warpgroup's first wgmma, and after others than wgmma changed d. */
static __device__ void wgmma_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* What was begun since the last call is one batch. */
static __device__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most LEFT batches are not done. */
template <int LEFT> static __device__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

/*
 * Begins D += A B in bf16 with sums in float: A is 64 x 16 with rows along k, B
 * is 16 x 256 with rows along n. Lane l of warp w has in d[4 j + 2 h + e] row
 * 16 w + l / 4 + 8 h and column 8 j + 2 (l % 4) + e of D.
 */
#define HOPPER_8(i)                                                   \
    "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3]), \
        "+f"(d[(i) + 4]), "+f"(d[(i) + 5]), "+f"(d[(i) + 6]), "+f"(d[(i) + 7])
#define HOPPER_32(i) \
    HOPPER_8(i), HOPPER_8((i) + 8), HOPPER_8((i) + 16), HOPPER_8((i) + 24)

static __device__ void wgmma(float (&d)[128], unsigned long long a,
                             unsigned long long b)
{
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.eq.u32 add, 0, 0;\n\t" /* always */
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
        "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
        "%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "
        "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "
        "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, "
        "%67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, "
        "%93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
        "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, "
        "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
        "%127"
        "}, %128, %129, add, 1, 1, 0, 1;\n\t}" /* 0, 1: B alone is along n */
        : HOPPER_32(0), HOPPER_32(32), HOPPER_32(64), HOPPER_32(96)
        : "l"(a), "l"(b));
}

/* The same for a B of 16 x 64. */
static __device__ void wgmma(float (&d)[32], unsigned long long a,
                             unsigned long long b)
{
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.eq.u32 add, 0, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
        "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
        "%28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, 0, 1;\n\t}"
        : HOPPER_32(0)
        : "l"(a), "l"(b));
}

#undef HOPPER_32
#undef HOPPER_8

/* --- registers ------------------------------------------------------------ */

/* How many registers each thread of this warpgroup needs from now on, a
   multiple of 8: fewer than it had, or more [setmaxnreg]. */
template <int COUNT> static __device__ void registers_fewer()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}

template <int COUNT> static __device__ void registers_more()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

#endif /* HOPPER_H */
