/*
 * device.h: how is the CPU device put together? For its own files only.
 *
 *   address.h     what an address of a lab's is
 *   host_calls.c  what host code has asked for, and what it is told
 *   errors.c      what cudaGetLastError says, and the names of errors
 *   allocate.c    cudaMalloc and its like
 *   copy.c        cudaMemcpy and its like
 *   variables.c   __device__ and __constant__ variables
 *   occupancy.c   limits of kernels, and how many blocks fit
 *   properties.c  what cudaGetDeviceProperties says
 *   memory.c      global memory: an arena of its own with guard pages
 *   launch.c      checks a launch and spreads its blocks over OS threads
 *   children.c    kernels that kernels launch
 *   worker.c      the thread that runs, as all other files know it
 *   block.c       runs one block: its threads take turns between barriers
 *   threads.c     from one of them to another
 *   warp_operations.c   shuffles, votes and barriers of a warp
 *   tensor.c      products of small matrices; hopper_state.h: of larger ones
 *   fiber.h       switches from one thread of a block to another
 *   watch.c       stops a kernel that does not end
 *   cut_off.c     and counting that takes too long
 *   watch_timer.c  looks at it from time to time
 *   fault.c       turns a bad address into a message
 *   fault_signal.c  hears of it
 *   say.c         messages as lines
 *   check_names.c  what each check is called
 *   bounds.c      indices of local and shared arrays (fast build)
 *   lines.c       on which line of the source an instruction stands
 *   shared_*.c    where shared memory begins and ends
 *
 * and for a program whose kernels call the recorder (simt_recording):
 *
 *   record.c and others, see recorder.h: they log what each thread does, merge
 *                 the logs of 32 threads into the requests of a warp, and
 *                 count and check them
 *   blocks.h      the floating-point operations of a basic block
 *
 * run/ has what no lab needs, and others' programs do (make run): textures and
 * their arrays, streams and events, cuBLAS, and what an instrumented C++
 * program calls besides. No other file calls these.
 *
 * tables/, a tool of its own, prepares what lines.h and blocks.h read.
 * report.h shows what was counted, and knows simt.h alone; environment.c does
 * so when a program ends.
 */
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "address.h"
#include "device_memory.h"
#include "hopper_calls.h"
#include "host_calls.h"
#include "include/cuda_runtime_api.h"
#include "include/simt_kernel.h"
#include "simt.h"

/* What guards memory must be whole pages of the system, and those of Linux on
   arm64 have 4, 16 or 64 KB (Linux, Documentation/arm64/memory.rst). Of a stack
   all but the guard and 12 KB is the thread's, at the least. An argument of 32
   KB, the largest, is on it twice in the analyse build. */
enum {
    SIMT_UNSET = 512, /* words of a stack, at the least, that begin as
                         SIMT_NEVER_SET */
#if defined(__aarch64__)
    SIMT_PAGE = 64 * 1024,
    SIMT_STACK = 192 * 1024,   /* bytes, of one thread of a block, */
    SIMT_LOCAL = 80 * 1024,    /* and what it may have of them */
    SIMT_ARENA_MB = 64 * 1024, /* addresses of global memory */
    SIMT_GUARDED = 1,          /* 1: a page can be made one that faults */
    SIMT_MAX_WORKERS = 64,
    SIMT_MOST_RESIDENT = 2112
#elif defined(__wasm__) || defined(SIMT_OUTSIDE)
    SIMT_PAGE = 4 * 1024,
    SIMT_STACK = 64 * 1024,
    SIMT_LOCAL = 48 * 1024,
    SIMT_ARENA_MB = 256,
#if defined(__wasm__)
    SIMT_GUARDED = 0,
#else
    SIMT_GUARDED = 1,
#endif
    SIMT_MAX_WORKERS = 1,  /* OS threads that run blocks, */
    SIMT_MOST_RESIDENT = 1 /* and of a cooperative launch */
#else
    SIMT_PAGE = 4 * 1024,
    SIMT_STACK = 96 * 1024,
    SIMT_LOCAL = 80 * 1024,
    SIMT_ARENA_MB = 64 * 1024,
    SIMT_GUARDED = 1,
    SIMT_MAX_WORKERS = 64,
    SIMT_MOST_RESIDENT = 2112
#endif
};

enum {
    SIMT_WARP = 32,
    SIMT_MAX_THREADS = 1024, /* of a block */
    SIMT_FRAMES = 32, /* functions within each other whose loops are seen */
    SIMT_TOLD = 8,    /* accesses that are told of before they are made */
    SIMT_SHARED_PLAIN = 48 * 1024, /* bytes of dynamic shared memory that any
                                      kernel may have, */
    SIMT_MAX_SHARED = 227 * 1024   /* and that one may ask for */
};

/* Where a thread of a block stands. */
enum simt_state {
    SIMT_NOT_STARTED,
    SIMT_RUNNABLE,   /* gave way, and can go on */
    SIMT_AT_BARRIER, /* waits for the rest of its block */
    SIMT_AT_WARP,    /* waits for other lanes of its warp */
    SIMT_AT_HOPPER,  /* waits for what hopper_state.h has */
    SIMT_LOG_FULL,   /* analyse build: gave way to have its log read */
    SIMT_DONE
};

/* An access that the compiler has told of. */
struct simt_told {
    uintptr_t address, size;
};

/* One thread of the block that a worker runs. */
struct simt_thread {
    struct uint3 index; /* threadIdx */
    enum simt_state state;
    void *stack_pointer; /* while it is not running */
    uintptr_t stack_top; /* of the stack it runs on */
    int stack;           /* number of that stack, -1 before it has one */
    int barrier;         /* site of the last barrier that it reached, */
    int barrier_line;    /* and its line and file */
    const char *barrier_file;
    const struct simt_warp_call *warp_call; /* what it does at SIMT_AT_WARP */
    uint64_t warp_result;                   /* and what came of it */
    uint64_t barriers;                      /* passed so far */
    int copy_fetches; /* 1: the next global access is an asynchronous copy's */
    uintptr_t taken, taken_bytes; /* sums: hopper_wgmma.c */
    /* Analyse build: the key of the last basic block that it entered in each
       function that it is in, the innermost last. */
    uint64_t entered[SIMT_FRAMES];
    uint64_t first[SIMT_FRAMES]; /* and of the first that it entered there */
    int frames;
    struct simt_told told[SIMT_TOLD];
};

/* What one launch's workers share. */
struct simt_grid {
    const struct simt_launch *launch;
    struct uint3 size, block; /* gridDim and blockDim */
    int threads;              /* of a block */
    uint64_t blocks;
    uint64_t number; /* of the launch, from 1 */
    _Atomic uint64_t next_block;
    /* Of a cooperative launch: blocks that wait for the others, barriers of all
       that were passed (run/grid.c), and blocks that have ended. */
    uint64_t arrived, passed;
    _Atomic uint64_t over;
    atomic_int failed; /* a cudaError_t; workers stop when it is set */
    atomic_int is_cut, is_mixed; /* not counted whole; hopper_wgmma.c */
    struct simt_child
        *child; /* launches that its kernel made, the last first */
    size_t children;
};

/* A launch that a kernel made, and that waits until the kernel has ended. */
struct simt_child {
    struct simt_launch launch;
    uint64_t block; /* that made it */
    size_t number;  /* in the order of the calls */
    struct simt_child *next;
};

/* What made a thread escape. */
enum {
    SIMT_FAULT_HOST_MEMORY = -1, /* the analyse build saw it in time */
    SIMT_FAULT_NO_ADDRESS = -2,  /* what it used is none */
    SIMT_FAULT_ENDLESS = -3,     /* it does not end: see watch.c */
    SIMT_FAULT_MISALIGNED = -4,  /* by an instruction that minds */
    SIMT_STOPPED = 124 /* how a program that make run runs ends then */
};
struct simt_fault {
    int kind; /* a signal, or the above; 0: none */
    int is_write;
    const char *address;
    uintptr_t code; /* behind the instruction, as a return address */
};

/* What is known of a thread that does not end. */
struct simt_watch {
    uint64_t ended;  /* threads that had ended when a tick last looked */
    int ticks;       /* since then */
    int looks, seen; /* at where it is; of these in the lab's own lines */
    const char *file;
    int first_line, last_line; /* of those that were seen */
};

/* One OS thread that runs blocks, one after the other. */
struct simt_worker {
    struct simt_thread *current; /* the thread that runs; NULL: none */
    /* Analyse build: where the current thread logs its next event, the log's
       end, and the top of its stack. */
    uint64_t *log_slot, *log_end;
    uintptr_t stack_top;
    uintptr_t arena; /* where global memory lies */
    size_t arena_bytes;
    struct simt_grid *grid;
    struct uint3 block_index;
    void *scheduler;   /* stack pointer of run_block while a thread runs */
    sigjmp_buf escape; /* out of a thread that faulted */
    struct simt_fault fault; /* what that thread did */
    uintptr_t atomic;        /* where the last atomic operation returns to */
    uint64_t ended;          /* threads that came to their end, so far */
    struct simt_watch watch;
    int number;
    int started;  /* threads that have left SIMT_NOT_STARTED */
    int position; /* in order, of the current thread */
    int *order;   /* in which the threads take turns */
    int turn[SIMT_MAX_THREADS /
             SIMT_WARP]; /* where in order each warp begins */
    int at_warp;         /* threads that are at SIMT_AT_WARP */
    int stepped;         /* one has given way to its warp, and can go on */
    int votes;           /* of __syncthreads_count, at the coming barrier */
    int votes_counted;   /* and at the last one */
    char *stacks;        /* SIMT_MAX_THREADS stacks, each above a guard page */
    int stacks_used, stacks_free, stacks_guarded;
    int *free_stack;
    /* Analyse build: of each stack, the lowest address that was used. */
    uintptr_t lowest[SIMT_MAX_THREADS];
    char *dynamic_shared; /* SIMT_MAX_SHARED bytes below a guard page */
    char *shared;         /* this OS thread's static shared memory */
    size_t shared_size;
    struct simt_recorder *recorder; /* analyse build */
    struct simt_copies *copies;     /* of each thread; NULL: none so far */
    struct simt_hopper *hopper; /* what the block has begun, if calls is set */
    const struct simt_hopper_calls *hopper_calls;
    int same_interval; /* the threads go on without a __syncthreads() */
    int at_grid; /* threads that have come to a barrier of the whole grid */
    struct simt_thread thread[SIMT_MAX_THREADS];
};

/* The worker of this OS thread while it runs a kernel, else NULL. */
extern _Thread_local struct simt_worker *simt_self;

/* What kernels see of simt_thread.index and of the launch: simt_kernel.h. Where
   they lie is of interest in WebAssembly alone. */
#ifndef SIMT_INDEX
#define SIMT_INDEX
#endif
#ifndef SIMT_OUTSIDE
extern _Thread_local struct uint3 threadIdx, blockIdx;
extern struct uint3 blockDim, gridDim;
#endif

/* --- errors.c ------------------------------------------------------------- */

/* Keeps an error, if it is one, for cudaGetLastError. Returns it. */
cudaError_t simt_set_error(cudaError_t error);

/* How often a program asked for the last error, so far. */
unsigned simt_times_asked(void);

/* The error that every call returns, or cudaSuccess. */
cudaError_t simt_sticky_error(void);

/* Begins a call that may fail, from `code`. Returns the error that it must
   return at once: a sticky one, or the one that simt_fail_call asked for; 0: go
   on. */
int simt_enter(const char *call, const void *code);

/* The line of a launch that simt_fail_call made fail: its code is a header's.
 */
void simt_launch_failed_at(int line);

/* Begins a call: no other host thread is in one until the calling function
   returns, which it does at once if the call must fail. */
#define SIMT_ENTER(call)                                                  \
    const int held_ __attribute__((cleanup(simt_let_go), unused)) =       \
        simt_hold();                                                      \
    do {                                                                  \
        const int error_ = simt_enter(call, __builtin_return_address(0)); \
        if (error_ != 0)                                                  \
            return (cudaError_t)error_;                                   \
    } while (0)

/* --- occupancy.c ---------------------------------------------------------- */

/* Bytes of dynamic shared memory that a launch may ask for: more than
   SIMT_SHARED_PLAIN after cudaFuncSetAttribute. */
size_t simt_dynamic_limit(void);

/* Limits of a multiprocessor of the chosen compute capability: properties.c. */
struct simt_limits {
    int major, minor;
    int threads; /* resident on a multiprocessor */
    int blocks;  /* likewise */
    int shared;  /* KB of a multiprocessor */
    int opt_in;  /* KB that a block may ask for */
};

const struct simt_limits *simt_limits(void);

/* --- worker.c, launch.c, block.c, threads.c ------------------------------- */

/* OS threads that a launch uses. */
int simt_worker_count(void);

/* Prepares worker number `number` for this OS thread. 0 or -1 (errno). */
int simt_worker_begin(struct simt_worker *worker, int number,
                      struct simt_grid *grid);
void simt_worker_end(struct simt_worker *worker);

/* Where the dynamic shared memory of this launch begins. */
char *simt_dynamic_of(const struct simt_worker *worker);

/* Runs block number `block` of the grid to its end. */
void simt_run_block(struct simt_worker *worker, uint64_t block);

/* Goes on with a thread until it waits or ends. Called by the scheduler. */
void simt_resume(struct simt_worker *worker, struct simt_thread *thread);

/* Back to the scheduler, from within a thread. */
void simt_give_way(struct simt_worker *worker);

/* The next thread in order that can run now, up to place `end` of it, or of the
   whole block; NULL when each had its turn. */
struct simt_thread *simt_next_before(struct simt_worker *worker, int end);
struct simt_thread *simt_next_thread(struct simt_worker *worker);

/* From within a thread on to another one; NULL: back to the scheduler. */
void simt_go_on_with(struct simt_worker *worker, struct simt_thread *next);

/*
 * A thread is at a volatile access: the others of its warp come to theirs
 * first. So lanes that go the same way are in step there, which they need not
 * be on a GPU either, but most often are. The checks do not count on it.
 */
void simt_step(void);

/* --- children.c ----------------------------------------------------------- */

/* Keeps a launch that the running thread makes. 0, or -1 without memory. */
int simt_child_keep(const struct simt_worker *worker,
                    const struct simt_launch *launch);

/* The launches that the grid has made, in order, with `later` behind them. They
   are for the caller to free, one by one or with the function below. */
struct simt_child *simt_children_before(struct simt_grid *grid,
                                        struct simt_child *later);
void simt_children_drop(struct simt_child *child);

/* A copy of the launch and of all that it points to, in one piece, for free().
   NULL without memory. */
struct simt_child *simt_child_copy(const struct simt_launch *launch);

/* What a stream is given: one of a launch, a copy, a fill, a host function. */
struct simt_step {
    struct simt_child *launch;
    void *to;
    const void *from; /* NULL: a fill */
    size_t size;
    int value;
    enum cudaMemcpyKind kind;
    cudaHostFn_t function;
    void *data;
};

/* Keeps it for a graph and returns 1, if the stream is captured (run/graphs.c);
   NULL: none is. Of a launch the arguments are still the caller's. */
extern int (*simt_capture)(cudaStream_t stream, const struct simt_step *step);

/* --- copies.c ------------------------------------------------------------- */

/* A block begins: no thread has a copy to shared memory under way. */
void simt_copies_begin(struct simt_worker *worker);

/* --- warp_operations.c ---------------------------------------------------- */

/* Lets the lanes of complete operations go on, in the warp of `lanes` threads
   from `first` on. To be called when none of them can go on by itself. Returns
   1 if one now can. */
int simt_warp_release(struct simt_worker *worker, int first, int lanes);
int simt_warp_release_all(struct simt_worker *worker);

/* Says which operation of a warp the block is stuck at. */
void simt_warp_report(struct simt_worker *worker);

/* --- tensor.c ------------------------------------------------------------- */

/* All lanes of the warp have come to an operation with matrices: does it. */
void simt_tensor_finish(struct simt_worker *worker, int first, uint32_t group);

/* --- say.c ---------------------------------------------------------------- */

/* Writes words as lines of a message, each indented by 4, without a line feed
   at the end. What does not fit is left out. */
void simt_fill_lines(char *text, size_t size, const char *words);

enum {
    SIMT_INDEX_TEXT = 40
};

/* Writes the index of a thread in a block of that size, or of a block in a
   grid: x, y, and z where there are several. Returns text. */
const char *simt_index_text(char text[SIMT_INDEX_TEXT], struct uint3 size,
                            struct uint3 at);

/* --- fault.c -------------------------------------------------------------- */

/*
 * Reports what a thread did wrong, once a launch, and lets the launch end with
 * `error`; with cudaSuccess it goes on, and is warned of once a line. The text,
 * in printf's form, goes on after "thread (1,0) of block (0,0)"; line is 0 if
 * it is unknown. Any thread may call it.
 */
void simt_report(struct simt_worker *worker, enum simt_check check,
                 cudaError_t error, const char *file, int line,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Reports the fault that made a thread escape, if one did. */
void simt_fault_tell(struct simt_worker *worker);

/* Leaves the current thread and its block as they stand, after a report. */
void simt_abandon_block(struct simt_worker *worker) __attribute__((noreturn));

/* Ends the program after a bad access of host code, which simt_say has told. */
void simt_end_program(int number) __attribute__((noreturn));

/* Says what host code did wrong, and ends the program as the signal does. */
void simt_fault_of_host(const struct simt_fault *fault, int number)
    __attribute__((noreturn));

/* --- fault_signal.c ------------------------------------------------------- */

/* Catches bad addresses from now on, in this process. */
void simt_fault_catch(void);

/* Where the thread stood that a signal interrupted, as the address that a call
   there would return to; 0: unknown. It gets the ucontext_t of the signal. */
uintptr_t simt_code_of(const void *signal_context);

/* Gives this OS thread a stack for the handler. 0 or -1. */
int simt_fault_stack(void);

/* --- watch.c -------------------------------------------------------------- */

/* This OS thread begins to run blocks, and has done so. */
void simt_watch_begin(struct simt_worker *worker);
void simt_watch_end(void);

/* --- watch_timer.c -------------------------------------------------------- */

/* A timer of this OS thread, unless it has one, which calls a function with
   where the thread stands; how often it does; and its end, if there is one. */
typedef void simt_tick(uintptr_t code);
void simt_timer_begin(int milliseconds, simt_tick *tick);
void simt_timer_every(int milliseconds);
void simt_timer_end(void);

/* Looks at the clock from time to time, where no signal comes. */
static inline void simt_timer_poll(uintptr_t code)
{
#if defined(__wasm__)
    extern int simt_blocks_left;
    void simt_timer_look(uintptr_t at);

    if (--simt_blocks_left < 0)
        simt_timer_look(code);
#else
    (void)code;
#endif
}

/* --- launch.c ------------------------------------------------------------- */

/* Launches that CUDA refuses too, so far; 0 if the program has asked for the
   error behind the last one, as one that tries what is too large does, and
   others ran.
 */
int simt_refused_launches(uint64_t ran);

/* --- cut_off.c ------------------------------------------------------------ */

int simt_seconds_to_count(void);

/* 1 if the time of simt_count_for is over; it begins with the first call. For a
   grid: what runs of it stays as it is then. */
int simt_is_late(void);
int simt_cut_off(struct simt_grid *grid);

/* --- what a program that records does besides -------- */

/* 1 if the kernels' code calls the recorder: known before main. And if lanes
   are in step at volatile accesses although they are recorded: make run asks
   for it; a lab with volatile tiles would take many times as long. */
extern int simt_recording, simt_record_in_step;

int simt_recorder_begin(struct simt_worker *worker);
/* Runs all threads of a block up to the next barrier or their end, warp by
   warp. */
void simt_recorder_run(struct simt_worker *worker);
/* A thread faulted: checks what its warp has logged so far, the access that
   faulted being the last of its lane. */
void simt_recorder_stop(struct simt_worker *worker);

/* An access of the thread that runs leads to no memory of the device. Tells
   that it lies outside of an array, shared or not, if its instruction, or its
   line, has used one for another thread or before: 1, or 0. */
int simt_outside(struct simt_worker *worker, uintptr_t code, uintptr_t address,
                 int is_shared);

/* Has the instruction reached a shared array before? */
int simt_uses_shared(const struct simt_worker *worker, uintptr_t code);

/* A launch begins; a block of it begins. */
void simt_interval_launch(void);
void simt_interval_block_begins(struct simt_worker *worker, uint64_t block);
/* Tells the user of a mistake that ends a kernel, or of what is undefined and
   works on GPUs of today, once a line of it: `text` is all of it. */
void simt_tell(struct simt_worker *worker, enum simt_check check,
               const char *file, int line, const char *text, int is_warning);
/* Adds up what the workers of a launch counted. */
void simt_recorder_end(struct simt_worker **workers, int count,
                       const struct simt_grid *grid);

/* The lanes of `mask` of the warp that begins with thread first_thread have met
   at a __syncwarp(). */
void simt_recorder_syncwarp(struct simt_worker *worker, int first_thread,
                            uint32_t mask);

/* Host code has written these bytes of memory that kernels read. */
void simt_memory_written(void *to, size_t size);
/* 1 if nobody has written any of these bytes, as far as the analyse build sees.
   Arena open. */
int simt_memory_is_unwritten(const void *from, size_t size);

/* --- shared memory's limits ----------------------------------------------- */

/* The shared variables of the lab lie between these two, in each OS thread. */
#ifndef SIMT_OUTSIDE
extern _Thread_local char simt_shared_begin[16];
extern _Thread_local char simt_shared_end[256 * 1024];
#endif

/* Bytes from the one to the other. */
size_t simt_shared_bytes(void);

#endif /* SIMT_DEVICE_H */
