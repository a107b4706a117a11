/* queues.h: how does the queue of lanes at each bank look? */
#ifndef SLIDES_QUEUES_H
#define SLIDES_QUEUES_H

#include <stdint.h>
#include <stdio.h>

enum {
    QUEUES_BANKS = 32,
    QUEUES_WAVEFRONTS = 32
};

/* lanes[bank][wavefront - 1] has bit l set if lane l is served then, at that
   bank and, of a lane that asks for several words, at the next ones. */
struct queues {
    int banks, wavefronts, words;
    int ideal; /* wavefronts that no order of the words could save */
    uint32_t lanes[QUEUES_BANKS][QUEUES_WAVEFRONTS];
};

void queues_add(struct queues *q, int lane, int bank, int wavefront);
void queues_draw(const struct queues *q, FILE *out);

#endif /* SLIDES_QUEUES_H */
