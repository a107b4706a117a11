/*
 * Who arrives, who waits for what, and whom that lets go on; barriers of a
 * warpgroup (PTX ISA, "barrier").
 */
#define _GNU_SOURCE
#include "hopper_state.h"
#include "recorder.h"

#include <stdio.h>

/* --- arriving ------------------------------------------------------------- */

static void arrive(unsigned address, int bytes, struct hopper_line at)
{
    struct simt_worker *worker = simt_self;
    const size_t found = hopper_find(worker, address, at);
    struct hopper_barrier *b = &worker->hopper->barrier[found];

    while (b->pending == 0 && hopper_deliver(worker, found))
        continue; /* its bytes may have come by now */
    if (b->pending == 0) {
        hopper_refuse(worker, SIMT_ASSERTION, at,
                      "arrives at a barrier of %d arrivals, initialised in "
                      "line %d, whose phase has had all of them and still "
                      "waits for bytes.",
                      b->count, b->init.line);
    }
    simt_drain(worker);
    hopper_tell(worker, hopper_warp(hopper_self(worker)), &b->told);
    b->arrival = at;
    b->bytes += bytes;
    b->announced += bytes;
    b->pending--;
    hopper_complete(worker, b);
}

void simt_mbarrier_arrive(unsigned address, const char *file, int line)
{
    arrive(address, 0, (struct hopper_line){file, line});
}

void simt_mbarrier_expect(unsigned address, int bytes, const char *file,
                          int line)
{
    arrive(address, bytes, (struct hopper_line){file, line});
}

/* --- waiting -------------------------------------------------------------- */

void simt_mbarrier_wait(unsigned address, int parity, const char *file,
                        int line)
{
    struct simt_worker *worker = simt_self;
    const struct hopper_line at = {file, line};
    const size_t found = hopper_find(worker, address, at);
    struct simt_hopper *h = worker->hopper;
    const int warp = hopper_warp(hopper_self(worker));

    h->waited[warp] = (struct hopper_wait){.what = HOPPER_FOR_BARRIER,
                                           .at = at,
                                           .barrier = found,
                                           .parity = parity & 1};
    h->waited_number[warp] = h->barrier[found].number;
    hopper_wait_for(worker, &h->waited[warp]);
}

void simt_named_barrier(int number, int threads, const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const struct hopper_line at = {file, line};
    struct hopper_named *named = &h->named[number & (HOPPER_NAMED - 1)];
    const int group = hopper_self(worker) / HOPPER_GROUP + 1;

    if (number < 1 || number >= HOPPER_NAMED) {
        hopper_refuse(worker, SIMT_ASSERTION, at,
                      "waits at a barrier whose number is not 1 to 15; 0 is "
                      "that of __syncthreads().");
    }
    if (named->owner != 0 && named->owner != group) {
        hopper_refuse(worker, SIMT_DIVERGENCE, at,
                      "comes to warpgroup_sync(%d), as threads of another "
                      "warpgroup do: it counts 128 threads, whoever they are, "
                      "so each warpgroup needs a number of its own.",
                      number);
    }
    named->owner = group;
    named->wanted = threads;
    named->came++;
    named->warps |= UINT32_C(1) << hopper_warp(hopper_self(worker));
    hopper_wait_for(worker, &(struct hopper_wait){.what = HOPPER_FOR_NAMED,
                                                  .at = at,
                                                  .barrier = (size_t)number});
}

/* Is the phase of that parity complete? Copies come as late as they may: when
   somebody waits for them. */
static int is_complete(struct simt_worker *worker,
                       const struct hopper_wait *wait)
{
    struct simt_hopper *h = worker->hopper;

    while ((h->barrier[wait->barrier].number & 1) == (unsigned)wait->parity) {
        if (!hopper_deliver(worker, wait->barrier))
            return 0;
    }
    return 1;
}

/* Lets a thread whose wait is over go on. */
static int release(struct simt_worker *worker, int thread)
{
    struct simt_hopper *h = worker->hopper;
    const struct hopper_wait *wait = &h->wait[thread];
    const int warp = hopper_warp(thread);

    switch (wait->what) {
    case HOPPER_FOR_NAMED:
        return 0; /* all of them at once: below */
    case HOPPER_FOR_WGMMA:
        return hopper_multiplied(worker, thread);
    case HOPPER_FOR_BARRIER:
        break;
    }
    if (!is_complete(worker, wait))
        return 0;
    const struct hopper_barrier *b = &h->barrier[wait->barrier];
    struct hopper_phase *phase = &h->phase[b->last];

    hopper_learn(h, warp, &phase->known);
    if (b->number > 0 && phase->seen.of[warp] == 0)
        phase->seen.of[warp] = h->clock[warp].of[warp];
    return 1;
}

/* All threads that a named barrier counts have come: they go on. */
static int pass_named(struct simt_worker *worker, size_t number)
{
    struct simt_hopper *h = worker->hopper;
    struct hopper_named *named = &h->named[number];
    struct hopper_clock all = {{0}};

    if (named->came == 0 || named->came < named->wanted)
        return 0;
    for (int warp = 0; warp < HOPPER_WARPS; warp++) {
        if (named->warps >> warp & 1)
            hopper_tell(worker, warp, &all);
    }
    for (int warp = 0; warp < HOPPER_WARPS; warp++) {
        if (named->warps >> warp & 1)
            hopper_learn(h, warp, &all);
    }
    for (int i = 0; i < worker->grid->threads; i++) {
        if (worker->thread[i].state == SIMT_AT_HOPPER &&
            h->wait[i].what == HOPPER_FOR_NAMED && h->wait[i].barrier == number)
            worker->thread[i].state = SIMT_RUNNABLE;
    }
    *named = (struct hopper_named){.owner = named->owner};
    return 1;
}

static int release_all(struct simt_worker *worker)
{
    int released = 0;

    for (size_t i = 1; i < HOPPER_NAMED; i++)
        released |= pass_named(worker, i);
    for (int i = 0; i < worker->grid->threads; i++) {
        if (worker->thread[i].state == SIMT_AT_HOPPER && release(worker, i)) {
            worker->thread[i].state = SIMT_RUNNABLE;
            released = 1;
        }
    }
    return released;
}

/* --- a block that is stuck ------------------------------------------------ */

/* What a thread waits for, and how far that is. */
static void say_wait(char *text, size_t size, const struct simt_worker *worker,
                     int thread)
{
    const struct simt_hopper *h = worker->hopper;
    const struct hopper_wait *wait = &h->wait[thread];
    const struct hopper_barrier *b = &h->barrier[wait->barrier];
    const struct hopper_named *named = &h->named[wait->barrier % HOPPER_NAMED];
    const struct hopper_product *p;
    char came[160] = "", arrival[60] = "";

    switch (wait->what) {
    case HOPPER_FOR_NAMED:
        snprintf(text, size,
                 "waits in line %d at barrier %d, to which %d of %d threads "
                 "have come",
                 wait->at.line, (int)wait->barrier, named->came, named->wanted);
        return;
    case HOPPER_FOR_WGMMA:
        p = hopper_awaited(h, thread);
        snprintf(text, size,
                 "waits in line %d for the wgmma() of line %d, to which %d of "
                 "128 threads have come",
                 wait->at.line, p != NULL ? p->at.line : 0,
                 p != NULL ? p->came : 0);
        return;
    case HOPPER_FOR_BARRIER:
        break;
    }
    if (b->bytes != 0 || b->announced != 0) {
        snprintf(came, sizeof came,
                 " and %lld of %lld announced bytes, and no copy is under way",
                 (long long)(b->announced - b->bytes), (long long)b->announced);
    }
    if (b->arrival.line != 0) {
        snprintf(arrival, sizeof arrival, " (the last in line %d)",
                 b->arrival.line);
    }
    snprintf(text, size,
             "waits in line %d for parity %d of the barrier at byte %u, which "
             "line %d initialises: its phase %u, of parity %u, has %d of %d "
             "arrivals%s%s",
             wait->at.line, wait->parity, hopper_byte(worker, b->address),
             b->init.line, (unsigned)b->number, (unsigned)b->number & 1,
             b->count - b->pending, b->count, arrival, came);
}

/* 1 if two threads wait for the same. */
static int is_same(const struct hopper_wait *a, const struct hopper_wait *b)
{
    return a->what == b->what && a->at.line == b->at.line &&
           a->barrier == b->barrier && a->parity == b->parity;
}

/* Others that wait, each kind once. */
static void say_others(char *text, size_t size,
                       const struct simt_worker *worker, int first)
{
    const struct simt_hopper *h = worker->hopper;
    const struct hopper_wait *told[3] = {&h->wait[first]};
    int count = 1, barrier_line = 0;
    size_t length = 0;
    char what[300], index[SIMT_INDEX_TEXT];

    for (int i = first + 1; i < worker->grid->threads && count < 3; i++) {
        int is_new = worker->thread[i].state == SIMT_AT_HOPPER;

        if (worker->thread[i].state == SIMT_AT_BARRIER)
            barrier_line = worker->thread[i].barrier_line;
        for (int j = 0; j < count; j++)
            is_new &= !is_same(&h->wait[i], told[j]);
        if (!is_new)
            continue;
        told[count++] = &h->wait[i];
        say_wait(what, sizeof what, worker, i);
        length +=
            (size_t)snprintf(text + length, size - length, " Thread %s %s.",
                             simt_index_text(index, worker->grid->block,
                                             worker->thread[i].index),
                             what);
    }
    if (barrier_line != 0) {
        snprintf(text + length, size - length,
                 " Others wait at the __syncthreads() of line %d.",
                 barrier_line);
    } else if (count == 1) {
        snprintf(text, size,
                 " All other threads have ended or wait for the "
                 "same.");
    }
}

static int is_stuck(struct simt_worker *worker)
{
    char what[300], others[600] = "";
    int first = 0;

    while (first < worker->grid->threads &&
           worker->thread[first].state != SIMT_AT_HOPPER)
        first++;
    if (first == worker->grid->threads)
        return 0;
    say_wait(what, sizeof what, worker, first);
    say_others(others, sizeof others, worker, first);
    worker->current = &worker->thread[first];
    simt_report(worker, SIMT_DIVERGENCE, cudaErrorLaunchFailure,
                worker->hopper->wait[first].at.file,
                worker->hopper->wait[first].at.line, "%s.%s Nobody can go on.",
                what, others);
    worker->current = NULL;
    return 1;
}

static void end(struct simt_worker *worker)
{
    hopper_copies_end(worker);
    hopper_wgmma_ends(worker);
}

/* --- what the rest of the device calls ---------------------------------- */

static const struct simt_hopper_calls calls = {
    .release = release_all,
    .is_stuck = is_stuck,
    .end = end,
    .pass = hopper_pass,
    .step = hopper_step,
    .orders = hopper_orders,
    .fills = hopper_fills,
    .touch = hopper_touch,
    .early = hopper_early,
};

/* Whoever begins anything asks for an address first. */
unsigned simt_hopper_address(const void *pointer)
{
    return simt_shared_number(pointer);
}

/* Before main: no file below this one may name it (course/circles.sh). */
static void __attribute__((constructor)) offer_calls(void)
{
    hopper_calls = &calls;
}
