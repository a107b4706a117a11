/*
 * Operations of a warp: shuffles, votes, __syncwarp. A lane that comes to one
 * waits until the other lanes of its mask have come to the same one;
 * then each gets its result and they go on. Lanes that have ended do not count
 * any more (CUDA C++ Programming Guide, "Synchronization Functions", asks it
 * of the non-exited threads alone).
 */
#define _GNU_SOURCE
#include "device.h"
#include "host_calls.h"

#include <stdio.h>

static uint32_t bit(int lane)
{
    return UINT32_C(1) << lane;
}

/* Adds the value of one more lane to what the lanes before it gave. */
static uint64_t combine(enum simt_warp_operation operation, uint64_t sum,
                        uint64_t value)
{
    switch (operation) {
    case SIMT_WARP_ADD:
        return sum + value;
    case SIMT_WARP_MIN:
        return (int64_t)value < (int64_t)sum ? value : sum;
    case SIMT_WARP_MAX:
        return (int64_t)value > (int64_t)sum ? value : sum;
    case SIMT_WARP_AND:
        return sum & value;
    case SIMT_WARP_OR:
        return sum | value;
    case SIMT_WARP_XOR:
        return sum ^ value;
    default:
        return sum; /* not one of those that combine values */
    }
}

/* The result of the lane: `group` are the lanes that are here. */
static uint64_t result_of(const struct simt_thread *warp, int lane,
                          uint32_t group)
{
    const struct simt_warp_call *call = warp[lane].warp_call;
    uint64_t result = 0;

    switch (call->operation) {
    case SIMT_WARP_SYNC:
    case SIMT_WARP_MMA_TF32:
    case SIMT_WARP_LDMATRIX:
    case SIMT_WARP_MMA_BF16:
    case SIMT_WARP_MMA_F16:
    case SIMT_WARP_LDMATRIX_TRANSPOSED:
    case SIMT_WARP_STMATRIX:
    case SIMT_WARP_MATRICES:
        break;
    case SIMT_WARP_ACTIVE:
        result = group;
        break;
    case SIMT_WARP_SHUFFLE:
        if (call->source < SIMT_WARP && group >> call->source & 1)
            return warp[call->source].warp_call->value;
        simt_note_undefined_shuffle(call->file, call->line, call->name, lane,
                                    (int)call->source, call->mask);
        return UINT64_MAX;
    case SIMT_WARP_BALLOT:
        for (uint32_t left = group; left != 0; left &= left - 1) {
            const int other = __builtin_ctz(left);

            result |= warp[other].warp_call->value ? bit(other) : 0;
        }
        break;
    case SIMT_WARP_MATCH:
        for (uint32_t left = group; left != 0; left &= left - 1) {
            const int other = __builtin_ctz(left);

            if (warp[other].warp_call->value == call->value)
                result |= bit(other);
        }
        break;
    case SIMT_WARP_ADD:
    case SIMT_WARP_MIN:
    case SIMT_WARP_MAX:
    case SIMT_WARP_AND:
    case SIMT_WARP_OR:
    case SIMT_WARP_XOR:
        result = warp[__builtin_ctz(group)].warp_call->value;
        for (uint32_t left = group & (group - 1); left != 0; left &= left - 1) {
            result = combine(call->operation, result,
                             warp[__builtin_ctz(left)].warp_call->value);
        }
        break;
    }
    return result;
}

/* Gives each lane of the group its result and lets it go on. */
static void finish_group(struct simt_worker *worker, int first, uint32_t group)
{
    struct simt_thread *warp = &worker->thread[first];

    if (simt_recording &&
        warp[__builtin_ctz(group)].warp_call->operation == SIMT_WARP_SYNC)
        simt_recorder_syncwarp(worker, first, group);
    if (warp[__builtin_ctz(group)].warp_call->operation >= SIMT_WARP_MMA_TF32)
        simt_tensor_finish(worker, first, group);
    for (uint32_t left = group; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);

        warp[lane].warp_result = result_of(warp, lane, group);
    }
    for (uint32_t left = group; left != 0; left &= left - 1) {
        warp[__builtin_ctz(left)].state = SIMT_RUNNABLE;
        worker->at_warp--;
    }
}

static int is_same_call(const struct simt_warp_call *a,
                        const struct simt_warp_call *b)
{
    return a->operation == b->operation && a->mask == b->mask;
}

/* The first lane of the mask of `lane` that keeps it waiting; -1: none. */
static int missing_lane(const struct simt_thread *warp, int lanes, int lane)
{
    const struct simt_warp_call *call = warp[lane].warp_call;

    for (int other = 0; other < lanes; other++) {
        const struct simt_thread *t = &warp[other];

        if (call->mask >> other & 1 && t->state != SIMT_DONE &&
            (t->state != SIMT_AT_WARP || !is_same_call(t->warp_call, call)))
            return other;
    }
    return -1;
}

/* The lanes that wait at the operation of `lane` with it. */
static uint32_t waiting_with(const struct simt_thread *warp, int lanes,
                             int lane)
{
    const struct simt_warp_call *call = warp[lane].warp_call;
    uint32_t group = 0;

    for (int other = 0; other < lanes; other++) {
        if (warp[other].state != SIMT_AT_WARP)
            continue;
        /* __activemask brings together those of one line. */
        if (is_same_call(warp[other].warp_call, call) &&
            (call->operation == SIMT_WARP_ACTIVE
                 ? warp[other].warp_call->line == call->line
                 : (call->mask >> other & 1) != 0))
            group |= bit(other);
    }
    return group;
}

int simt_warp_release(struct simt_worker *worker, int first, int lanes)
{
    const struct simt_thread *warp = &worker->thread[first];
    int released = 0;

    if (worker->at_warp == 0)
        return 0;
    for (int lane = 0; lane < lanes; lane++) {
        if (warp[lane].state != SIMT_AT_WARP ||
            warp[lane].warp_call->operation == SIMT_WARP_ACTIVE ||
            missing_lane(warp, lanes, lane) >= 0)
            continue;
        finish_group(worker, first, waiting_with(warp, lanes, lane));
        released = 1;
    }
    if (released)
        return 1;
    /* Nobody else of the warp can go on, so nobody else will come. */
    for (int lane = 0; lane < lanes; lane++) {
        if (warp[lane].state != SIMT_AT_WARP ||
            warp[lane].warp_call->operation != SIMT_WARP_ACTIVE)
            continue;
        finish_group(worker, first, waiting_with(warp, lanes, lane));
        released = 1;
    }
    return released;
}

int simt_warp_release_all(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;
    int released = 0;

    for (int first = 0; first < threads; first += SIMT_WARP) {
        const int lanes =
            threads - first < SIMT_WARP ? threads - first : SIMT_WARP;

        released |= simt_warp_release(worker, first, lanes);
    }
    return released;
}

void simt_warp_report(struct simt_worker *worker)
{
    const int threads = worker->grid->threads;
    const struct simt_warp_call *call;
    const struct simt_thread *other;
    char where[300], index[SIMT_INDEX_TEXT];
    int number = 0, first, lane;

    while (worker->thread[number].state != SIMT_AT_WARP)
        number++;
    first = number / SIMT_WARP * SIMT_WARP;
    lane =
        missing_lane(&worker->thread[first],
                     threads - first < SIMT_WARP ? threads - first : SIMT_WARP,
                     number - first);
    call = worker->thread[number].warp_call;
    other = &worker->thread[first + lane];
    if (other->state == SIMT_AT_BARRIER) {
        snprintf(where, sizeof where, "the __syncthreads() of %s:%d",
                 other->barrier_file, other->barrier_line);
    } else {
        snprintf(where, sizeof where, "the %s() of %s:%d, with mask 0x%08x",
                 other->warp_call->name, other->warp_call->file,
                 other->warp_call->line, (unsigned)other->warp_call->mask);
    }
    worker->current = &worker->thread[number];
    simt_report(
        worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure, call->file, call->line,
        "waits at this %s() for the lanes of its mask 0x%08x, but thread "
        "%s waits at %s. All lanes that a mask names must "
        "come: the call must not stand in a branch that only some of "
        "them take, or the mask must name these alone.",
        call->name, (unsigned)call->mask,
        simt_index_text(index, worker->grid->block, other->index), where);
    worker->current = NULL;
}

/*
 * The other lanes of the warp run first: most often the last of them completes
 * the operation, and the block need not be gone through for it.
 */
static void wait_for_warp(struct simt_worker *worker)
{
    struct simt_thread *self = worker->current, *next;
    const int threads = worker->grid->threads;
    const int number = (int)(self - worker->thread) / SIMT_WARP;
    const int first = number * SIMT_WARP;
    const int lanes = threads - first < SIMT_WARP ? threads - first : SIMT_WARP;
    const int begin = worker->turn[number];

    self->state = SIMT_AT_WARP;
    worker->at_warp++;
    if (simt_recording) {
        simt_give_way(worker);
        return;
    }
    next = simt_next_before(worker, begin + lanes);
    if (next == NULL && simt_warp_release(worker, first, lanes)) {
        worker->position = begin - 1;
        next = simt_next_before(worker, begin + lanes);
    }
    if (next == NULL)
        next = simt_next_thread(worker);
    if (next != self)
        simt_go_on_with(worker, next);
}

uint64_t simt_warp(const struct simt_warp_call *call)
{
    struct simt_worker *worker = simt_self;
    struct simt_thread *self = worker->current;
    const unsigned lane = simt_lane();

    if (call->operation != SIMT_WARP_ACTIVE && !(call->mask >> lane & 1)) {
        simt_report(
            worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure, call->file,
            call->line,
            "is lane %u, which the mask 0x%08x of this %s() does not name: "
            "a lane must not come to an operation whose mask leaves it "
            "out.",
            lane, (unsigned)call->mask, call->name);
        simt_abandon_block(worker);
    }
    self->warp_call = call;
    wait_for_warp(worker);
    return self->warp_result;
}
