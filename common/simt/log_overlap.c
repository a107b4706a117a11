/* How much of its work does a thread do while a tile is on its way? */
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_BACK = 8192, /* accesses of a thread, between a load and its store */
    PART = 20,        /* of its shared loads, at the least from a tile */
    EARLY =
        8, /* of the work before a word comes, it is on its way in so much */
    TILES = 16 /* arrays that are told apart */
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

/* 1 for a store that brings something to a tile, from wherever. */
static int is_bringing(const struct simt_access *to, const struct tiles *tiles)
{
    return to->space == SIMT_SHARED && to->kind == SIMT_STORE && to->known &&
           (to->value[0] < 0.0f || to->value[0] > 0.0f) &&
           is_tile(tiles, to->array);
}

/* The load from global memory that a store has its value from; the store itself
   if there is none. */
static size_t fetch_of(const struct simt_access *access, size_t store,
                       const struct tiles *tiles)
{
    const struct simt_access *const to = &access[store];

    if (!is_bringing(to, tiles))
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

/* A word that comes to a tile: how many shared loads the thread has made before
   its load, or, where that is not known, before its store; and before it comes.
 */
struct word {
    size_t begun, there, bytes;
};

static int by_coming(const void *a, const void *b)
{
    const struct word *const x = a, *const y = b;

    return (x->there > y->there) - (x->there < y->there);
}

/*
 * How many of the shared loads are made while words are on their way, times the
 * share of those words: of words that come while the thread works, those that
 * are on their way in a good part of the work since the last ones came.
 */
static double loads_during(struct word *word, size_t words)
{
    size_t last = 0, during = 0, early = 0, all = 0;

    qsort(word, words, sizeof *word, by_coming);
    for (size_t i = 0; i < words;) {
        const size_t there = word[i].there;
        size_t first = there;

        for (; i < words && word[i].there == there; i++) {
            const size_t begun = word[i].begun > last ? word[i].begun : last;
            const int is_early =
                there > begun && EARLY * (there - begun) >= there - last;

            early += is_early ? word[i].bytes : 0;
            all += there > 0 ? word[i].bytes : 0;
            first = is_early && begun < first ? begun : first;
        }
        during += there - first;
        last = there;
    }
    return all > 0 ? (double)during * (double)early / (double)all : 0.0;
}

/* What the thread did in one launch: simt.h's own_ fields. */
static void look_at_launch(const struct simt_access *access, size_t accesses,
                           struct simt_count *count)
{
    size_t all = 0, words = 0, known = 0;
    int copies = 0, later = 0, later_copies = 0, idle = 0;
    const struct tiles tiles = find_tiles(access, accesses);
    struct word *const word = calloc(accesses + 1, sizeof *word);
    size_t *const before = calloc(accesses + 2, sizeof *before);

    for (size_t i = 0; before != NULL && i < accesses; i++) {
        all += access[i].space == SIMT_SHARED && access[i].kind == SIMT_LOAD;
        before[i + 1] = all;
    }
    for (size_t i = 0; word != NULL && before != NULL && i < accesses; i++) {
        const struct simt_access *const a = &access[i];
        const size_t fetch = a->is_async ? i : fetch_of(access, i, &tiles);
        size_t there = i;

        if (a->is_async) { /* its own store follows */
            copies++;
            there = i + 1 < accesses ? a[1].there : 0;
            if (a->kind == SIMT_LOAD && before[i] > 0) {
                later_copies++;
                idle += there > 0 && before[there] == before[i];
            }
            count->own_fetch_line = a->line;
            count->own_store_line = i + 1 < accesses ? a[1].awaited : 0;
        } else if (fetch < i && copies == 0) {
            count->own_fetch_line = access[fetch].line;
            count->own_store_line = a->line;
        }
        if (!a->is_async &&
            ((i > 0 && a[-1].is_async) || !is_bringing(a, &tiles)))
            continue;
        known += a->is_async || fetch < i;
        later += (a->is_async || fetch < i) && before[i] > 0;
        if (there > 0) {
            word[words++] = (struct word){.begun = before[fetch],
                                          .there = before[there],
                                          .bytes = (size_t)a->size};
        }
    }
    if (known > 0) {
        count->own_shared_loads = all;
        count->own_overlapped_loads = (uint64_t)loads_during(word, words);
        count->own_later_fetches = later;
        count->own_idle = idle > 0 && idle == later_copies;
    }
    free(word);
    free(before);
}

void simt_log_overlap(const struct simt_log *log, struct simt_count *count)
{
    int cut;
    size_t accesses, end;
    const struct simt_access *const access =
        simt_log_read(log, &accesses, &cut);
    double overlapped = 0.0, flops = 0.0, most = -1.0;

    if (cut || count->launches == SIMT_LAUNCHES)
        return;
    for (size_t i = 0; i < count->launches; i++)
        flops += (double)count->launch[i].flops;
    for (size_t i = 0; i < accesses; i = end) {
        struct simt_count one = {.launches = 0};
        double weight;

        for (end = i; end < accesses && access[end].launch == access[i].launch;)
            end++;
        if (access[i].launch >= count->launches)
            continue;
        weight = (double)count->launch[access[i].launch].flops;
        look_at_launch(&access[i], end - i, &one);
        if (one.own_shared_loads == 0)
            continue;
        overlapped += weight * (double)one.own_overlapped_loads /
                      (double)one.own_shared_loads;
        if (weight <= most)
            continue;
        most = weight;
        count->own_shared_loads = one.own_shared_loads;
        count->own_fetch_line = one.own_fetch_line;
        count->own_store_line = one.own_store_line;
        count->own_later_fetches = one.own_later_fetches;
        count->own_idle = one.own_idle;
    }
    if (flops > 0.0) {
        count->own_overlapped_loads =
            (uint64_t)(overlapped / flops * (double)count->own_shared_loads +
                       0.5);
    }
}
