/*
 * One block, on one OS thread. Its threads run one at a time, in an order that
 * is drawn from a seed. In the fast build a thread runs until it reaches a
 * barrier or its end and then lets the next one go on at once; a thread that
 * ends leaves its stack to the next that has not begun. So a kernel without
 * barriers needs one stack and no switch. The scheduler, run_block itself, is
 * back in control when each thread has had its turn: then all wait at a
 * barrier, or all have ended, or something is wrong.
 */
#define _GNU_SOURCE
#include "base/language.h"
#include "device.h"
#include "fiber.h"
#include "simt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint64_t seed = 1;

void simt_set_seed(uint64_t new_seed)
{
    seed = new_seed;
}

/* splitmix64: S. Vigna, "Further scramblings of Marsaglia's xorshift
   generators", 2017. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15;

    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/*
 * The order in which the threads of every block of this launch take turns:
 * with seed 0 as they are numbered, else warps shuffled and lanes of each warp
 * rotated, so that neighbours stay close in memory.
 */
static void draw_order(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;
    uint64_t state = seed;
    const int warps = (threads + SIMT_WARP - 1) / SIMT_WARP;
    int warp[SIMT_MAX_THREADS / SIMT_WARP];
    int filled = 0;

    for (int i = 0; i < warps; i++)
        warp[i] = i;
    for (int i = warps - 1; i > 0 && seed != 0; i--) {
        const int j = (int)(next_random(&state) % (uint64_t)(i + 1));
        const int kept = warp[i];

        warp[i] = warp[j];
        warp[j] = kept;
    }
    for (int i = 0; i < warps; i++) {
        const int first = warp[i] * SIMT_WARP;
        const int lanes =
            threads - first < SIMT_WARP ? threads - first : SIMT_WARP;
        const int turn =
            seed == 0 ? 0 : (int)(next_random(&state) % (uint64_t)lanes);

        worker->turn[warp[i]] = filled;
        for (int lane = 0; lane < lanes; lane++)
            worker->order[filled++] = first + (lane + turn) % lanes;
    }
}

int simt_worker_begin(struct simt_worker *worker, int number,
                      struct simt_grid *grid)
{
    const size_t stack_bytes = (size_t)SIMT_STACK * SIMT_MAX_THREADS;
    const size_t shared_bytes =
        (size_t)(SIMT_MAX_SHARED + SIMT_PAGE - 1) / SIMT_PAGE * SIMT_PAGE;

    worker->number = number;
    worker->grid = grid;
    worker->current = NULL;
    worker->shared = simt_shared_begin;
    worker->shared_size = simt_shared_bytes();
    worker->arena_bytes = simt_memory_arena(&worker->arena);
    if (worker->order == NULL) {
        worker->order = calloc(SIMT_MAX_THREADS, sizeof *worker->order);
        worker->free_stack =
            calloc(SIMT_MAX_THREADS, sizeof *worker->free_stack);
        worker->stacks = mmap(
            NULL, stack_bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | SIMT_MAP_LOW, -1, 0);
        worker->dynamic_shared =
            mmap(NULL, shared_bytes + SIMT_PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | SIMT_MAP_LOW, -1, 0);
        if (worker->order == NULL || worker->free_stack == NULL ||
            worker->stacks == MAP_FAILED ||
            worker->dynamic_shared == MAP_FAILED)
            return -1; /* never used again: the launch fails */
        mprotect(worker->dynamic_shared + shared_bytes, SIMT_PAGE, PROT_NONE);
        worker->dynamic_shared += shared_bytes - SIMT_MAX_SHARED;
    }
    draw_order(worker);
    if (simt_fault_stack() != 0)
        return -1;
    return simt_recorder_begin(worker);
}

void simt_worker_end(struct simt_worker *worker)
{
    (void)worker;
    simt_self = NULL;
}

/* `waiting` threads of the block are at a barrier, and the others have ended.
   That is a mistake; but what make run builds goes on, as on a GPU of today. */
static void tell_of_ended(struct simt_worker *worker,
                          const struct simt_thread *waits,
                          const struct simt_thread *ended, int waiting)
{
    const int goes_on = getenv("SIMT_IN_STEP") != NULL;
    const int threads = worker->grid->threads;
    char text[SIMT_INDEX_TEXT];

    simt_report(
        worker, SIMT_DIVERGENCE, goes_on ? cudaSuccess : cudaErrorLaunchFailure,
        waits->barrier_file, waits->barrier_line,
        N_("waits at this __syncthreads() with %d others; %d of the "
           "block, such as %s, ended without reaching it. A barrier must "
           "not stand in a branch or behind a return that only some "
           "threads take. What happens then is undefined in CUDA; GPUs "
           "since compute capability 7.0 do not wait for threads that "
           "have ended%s."),
        waiting - 1, threads - waiting,
        simt_index_text(text, worker->grid->block, ended->index),
        goes_on ? N_(", so the kernel goes on") : "");
}

/* Each thread waits or has ended. Returns 1 if the block goes on, 0 if it has
   ended or must not go on: a barrier that only some reach is an error. */
static int pass_barrier(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;
    struct simt_thread *waits = NULL, *elsewhere = NULL, *ended = NULL;
    int waiting = 0;
    char text[SIMT_INDEX_TEXT];

    if (worker->at_warp > 0) {
        simt_warp_report(worker);
        return 0;
    }
    for (int i = 0; i < threads; i++) {
        struct simt_thread *t = &worker->thread[i];

        if (t->state == SIMT_DONE) {
            ended = ended ? ended : t;
            continue;
        }
        waiting++;
        waits = waits ? waits : t;
        if (elsewhere == NULL && t->barrier != waits->barrier)
            elsewhere = t;
    }
    if (waits == NULL)
        return 0;

    worker->current = waits;
    if (elsewhere != NULL) {
        simt_report(
            worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure,
            waits->barrier_file, waits->barrier_line,
            N_("waits at the __syncthreads() of line %d, and thread "
               "%s at that of line %d. A barrier must not stand in a "
               "branch that only some threads take."),
            waits->barrier_line,
            simt_index_text(text, worker->grid->block, elsewhere->index),
            elsewhere->barrier_line);
    } else if (ended != NULL) {
        tell_of_ended(worker, waits, ended, waiting);
    }
    worker->current = NULL;
    if (elsewhere != NULL || atomic_load(&worker->grid->failed) != 0)
        return 0;
    worker->votes_counted = worker->votes;
    worker->votes = 0;
    if (worker->hopper_calls != NULL)
        worker->hopper_calls->pass(worker);
    for (int i = 0; i < threads; i++) {
        if (worker->thread[i].state == SIMT_AT_BARRIER)
            worker->thread[i].state = SIMT_RUNNABLE;
    }
    return 1;
}

/* All threads had their turn. Returns 1 if the block goes on. */
static int goes_on(struct simt_worker *worker)
{
    if (worker->stepped) {
        worker->stepped = 0;
        for (int i = 0; i < worker->grid->threads; i++) {
            if (worker->thread[i].state == SIMT_RUNNABLE)
                return 1;
        }
    }
    if (worker->at_warp > 0 && simt_warp_release_all(worker))
        return 1;
    if (worker->hopper_calls != NULL && worker->hopper_calls->release(worker)) {
        worker->same_interval = 1;
        return 1;
    }
    if (worker->hopper_calls != NULL && worker->hopper_calls->is_stuck(worker))
        return 0;
    return pass_barrier(worker);
}

void simt_run_block(struct simt_worker *worker, uint64_t block)
{
    const struct simt_grid *grid = worker->grid;
    struct uint3 index = {0, 0, 0};

    worker->block_index.x = (unsigned)(block % grid->size.x);
    worker->block_index.y = (unsigned)(block / grid->size.x % grid->size.y);
    worker->block_index.z = (unsigned)(block / grid->size.x / grid->size.y);
    blockIdx = worker->block_index;
    worker->stacks_used = worker->stacks_free = 0;
    worker->at_warp = worker->votes = worker->stepped = worker->at_grid = 0;
    for (int i = 0; i < grid->threads; i++) {
        struct simt_thread *t = &worker->thread[i];

        t->index = index;
        t->state = SIMT_NOT_STARTED;
        t->barriers = 0;
        t->frames = 0;
        t->copy_fetches = 0;
        t->taken_bytes = 0;
        if (++index.x == grid->block.x) {
            index.x = 0;
            if (++index.y == grid->block.y) {
                index.y = 0;
                index.z++;
            }
        }
    }
    /* What no thread has written is a NaN. */
    memset(worker->shared, 0xFF, worker->shared_size);
    memset(simt_dynamic_of(worker), 0xFF, grid->launch->dynamic_shared);
    simt_copies_begin(worker);
    worker->hopper_calls = NULL;
    worker->same_interval = 0;
    if (simt_recording)
        simt_interval_block_begins(worker, block);

    if (sigsetjmp(worker->escape, 0) != 0) {
        if (simt_recording && worker->fault.kind != 0)
            simt_recorder_stop(worker);
        simt_fault_tell(worker);
        worker->current = NULL;
        return; /* a thread faulted: its block is left where it stands */
    }
    do {
        worker->position = -1;
        if (simt_recording) {
            simt_recorder_run(worker);
            continue;
        }
        struct simt_thread *first = simt_next_thread(worker);

        if (first != NULL)
            simt_resume(worker, first);
        /* Of a grid that is cut off some warps are further than others. */
    } while (atomic_load(&worker->grid->failed) == 0 &&
             !simt_cut_off(worker->grid) && goes_on(worker));
    if (worker->hopper_calls != NULL &&
        atomic_load(&worker->grid->failed) == 0 &&
        atomic_load(&worker->grid->is_cut) == 0)
        worker->hopper_calls->end(worker);
}
