/*
 * copies.h: which asynchronous copies has a thread begun, and not waited for
 * yet? For the files that make them and the one that asks.
 */
#ifndef SIMT_COPIES_H
#define SIMT_COPIES_H

#include "device.h"
#include "log.h"

struct simt_copy {
    void *to;
    unsigned char value[16];
    uint32_t size;
    uint32_t batch;  /* the number of commits before it */
    uint32_t number; /* of copies that the thread had begun */
    size_t begun;    /* where the log of its thread stood (recorder.h) */
};

/* Copies first .. end - 1 of `copies` are under way. */
struct simt_copies {
    struct simt_copy *copies;
    size_t first, end, room;
    uint32_t batch; /* the one that is being collected */
    /* Begun so far, and before the last wait, which was this. */
    uint32_t begun, awaited;
    size_t prior;
    int line;
};

/* The copy of that thread to this address of shared memory, if it is under
   way. */
struct simt_under_way simt_copy_state(const struct simt_worker *worker,
                                      int thread, uintptr_t address);

#endif /* SIMT_COPIES_H */
