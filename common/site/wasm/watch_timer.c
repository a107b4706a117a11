/* The timer of simt/watch.c. No signal comes: the recorder asks in each basic
   block of a lab, and one time in some thousands the clock is looked at. */
#include "simt/device.h"

enum {
    BLOCKS = 4093, /* or passages of a loop: the fast program's count */
    LOOKS = 4,     /* a millisecond: of a slower machine it takes more time, so
                      a lab that ends soon is not stopped */
    LATER = 16     /* blocks more, at most, so that each line has its turn */
};

int simt_blocks_left;

static simt_tick *call;

static long long every, next; /* in nanoseconds; 0: there is no timer */

void simt_timer_every(int milliseconds)
{
    every = milliseconds * 1000000LL;
    next = simt_nanoseconds() + every;
}

void simt_timer_begin(int milliseconds, simt_tick *tick)
{
    call = tick;
    if (every == 0)
        simt_timer_every(milliseconds);
}

void simt_timer_end(void)
{
    every = 0;
}

void simt_timer_look(uintptr_t code);
void simt_timer_look(uintptr_t code)
{
    static int later, most;
    static long long looks;

    if (later-- > 0)
        return; /* the next block calls again */
    later = most = (most + 1) % LATER;
    simt_blocks_left = BLOCKS;
    if (every == 0 || ++looks < LOOKS * every / 1000000 ||
        simt_nanoseconds() < next)
        return;
    looks = 0;
    next = simt_nanoseconds() + every;
    call(code);
}
