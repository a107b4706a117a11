/*
 * simt_kernel.h: what do compiled kernels call in the CPU device? For C and
 * C++; labs get it through <cuda_runtime.h>.
 */
#ifndef SIMT_KERNEL_H
#define SIMT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "vector_types.h"

/*
 * For the few functions of lab code that are not a kernel's own: the recorder
 * must not see them. g++ 11 has no such attribute for coverage. Nothing else is
 * hot, and simt_tables takes the calls out of what is (tables.h).
 */
#if __has_attribute(no_sanitize_coverage)
#define SIMT_NOT_RECORDED \
    __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#elif defined(__clang__)
#define SIMT_NOT_RECORDED __attribute__((no_sanitize("coverage")))
#else
#define SIMT_NOT_RECORDED __attribute__((no_sanitize("thread"), hot))
#endif
/* The same of a lambda that is mutable: compilers differ in which is first. */
#if defined(__clang__)
#define SIMT_MUTABLE_NOT_RECORDED SIMT_NOT_RECORDED mutable
#else
#define SIMT_MUTABLE_NOT_RECORDED mutable SIMT_NOT_RECORDED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An argument, where it lies; size 0: it is no structure. */
struct simt_object {
    const char *at;
    size_t size;
    int is_int, is_pointer; /* 1: it is an int, a pointer to data */
};

/* A launch as the compiled lab hands it over. Pointers stay the caller's. */
struct simt_launch {
    const char *kernel;   /* as written: "matmul_tiling" */
    const void *function; /* its address; NULL: unknown */
    const char *file;     /* where the launch stands */
    int line;
    struct dim3 grid, block;
    size_t dynamic_shared;       /* bytes */
    const void *const *pointers; /* an entry for each argument: its value if
                                    it is a data pointer, else NULL */
    const struct simt_object *objects; /* likewise an entry for each */
    size_t pointer_count;
    void (*run_thread)(void *closure);
    void *closure; /* the kernel and its arguments */
    size_t closure_size;
    int can_wait; /* 1: a copy of the closure's bytes is one of the launch */
    int is_cooperative; /* 1: all blocks run at once, and may wait */
    struct simt_stream *stream;
};

void simt_launch_kernel(const struct simt_launch *launch);

/*
 * Within a thread these never change, which `const` tells the compiler: it
 * reads them as often as it likes, and does not tell the recorder. It would of
 * a type with a constructor, so none is a dim3. They are variables and no
 * macros, so that a program may have names like theirs.
 */
#ifdef __cplusplus
extern __thread const struct uint3 threadIdx, blockIdx;
extern const struct uint3 blockDim, gridDim;
#endif

/* The number of the thread in its warp. */
unsigned simt_lane(void) __attribute__((const));

/* __syncthreads(). site is unlike that of any other barrier of the file. */
void simt_barrier(int site, const char *file, int line);
/* That of all threads of a cooperative launch. */
void simt_grid_barrier(const char *file, int line);
int simt_is_cooperative(void);
/* The same, then for how many threads of the block predicate was not 0. */
int simt_barrier_count(int site, const char *file, int line, int predicate);

/* The block's dynamic shared memory. */
void *simt_dynamic_shared(void) __attribute__((const));

long long simt_nanoseconds(void);

/* --- operations of a warp ------------------------------------------------- */

enum simt_warp_operation {
    SIMT_WARP_SYNC,
    SIMT_WARP_ACTIVE,  /* result: the lanes that are here together */
    SIMT_WARP_SHUFFLE, /* the value of lane `source` */
    SIMT_WARP_BALLOT,  /* a bit for each lane whose value is not 0 */
    SIMT_WARP_MATCH,   /* a bit for each lane that has the same value */
    SIMT_WARP_ADD,     /* of the values of all lanes, as int64_t */
    SIMT_WARP_MIN,
    SIMT_WARP_MAX,
    SIMT_WARP_AND,
    SIMT_WARP_OR,
    SIMT_WARP_XOR,
    SIMT_WARP_MMA_TF32, /* of all lanes; value is where the lane's */
    SIMT_WARP_LDMATRIX, /* struct simt_fragments lies, which it changes */
    SIMT_WARP_MMA_BF16, /* likewise */
    SIMT_WARP_LDMATRIX_TRANSPOSED, /* likewise */
    SIMT_WARP_STMATRIX,            /* likewise */
    SIMT_WARP_MMA_F16,             /* likewise */
    SIMT_WARP_MATRICES             /* likewise struct simt_matrices */
};

/* What a lane has of the matrices of an operation: tensor.c. */
struct simt_fragments {
    uint32_t a[4], b[2];
    float c[4];
};

/* A lane's elements of an m x k and a k x n matrix and of their sum, which are
   numbered by rows or by columns: lane l has l, l + 32, ... */
struct simt_matrices {
    int m, n, k;
    int a_by_columns, b_by_columns;
    int flops;
    double a[16], b[16], c[8];
};

/* What one lane brings to an operation. */
struct simt_warp_call {
    enum simt_warp_operation operation;
    const char *name; /* "__shfl_sync" */
    const char *file;
    int line;
    uint32_t mask; /* the lanes that take part; not used by SIMT_WARP_ACTIVE */
    uint64_t value;
    unsigned source;
};

/* Waits until all lanes that the mask names are here, or have ended. A value
   that no lane gave has all its bits set: as float, a NaN. */
uint64_t simt_warp(const struct simt_warp_call *call);

/* An address in shared memory as a number of 32 bits, which PTX wants, and the
   address of that number. */
unsigned simt_shared_number(const void *pointer);
void *simt_shared_pointer(unsigned number) __attribute__((const));

/* --- copies to shared memory ---------------------------------------------- */

/* For cuda_pipeline_primitives.h: the next access to global memory is the load
   of an asynchronous copy, and counted as such. */
void simt_copy_fetches(void);

/*
 * Likewise: `to` gets the size bytes at value, of which the last `zeros` are 0,
 * when the thread waits for the batch that it commits next.
 */
void simt_copy_async(void *to, const void *value, size_t size, size_t zeros,
                     const char *file, int line);
void simt_copy_commit(void);
/* Waits, in that line, for all batches of the thread but the last `prior`. */
void simt_copy_wait(size_t prior, int line);

/* --- for hopper.h --------------------------------------------------------- */

/* See common/hopper.h: barriers that count arrivals and bytes, and of a
   warpgroup; */
void simt_mbarrier_init(unsigned address, int count, const char *file,
                        int line);
void simt_mbarrier_init_done(void);
void simt_mbarrier_arrive(unsigned address, const char *file, int line);
void simt_mbarrier_expect(unsigned address, int bytes, const char *file,
                          int line);
void simt_mbarrier_wait(unsigned address, int parity, const char *file,
                        int line);
void simt_named_barrier(int number, int threads, const char *file, int line);

/* simt_shared_number(), which brings the table of hopper_calls.h along; */
unsigned simt_hopper_address(const void *pointer);

/* copies of tiles; */
struct CUtensorMap_st;
void simt_tile_load(unsigned to, const struct CUtensorMap_st *map, int row,
                    int col, unsigned barrier, const char *file, int line);
void simt_tile_store(const struct CUtensorMap_st *map, int row, int col,
                     unsigned from, const char *file, int line);
void simt_tile_wait(unsigned left);
void simt_shared_written(void);

/* and the multiplication of a warpgroup: d has columns / 2 sums. */
void simt_wgmma(float *d, int columns, uint64_t a, uint64_t b, const char *file,
                int line);
void simt_wgmma_fence(void);
void simt_wgmma_commit(void);
void simt_wgmma_wait(int left, const char *file, int line);

/* --- the rest ------------------------------------------------------------- */

/*
 * An atomic operation on the size bytes at pointer is about to be made. code
 * is the address in the kernel that it returns to, frame where the stack of
 * the kernel ended when it was called. Records it in the analyse build. The
 * second is for atomicCAS().
 */
void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame);
void simt_atomic_cas(const void *pointer, int size, const void *code,
                     const void *frame);

/* __threadfence(). */
void simt_fence(void);

/* free() of a program for the device (cuda_runtime.h): ends it where the memory
   is none of malloc's. */
void simt_host_free(void *memory);

/* One step of XORWOW, and many: `count`, or so many times 2^67. */
static inline void simt_xorwow_step(unsigned v[5])
{
    const unsigned t = v[0] ^ v[0] >> 2;

    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] ^= v[4] << 4 ^ t ^ t << 1;
}

void simt_xorwow_skip(unsigned v[5], unsigned long long count, int sequences);

/* From now on host code may touch what cudaMalloc gives, as Thrust does. */
void simt_host_reaches_device(void);

/* assert() that does not hold, and __trap(). Neither returns. */
void simt_assert_failed(const char *expression, const char *file, int line,
                        const char *function) __attribute__((noreturn));
void simt_trap(const char *file, int line) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif /* SIMT_KERNEL_H */
