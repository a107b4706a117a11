/*
 * The functions that an instrumented kernel calls. Their names are the
 * compiler's; the libraries that usually define them are never linked.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include <stdlib.h>

const int simt_recording = 1;

/* The linker's: where the program's code begins in memory. */
extern const char __executable_start[];

/* The functions below are not static and have no header: the compiler calls
   them by name. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static inline __attribute__((always_inline)) void
put(struct simt_worker *worker, uintptr_t address, const void *code, int size,
    int kind, const void *frame)
{
    struct simt_thread *self = worker->current;
    struct simt_log *log = self->log;
    const uint64_t depth = (self->stack_top - (uintptr_t)frame) >> 4;
    const uint64_t place = (uintptr_t)code - (uintptr_t)__executable_start;

    log->event[log->count].address = address;
    log->event[log->count].key = (0xffff - (depth & 0xffff)) << 48 |
                                 (place & 0xffffffff) << 16 |
                                 (uint64_t)size << 8 | (uint64_t)kind;
    if (++log->count == SIMT_LOG_EVENTS) {
        self->state = SIMT_LOG_FULL;
        simt_give_way(worker);
    }
}

static inline __attribute__((always_inline)) void record(const void *pointer,
                                                         int size, int kind,
                                                         const void *code,
                                                         const void *frame)
{
    struct simt_worker *worker = simt_self;
    const uintptr_t address = (uintptr_t)pointer;

    if (worker == NULL || worker->current == NULL)
        return; /* host code */
    if (address - (uintptr_t)worker->shared < worker->shared_size ||
        address - (uintptr_t)worker->dynamic_shared < SIMT_MAX_SHARED) {
        put(worker, address, code, size, kind | SIMT_EVENT_SHARED, frame);
    } else if (simt_memory_holds(pointer)) {
        put(worker, address, code, size, kind, frame);
    }
    /* The rest is a thread's own stack, the launch's arguments and constant
       tables of the compiler: registers, constant memory on a GPU. */
}

#define RECORD(function, size, kind)                             \
    void function(const void *pointer)                           \
    {                                                            \
        record(pointer, size, kind, __builtin_return_address(0), \
               __builtin_frame_address(0));                      \
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
RECORD(__tsan_volatile_read1, 1, 0)
RECORD(__tsan_volatile_read2, 2, 0)
RECORD(__tsan_volatile_read4, 4, 0)
RECORD(__tsan_volatile_read8, 8, 0)
RECORD(__tsan_volatile_read16, 16, 0)
RECORD(__tsan_write1, 1, SIMT_EVENT_STORE)
RECORD(__tsan_write2, 2, SIMT_EVENT_STORE)
RECORD(__tsan_write4, 4, SIMT_EVENT_STORE)
RECORD(__tsan_write8, 8, SIMT_EVENT_STORE)
RECORD(__tsan_write16, 16, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write2, 2, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write4, 4, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write8, 8, SIMT_EVENT_STORE)
RECORD(__tsan_unaligned_write16, 16, SIMT_EVENT_STORE)
RECORD(__tsan_volatile_write1, 1, SIMT_EVENT_STORE)
RECORD(__tsan_volatile_write2, 2, SIMT_EVENT_STORE)
RECORD(__tsan_volatile_write4, 4, SIMT_EVENT_STORE)
RECORD(__tsan_volatile_write8, 8, SIMT_EVENT_STORE)
RECORD(__tsan_volatile_write16, 16, SIMT_EVENT_STORE)

/* A copy of a larger structure: as many accesses of 4 bytes. */
void __tsan_read_range(const void *pointer, unsigned long bytes)
{
    for (unsigned long i = 0; i < bytes; i += 4) {
        record((const char *)pointer + i, 4, 0, __builtin_return_address(0),
               __builtin_frame_address(0));
    }
}

void __tsan_write_range(const void *pointer, unsigned long bytes)
{
    for (unsigned long i = 0; i < bytes; i += 4) {
        record((const char *)pointer + i, 4, SIMT_EVENT_STORE,
               __builtin_return_address(0), __builtin_frame_address(0));
    }
}

void __sanitizer_cov_trace_pc(void)
{
    struct simt_worker *worker = simt_self;

    if (worker != NULL && worker->current != NULL) {
        put(worker, 0, __builtin_return_address(0), 0, SIMT_EVENT_BLOCK,
            __builtin_frame_address(0));
    }
}

void __tsan_init(void)
{
}

void __tsan_func_entry(const void *code)
{
    (void)code;
}

void __tsan_func_exit(void)
{
}

void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame)
{
    record(pointer, size, SIMT_EVENT_ATOMIC | SIMT_EVENT_STORE, code, frame);
}

void simt_recorder_syncwarp(struct simt_worker *worker, int first_thread,
                            uint32_t mask)
{
    (void)worker;
    (void)first_thread;
    (void)mask;
}

void simt_memory_written(void *to, size_t size)
{
    (void)to;
    (void)size;
}
