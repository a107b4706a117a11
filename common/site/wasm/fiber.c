/*
 * Fibers of WebAssembly, where no program can reach its own stack of calls.
 * Binaryen's pass Asyncify rewrites the functions that may be on it when a
 * thread of a block waits: they can be left one by one, each storing its
 * variables, and be entered again up to where they were. What has an address
 * lies on a stack in memory, of which each fiber has its own.
 *
 * The scheduler enters a fiber from simt_resume, which Asyncify leaves alone;
 * a fiber that goes on with another leaves first, and enter() goes on.
 */
#include "simt/fiber.h"

#include <stdint.h>

#define ASYNCIFY(name) \
    __attribute__((import_module("asyncify"), import_name(#name)))

/* What Asyncify wants to know: where it may store, and where that ends. */
struct store {
    void *next, *end;
};

struct fiber {
    struct store store;
    void (*entry)(void);
    void *stack_pointer;
    int has_begun;
};

extern void asyncify_start_unwind(struct store *store) ASYNCIFY(start_unwind);
extern void asyncify_stop_unwind(void) ASYNCIFY(stop_unwind);
extern void asyncify_start_rewind(struct store *store) ASYNCIFY(start_rewind);
extern void asyncify_stop_rewind(void) ASYNCIFY(stop_rewind);

static struct fiber *running, *next; /* NULL: the scheduler */
static int is_coming_back;

static void *stack_pointer(void)
{
    void *at;

    __asm__ volatile(
        ".globaltype __stack_pointer, i32\n\tglobal.get __stack_pointer\n\tlocal.set %0"
        : "=r"(at));
    return at;
}

static void set_stack_pointer(void *at)
{
    __asm__ volatile(
        ".globaltype __stack_pointer, i32\n\tlocal.get %0\n\tglobal.set __stack_pointer" ::
            "r"(at));
}

void *simt_fiber_make(void *top, size_t size, void (*entry)(void))
{
    struct fiber *const fiber =
        (struct fiber *)(((uintptr_t)top - size) / 16 * 16);

    fiber->store.next = fiber + 1;
    fiber->store.end = (char *)fiber + size / 4;
    fiber->entry = entry;
    fiber->stack_pointer = (void *)((uintptr_t)top / 16 * 16);
    fiber->has_begun = 0;
    return fiber;
}

/* Runs a fiber, and those that it goes on with, until the scheduler is next. */
static __attribute__((noinline)) void enter(struct fiber *fiber)
{
    void *const own = stack_pointer();

    while (fiber != NULL) {
        running = fiber;
        set_stack_pointer(fiber->stack_pointer);
        is_coming_back = fiber->has_begun;
        if (fiber->has_begun)
            asyncify_start_rewind(&fiber->store);
        fiber->has_begun = 1;
        fiber->entry();
        asyncify_stop_unwind();
        fiber = next;
    }
    running = NULL;
    set_stack_pointer(own);
}

/* Within a fiber this is called once to leave it, and once more when it is
   entered again. It leaves by itself, as each call in between costs something
   each time. */
void simt_fiber_switch(void **from, void *to)
{
    if (is_coming_back) {
        is_coming_back = 0;
        asyncify_stop_rewind();
        return;
    }
    *from = running;
    if (running == NULL) {
        enter(to);
        return;
    }
    next = to;
    running->stack_pointer = stack_pointer();
    asyncify_start_unwind(&running->store);
}

void simt_fiber_abandon(void)
{
    running = NULL;
}
