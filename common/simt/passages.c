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

/* Of two functions in one frame nobody knows which has called the other: none
   is the outermost one. */
void simt_call_note(struct simt_recorder *recorder)
{
    const uint32_t number = (UINT32_C(1) << (48 - SIMT_KEY_CALL)) - 1;
    const uint32_t frame = recorder->call | number;

    if (frame > (recorder->outermost | number)) {
        recorder->outermost = recorder->call;
    } else if (frame == (recorder->outermost | number) &&
               recorder->call != recorder->outermost) {
        recorder->outermost = frame;
    }
}

void simt_passage_note(struct simt_recorder *recorder, unsigned instruction,
                       uint32_t active)
{
    struct simt_passage *passage;

    if (instruction >= recorder->passages &&
        make_passages(recorder, instruction) != 0)
        return;
    simt_call_note(recorder);
    passage =
        &recorder->passage[instruction][recorder->first_thread / SIMT_WARP];
    passage->last = recorder->seen[SIMT_RACE_SHARED];
    passage->call = recorder->call;
    if (passage->interval != recorder->interval) {
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

static uint64_t code_of(unsigned instruction)
{
    return simt_instruction_key(instruction) & SIMT_KEY_WITHOUT_DEPTH;
}

/* Does a way between two instructions lead back? Code goes on upwards but for
   jumps back, so that in one function a way to what lies before does. */
static int leads_back(const struct simt_recorder *recorder,
                      const struct simt_passage *a,
                      const struct simt_passage *b, unsigned from, unsigned to)
{
    return a->call == b->call && a->call == recorder->outermost &&
           code_of(to) < code_of(from);
}

/* Has the thread of the touch been at one instruction, and later at the other?
   Then the way, and whether it leads back; or 0. */
static int way_of(const struct simt_recorder *recorder, simt_touch thread,
                  unsigned from, unsigned to, int way)
{
    const struct simt_passage *a = passage_of(recorder, thread, from);
    const struct simt_passage *b = passage_of(recorder, thread, to);

    if (a == NULL || b == NULL || a->first >= b->last ||
        !((a->first_lanes & b->last_lanes) >>
              (simt_touch_thread(thread) % SIMT_WARP) &
          1))
        return 0;
    return leads_back(recorder, a, b, from, to) ? way | way * SIMT_WAY_BACK
                                                : way;
}

int simt_race_order(const struct simt_recorder *recorder, simt_touch write,
                    simt_touch read)
{
    const unsigned writes = (unsigned)(write & 0x3fff);
    const unsigned reads = (unsigned)(read & 0x3fff);

    return way_of(recorder, read, writes, reads, SIMT_WAY_TO_READ) |
           way_of(recorder, write, reads, writes, SIMT_WAY_TO_WRITE);
}
