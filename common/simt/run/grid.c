/*
 * Barriers of a whole grid: each block of a cooperative launch has an OS thread
 * of its own, which waits here for those of the others.
 */
#define _GNU_SOURCE
#include "simt/recorder.h"

#include <pthread.h>
#include <time.h>

#if !defined(__wasm__)
enum {
    LOOK_MS = 20 /* a launch may fail, or be cut off, meanwhile */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;

static void wait_a_while(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&passed, &lock, &until);
}

/* Blocks that have ended never come. Lock held. */
static int is_stuck(const struct simt_grid *grid)
{
    const uint64_t over = atomic_load(&grid->over);

    return over > 0 && grid->arrived + over == grid->blocks;
}

/* The block of this worker is at the barrier. What blocks did before it is
   known to all behind it: race.c. */
static void wait_for_blocks(struct simt_worker *worker, const char *file,
                            int line)
{
    struct simt_grid *grid = worker->grid;
    uint64_t barrier;
    int stuck = 0;

    if (simt_recording)
        simt_interval_sync_begin(worker);
    pthread_mutex_lock(&lock);
    barrier = grid->passed;
    if (++grid->arrived == grid->blocks) {
        grid->arrived = 0;
        grid->passed++;
        pthread_cond_broadcast(&passed);
    }
    while (grid->passed == barrier && !stuck &&
           atomic_load(&grid->failed) == 0 && !simt_cut_off(grid)) {
        wait_a_while();
        stuck = grid->passed == barrier && is_stuck(grid);
    }
    pthread_mutex_unlock(&lock);
    if (stuck) {
        simt_report(worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure, file, line,
                    "waits at this grid.sync(), and %llu of the %llu blocks "
                    "ended without reaching it. On a GPU the kernel would "
                    "never end.",
                    (unsigned long long)atomic_load(&grid->over),
                    (unsigned long long)grid->blocks);
    }
    if (simt_recording) {
        worker->recorder->is_syncing = 1;
        simt_interval_sync_end(worker);
    }
}
#else
static void wait_for_blocks(struct simt_worker *worker, const char *file,
                            int line)
{
    (void)worker, (void)file, (void)line; /* there is but one block */
}
#endif

void simt_grid_barrier(const char *file, int line)
{
    struct simt_worker *worker = simt_self;

    if (!worker->grid->launch->is_cooperative) {
        simt_report(worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure, file, line,
                    "is at a grid.sync(), and the kernel was not launched by "
                    "cudaLaunchCooperativeKernel(): no block may wait for all "
                    "others.");
        simt_abandon_block(worker);
    }
    simt_barrier(-line, file, line);
    if (worker->at_grid++ == 0)
        wait_for_blocks(worker, file, line);
    simt_barrier(-line, file, line);
    worker->at_grid = 0;
}

int simt_is_cooperative(void)
{
    return simt_self->grid->launch->is_cooperative;
}
