/* The shadows of arrays: who touched a word last, and what was ever written. */
#define _GNU_SOURCE
#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MOST_INSTRUCTIONS = 16383 /* what a simt_touch can hold */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* By number: of allocations and of variables. */
struct list {
    struct simt_shadow **shadow;
    unsigned room;
};
static struct list arrays, variables;
static unsigned clears; /* how often all were forgotten */
static uint64_t instructions[MOST_INSTRUCTIONS + 1];
static unsigned instruction_count;

/* --- shadows -------------------------------------------------------------- */

/* Memory that is zero and costs nothing before it is used. Without it nothing
   could be said of the accesses, so the program ends. */
static void *map(size_t bytes)
{
    void *found = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (found == MAP_FAILED) {
        fprintf(stderr,
                "No memory is left for the checks, which need %zu MB more: "
                "choose a smaller size, as in N=64.\n",
                bytes / 1000000 + 1);
        _exit(2);
    }
    return found;
}

static void make_shadow(struct simt_shadow *shadow, uintptr_t base,
                        size_t bytes)
{
    shadow->base = base / 4 * 4;
    shadow->bytes = (bytes + base % 4 + 3) / 4 * 4;
    shadow->word = map(shadow->bytes / 4 * sizeof *shadow->word);
}

struct simt_word *simt_shadow_bytes(struct simt_shadow *shadow)
{
    if (shadow->byte == NULL) {
        pthread_mutex_lock(&lock);
        if (shadow->byte == NULL)
            shadow->byte = map(shadow->bytes * sizeof *shadow->byte);
        pthread_mutex_unlock(&lock);
    }
    return shadow->byte;
}

/* The slot of `number` in a list; NULL without memory. Locked. */
static struct simt_shadow **shadow_slot(struct list *list, unsigned number)
{
    if (number >= list->room) {
        const unsigned room = 2 * number + 64;
        struct simt_shadow **larger =
            realloc(list->shadow, room * sizeof(struct simt_shadow *));

        if (larger == NULL)
            return NULL;
        memset(larger + list->room, 0,
               (room - list->room) * sizeof(struct simt_shadow *));
        list->shadow = larger;
        list->room = room;
    }
    return &list->shadow[number];
}

/* The shadow of that number, made if it is not there. Locked. */
static struct simt_shadow *find_shadow(struct list *list, unsigned number,
                                       uintptr_t base, size_t bytes)
{
    struct simt_shadow **slot = shadow_slot(list, number);

    if (slot != NULL && *slot == NULL) {
        *slot = calloc(1, sizeof **slot);
        if (*slot != NULL)
            make_shadow(*slot, base, bytes);
    }
    return slot != NULL ? *slot : NULL;
}

/* The same of an allocation: nothing of it is written yet, unless the host may
   have written it unseen. */
static struct simt_shadow *find_array(const struct simt_allocation *a,
                                      unsigned number)
{
    const int is_new = number >= arrays.room || arrays.shadow[number] == NULL;
    struct simt_shadow *shadow =
        find_shadow(&arrays, number, (uintptr_t)a->base, a->size);

    if (shadow != NULL && is_new && a->kind == SIMT_DEVICE_MEMORY)
        shadow->written = map(a->size);
    return shadow;
}

struct simt_shadow *simt_shadow_of(const struct simt_allocation *allocation,
                                   unsigned number)
{
    struct simt_shadow *shadow;

    pthread_mutex_lock(&lock);
    shadow = find_array(allocation, number);
    pthread_mutex_unlock(&lock);
    return shadow;
}

struct simt_shadow *simt_shadow_of_variable(unsigned number, uintptr_t base,
                                            size_t bytes)
{
    struct simt_shadow *shadow;

    pthread_mutex_lock(&lock);
    shadow = find_shadow(&variables, number, base, bytes);
    pthread_mutex_unlock(&lock);
    return shadow;
}

void simt_memory_written(void *to, size_t size)
{
    const unsigned number = simt_memory_number(to);
    const struct simt_allocation *a = simt_memory_numbered(number);
    struct simt_shadow *shadow;

    if (a == NULL || !simt_recording)
        return;
    pthread_mutex_lock(&lock);
    shadow = find_array(a, number);
    if (shadow != NULL && shadow->written != NULL) {
        if (size >= a->size) {
            munmap(shadow->written, a->size);
            shadow->written = NULL;
        } else {
            memset(shadow->written + ((char *)to - a->base), 1, size);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Bytes of which all bits are set, as all of fresh memory: memory.c. */
static int is_fresh(const unsigned char *from, size_t size)
{
    return from[0] == 0xFF && memcmp(from, from + 1, size - 1) == 0;
}

int simt_memory_is_unwritten(const void *from, size_t size)
{
    const unsigned number = simt_memory_number(from);
    const struct simt_allocation *a = simt_memory_numbered(number);
    const struct simt_shadow *shadow;
    int unwritten;

    if (a == NULL || !simt_recording)
        return 0;
    pthread_mutex_lock(&lock);
    shadow = find_array(a, number);
    unwritten = shadow != NULL && shadow->written != NULL &&
                memchr(shadow->written + ((const char *)from - a->base), 1,
                       size) == NULL &&
                is_fresh(from, size);
    pthread_mutex_unlock(&lock);
    return unwritten;
}

void simt_array_unwritten(const void *pointer)
{
    const unsigned number = simt_memory_number(pointer);
    const struct simt_allocation *a = simt_memory_numbered(number);
    struct simt_shadow *shadow;

    if (a == NULL || !simt_recording)
        return;
    pthread_mutex_lock(&lock);
    shadow = find_array(a, number);
    if (shadow != NULL) {
        if (shadow->written != NULL)
            munmap(shadow->written, a->size);
        shadow->written = map(a->size);
        shadow->written_to = 0;
    }
    pthread_mutex_unlock(&lock);
}

void simt_shadow_settle(void)
{
    for (unsigned i = 0; i < arrays.room; i++) {
        const struct simt_allocation *a = simt_memory_numbered(i);
        struct simt_shadow *shadow = arrays.shadow[i];

        if (shadow == NULL)
            continue;
        if (a->freed) {
            if (shadow->word != NULL)
                munmap(shadow->word, shadow->bytes / 4 * sizeof *shadow->word);
            if (shadow->byte != NULL)
                munmap(shadow->byte, shadow->bytes * sizeof *shadow->byte);
            if (shadow->written != NULL)
                munmap(shadow->written, a->size);
            free(shadow);
            arrays.shadow[i] = NULL;
        } else if (shadow->written != NULL) {
            const size_t from = shadow->written_to;
            const unsigned char *gap =
                memchr(shadow->written + from, 0, a->size - from);

            if (gap != NULL) {
                shadow->written_to = (size_t)(gap - shadow->written);
            } else {
                munmap(shadow->written, a->size);
                shadow->written = NULL;
            }
        }
    }
}

unsigned simt_instruction_number(uint64_t key)
{
    unsigned number = 0;

    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i <= instruction_count && number == 0; i++) {
        if (instructions[i] == key)
            number = i;
    }
    if (number == 0 && instruction_count < MOST_INSTRUCTIONS) {
        number = ++instruction_count;
        instructions[number] = key;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

uint64_t simt_instruction_key(unsigned number)
{
    return instructions[number];
}

/* Sets all touches of an array to none. */
static void forget_touches(struct simt_shadow *shadow)
{
    if (shadow->word != NULL) {
        madvise(shadow->word, shadow->bytes / 4 * sizeof *shadow->word,
                MADV_DONTNEED);
    }
    if (shadow->byte != NULL) {
        madvise(shadow->byte, shadow->bytes * sizeof *shadow->byte,
                MADV_DONTNEED);
    }
}

void simt_shadow_shared(struct simt_worker *worker)
{
    struct simt_recorder *recorder = worker->recorder;

    if (recorder->clears != clears) {
        forget_touches(&recorder->statics);
        forget_touches(&recorder->dynamics);
        recorder->clears = clears;
    }
    /* OS threads are begun anew for each launch, and with them the place of
       their shared memory; what was touched before is of no interest. */
    recorder->statics.base = (uintptr_t)worker->shared / 4 * 4;
    if (recorder->statics.word == NULL && worker->shared_size > 0) {
        make_shadow(&recorder->statics, (uintptr_t)worker->shared,
                    worker->shared_size);
        recorder->statics.is_shared = 1;
    }
    /* A later launch runs the worker on another OS thread, whose shared memory
       lies elsewhere. */
    recorder->statics.base = (uintptr_t)worker->shared / 4 * 4;
    if (recorder->dynamics.word == NULL) {
        make_shadow(&recorder->dynamics, (uintptr_t)worker->dynamic_shared,
                    SIMT_MAX_SHARED);
        recorder->dynamics.is_shared = 1;
    }
}

void simt_shadow_clear(void)
{
    clears++;
    for (unsigned i = 0; i < arrays.room; i++) {
        if (arrays.shadow[i] != NULL)
            forget_touches(arrays.shadow[i]);
    }
    for (unsigned i = 0; i < variables.room; i++) {
        if (variables.shadow[i] != NULL)
            forget_touches(variables.shadow[i]);
    }
}
