/* Keeps what one thread does, and who stored what: see follow.h. */
#define _GNU_SOURCE
#include "follow.h"

#include "lines.h"
#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 1 << 20,
    MOST_STORES = 1 << 21,
    RANGES = 4,
    LOOK_BACK = 8192 /* steps of a thread, between a load and its store */
};

/* --- one thread ----------------------------------------------------------- */

static struct {
    int on;
    unsigned launch, launches; /* wanted, and seen so far */
    uint64_t block;
    int thread;
} wanted;

static struct {
    uintptr_t from, to;
} host[RANGES];
int simt_following_host;

static struct simt_step *steps;
static size_t step_count, step_room;
static int cut;
static int pending; /* 1: the last step is a store that is still to be made */

static void forget_steps(void)
{
    step_count = 0;
    cut = 0;
    pending = 0;
}

void simt_follow(long launch, uint64_t block, int thread)
{
    forget_steps();
    wanted.on = launch >= 0;
    wanted.launch = launch >= 0 ? (unsigned)launch : 0;
    wanted.launches = 0;
    wanted.block = block;
    wanted.thread = thread;
}

void simt_follow_host(const void *from, const void *to)
{
    if (from == NULL || simt_following_host == 0) {
        forget_steps();
        simt_following_host = 0;
    }
    if (from != NULL && simt_following_host < RANGES) {
        host[simt_following_host].from = (uintptr_t)from;
        host[simt_following_host].to = (uintptr_t)to;
        simt_following_host++;
    }
}

const struct simt_step *simt_follow_read(size_t *count, int *was_cut)
{
    *count = step_count;
    *was_cut = cut;
    return steps;
}

/* The step of the load from global memory that a step of a store has its value
   from; the store itself if there is none. */
static size_t fetch_of(size_t store)
{
    const struct simt_step *const to = &steps[store];

    if (to->space != SIMT_SHARED || to->kind != SIMT_STORE || !to->known ||
        to->value[0] == 0.0f)
        return store;
    for (size_t i = store; i-- > 0 && store - i < LOOK_BACK;) {
        const struct simt_step *const from = &steps[i];

        for (int w = 0; from->space == SIMT_GLOBAL && from->kind == SIMT_LOAD &&
                        from->known && w < from->size / 4;
             w++) {
            if (from->value[w] == to->value[0])
                return i;
        }
    }
    return store;
}

void simt_follow_overlap(struct simt_count *count)
{
    size_t first = SIZE_MAX; /* under way, from there on */
    uint64_t all = 0, during = 0, counted = 0;
    unsigned char *under_way = calloc(step_count + 1, 1);

    for (size_t i = 0; under_way != NULL && i < step_count; i++) {
        const size_t fetch = fetch_of(i);

        if (steps[i].is_async && first == SIZE_MAX)
            first = i;
        counted += fetch < i || steps[i].is_async;
        if (fetch < i) {
            count->own_fetch_line = steps[fetch].line;
            count->own_store_line = steps[i].line;
        }
        memset(under_way + fetch, 1, i - fetch);
    }
    for (size_t i = 0; under_way != NULL && i < step_count; i++) {
        if (steps[i].space == SIMT_SHARED && steps[i].kind == SIMT_LOAD) {
            all++;
            during += under_way[i] || i > first;
        }
    }
    free(under_way);
    if (counted == 0 || cut)
        return;
    count->own_shared_loads = all;
    count->own_overlapped_loads = during;
}

int simt_is_followed(const struct simt_worker *worker,
                     const struct simt_thread *thread)
{
    return wanted.on && wanted.launches == wanted.launch &&
           worker->recorder->block == wanted.block &&
           thread - worker->thread == wanted.thread;
}

/* The step's value as it now stands in memory. */
static void fetch_value(struct simt_step *step)
{
    if (step->size > (int)sizeof step->value)
        return;
    memcpy(step->value, (const void *)step->address, (size_t)step->size);
    step->known = 1;
}

void simt_follow_settle(void)
{
    if (pending)
        fetch_value(&steps[step_count - 1]);
    pending = 0;
}

/* Room for one step more; NULL without memory. */
static struct simt_step *new_step(void)
{
    if (step_count == step_room) {
        const size_t room = step_room ? 2 * step_room : 1024;
        struct simt_step *larger =
            room <= MOST_STEPS ? realloc(steps, room * sizeof *larger) : NULL;

        if (larger == NULL) {
            cut = 1;
            return NULL;
        }
        steps = larger;
        step_room = room;
    }
    return &steps[step_count++];
}

/* Finds the array of a shared or global address. */
static void find_place(struct simt_worker *worker, uint64_t key,
                       struct simt_step *step)
{
    const uintptr_t address = step->address;

    if (simt_key_kind(key) & SIMT_EVENT_SHARED) {
        size_t begin, bytes;

        if (address - (uintptr_t)worker->dynamic_shared < SIMT_MAX_SHARED) {
            step->array = SIMT_DYNAMIC_SHARED;
            step->offset = address - (uintptr_t)simt_dynamic_of(worker);
            step->extent = worker->grid->launch->dynamic_shared;
            return;
        }
        const size_t offset = address - (uintptr_t)worker->shared;

        step->array = SIMT_VARIABLES + simt_symbol_at(offset, &begin, &bytes);
        step->offset = offset - begin;
        step->extent = bytes;
    } else if (simt_memory_holds((const void *)address)) {
        const struct simt_allocation *a =
            simt_memory_find((const void *)address);

        step->array = simt_memory_number((const void *)address);
        step->offset = a != NULL ? address - (uintptr_t)a->base : 0;
        step->extent = a != NULL ? a->size : 0;
    } else {
        uintptr_t begin;
        size_t bytes;

        step->array =
            SIMT_VARIABLES + simt_variable_at(address, &begin, &bytes);
        step->offset = address - begin;
        step->extent = bytes;
    }
}

/* Who wrote this word of shared memory last. */
static void find_writer(const struct simt_worker *worker,
                        struct simt_step *step)
{
    const struct simt_recorder *r = worker->recorder;
    const struct simt_shadow *shadow =
        step->array == SIMT_DYNAMIC_SHARED ? &r->dynamics : &r->statics;
    const size_t at = (step->address - shadow->base) / 4;
    simt_touch write;
    uint64_t key;

    if (shadow->word == NULL || at * 4 >= shadow->bytes)
        return;
    write = shadow->word[at].write;
    if (simt_touch_interval(write) < r->block_first || (write & 0x3fff) == 0)
        return;
    key = simt_instruction_key((unsigned)(write & 0x3fff));
    step->writer = simt_touch_thread(write);
    simt_line_of(simt_key_code(key), &step->writer_file, &step->writer_line);
}

static void begin_step(struct simt_step *step, uintptr_t address, int size,
                       int kind, uintptr_t code)
{
    *step = (struct simt_step){
        .file = "",
        .launch = wanted.launches,
        .kind = kind & SIMT_EVENT_ATOMIC  ? SIMT_ATOMIC
                : kind & SIMT_EVENT_STORE ? SIMT_STORE
                                          : SIMT_LOAD,
        .is_async = (kind & SIMT_EVENT_ASYNC) != 0,
        .size = size,
        .address = address,
        .code = code,
        .writer = -1,
        .writer_file = "",
    };
    simt_line_of(code, &step->file, &step->line);
}

/* 1 if all bytes of the step are there to be read. */
static int is_there(const struct simt_step *step)
{
    return step->offset <= step->extent &&
           (size_t)step->size <= step->extent - step->offset;
}

void simt_follow_note(struct simt_worker *worker, uint64_t key,
                      uintptr_t address)
{
    const int kind = simt_key_kind(key);
    struct simt_step *step;

    simt_follow_settle();
    if (kind == SIMT_EVENT_BLOCK)
        return;
    step = new_step();
    if (step == NULL)
        return;
    begin_step(step, address, simt_key_size(key), kind, simt_key_code(key));
    step->space = kind & SIMT_EVENT_SHARED ? SIMT_SHARED : SIMT_GLOBAL;
    find_place(worker, key, step);
    if (!is_there(step))
        return;
    if (step->kind == SIMT_LOAD) {
        fetch_value(step);
        if (step->space == SIMT_SHARED)
            find_writer(worker, step);
    } else {
        pending = 1;
    }
}

void simt_follow_note_host(uintptr_t address, int size, int kind,
                           uintptr_t code)
{
    struct simt_step *step;
    int range = 0;

    simt_follow_settle();
    while (range < simt_following_host &&
           (address < host[range].from || address >= host[range].to))
        range++;
    if (range == simt_following_host)
        return;
    step = new_step();
    if (step == NULL)
        return;
    begin_step(step, address, size, kind, code);
    step->array = (unsigned)range;
    step->offset = address - host[range].from;
    step->extent = host[range].to - host[range].from;
    if (!is_there(step))
        return;
    if (step->kind == SIMT_LOAD) {
        fetch_value(step);
    } else {
        pending = 1;
    }
}

void simt_step_place(char *text, size_t size, const char *kernel,
                     const struct simt_step *step)
{
    simt_element_name(text, size, kernel, step->array, (long long)step->offset,
                      step->extent, step->size);
}

/* --- who stored what ------------------------------------------------------ */

static struct simt_stored *stores;
static size_t store_count, store_room;
static int keeping_stores;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void simt_stores_ask(int on)
{
    keeping_stores = on;
    store_count = 0;
    wanted.launches = 0;
    simt_trace_update();
}

int simt_keeps_stores(void)
{
    return keeping_stores;
}

const struct simt_stored *simt_stores_read(size_t *count)
{
    *count = store_count;
    return stores;
}

static struct simt_stored *new_store(void)
{
    if (store_count == store_room) {
        const size_t room = store_room ? 2 * store_room : 4096;
        struct simt_stored *larger =
            room <= MOST_STORES ? realloc(stores, room * sizeof *larger) : NULL;

        if (larger == NULL)
            return NULL;
        stores = larger;
        store_room = room;
    }
    return &stores[store_count++];
}

void simt_follow_stores(struct simt_worker *worker, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active)
{
    const struct simt_grid *grid = worker->grid;
    const size_t size = (size_t)simt_key_size(key);
    struct simt_stored stored = {
        .launch = wanted.launches,
        .kernel = grid->launch->kernel,
        .block = worker->recorder->block,
        .grid = {grid->size.x, grid->size.y, grid->size.z},
        .block_size = {grid->block.x, grid->block.y, grid->block.z},
        .size = (int)size,
        .is_atomic = (simt_key_kind(key) & SIMT_EVENT_ATOMIC) != 0,
        .file = ""};

    if (!keeping_stores || !(simt_key_kind(key) & SIMT_EVENT_STORE))
        return;
    simt_line_of(simt_key_code(key), &stored.file, &stored.line);
    pthread_mutex_lock(&lock);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const void *at = (const void *)(uintptr_t)address[lane];
        struct simt_stored *place;

        if (!(active >> lane & 1) || !simt_memory_valid(at, size))
            continue;
        stored.thread = worker->recorder->first_thread + lane;
        stored.array = simt_memory_number(at);
        stored.array_base = (uintptr_t)simt_memory_find(at)->base;
        stored.offset = address[lane] - stored.array_base;
        place = new_store();
        if (place != NULL)
            *place = stored;
    }
    pthread_mutex_unlock(&lock);
}

void simt_follow_launch_ended(void)
{
    wanted.launches++;
}
