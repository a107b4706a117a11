/* In which order did a warp come to the two lines of a race? */
#define _GNU_SOURCE
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

/* Room for the passages of that instruction. 0, or -1 without memory. */
static int make_passages(struct simt_recorder *recorder, unsigned instruction)
{
    const unsigned room = 2 * instruction + 16;
    struct simt_passage(*larger)[SIMT_MAX_THREADS / SIMT_WARP] =
        realloc(recorder->passage, room * sizeof *larger);

    if (larger == NULL)
        return -1;
    memset(larger + recorder->passages, 0,
           (room - recorder->passages) * sizeof *larger);
    recorder->passage = larger;
    recorder->passages = room;
    return 0;
}

/* The warp at hand is at an instruction that uses shared memory. */
void simt_passage_note(struct simt_recorder *recorder, unsigned instruction,
                       uint32_t active)
{
    struct simt_passage *passage;

    if (instruction >= recorder->passages &&
        make_passages(recorder, instruction) != 0)
        return;
    passage =
        &recorder->passage[instruction][recorder->first_thread / SIMT_WARP];
    passage->last = recorder->seen[SIMT_RACE_SHARED];
    if (passage->interval != recorder->interval) {
        passage->earlier = passage->interval >= recorder->block_first
                               ? passage->earlier | passage->last_lanes
                               : 0;
        passage->interval = recorder->interval;
        passage->first = passage->last;
        passage->first_lanes = active;
    }
    passage->last_lanes = active;
}

/* The passage of a touch's thread at an instruction in the interval that runs;
   NULL: there is none. */
static const struct simt_passage *
passage_of(const struct simt_recorder *recorder, simt_touch thread,
           unsigned instruction)
{
    const struct simt_passage *passage;

    if (instruction >= recorder->passages)
        return NULL;
    passage =
        &recorder->passage[instruction][simt_touch_thread(thread) / SIMT_WARP];
    return passage->interval == recorder->interval ? passage : NULL;
}

/* 1 if the thread of the touch was at one instruction, and later at the
   other. */
static int comes_to(const struct simt_recorder *recorder, simt_touch thread,
                    unsigned from, unsigned to)
{
    const struct simt_passage *a = passage_of(recorder, thread, from);
    const struct simt_passage *b = passage_of(recorder, thread, to);

    return a != NULL && b != NULL && a->first < b->last &&
           (a->first_lanes & b->last_lanes) >>
                   (simt_touch_thread(thread) % SIMT_WARP) &
               1;
}

int simt_race_order(const struct simt_recorder *recorder, simt_touch write,
                    simt_touch read)
{
    const unsigned writes = (unsigned)(write & 0x3fff);
    const unsigned reads = (unsigned)(read & 0x3fff);
    const struct simt_passage *passage = passage_of(recorder, write, writes);
    const struct simt_passage *before = passage_of(recorder, write, reads);
    const uint32_t lane = UINT32_C(1) << (simt_touch_thread(write) % SIMT_WARP);
    int order = 0;

    if (comes_to(recorder, read, writes, reads))
        order |= SIMT_ORDER_TO_READ;
    if (comes_to(recorder, write, reads, writes)) {
        order |= SIMT_ORDER_TO_WRITE;
        if (passage->earlier & lane ||
            (passage->first < before->first && passage->first_lanes & lane))
            order |= SIMT_ORDER_AGAIN;
    }
    return order;
}
