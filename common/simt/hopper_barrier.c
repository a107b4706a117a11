/*
 * Barriers in shared memory that count arrivals and bytes (PTX ISA,
 * "mbarrier").
 *
 * A phase of a barrier is complete when so many threads have arrived as it was
 * initialised for, and as many bytes have come as were announced. A wait names
 * the parity of a phase: it is over if the phase of that parity is the one
 * before the phase that is under way.
 */
#define _GNU_SOURCE
#include "hopper_state.h"
#include "recorder.h"

#include <string.h>

/* --- one barrier ---------------------------------------------------------- */

static void new_phase(struct simt_worker *worker, struct hopper_barrier *b)
{
    struct simt_hopper *h = worker->hopper;

    b->last = b->phase;
    b->phase = h->phases;
    hopper_add(worker, &h->phase, &h->phases, sizeof *h->phase);
    b->pending = b->count;
    b->announced = 0;
    memset(&b->told, 0, sizeof b->told);
}

void simt_mbarrier_init(unsigned address, int count, const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const int self = hopper_self(worker);
    struct hopper_barrier *b = NULL;
    const struct hopper_line at = {file, line};

    if (address % 8 != 0 || address + 8 > hopper_end(worker) || count < 1) {
        hopper_refuse(worker, SIMT_ASSERTION, at,
                      "initialises a barrier that is no 8 bytes of shared "
                      "memory at a multiple of 8, or for no arrival.");
    }
    for (size_t i = 0; i < h->barriers; i++) {
        if (h->barrier[i].address == address)
            b = &h->barrier[i];
    }
    if (b == NULL)
        b = hopper_add(worker, &h->barrier, &h->barriers, sizeof *b);
    *b = (struct hopper_barrier){
        .address = address,
        .count = count,
        .init = at,
        .init_thread = self,
        .init_tick = h->clock[hopper_warp(self)].of[hopper_warp(self)]};
    new_phase(worker, b);
    b->last = b->phase; /* of the phase before nobody tells anything */
}

void simt_mbarrier_init_done(void)
{
    struct simt_hopper *h = hopper_of(simt_self);

    for (size_t i = 0; i < h->barriers; i++) {
        h->barrier[i].init_fenced |=
            h->barrier[i].init_thread == hopper_self(simt_self);
    }
}

size_t hopper_find(struct simt_worker *worker, unsigned address,
                   struct hopper_line at)
{
    const struct simt_hopper *h = hopper_of(worker);
    const int warp = hopper_warp(hopper_self(worker));
    int is_there = 0;

    for (size_t i = 0; i < h->barriers; i++) {
        const struct hopper_barrier *b = &h->barrier[i];

        if (b->address != address)
            continue;
        if (hopper_knows(h, warp, hopper_warp(b->init_thread), b->init_tick))
            return i;
        is_there = 1;
    }
    if (!is_there) {
        hopper_refuse(worker, SIMT_EARLY, at,
                      "uses a barrier at byte %u of shared memory, for which "
                      "no thread has called barrier_init() yet; there are %zu "
                      "others. Either this is the wrong byte, or one thread "
                      "must call it, and a __syncthreads() must stand between "
                      "the two.",
                      address, h->barriers);
    }
    hopper_refuse(worker, SIMT_EARLY, at,
                  "uses a barrier before it knows that it is there: one "
                  "thread must call barrier_init(), and a __syncthreads() must "
                  "stand between the two.");
}

void hopper_complete(struct simt_worker *worker, struct hopper_barrier *b)
{
    if (b->pending > 0 || b->bytes != 0)
        return;
    worker->hopper->phase[b->phase].known = b->told;
    worker->hopper->phase[b->phase].announced = b->announced;
    new_phase(worker, b);
    b->number++;
}

void hopper_came(struct simt_worker *worker, size_t barrier, unsigned bytes)
{
    struct hopper_barrier *b = &worker->hopper->barrier[barrier];

    b->bytes -= bytes;
    hopper_complete(worker, b);
}
