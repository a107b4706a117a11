/*
 * The student's code is compiled so that it says before each write where it
 * will write. Kernels are watched by the CPU device itself (simt/record.c);
 * here is host code, which the device has no rules for. It may write its own
 * variables, its stack, what malloc() gave it, device and pinned memory as far
 * as the device lets it, and C if that is in host memory.
 */
#define _GNU_SOURCE
#include "grade/runner/runner.h"

#include "simt/blocks.h"
#include "simt/device.h"
#include "simt/recorder.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* runner_begin.S and runner_end.S. */
extern char grade_data_begin[], grade_data_end[];
extern char grade_zero_begin[], grade_zero_end[];

enum {
    ALLOWED = 4096,         /* pieces of memory */
    STACK = 8 * 1024 * 1024 /* bytes of the stack, setrlimit's usual */
};

static struct {
    uintptr_t begin;
    size_t size;
} allowed[ALLOWED];
static int count;
static uintptr_t stack_top; /* 0: the student's code does not run */

void grade_guard_allow(void *memory, size_t size)
{
    if (memory == NULL)
        return;
    if (count == ALLOWED) {
        grade_runner_stop("It holds more than %d pieces of memory at a time: "
                          "is each free() reached?",
                          ALLOWED);
    }
    allowed[count].begin = (uintptr_t)memory;
    allowed[count++].size = size;
}

int grade_guard_forget(const void *memory)
{
    for (int i = 0; i < count; i++) {
        if (allowed[i].begin == (uintptr_t)memory) {
            allowed[i] = allowed[--count];
            return 0;
        }
    }
    return -1;
}

static simt_host_write guard_write;
static simt_host_block count_block;

void grade_guard_begin(uintptr_t top)
{
    stack_top = top;
    simt_on_host_write = guard_write;
    simt_on_host_block = count_block;
}

void grade_guard_end(void)
{
    stack_top = 0;
    simt_on_host_write = NULL;
    simt_on_host_block = NULL;
}

/* 1 if all of the bytes lie between the two. */
static int is_within(uintptr_t at, size_t size, uintptr_t begin, uintptr_t end)
{
    return at >= begin && at <= end && size <= end - at;
}

static int is_variable(uintptr_t at, size_t size)
{
    return is_within(at, size, (uintptr_t)grade_data_begin,
                     (uintptr_t)grade_data_end) ||
           is_within(at, size, (uintptr_t)grade_zero_begin,
                     (uintptr_t)grade_zero_end) ||
           is_within(at, size, (uintptr_t)simt_shared_begin,
                     (uintptr_t)simt_shared_end) ||
           simt_variable_holds((const void *)at, size);
}

static int is_piece(uintptr_t at, size_t size, int piece)
{
    return is_within(at, size, allowed[piece].begin,
                     allowed[piece].begin + allowed[piece].size);
}

static int is_allowed(uintptr_t at, size_t size)
{
    static int last; /* that was found: the next most often lies there too */

    if (is_within(at, size, stack_top - STACK, stack_top) ||
        is_variable(at, size) || simt_memory_holds((const void *)at))
        return 1;
    if (last < count && is_piece(at, size, last))
        return 1;
    for (int i = count - 1; i >= 0; i--) {
        if (is_piece(at, size, i)) {
            last = i;
            return 1;
        }
    }
    return 0;
}

/* What a function of the library would write for a kernel's thread. */
static int kernel_may(const struct simt_worker *worker, uintptr_t at,
                      size_t size)
{
    const uintptr_t stacks = (uintptr_t)worker->stacks;
    const uintptr_t shared = (uintptr_t)worker->shared;
    const uintptr_t dynamic = (uintptr_t)worker->dynamic_shared;

    return is_within(at, size, stacks,
                     stacks + (size_t)SIMT_STACK * SIMT_MAX_THREADS) ||
           is_within(at, size, shared, shared + worker->shared_size) ||
           is_within(at, size, dynamic, dynamic + SIMT_MAX_SHARED) ||
           simt_memory_valid((const void *)at, size) ||
           simt_variable_holds((const void *)at, size);
}

void grade_guard_write(const char *who, const void *to, size_t size)
{
    if (simt_self != NULL ? kernel_may(simt_self, (uintptr_t)to, size)
                          : stack_top == 0 || is_allowed((uintptr_t)to, size))
        return;
    grade_runner_stop("%s writes %zu bytes to memory that is not the lab's "
                      "own: a pointer or an index is wrong.",
                      who, size);
}

static void guard_write(const void *to, size_t size)
{
    if (is_allowed((uintptr_t)to, size))
        return;
    grade_runner_stop("Host code writes to memory that is not its own: neither "
                      "its variables nor what malloc() gave it. A pointer or "
                      "an index is wrong.");
}

/* What runner_watch.S looks at. */
static_assert(offsetof(struct simt_worker, log_slot) == 8 &&
                  sizeof(((struct simt_warp_log *)0)->key[0]) == 256 &&
                  offsetof(struct simt_warp_log, address) == 8192 &&
                  offsetof(struct simt_recorder, log) >= 256,
              "the log is where runner_watch.S looks for it");

/* runner_watch.S comes here: a lab is about to use that address, `times` times
   the size, and the compiler has not told of it. */
void grade_watched(uintptr_t at, unsigned kind, size_t times, const void *code,
                   const void *frame);

void grade_watched(uintptr_t at, unsigned kind, size_t times, const void *code,
                   const void *frame)
{
    const int size = (int)(kind & GRADE_WATCH_SIZE);

    if (kind & GRADE_WATCH_THREADS)
        at += (uintptr_t)__builtin_thread_pointer();
    if (!(kind & GRADE_WATCH_REPEATED))
        times = 1;
    for (size_t i = 0; i < times; i++) {
        simt_record_uninstrumented((const void *)(at + i * (size_t)size), size,
                                   (kind & GRADE_WATCH_WRITE) != 0, code,
                                   frame);
    }
}

/* --- what host code computes ---------------------------------------------- */

static struct grade_host_work work;

struct grade_host_work grade_host_work(void)
{
    return work;
}

static void count_block(uintptr_t code)
{
    /* Loops enter the same blocks again and again. */
    static struct {
        uintptr_t code;
        uint64_t flops;
    } known[1024];
    const size_t place = (code ^ code >> 10) % 1024;

    if (known[place].code != code) {
        const struct simt_block_line *line;
        const size_t lines = simt_block_flops(code, &line);

        known[place].code = code;
        known[place].flops = 0;
        for (size_t i = 0; i < lines; i++)
            known[place].flops += (uint64_t)line[i].flops;
    }
    work.flops += known[place].flops;
    work.blocks++;
}

/* runner_thunk.S comes here. */
void grade_guard_jump(void);
void grade_guard_return(void);

void grade_guard_jump(void)
{
    grade_runner_stop("It calls through a pointer that holds the address of no "
                      "function of the lab.");
}

void grade_guard_return(void)
{
    grade_runner_stop("It returns to where nobody called it: an index of a "
                      "local array is wrong.");
}
