/*
 * The functions that an instrumented kernel calls. Their names are the
 * compiler's; the libraries that usually define them are never linked.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

simt_host_block *simt_on_host_block;
_Atomic uint64_t simt_registered_accesses;

/* The functions below are not static and have no header: the compiler calls
   them by name. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/*
 * What follows runs at each access of each thread, so the common way through it
 * calls nothing and saves no register: what is rare goes to functions of its
 * own, last of all. `frame` is the frame address of the caller.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define RARE          static __attribute__((noinline))

/* The log is about to be emptied: the accesses told of last may not have been
   made yet. */
static void keep_told(struct simt_worker *worker)
{
    const uint64_t *at = worker->log_slot;

    for (int i = 0; i < SIMT_TOLD; i++) {
        at -= SIMT_WARP;
        worker->current->told[i] =
            (struct simt_told){.address = at[SIMT_LOG_ROWS * SIMT_WARP],
                               .size = simt_key_kind(*at) & SIMT_EVENT_BLOCK
                                           ? 0
                                           : (uintptr_t)simt_key_size(*at)};
    }
}

static void give_way(struct simt_worker *worker)
{
    keep_told(worker);
    worker->current->state = SIMT_LOG_FULL;
    simt_give_way(worker);
}

void simt_drain(struct simt_worker *worker)
{
    const int lane = (int)simt_lane();

    while (simt_recording &&
           worker->log_slot > &worker->recorder->log.key[0][lane])
        give_way(worker);
}

/* In WebAssembly a function that may wait costs more, and so does each call of
   one: there no event waits. A kernel calls this instead where a loop begins
   again and every few events (site/lab.mjs). */
void simt_room(void)
{
    struct simt_worker *const worker = simt_self;

    if (worker != NULL && worker->log_slot >= &worker->recorder->log.key[0][0] +
                                                  SIMT_LOG_EVENTS * SIMT_WARP)
        give_way(worker);
}

/* Likewise what logs for a kernel. */
ALWAYS_INLINE void make_room(void)
{
    if (!SIMT_GUARDED)
        simt_room();
}

/* Called where the log ends; and at each event of a thread that is followed,
   for which the end lies before the beginning. */
RARE void log_is_full(struct simt_worker *worker)
{
    const struct simt_warp_log *log = &worker->recorder->log;
    const uint64_t *last = worker->log_slot - SIMT_WARP;
    const uint64_t key = last[0];
    const uintptr_t address = last[SIMT_LOG_ROWS * SIMT_WARP];

    if (!SIMT_GUARDED) {
        assert(worker->log_slot < &log->key[0][0] + SIMT_LOG_ROWS * SIMT_WARP);
    } else if (worker->log_slot >=
               &log->key[0][0] + SIMT_LOG_EVENTS * SIMT_WARP) {
        if (worker->log_end == NULL)
            simt_log_settle(worker, worker->current);
        give_way(worker);
    }
    if (worker->log_end == NULL)
        simt_log_thread(worker, key, address);
}

ALWAYS_INLINE uint64_t key_of(const struct simt_worker *worker,
                              const void *code, int size, int kind,
                              const void *frame)
{
    /* Both are multiples of 16: nothing of the difference is below bit 48. A
       program's code has less than 4 GB: nothing of the offset is above it. */
    const uint64_t below = (uintptr_t)frame - worker->stack_top;
    const uint64_t offset = (uintptr_t)code - SIMT_CODE_BEGIN;

    return below << 44 | offset << 16 | (uint64_t)size << 8 | (uint64_t)kind;
}

ALWAYS_INLINE void put(struct simt_worker *worker, uintptr_t address,
                       uint64_t key)
{
    uint64_t *slot = worker->log_slot;

    slot[0] = key;
    slot[SIMT_LOG_ROWS * SIMT_WARP] = address;
    worker->log_slot = slot + SIMT_WARP;
    if (slot + SIMT_WARP >= worker->log_end)
        log_is_full(worker);
}

/* 1 for a local array of the thread that runs. */
ALWAYS_INLINE int is_on_stack(const struct simt_worker *worker,
                              uintptr_t address)
{
    const char *stack =
        worker->stacks + (size_t)worker->current->stack * SIMT_STACK;

    return address - (uintptr_t)stack < SIMT_STACK;
}

/* 1 if a thread may touch the address although it is no memory of the device:
   its own stack, and to read the launch's arguments and a constant table of the
   compiler. On a GPU these are registers, local and constant memory. */
static int is_own(const struct simt_worker *worker, uintptr_t address,
                  int is_write)
{
    const struct simt_launch *launch = worker->grid->launch;

    return is_on_stack(worker, address) ||
           (!is_write &&
            (address - (uintptr_t)launch->closure < launch->closure_size ||
             (address >= SIMT_CONSTANTS_BEGIN &&
              address < SIMT_CONSTANTS_END) ||
             SIMT_IS_INDEX(address)));
}

static int is_mapped(uintptr_t address)
{
    unsigned char in_core;

    return mincore((void *)(address / SIMT_PAGE * SIMT_PAGE), 1, &in_core) == 0;
}

/* 1 if shared memory is that near that the address is meant to lie in it: a
   __shared__ variable, or the end of what a launch gave. */
static int is_beside_shared(const struct simt_worker *worker, uintptr_t address)
{
    const uintptr_t near = 4096;
    const uintptr_t behind =
        (uintptr_t)worker->dynamic_shared + SIMT_MAX_SHARED;
    size_t begin, bytes;

    if (address - behind < SIMT_PAGE)
        return 1;
    return simt_symbol_at(0, &begin, &bytes) != 0 &&
           address - (uintptr_t)worker->shared + near <
               worker->shared_size + 2 * near;
}

RARE void refuse(struct simt_worker *worker, int kind, uintptr_t address,
                 uint64_t key)
{
    worker->fault =
        (struct simt_fault){.kind = kind,
                            .address = (const char *)address,
                            .is_write = simt_key_kind(key) & SIMT_EVENT_STORE,
                            .code = simt_key_code(key)};
    simt_abandon_block(worker);
}

/* An access that faults by itself, where pages can. */
ALWAYS_INLINE void fault(struct simt_worker *worker, uintptr_t address,
                         uint64_t key)
{
    if (!SIMT_GUARDED)
        refuse(worker, SIGSEGV, address, key);
}

/* The same of global memory, once it is logged. */
ALWAYS_INLINE void fault_if_closed(struct simt_worker *worker,
                                   uintptr_t address, uint64_t key)
{
    if (!SIMT_GUARDED && !simt_memory_is_open((const void *)address))
        refuse(worker, SIGSEGV, address, key);
}

/* An access to anything but shared memory, and but the plainest to global. */
RARE void record_other(struct simt_worker *worker, uintptr_t address,
                       uint64_t key)
{
    const enum simt_variable variable =
        simt_variable_kind((const void *)address);

    worker->recorder->others++;
    if (worker->current->copy_fetches) {
        worker->current->copy_fetches = 0;
        key |= SIMT_EVENT_ASYNC;
    }
    if (variable == SIMT_CONSTANT_VARIABLE) {
        key |= SIMT_EVENT_CONSTANT;
    } else if (variable == SIMT_NO_VARIABLE &&
               !simt_memory_holds((const void *)address)) {
        if (is_own(worker, address, simt_key_kind(key) & SIMT_EVENT_STORE))
            return;
        if (simt_memory_registered((const void *)address)) {
            simt_registered_accesses++;
            return;
        }
        if (!is_mapped(address)) {
            fault(worker, address, key); /* and is told then */
            return;
        }
        if (is_beside_shared(worker, address))
            put(worker, address, key | SIMT_EVENT_SHARED);
        refuse(worker, SIMT_FAULT_HOST_MEMORY, address, key);
    }
    if (simt_key_kind(key) & (SIMT_EVENT_ATOMIC | SIMT_EVENT_VOLATILE)) {
        simt_interval_sync_begin(worker);
        put(worker, address, key);
        worker->recorder->is_syncing = 1;
    } else {
        put(worker, address, key);
    }
    if (variable == SIMT_NO_VARIABLE)
        fault_if_closed(worker, address, key);
}

/* Host code may touch of the device's memory what is not the device's alone.
   Its variables are none of those who call it: they ask where their frame
   lies. */
__attribute__((noinline)) void simt_look_at_host(uintptr_t address, int kind,
                                                 uintptr_t code)
{
    const void *const at = (const void *)address;
    const struct simt_allocation *const a = simt_memory_find(at);
    const struct simt_fault fault = {.kind = SIGSEGV,
                                     .address = at,
                                     .is_write = kind & SIMT_EVENT_STORE,
                                     .code = code};

    if (simt_memory_holds(at) ? a == NULL || a->kind == SIMT_DEVICE_MEMORY ||
                                    !simt_memory_is_open(at)
                              : !is_mapped(address))
        simt_fault_of_host(&fault, SIGSEGV);
}

ALWAYS_INLINE void record(const void *pointer, int size, int kind,
                          const void *code, const void *frame)
{
    struct simt_worker *worker = simt_self;
    const uintptr_t address = (uintptr_t)pointer;
    uint64_t key;

    if (worker == NULL) { /* host code */
        if (simt_logs_of_host)
            simt_log_host(address, size, kind, (uintptr_t)code);
        if (!SIMT_GUARDED)
            simt_look_at_host(address, kind, (uintptr_t)code);
        return;
    }
    key = key_of(worker, code, size, kind, frame);
    if (address - (uintptr_t)worker->shared < worker->shared_size ||
        address - (uintptr_t)worker->dynamic_shared < SIMT_MAX_SHARED) {
        if (kind == SIMT_EVENT_STORE && simt_record_in_step)
            simt_values_note(worker, address, size, 1);
        put(worker, address, key | SIMT_EVENT_SHARED);
    } else if (address - worker->arena < worker->arena_bytes &&
               !(kind & (SIMT_EVENT_ATOMIC | SIMT_EVENT_VOLATILE)) &&
               !worker->current->copy_fetches) {
        if (kind == SIMT_EVENT_STORE && simt_record_in_step)
            simt_values_note(worker, address, size, 0);
        worker->recorder->others++;
        put(worker, address, key);
        fault_if_closed(worker, address, key);
    } else if (is_on_stack(worker, address) && !worker->current->copy_fetches) {
        worker->recorder->others++;
        if (address - worker->current->taken < worker->current->taken_bytes)
            worker->hopper_calls->early(worker, (uintptr_t)code);
    } else {
        record_other(worker, address, key);
    }
}

/* Where the function was called from, without keeping a frame pointer. */
#define CODE  __builtin_return_address(0)
#define FRAME __builtin_dwarf_cfa()

/* The code is kept for the line of an operation that faults. */
ALWAYS_INLINE void atomic(const void *pointer, int size, int kind,
                          const void *code, const void *frame)
{
    if (simt_self != NULL)
        simt_self->atomic = (uintptr_t)code;
    if (simt_recording) {
        record(pointer, size, SIMT_EVENT_ATOMIC | SIMT_EVENT_STORE | kind, code,
               frame);
        make_room();
    }
}

void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame)
{
    atomic(pointer, size, 0, code, frame);
}

void simt_atomic_cas(const void *pointer, int size, const void *code,
                     const void *frame)
{
    atomic(pointer, size, SIMT_EVENT_CAS, code, frame);
}

/* 1 if bytes lie within others. */
ALWAYS_INLINE int is_part(uintptr_t address, uintptr_t size, uintptr_t of,
                          uintptr_t of_size)
{
    return address >= of && address - of + size <= of_size;
}

/* 1 if one of the last accesses that the lane told of was to all of these
   bytes. Behind them its log holds what other warps did. */
static int is_in_log(const struct simt_worker *worker, uintptr_t address,
                     uintptr_t size)
{
    const uint64_t *const begin = &worker->recorder->log.key[0][0];
    const uint64_t *at = worker->log_slot;
    const struct simt_told *const told = worker->current->told;
    int looks = SIMT_TOLD;

    while (at - begin >= SIMT_WARP && looks > 0) {
        at -= SIMT_WARP;
        if (simt_key_kind(*at) & SIMT_EVENT_BLOCK)
            continue;
        looks--;
        if (is_part(address, size, at[SIMT_LOG_ROWS * SIMT_WARP],
                    (uintptr_t)simt_key_size(*at)))
            return 1;
    }
    for (int i = 0; i < looks; i++) {
        if (is_part(address, size, told[i].address, told[i].size))
            return 1;
    }
    return 0;
}

void simt_record_uninstrumented(const void *pointer, int size, int is_write,
                                const void *code, const void *frame)
{
    /* Local arrays and arguments are most of these, and need no record. */
    if (simt_self == NULL ||
        (!is_own(simt_self, (uintptr_t)pointer, is_write) &&
         !is_in_log(simt_self, (uintptr_t)pointer, (uintptr_t)size)))
        record(pointer, size, is_write ? SIMT_EVENT_STORE : 0, code, frame);
    make_room();
}

#define RECORD(function, size, kind)              \
    void function(const void *pointer)            \
    {                                             \
        record(pointer, size, kind, CODE, FRAME); \
    }

RECORD(__tsan_read1, 1, 0)
RECORD(__tsan_read2, 2, 0)
RECORD(__tsan_read4, 4, 0)
RECORD(__tsan_read8, 8, 0)
RECORD(__tsan_read16, 16, 0)
RECORD(__tsan_unaligned_read2, 2, 0)
RECORD(__tsan_unaligned_read4, 4, 0)
RECORD(__tsan_unaligned_read8, 8, 0)
RECORD(__tsan_unaligned_read16, 16, 0)
/* Before a volatile access the thread gives way. The fast build may tell of
   these too (course/run.mk). */
#define RECORD_VOLATILE(function, size, kind)                                 \
    void function(const void *pointer)                                        \
    {                                                                         \
        if (simt_recording) {                                                 \
            record(pointer, size, SIMT_EVENT_VOLATILE | (kind), CODE, FRAME); \
            make_room();                                                      \
        }                                                                     \
        simt_step();                                                          \
    }

RECORD_VOLATILE(__tsan_volatile_read1, 1, 0)
RECORD_VOLATILE(__tsan_volatile_read2, 2, 0)
RECORD_VOLATILE(__tsan_volatile_read4, 4, 0)
RECORD_VOLATILE(__tsan_volatile_read8, 8, 0)
RECORD_VOLATILE(__tsan_volatile_read16, 16, 0)
RECORD(__tsan_write1, 1, SIMT_EVENT_STORE)
RECORD(__tsan_write2, 2, SIMT_EVENT_STORE)
RECORD(__tsan_write4, 4, SIMT_EVENT_STORE)
RECORD(__tsan_write8, 8, SIMT_EVENT_STORE)
RECORD(__tsan_write16, 16, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write2, 2, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write4, 4, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write8, 8, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write16, 16, SIMT_EVENT_STORE)
RECORD_VOLATILE(__tsan_volatile_write1, 1, SIMT_EVENT_STORE)
RECORD_VOLATILE(__tsan_volatile_write2, 2, SIMT_EVENT_STORE)
RECORD_VOLATILE(__tsan_volatile_write4, 4, SIMT_EVENT_STORE)
RECORD_VOLATILE(__tsan_volatile_write8, 8, SIMT_EVENT_STORE)
RECORD_VOLATILE(__tsan_volatile_write16, 16, SIMT_EVENT_STORE)

/* A copy of a larger structure: accesses of 4 bytes, and single bytes at its
   end. */
ALWAYS_INLINE void record_range(const char *pointer, unsigned long bytes,
                                int kind, const void *code, const void *frame)
{
    unsigned long i = 0;

    for (; i + 4 <= bytes; i += 4) {
        record(pointer + i, 4, kind, code, frame);
        make_room();
    }
    for (; i < bytes; i++)
        record(pointer + i, 1, kind, code, frame);
    make_room();
}

void __tsan_read_range(const void *pointer, unsigned long bytes)
{
    record_range(pointer, bytes, 0, CODE, FRAME);
}

void __tsan_write_range(const void *pointer, unsigned long bytes)
{
    record_range(pointer, bytes, SIMT_EVENT_STORE, CODE, FRAME);
}

/*
 * 1 if the thread comes from a block of the same function that does not stand
 * before this one: it has jumped back, to go round a loop once more. Functions
 * that lie deeper have returned. Of functions that lie too deep to be kept each
 * block may be one that it comes back to, and is taken for one.
 */
ALWAYS_INLINE uint64_t jumped_back(struct simt_thread *thread, uint64_t key)
{
    const uint64_t depth = key >> 48; /* less, the deeper */
    uint64_t *last = &thread->entered[thread->frames];
    uint64_t back = 0;

    if (last > thread->entered && (last[-1] ^ key) >> SIMT_KEY_CALL == 0) {
        back = key <= last[-1]; /* most often */
        last[-1] = key;
        return back;
    }
    while (last > thread->entered && last[-1] >> 48 < depth)
        last--;
    for (uint64_t *at = last; at > thread->entered && at[-1] >> 48 == depth;
         at--) {
        if ((at[-1] ^ key) >> SIMT_KEY_CALL == 0) {
            last = at - 1;
            back = key <= *last;
            break;
        }
    }
    if (back == 0 && last < thread->entered + SIMT_FRAMES) {
        /* A function that calls itself goes round a loop as well. */
        for (uint64_t *at = thread->entered; at < last; at++)
            back |= (thread->first[at - thread->entered] ^ key) << 16 == 0;
        thread->first[last - thread->entered] = key;
    }
    if (last < thread->entered + SIMT_FRAMES) {
        *last++ = key;
    } else {
        back = 1;
    }
    thread->frames = (int)(last - thread->entered);
    return back;
}

void __sanitizer_cov_trace_pc(void)
{
    struct simt_worker *worker = simt_self;

    if (!SIMT_GUARDED)
        simt_timer_poll((uintptr_t)CODE);
    if (worker != NULL) {
        const uint64_t key = key_of(worker, CODE, 0, SIMT_EVENT_BLOCK, FRAME);
        uintptr_t *const lowest = &worker->lowest[worker->current->stack];

        if ((uintptr_t)FRAME < *lowest)
            *lowest = (uintptr_t)FRAME;

        put(worker, jumped_back(worker->current, key), key);
    } else if (worker == NULL && simt_on_host_block != NULL) {
        simt_on_host_block((uintptr_t)CODE);
    }
}

void __tsan_func_entry(const void *code)
{
    (void)code;
}

void __tsan_func_exit(void)
{
}
