/* How much of its work does a thread do while a tile is on its way? */
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_BACK = 8192, /* accesses of a thread, between a load and its store */
    PART = 20,        /* of its shared loads, at the least from a tile */
    TILES = 16        /* arrays that are told apart */
};

/* How many of a thread's shared loads are from which array. */
struct tiles {
    unsigned array[TILES];
    size_t loads[TILES], all;
    int count;
};

static struct tiles find_tiles(const struct simt_access *access, size_t count)
{
    struct tiles t = {.count = 0};

    for (size_t i = 0; i < count; i++) {
        int at = 0;

        if (access[i].space != SIMT_SHARED || access[i].kind != SIMT_LOAD)
            continue;
        while (at < t.count && t.array[at] != access[i].array)
            at++;
        if (at == t.count && t.count < TILES)
            t.array[t.count++] = access[i].array;
        if (at < TILES)
            t.loads[at]++;
        t.all++;
    }
    return t;
}

/* 1 if the thread works on that array, and not on others alone. */
static int is_tile(const struct tiles *t, unsigned array)
{
    for (int i = 0; i < t->count; i++) {
        if (t->array[i] == array)
            return PART * t->loads[i] >= t->all;
    }
    return 0;
}

/* The load from global memory that a store has its value from; the store itself
   if there is none. */
static size_t fetch_of(const struct simt_access *access, size_t store,
                       const struct tiles *tiles)
{
    const struct simt_access *const to = &access[store];

    if (to->space != SIMT_SHARED || to->kind != SIMT_STORE || !to->known ||
        to->value[0] == 0.0f || !is_tile(tiles, to->array))
        return store;
    for (size_t i = store; i-- > 0 && store - i < LOOK_BACK;) {
        const struct simt_access *const from = &access[i];

        for (int w = 0; from->space == SIMT_GLOBAL && from->kind == SIMT_LOAD &&
                        from->known && w < from->size / 4;
             w++) {
            if (from->value[w] == to->value[0])
                return i;
        }
    }
    return store;
}

void simt_log_overlap(const struct simt_log *log, struct simt_count *count)
{
    int cut;
    size_t accesses;
    int copies = 0; /* asynchronous ones */
    int works = 0;  /* it has loaded from shared memory */
    const struct simt_access *access = simt_log_read(log, &accesses, &cut);
    uint64_t all = 0, during = 0, counted = 0;
    int later = 0;
    const struct tiles tiles = find_tiles(access, accesses);
    unsigned char *under_way = calloc(accesses + 1, 1);

    for (size_t i = 0; under_way != NULL && i < accesses; i++) {
        const size_t fetch = fetch_of(access, i, &tiles);

        works |= access[i].space == SIMT_SHARED && access[i].kind == SIMT_LOAD;
        later += works && (fetch < i || access[i].is_async);
        counted += fetch < i || access[i].is_async;
        if (access[i].is_async) {
            copies++;
            count->own_fetch_line = access[i].line;
            count->own_store_line =
                i + 1 < accesses ? access[i + 1].awaited : 0;
        } else if (fetch < i && copies == 0) {
            count->own_fetch_line = access[fetch].line;
            count->own_store_line = access[i].line;
        }
        memset(under_way + fetch, 1, i - fetch);
    }
    for (size_t i = 0; under_way != NULL && i < accesses; i++) {
        if (access[i].space == SIMT_SHARED && access[i].kind == SIMT_LOAD) {
            all++;
            during += copies > 0 ? access[i].awaited != 0 : under_way[i];
        }
    }
    free(under_way);
    if (counted == 0 || cut)
        return;
    count->own_shared_loads = all;
    count->own_overlapped_loads = during;
    count->own_later_fetches = later;
}
