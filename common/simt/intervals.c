/* The time of a block, cut at its barriers: see race.c for the rules. */
#define _GNU_SOURCE
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT = 4096,       /* runs */
    MOST_SEGMENTS = 4096, /* 2^30 intervals: what a simt_touch can hold */
};

/* What is known about a run of intervals. */
struct run {
    uint64_t block;
    uint32_t first_run; /* of the same block */
    /* The time of the block's first atomic or volatile access; kept in its
       first run alone. 0: none yet. */
    _Atomic uint64_t released;
};

static struct run *_Atomic segments[MOST_SEGMENTS];
static _Atomic uint32_t next_run = 1; /* interval 0 is that of no access */
static uint32_t launch_first;         /* interval */
static _Atomic uint64_t syncs;        /* atomic and volatile accesses so far */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- intervals ------------------------------------------------------------ */

static struct run *run_of(uint32_t interval)
{
    return &segments[interval / SIMT_RUN / SEGMENT]
                    [interval / SIMT_RUN % SEGMENT];
}

/* Takes a run of intervals for a block. Returns its first interval; 0 if there
   are no more, which turns the checks off. */
static uint32_t take_run(uint64_t block, uint32_t first_run)
{
    const uint32_t run = atomic_fetch_add(&next_run, 1);
    const uint32_t segment = run / SEGMENT;
    struct run *runs;

    if (segment >= MOST_SEGMENTS) {
        atomic_store(&next_run, MOST_SEGMENTS * SEGMENT);
        return 0;
    }
    if (segments[segment] == NULL) {
        pthread_mutex_lock(&lock);
        if (segments[segment] == NULL)
            segments[segment] = calloc(SEGMENT, sizeof *runs);
        pthread_mutex_unlock(&lock);
        if (segments[segment] == NULL)
            return 0;
    }
    runs = segments[segment];
    runs[run % SEGMENT].block = block;
    runs[run % SEGMENT].first_run = first_run ? first_run : run;
    atomic_store(&runs[run % SEGMENT].released, 0);
    return run * SIMT_RUN;
}

uint64_t simt_interval_released(uint32_t interval)
{
    const uint32_t first = run_of(interval)->first_run;

    return atomic_load(&run_of(first * SIMT_RUN)->released);
}

uint64_t simt_interval_block(uint32_t interval)
{
    return run_of(interval)->block;
}

void simt_interval_launch(void)
{
    /* Half of them are enough for any launch that ends in an hour. */
    if (atomic_load(&next_run) > MOST_SEGMENTS / 2 * SEGMENT) {
        simt_shadow_clear();
        atomic_store(&next_run, 1);
    }
    launch_first = atomic_load(&next_run) * SIMT_RUN;
}

/* --- blocks --------------------------------------------------------------- */

/* Notes a run of the block that runs. */
static void keep_run(struct simt_recorder *recorder, uint32_t first)
{
    if (recorder->runs == recorder->runs_room) {
        const int room = recorder->runs_room ? 2 * recorder->runs_room : 16;
        uint32_t *larger =
            realloc(recorder->run, (size_t)room * sizeof *larger);

        if (larger == NULL) {
            recorder->interval = 0; /* nothing is checked any more */
            recorder->out_of_memory = 1;
            return;
        }
        recorder->run = larger;
        recorder->runs_room = room;
    }
    recorder->run[recorder->runs++] = first;
}

void simt_recorder_block_ends(struct simt_recorder *r)
{
    const uint64_t stores = r->stores - r->stores_before;

    r->storing_blocks += stores > 0;
    r->barrier_stores += stores * (r->barriers - r->barriers_before);
    r->stores_before = r->stores;
    r->barriers_before = r->barriers;
}

void simt_interval_block_begins(struct simt_worker *worker, uint64_t block)
{
    struct simt_recorder *recorder = worker->recorder;

    simt_recorder_block_ends(recorder);
    simt_shadow_shared(worker);
    recorder->block = block;
    recorder->ended = 0;
    recorder->runs = 0;
    recorder->acquired = 0;
    recorder->is_syncing = 0;
    recorder->launch_first = launch_first;
    recorder->interval = 0;
    recorder->block_first = UINT32_MAX;
    recorder->run_end = 0;
    recorder->outermost = 0;
}

void simt_interval_next(struct simt_worker *worker)
{
    struct simt_recorder *recorder = worker->recorder;

    memset(recorder->step, 0, sizeof recorder->step);
    if (recorder->interval + 1 < recorder->run_end) {
        recorder->interval++;
        return;
    }
    recorder->interval = take_run(
        recorder->block, recorder->runs > 0 ? recorder->run[0] / SIMT_RUN : 0);
    recorder->run_end = recorder->interval + SIMT_RUN;
    if (recorder->interval == 0)
        return;
    keep_run(recorder, recorder->interval);
    if (recorder->runs == 1)
        recorder->block_first = recorder->interval;
}

void simt_recorder_syncwarp(struct simt_worker *worker, int first_thread,
                            uint32_t mask)
{
    uint16_t *step = &worker->recorder->step[first_thread / SIMT_WARP];

    /* Of the step, lanes outside of the mask are not told apart. */
    worker->recorder->barriers += (uint64_t)simt_lane_count(mask);
    *step = *step < SIMT_MOST_STEPS ? (uint16_t)(*step + 1) : SIMT_MOST_STEPS;
    if (worker->hopper_calls != NULL)
        worker->hopper_calls->step(worker, first_thread);
}

void simt_interval_sync_begin(struct simt_worker *worker)
{
    struct simt_recorder *recorder = worker->recorder;
    const uint64_t now = atomic_fetch_add(&syncs, 1) + 1;
    struct run *run;
    uint64_t never = 0;

    if (recorder->runs == 0)
        return;
    run = run_of(recorder->run[0]);
    atomic_compare_exchange_strong(&run->released, &never, now);
    recorder->acquired = now;
}

/* The end of a merge. An operation is recorded before it happens, and merged
   later: another worker may come in between, and what it did before is known to
   this block too. */
void simt_interval_sync_end(struct simt_worker *worker)
{
    struct simt_recorder *recorder = worker->recorder;

    if (recorder->is_syncing)
        recorder->acquired = atomic_load(&syncs);
    recorder->is_syncing = 0;
}
