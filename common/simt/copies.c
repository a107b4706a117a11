/*
 * Asynchronous copies to shared memory: what each thread of a block has begun
 * and not waited for yet. include/cuda_pipeline_primitives.h has fetched the
 * values; they are put into their places at the wait.
 */
#define _GNU_SOURCE
#include "device.h"
#include "copies.h"
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

void simt_copies_begin(struct simt_worker *worker)
{
    if (worker->copies == NULL)
        return;
    for (int i = 0; i < SIMT_MAX_THREADS; i++) {
        struct simt_copies *c = &worker->copies[i];

        c->first = c->end = 0;
        c->batch = c->begun = c->awaited = 0;
    }
}

/* Those of the thread that runs; NULL without memory. */
static struct simt_copies *own_copies(struct simt_worker *worker)
{
    if (worker->copies == NULL)
        worker->copies = calloc(SIMT_MAX_THREADS, sizeof *worker->copies);
    return worker->copies == NULL
               ? NULL
               : &worker->copies[worker->current - worker->thread];
}

/* Room for one copy more. Returns 0 or -1. */
static int make_room(struct simt_copies *c)
{
    if (c->first == c->end)
        c->first = c->end = 0;
    if (c->first > 0 && c->end == c->room) {
        memmove(c->copies, c->copies + c->first,
                (c->end - c->first) * sizeof *c->copies);
        c->end -= c->first;
        c->first = 0;
    }
    if (c->end == c->room) {
        const size_t room = c->room == 0 ? 32 : 2 * c->room;
        struct simt_copy *larger = realloc(c->copies, room * sizeof *larger);

        if (larger == NULL)
            return -1;
        c->copies = larger;
        c->room = room;
    }
    return 0;
}

void simt_copy_fetches(void)
{
    simt_self->current->copy_fetches = 1;
}

static int is_shared(const struct simt_worker *worker, const void *to)
{
    const uintptr_t address = (uintptr_t)to;

    return address - (uintptr_t)worker->shared < worker->shared_size ||
           address - (uintptr_t)worker->dynamic_shared < SIMT_MAX_SHARED;
}

void simt_copy_async(void *to, const void *value, size_t size, size_t zeros,
                     const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_copies *c;

    worker->current->copy_fetches = 0; /* also if there was nothing to load */
    if ((size != 4 && size != 8 && size != 16) || zeros > size) {
        simt_report(worker, SIMT_ASSERTION, cudaErrorLaunchFailure, file, line,
                    "copies %zu bytes, of which %zu are zeros: an asynchronous "
                    "copy has 4, 8 or 16 bytes.",
                    size, zeros);
        simt_abandon_block(worker);
    }
    if (!is_shared(worker, to)) {
        simt_report(worker, SIMT_ASSERTION, cudaErrorLaunchFailure, file, line,
                    "copies to a place that is not in shared memory: an "
                    "asynchronous copy goes nowhere else.");
        simt_abandon_block(worker);
    }
    c = own_copies(worker);
    if (c == NULL || make_room(c) != 0) {
        memcpy(to, value, size); /* no memory: at once, which CUDA allows */
        return;
    }
    struct simt_copy *copy = &c->copies[c->end++];

    copy->to = to;
    copy->size = (uint32_t)size;
    copy->batch = c->batch;
    copy->begun = simt_log_at(worker);
    copy->number = c->begun++;
    memcpy(copy->value, value, size);
}

void simt_copy_commit(void)
{
    struct simt_copies *c = own_copies(simt_self);

    if (c != NULL)
        c->batch++;
}

void simt_copy_wait(size_t prior, int line)
{
    struct simt_copies *c = own_copies(simt_self);

    if (c == NULL)
        return;
    c->awaited = c->begun;
    c->prior = prior;
    c->line = line;
    while (c->first < c->end) {
        const struct simt_copy *copy = &c->copies[c->first];

        /* What no commit followed yet is of no batch, and nobody waits. */
        if (copy->batch + prior >= c->batch)
            break;
        memcpy(copy->to, copy->value, copy->size);
        simt_log_copied(simt_self, copy->begun, line);
        c->first++;
    }
}
