/*
 * The threads of a block, which run one at a time on stacks of their own, and
 * take turns: see block.c for the order, and device.h for what each function
 * promises.
 */
#define _GNU_SOURCE
#include "device.h"
#include "fiber.h"

#include <assert.h>
#include <sys/mman.h>

_Thread_local struct simt_worker *simt_self;

#ifndef SIMT_OUTSIDE
SIMT_INDEX _Thread_local struct uint3 threadIdx, blockIdx;
#endif

int simt_recording, simt_record_in_step;

/* A thread that goes on needs the registers that it left on its stack. So many
   threads before that they are fetched; a sixth of a barrier's cost. */
enum {
    AHEAD = 4
};

struct simt_thread *simt_next_before(struct simt_worker *worker, int end)
{
    while (worker->position + 1 < end) {
        struct simt_thread *t =
            &worker->thread[worker->order[++worker->position]];

        if (t->state == SIMT_NOT_STARTED || t->state == SIMT_RUNNABLE)
            return t;
    }
    return NULL;
}

struct simt_thread *simt_next_thread(struct simt_worker *worker)
{
    const int ahead = worker->position + AHEAD;

    if (ahead < worker->grid->threads) {
        const char *stack = worker->thread[worker->order[ahead]].stack_pointer;

        for (size_t line = 0; line < 3; line++)
            __builtin_prefetch(stack + 64 * line);
    }
    return simt_next_before(worker, worker->grid->threads);
}

static void take_stack(struct simt_worker *worker, struct simt_thread *thread)
{
    if (worker->stacks_free > 0) {
        thread->stack = worker->free_stack[--worker->stacks_free];
    } else {
        thread->stack = worker->stacks_used++;
        if (thread->stack >= worker->stacks_guarded) {
            /* A kernel whose local arrays are too large hits this page. */
            mprotect(worker->stacks + (size_t)thread->stack * SIMT_STACK,
                     SIMT_PAGE, PROT_NONE);
            worker->stacks_guarded++;
        }
    }
}

/* Where a stack begins. The tops differ by a few cache lines, or all stacks
   would meet in the same sets of the cache. */
static char *stack_top(const struct simt_worker *worker, int stack)
{
    return worker->stacks + (size_t)(stack + 1) * SIMT_STACK - 64 -
           (size_t)(stack % SIMT_WARP) * 256;
}

/* What runs on a thread's stack: the thread, then others that can use it. */
static void run_threads(void)
{
    struct simt_worker *worker = simt_self;

    for (;;) {
        struct simt_thread *self = worker->current;
        struct simt_thread *next;
        void *left;

        assert(self != NULL); /* a stack is entered for a thread */
        worker->grid->launch->run_thread(worker->grid->launch->closure);
        self->state = SIMT_DONE;
        worker->ended++;

        next = simt_recording ? NULL : simt_next_thread(worker);
        if (next != NULL && next->state == SIMT_NOT_STARTED) {
            next->state = SIMT_RUNNABLE;
            next->stack = self->stack;
            next->stack_top = self->stack_top;
            worker->current = next;
            threadIdx = next->index;
            continue;
        }
        worker->free_stack[worker->stacks_free++] = self->stack;
        worker->current = next;
        if (next != NULL)
            threadIdx = next->index;
        simt_fiber_switch(&left,
                          next ? next->stack_pointer : worker->scheduler);
    }
}

/* What a thread of another block left there is nobody's to read. */
static void forget_stack(struct simt_worker *worker, int stack, char *top)
{
    const uintptr_t least = (uintptr_t)top - 4 * SIMT_UNSET;
    uintptr_t *const lowest = &worker->lowest[stack];
    uint32_t *at = (uint32_t *)(void *)top;

    if (*lowest == 0 || *lowest > least)
        *lowest = least;
    while ((uintptr_t)at > *lowest)
        *--at = (uint32_t)SIMT_NEVER_SET;
    *lowest = (uintptr_t)top;
}

/* The stack pointer to go to for this thread, which is given a stack if it has
   not begun. */
static void *enter_thread(struct simt_worker *worker,
                          struct simt_thread *thread)
{
    if (thread->state == SIMT_NOT_STARTED) {
        take_stack(worker, thread);
        char *top = stack_top(worker, thread->stack);

        thread->stack_top = (uintptr_t)top;
        if (simt_recording)
            forget_stack(worker, thread->stack, top);
        thread->stack_pointer = simt_fiber_make(top, SIMT_LOCAL, run_threads);
    }
    thread->state = SIMT_RUNNABLE;
    worker->current = thread;
    threadIdx = thread->index;
    worker->stack_top = thread->stack_top;
    return thread->stack_pointer;
}

void simt_resume(struct simt_worker *worker, struct simt_thread *thread)
{
    simt_fiber_switch(&worker->scheduler, enter_thread(worker, thread));
    worker->current = NULL;
}

void simt_give_way(struct simt_worker *worker)
{
    simt_fiber_switch(&worker->current->stack_pointer, worker->scheduler);
}

void simt_go_on_with(struct simt_worker *worker, struct simt_thread *next)
{
    void **left = &worker->current->stack_pointer;

    simt_fiber_switch(left,
                      next ? enter_thread(worker, next) : worker->scheduler);
}

void simt_barrier(int site, const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_thread *self, *next;

    if (worker == NULL)
        return; /* host code: nobody to wait for */
    self = worker->current;
    self->state = SIMT_AT_BARRIER;
    self->barrier = site;
    self->barrier_file = file;
    self->barrier_line = line;
    self->barriers++;
    if (simt_recording) {
        simt_give_way(worker);
        return;
    }
    next = simt_next_thread(worker);
    simt_go_on_with(worker, next);
}

int simt_barrier_count(int site, const char *file, int line, int predicate)
{
    struct simt_worker *worker = simt_self;

    worker->votes += predicate;
    simt_barrier(site, file, line);
    return worker->votes_counted;
}

void simt_step(void)
{
    struct simt_worker *worker = simt_self;
    struct simt_thread *self, *next;
    int number, begin, end;

    if (worker == NULL || (simt_recording && !simt_record_in_step))
        return;
    self = worker->current;
    if (simt_recording) {
        self->state = SIMT_LOG_FULL;
        simt_give_way(worker);
        return;
    }
    number = (int)(self - worker->thread) / SIMT_WARP;
    begin = worker->turn[number];
    end = worker->grid->threads - number * SIMT_WARP;
    end = begin + (end < SIMT_WARP ? end : SIMT_WARP);
    self->state = SIMT_RUNNABLE;
    worker->stepped = 1;
    next = simt_next_before(worker, end);
    if (next == NULL) {
        worker->position = begin - 1;
        next = simt_next_before(worker, end);
    }
    if (next != self)
        simt_go_on_with(worker, next);
}
