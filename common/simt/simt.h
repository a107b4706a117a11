/*
 * simt.h: what has the CPU device counted, and how is it steered?
 *
 * The CPU device runs CUDA kernels on the cores of this machine. Kernels and
 * host code reach it through the CUDA runtime API (include/cuda_runtime.h);
 * this header is for programs that know they are on the CPU device.
 *
 * A program is linked with one of two builds of the device. The fast build
 * records nothing. The analyse build sees each access of a kernel and counts
 * it as a GPU would: per warp. The names of the counters follow Nsight
 * Compute's.
 *
 * Not thread-safe: call from the thread that launches kernels.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum simt_space {
    SIMT_GLOBAL,
    SIMT_SHARED
};
enum simt_kind {
    SIMT_LOAD,
    SIMT_STORE,
    SIMT_ATOMIC
};

/*
 * All accesses of one kind to one array by one kernel, added up over its
 * launches. A request is one warp's memory instruction with at least one
 * active lane.
 */
struct simt_row {
    const char *kernel; /* "matmul_tiling" */
    const char *array;  /* "As", or "?" where no name is known */
    enum simt_space space;
    enum simt_kind kind;
    uint64_t requests;
    uint64_t lanes;            /* active lanes, added up over the requests */
    uint64_t bytes;            /* distinct bytes asked for, by request */
    uint64_t sectors;          /* 32-byte sectors; global memory only */
    uint64_t sectors_ideal;    /* the least that would hold the bytes */
    uint64_t wavefronts;       /* passes of the banks; shared memory only */
    uint64_t wavefronts_ideal; /* the same without a bank conflict */
};

/* One kernel, added up over its launches. */
struct simt_kernel {
    const char *kernel;
    uint64_t launches;
    uint64_t threads;      /* threads started */
    uint64_t barriers;     /* barriers passed, added up over the threads */
    uint64_t basic_blocks; /* basic blocks entered, added up over the threads */
};

/* 1 if this program was linked with the analyse build, else 0. */
int simt_can_count(void);

/* Sets all counters to zero. From here on the counters of later launches add
   up. Without this call everything since the program began is counted. */
void simt_count_reset(void);

/*
 * The counters so far. *rows and *kernels point to arrays of the device's own
 * that stay valid until the next launch, reset or call of this function; the
 * lengths are stored in *row_count and *kernel_count. Both are 0 in the fast
 * build. Returns 0, or -1 with errno ENOMEM.
 */
int simt_count_read(const struct simt_row **rows, size_t *row_count,
                    const struct simt_kernel **kernels, size_t *kernel_count);

/*
 * Names the device allocation that holds pointer, for reports ("A"). The name
 * is copied. Unknown pointers are ignored.
 */
void simt_name_array(const void *pointer, const char *name);

/*
 * Fault injection: lets the nth CUDA runtime call from now (1 is the next one)
 * that can fail return cudaErrorMemoryAllocation instead of acting, to see
 * whether the program looks at what calls return. A kernel launch counts as a
 * call: the launch is not made and the next cudaGetLastError tells. 0 turns
 * it off. cudaGetLastError, cudaPeekAtLastError, cudaGetErrorString and
 * cudaFree are never made to fail.
 */
void simt_fail_call(long nth);

/* The name of the call that was made to fail ("cudaMemcpy"), or NULL if fewer
   calls were made since simt_fail_call. */
const char *simt_failed_call(void);

/* OS threads that run blocks; 0 (the default) means one for each core. */
void simt_set_threads(int threads);

/* Seed for the order in which blocks, warps and lanes take turns. */
void simt_set_seed(uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_H */
