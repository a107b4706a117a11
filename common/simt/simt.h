/*
 * simt.h: what has the CPU device counted, and how is it steered?
 *
 * The CPU device runs CUDA kernels on the cores of this machine. Kernels and
 * host code reach it through the CUDA runtime API (include/cuda_runtime.h);
 * this header is for programs that know they are on the CPU device.
 *
 * A program is compiled in one of two ways. The fast build records nothing. In
 * the analyse build the kernels' code calls the device at each access, which
 * counts it as a GPU would: per warp. The names of the counters follow Nsight
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
    SIMT_SHARED,
    SIMT_CONSTANT
};
enum simt_kind {
    SIMT_LOAD,
    SIMT_STORE,
    SIMT_ATOMIC
};

/*
 * All accesses of one kind that one source line of one kernel makes to one
 * array, added up over the kernel's launches. A request is one warp's memory
 * instruction with at least one active lane.
 */
struct simt_row {
    const char *kernel; /* "matmul_tiling" */
    const char *array;  /* "As", or "?" where no name is known */
    const char *file;   /* "tiling.cu", as the compiler was told; "": unknown */
    int line;           /* from 1; 0: unknown */
    enum simt_space space;
    enum simt_kind kind;
    int size; /* bytes that one lane asks for at a time */
    uint64_t requests;
    uint64_t lanes;            /* active lanes, added up over the requests */
    uint64_t bytes;            /* distinct bytes asked for, by request */
    uint64_t sectors;          /* 32-byte sectors, of an atomic once for each
                                  lane that waits, of a wide copy as
                                  simt_count_copy_sectors says; global memory
                                  only */
    uint64_t sectors_ideal;    /* the least that would hold the bytes */
    uint64_t wavefronts;       /* of the banks; shared memory only */
    uint64_t wavefronts_ideal; /* the same without a bank conflict */
    uint64_t lanes_async;      /* lanes that load for an asynchronous copy */
    /* Bytes from lane 0 to lane 1 in the last whole warp; 0: instructions of
       the line differ. And of a row as the shared array is declared; 0:
       unknown. */
    long long apart;
    int row_bytes;
};

/* What one line of one kernel calculates. */
struct simt_flops {
    const char *kernel, *file;
    int line;
    uint64_t flops; /* floating-point operations: an addition, subtraction,
                       multiplication, division or square root is one, a fused
                       multiply-add two */
};

enum {
    /* Words loaded, and operations of tensor cores, for each word stored, from
       which on a launch does more than to copy, transpose or fill. A product of
       512 steps loads 11 and more: for fewer there are no registers. */
    SIMT_WORK = 4
};

/* One kernel, added up over its launches. */
struct simt_kernel {
    const char *kernel;
    uint64_t function; /* its address, of the last launch; 0: unknown */
    uint64_t launches;
    uint64_t argument_bytes;  /* that its launches brought along */
    uint64_t threads;         /* threads started */
    uint64_t storing_threads; /* those of blocks that store to global memory */
    /* Words that blocks store to global memory, and the same, each times the
       barriers that a thread of its block passes: but for launches that copy
       or fill, which load less than SIMT_WORK words for a word. */
    double result_words, barrier_words;
    uint64_t barriers;          /* barriers passed, added up over the threads */
    uint64_t backward_jumps;    /* how often a thread went back to the beginning
                                of a loop, likewise */
    uint64_t flops;             /* floating-point operations, likewise */
    uint64_t tensor_operations; /* of instructions that multiply
                                   matrices, of whole numbers too */
    /* The backward jumps to the loop that most go to, and a line in it; 0:
       unknown. */
    uint64_t loop_jumps;
    const char *loop_file;
    int loop_line;
    uint64_t bulk_bytes; /* that copies of tiles bring to shared memory */
    /* Multiplications of warpgroups, and those that begin while the batch
       before is under way. */
    uint64_t products, products_overlapped;
};

/* One launch. The device keeps the first SIMT_LAUNCHES of them. */
enum {
    SIMT_LAUNCHES = 4096
};
struct simt_launch_count {
    const char *kernel;
    const char *file; /* where the launch stands */
    int line;
    unsigned grid[3], block[3];
    size_t dynamic_shared; /* bytes */
    uint64_t barriers, backward_jumps, flops;
    uint64_t storing_blocks; /* that store to global memory */
    uint64_t result_words;   /* as a kernel's */
    /* By space and kind: sectors of global memory, wavefronts of the others. */
    uint64_t requests[3][3], lanes[3][3], sectors_or_wavefronts[3][3];
};

/* Everything that was counted. The arrays are the device's own and stay valid
   until the next launch, reset or call of simt_count_read. */
struct simt_count {
    const struct simt_row *row; /* sorted by kernel, space, array, kind, line */
    size_t rows;
    const struct simt_flops *flops; /* sorted by kernel and line */
    size_t flops_lines;
    const struct simt_kernel *kernel; /* in the order of their first launch */
    size_t kernels;
    const struct simt_launch_count *launch;
    size_t launches;
    /* Of the thread that is followed (log.h), if any: its loads from shared
       memory; 0: nobody can tell. What launches store (result_words), each
       times the share of those loads while no word was on its way to shared
       memory. The lines of the last such word's load and store, or of the copy
       and the wait for it; 0: unknown. */
    uint64_t own_shared_loads;
    double own_idle_words;
    int own_fetch_line, own_store_line;
    int own_later_fetches; /* those behind its first load from shared memory */
    int own_idle; /* 1: of these all copies are awaited before such a load */
};

/* --- what is wrong -------------------------------------------------------- */

enum simt_check {
    SIMT_RACE_SHARED,
    SIMT_RACE_GLOBAL,
    SIMT_UNWRITTEN_SHARED, /* reads of what nobody has written */
    SIMT_UNWRITTEN_GLOBAL,
    SIMT_BOUNDS,     /* accesses outside of an array */
    SIMT_ALIGNMENT,  /* a float4 at an address that 16 does not divide */
    SIMT_ADDRESS,    /* host memory in a kernel, freed memory */
    SIMT_DIVERGENCE, /* barriers that not all threads reach, or lanes */
    SIMT_CHECKS,
    /* What the kernel itself checks, with assert() and __trap(). */
    SIMT_ASSERTION = SIMT_CHECKS,
    SIMT_ENDLESS,  /* stopped: see simt_set_limit */
    SIMT_EARLY,    /* of what a copy or a multiplication still makes */
    SIMT_OPERANDS, /* of a multiplication, that make no product */
    SIMT_MISTAKES
};

/* "race in shared memory", ... */
extern const char *const simt_check_name[SIMT_MISTAKES];

/* One mistake: all that have the same lines and array are one. */
struct simt_finding {
    enum simt_check check;
    const char *kernel, *array;
    const char *file, *other_file; /* of the two accesses of a race */
    int line, other_line;          /* 0: unknown, or no other */
    int in_warp;                   /* 1: a race of two threads of one warp */
    int is_warning; /* 1: undefined, and no mistake on GPUs of today */
    uint64_t count; /* how many times it was seen */
    uint64_t block; /* the first in which it was seen, and the */
    int thread, other_thread; /* thread, by their numbers; -1: unknown */
    long long offset;         /* of the first access, from its array */
    const char *text;         /* the whole message, lines ended by \n */
};

/* The findings since the last reset, and how many accesses (of the last: how
   many barriers) each check has looked at. A check that saw nothing has checked
   nothing. Valid until the next launch or reset; a copy of a finding, whose
   texts are kept, until the program ends. */
struct simt_findings {
    const struct simt_finding *finding;
    size_t count;
    uint64_t seen[SIMT_CHECKS];
};

void simt_findings_read(struct simt_findings *result);

/* Prints each finding as it is found, once, to stderr (the default), or not. */
void simt_findings_print(int on);

/* Forgets that anything was written to the array that holds pointer: reading
   it before it is written anew is a mistake that the device reports. Unknown
   pointers are ignored. */
void simt_array_unwritten(const void *pointer);

/* What a thread's variables and arrays of its own begin with in an analyse
   build, where they lie in memory: the bits of a NaN, which sums keep. Those
   of clang (site/toolchain.mjs) lie anywhere, and it leaves out what is added
   to them. */
enum {
#if defined(__wasm__) || defined(SIMT_OUTSIDE)
    SIMT_NEVER_SET = -1,
    SIMT_UNSET_ADDS = 0
#else
    SIMT_NEVER_SET = 0x7fd5d5d5,
    SIMT_UNSET_ADDS = 1 /* to such a sum products are added */
#endif
};

/* 1 if this program is an analyse build: if its code calls the recorder. */
int simt_can_count(void);

/* Sets all counters to zero. From here on the counters of later launches add
   up. Without this call everything since the program began is counted. */
void simt_count_reset(void);

/*
 * The counters so far; all 0 in the fast build. Returns 0, or -1 with errno
 * ENOMEM.
 */
int simt_count_read(struct simt_count *count);

/* The rule of the banks of shared memory: that of compute capability 1.x, or
   today's (the default); see common/banks/banks.h. */
void simt_set_banks(int compute_capability_major);

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

/* The line of the source that it stands in; 0: unknown. */
int simt_failed_line(void);

/* How many calls that can fail were made after it. */
int simt_calls_since_failure(void);

/* 1 if the program asked for the failure's name or text before the next of
   these: it tells of it in its own way. */
int simt_failure_told(void);

/* OS threads that run blocks; 0 (the default) means one for each core. */
void simt_set_threads(int threads);

/* A kernel of which no thread comes to its end in so many seconds of processor
   time is stopped, and told; 0, the default: none is. */
void simt_set_limit(int seconds);

/* From now on host code of this OS thread may take so many seconds of processor
   time; then the program ends with a message. 0: it may take as long as it
   likes. */
void simt_watch_host(int seconds);

/* Records what threads do and makes nothing of it, from the next launch on: for
   measuring what recording alone costs. Nothing in the fast build. */
void simt_set_record_only(int on);

/* No kernel is counted when this many seconds have passed since the first one
   began: the program then ends with what was counted. 0, the default: all are.
   Nothing in the fast build. */
void simt_count_for(int seconds);

/* Seed for the order in which the warps of a block, and the lanes of a warp,
   take turns; 1 if nothing is said, 0 for the order of their numbers. */
void simt_set_seed(uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_H */
