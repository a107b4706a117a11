/*
 * Threads of a block, of which each has two stacks: what has an address lies
 * on one that the module can reach, and what its calls return to on one that
 * it cannot. simt/fiber.c is compiled once more, under other names, for that.
 */
#define _GNU_SOURCE
#include "module.h"

#include "simt/device.h"
#include "simt/fiber.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    STACK = 64 * 1024 /* bytes of one that cannot be reached, with its guard */
};

/* What is left of it while another one runs. */
struct fiber {
    void *stack;
    uint32_t stack_pointer;
    uint32_t depth; /* of calls: wasm_rt_call_stack_depth */
    uintptr_t own;  /* its stack in the module; 0: the scheduler's */
    uintptr_t top;  /* where that ends */
};

/* simt/fiber_switch.S, simt/fiber.c */
void module_stack_switch(void **from, void *to);
void *module_stack_make(void *top, size_t size, void (*entry)(void));

static struct fiber scheduler, fibers[SIMT_MAX_THREADS];
static struct fiber *running = &scheduler;
static char *stacks;

/* All of them at once, on first use: addresses that take no memory. */
static char *stack_of(size_t number)
{
    const size_t bytes = (size_t)SIMT_MAX_THREADS * STACK;

    if (stacks == NULL) {
        stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stacks == MAP_FAILED || (uintptr_t)stacks <= UINT32_MAX)
            abort();
        for (size_t i = 0; i < SIMT_MAX_THREADS; i++)
            mprotect(stacks + i * STACK, SIMT_PAGE, PROT_NONE);
    }
    return stacks + (number + 1) * STACK;
}

/* Goes on as that fiber: its stack pointer, and which addresses are its own. */
static void become(struct fiber *fiber)
{
    running = fiber;
    *module_stack_pointer = fiber->stack_pointer;
    wasm_rt_call_stack_depth = fiber->depth;
    if (fiber->own == 0) {
        module_own_all();
    } else {
        module_own_stack(fiber->own, fiber->top);
    }
}

void *simt_fiber_make(void *top, size_t size, void (*entry)(void))
{
    const size_t number =
        (size_t)((char *)top - simt_self->stacks) / SIMT_STACK;
    struct fiber *const fiber = &fibers[number];

    (void)size;
    *fiber = (struct fiber){
        .stack = module_stack_make(stack_of(number), STACK, entry),
        .stack_pointer = (uint32_t)((uintptr_t)top / 16 * 16),
        .own = (uintptr_t)simt_self->stacks + number * SIMT_STACK,
        .top = (uintptr_t)top / 16 * 16};
    return fiber;
}

void simt_fiber_switch(void **from, void *to)
{
    struct fiber *const left = running, *const next = to;

    *from = left;
    left->stack_pointer = *module_stack_pointer;
    left->depth = wasm_rt_call_stack_depth;
    become(next);
    module_stack_switch(&left->stack, next->stack);
}

void simt_fiber_abandon(void)
{
    if (running != &scheduler)
        become(&scheduler);
}
