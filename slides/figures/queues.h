/* queues.h: how does the queue of lanes at each bank look, pass by pass? */
#ifndef SLIDES_QUEUES_H
#define SLIDES_QUEUES_H

#include <stdint.h>
#include <stdio.h>

enum {
    QUEUES_BANKS = 32,
    QUEUES_PASSES = 32
};

/* lanes[bank][pass - 1] has bit l set if lane l is served there then. */
struct queues {
    int banks, wavefronts;
    uint32_t lanes[QUEUES_BANKS][QUEUES_PASSES];
};

void queues_add(struct queues *q, int lane, int bank, int pass);
void queues_draw(const struct queues *q, FILE *out);

#endif /* SLIDES_QUEUES_H */
