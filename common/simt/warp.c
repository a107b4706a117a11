/* Merges the logs of a warp's threads into the requests of the warp: see
   recorder.h for the rule. */
#define _GNU_SOURCE
#include "recorder.h"

static int can_go_on(const struct simt_thread *thread)
{
    return thread->state == SIMT_NOT_STARTED ||
           thread->state == SIMT_RUNNABLE || thread->state == SIMT_LOG_FULL;
}

static int is_read(const struct simt_thread *thread)
{
    return thread->log->next == thread->log->count;
}

/* Lets each lane whose log is read go on until the log is full again, or the
   lane waits or ends. */
static void fill_logs(struct simt_worker *worker, struct simt_thread *lane,
                      int lanes)
{
    for (int i = 0; i < lanes; i++) {
        if (!is_read(&lane[i]))
            continue;
        lane[i].log->next = lane[i].log->count = 0;
        if (can_go_on(&lane[i]))
            simt_resume(worker, &lane[i]);
    }
}

/* The smallest key among the next events. 0 if there is none, or if a lane has
   to go on first because its next event is not known. *same tells whether all
   lanes have that key. */
static uint64_t smallest_key(const struct simt_thread *lane, int lanes,
                             int *same)
{
    uint64_t smallest = UINT64_MAX;

    *same = 1;
    for (int i = 0; i < lanes; i++) {
        uint64_t key;

        if (is_read(&lane[i])) {
            if (can_go_on(&lane[i]))
                return 0;
            *same = 0;
            continue;
        }
        key = lane[i].log->event[lane[i].log->next].key;
        if (i > 0 && key != smallest)
            *same = 0;
        if (key < smallest)
            smallest = key;
    }
    return smallest == UINT64_MAX ? 0 : smallest;
}

/* Merges until a lane has to go on. Returns 0 when no lane has anything left. */
static int merge_logs(struct simt_worker *worker, struct simt_thread *lane,
                      int lanes)
{
    for (;;) {
        uint64_t address[SIMT_WARP];
        uint32_t active = 0;
        int same;
        const uint64_t key = smallest_key(lane, lanes, &same);

        if (key == 0)
            break;
        for (int i = 0; i < lanes; i++) {
            struct simt_log *log = lane[i].log;

            if (same ||
                (!is_read(&lane[i]) && log->event[log->next].key == key)) {
                address[i] = log->event[log->next++].address;
                active |= UINT32_C(1) << i;
            }
        }
        if (simt_key_kind(key) == SIMT_EVENT_BLOCK) {
            worker->recorder->basic_blocks +=
                (uint64_t)__builtin_popcount(active);
        } else {
            simt_count_request(worker, key, address, active);
        }
    }
    for (int i = 0; i < lanes; i++) {
        if (!is_read(&lane[i]) || can_go_on(&lane[i]))
            return 1;
    }
    return 0;
}

void simt_recorder_run(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;

    for (int first = 0; first < threads; first += SIMT_WARP) {
        struct simt_thread *lane = &worker->thread[first];
        const int lanes =
            threads - first < SIMT_WARP ? threads - first : SIMT_WARP;

        worker->recorder->first_thread = first;
        for (int i = 0; i < lanes; i++) {
            lane[i].log = &worker->recorder->log[i];
            lane[i].log->next = lane[i].log->count = 0;
        }
        do {
            fill_logs(worker, lane, lanes);
        } while (merge_logs(worker, lane, lanes) ||
                 simt_warp_release(worker, first, lanes));
        for (int i = 0; i < lanes; i++)
            worker->recorder->barriers += lane[i].state == SIMT_AT_BARRIER;
    }
}
