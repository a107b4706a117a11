/* Merges the logs of a warp's threads into the requests of the warp: see
   recorder.h for the rule. */
#define _GNU_SOURCE
#include "recorder.h"

#include <string.h>

enum {
    MOVED_EVENTS = 8 /* at most: more are cheaper left out of step than moved */
};

static int record_only; /* recorded, and neither counted nor checked */

void simt_set_record_only(int on)
{
    record_only = on;
}

/* The warp whose logs are merged. */
struct warp {
    struct simt_worker *worker;
    struct simt_warp_log *log;
    struct simt_thread *lane;
    int lanes;
    const int *order; /* thread numbers, in the order in which lanes go on */
    uint32_t all;     /* a bit for each lane */
};

static int can_go_on(const struct simt_thread *thread)
{
    return thread->state == SIMT_NOT_STARTED ||
           thread->state == SIMT_RUNNABLE || thread->state == SIMT_LOG_FULL;
}

/* Moves what is left of a lane's log to its beginning, so that the lane is in
   step again with others that are read. */
static void move_up(struct simt_warp_log *log, int lane)
{
    const int left = log->count[lane] - log->next[lane];

    for (int i = 0; i < left && log->next[lane] > 0; i++) {
        log->key[i][lane] = log->key[log->next[lane] + i][lane];
        log->address[i][lane] = log->address[log->next[lane] + i][lane];
    }
    log->count[lane] = left;
    log->next[lane] = 0;
}

/* Lets the lanes whose logs are read, or nearly, go on until the log is full
   again, or the lane waits or ends. */
static void fill_logs(struct warp *warp)
{
    struct simt_worker *worker = warp->worker;
    struct simt_warp_log *log = warp->log;

    for (int i = 0; i < warp->lanes; i++) {
        struct simt_thread *thread = &worker->thread[warp->order[i]];
        const int lane = (int)(thread - warp->lane);

        if (log->count[lane] - log->next[lane] > MOVED_EVENTS)
            continue;
        move_up(log, lane);
        if (!can_go_on(thread))
            continue;
        worker->log_slot = &log->key[log->count[lane]][lane];
        worker->log_end = simt_log_follows(worker, thread)
                              ? NULL
                              : &log->key[0][0] + SIMT_LOG_EVENTS * SIMT_WARP;
        simt_resume(worker, thread);
        if (worker->log_end == NULL && thread->state != SIMT_LOG_FULL)
            simt_log_settle(worker, thread);
        log->count[lane] =
            (int)((worker->log_slot - &log->key[0][lane]) / SIMT_WARP);
    }
}

/* Which of the active lanes have a 1 for an address. */
static uint32_t lanes_set(const uint64_t address[SIMT_WARP], uint32_t active)
{
    uint32_t set = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++)
        set |= (uint32_t)(address[lane] & 1) << lane;
    return set & active;
}

static void process(struct warp *warp, uint64_t key, const uint64_t *address,
                    uint32_t active)
{
    struct simt_recorder *recorder = warp->worker->recorder;

    recorder->call = (uint32_t)(key >> SIMT_KEY_CALL);
    if (simt_key_kind(key) == SIMT_EVENT_BLOCK) {
        struct simt_site *site =
            simt_site_in(&recorder->sites, key & SIMT_KEY_WITHOUT_DEPTH, 0, 0);

        if (site != NULL) {
            const uint32_t back = lanes_set(address, active);

            site->lanes += simt_lane_count(active);
            site->bytes += simt_lane_count(back);
            recorder->backward_jumps += simt_lane_count(back);
            if (back != 0)
                simt_call_note(recorder);
        } else {
            recorder->out_of_memory = 1;
        }
    } else {
        const enum simt_kind kind = simt_key_kind_of(key);
        const uint64_t words =
            simt_lane_count(active) * (((uint64_t)simt_key_size(key) + 3) / 4);

        recorder->loads += kind != SIMT_STORE ? words : 0;
        if (kind != SIMT_LOAD && simt_key_space_of(key) == SIMT_GLOBAL)
            recorder->stores += words;
        simt_count_request(warp->worker, key, address, active);
    }
}

/* 1 if all lanes have the same key in this row. The compiler compares several
   at once if it knows how many there are. */
static int is_one_key(const uint64_t key[SIMT_WARP], int lanes)
{
    uint64_t differs = 0;

    if (lanes == SIMT_WARP) {
        for (int i = 0; i < SIMT_WARP; i++)
            differs |= key[i] ^ key[0];
    } else {
        for (int i = 1; i < lanes; i++)
            differs |= key[i] ^ key[0];
    }
    return differs == 0;
}

/* As long as all lanes are in step, a row of the log is a request. */
static void merge_in_step(struct warp *warp)
{
    struct simt_warp_log *log = warp->log;
    const int first = log->next[0];
    int row = first, end = log->count[0];

    for (int i = 1; i < warp->lanes; i++) {
        if (log->next[i] != first)
            return;
        end = log->count[i] < end ? log->count[i] : end;
    }
    while (row < end && is_one_key(log->key[row], warp->lanes)) {
        process(warp, log->key[row][0], log->address[row], warp->all);
        row++;
    }
    for (int i = 0; i < warp->lanes; i++)
        log->next[i] = row;
}

/* The smallest key among the next events. 0 if there is none, or if a lane has
   to go on first because its next event is not known. */
static uint64_t smallest_key(const struct warp *warp)
{
    const struct simt_warp_log *log = warp->log;
    uint64_t smallest = UINT64_MAX;

    for (int i = 0; i < warp->lanes; i++) {
        if (log->next[i] < log->count[i]) {
            const uint64_t key = log->key[log->next[i]][i];

            smallest = key < smallest ? key : smallest;
        } else if (can_go_on(&warp->lane[i])) {
            return 0;
        }
    }
    return smallest == UINT64_MAX ? 0 : smallest;
}

/* Merges until a lane has to go on. Returns 0 when no lane has work left. */
static int merge_logs(struct warp *warp)
{
    struct simt_warp_log *log = warp->log;
    uint64_t address[SIMT_WARP] = {0}, key;

    for (;;) {
        uint32_t active = 0;

        merge_in_step(warp);
        key = smallest_key(warp);
        if (key == 0)
            break;
        for (int i = 0; i < warp->lanes; i++) {
            if (log->next[i] < log->count[i] &&
                log->key[log->next[i]][i] == key) {
                address[i] = log->address[log->next[i]++][i];
                active |= UINT32_C(1) << i;
            }
        }
        process(warp, key, address, active);
    }
    simt_interval_sync_end(warp->worker);
    for (int i = 0; i < warp->lanes; i++) {
        if (log->next[i] < log->count[i] || can_go_on(&warp->lane[i]))
            return 1;
    }
    return 0;
}

/* The warp that begins with this thread. */
static struct warp warp_of(struct simt_worker *worker, int first)
{
    const int threads = worker->grid->threads;
    struct warp warp = {.worker = worker, .log = &worker->recorder->log};

    warp.lanes = threads - first < SIMT_WARP ? threads - first : SIMT_WARP;
    warp.all = UINT32_MAX >> (SIMT_WARP - warp.lanes);
    warp.lane = &worker->thread[first];
    return warp;
}

void simt_recorder_stop(struct simt_worker *worker)
{
    struct simt_warp_log *log = &worker->recorder->log;
    struct warp warp = warp_of(worker, worker->recorder->first_thread);
    const int lane = (int)(worker->current - warp.lane);

    log->count[lane] =
        (int)((worker->log_slot - &log->key[0][lane]) / SIMT_WARP);
    for (int i = 0; i < warp.lanes; i++)
        warp.lane[i].state = SIMT_DONE; /* none goes on */
    merge_logs(&warp);
}

void simt_recorder_run(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;
    struct simt_recorder *recorder = worker->recorder;
    struct warp warp;

    if (!worker->same_interval)
        simt_interval_next(worker);
    worker->same_interval = 0;
    /* A warp's lanes follow each other in order[], whichever goes first. */
    for (int done = 0; done < threads; done += warp.lanes) {
        const int first = worker->order[done] / SIMT_WARP * SIMT_WARP;

        warp = warp_of(worker, first);
        warp.order = &worker->order[done];
        recorder->first_thread = first;
        memset(warp.log->count, 0, sizeof warp.log->count);
        memset(warp.log->next, 0, sizeof warp.log->next);
        do {
            fill_logs(&warp);
            if (record_only)
                memcpy(warp.log->next, warp.log->count, sizeof warp.log->next);
        } while ((merge_logs(&warp) ||
                  simt_warp_release(worker, first, warp.lanes)) &&
                 !simt_cut_off(worker->grid));
        for (int i = 0; i < warp.lanes; i++)
            recorder->barriers += warp.lane[i].state == SIMT_AT_BARRIER;
    }
}
