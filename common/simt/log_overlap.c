/* How much of its work does a thread do while a tile is on its way? */
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_BACK = 8192, /* accesses of a thread, between a load and its store */
    PART = 20,        /* of its shared loads, at the least from a tile */
    EARLY = 8 /* of the work before a word comes, it is on its way in so much */
};

/* How many of a thread's shared loads are from which array, and from where to
   where. */
struct tile {
    unsigned array;
    size_t loads;
    uintptr_t first, last;
};

struct tiles {
    struct tile *of;
    size_t all, few; /* few: of arrays that have few each */
    int count;
};

/* 1 if a good part of the shared loads are from there; or from many that have
   few each. */
static int has_part(const struct tiles *t, int i)
{
    return PART * (t->of[i].loads + t->few) >= t->all;
}

/* of is NULL if there are none, or no memory. */
static struct tiles find_tiles(const struct simt_access *access, size_t count)
{
    struct tiles t = {.of = NULL};
    int room = 0;

    for (size_t i = 0; i < count; i++) {
        int at = 0;

        if (access[i].space != SIMT_SHARED || access[i].kind != SIMT_LOAD)
            continue;
        while (at < t.count && t.of[at].array != access[i].array)
            at++;
        if (at == room) {
            const size_t bytes = (size_t)(2 * room + 8) * sizeof *t.of;
            struct tile *const of = realloc(t.of, bytes);

            if (of == NULL)
                continue;
            room = 2 * room + 8;
            t.of = of;
        }
        if (at == t.count) {
            t.of[t.count++] = (struct tile){.array = access[i].array,
                                            .first = access[i].offset};
        }
        t.all++;
        t.of[at].loads++;
        if (access[i].offset < t.of[at].first)
            t.of[at].first = access[i].offset;
        if (access[i].offset > t.of[at].last)
            t.of[at].last = access[i].offset;
    }
    for (int i = 0; i < t.count; i++)
        t.few += PART * t.of[i].loads < t.all ? t.of[i].loads : 0;
    return t;
}

/* 1 for a store, or an atomic operation, on an array that the thread works on,
   and not on others alone, between the first and the last of its words. */
static int is_to_tile(const struct simt_access *to, const struct tiles *t)
{
    for (int i = 0; i < t->count && to->space == SIMT_SHARED; i++) {
        if (t->of[i].array == to->array) {
            return to->kind != SIMT_LOAD && to->offset >= t->of[i].first &&
                   to->offset <= t->of[i].last && has_part(t, i);
        }
    }
    return 0;
}

/* A part of a word is one, too. */
static int words_of(const struct simt_access *access)
{
    return access->known ? (access->size + 3) / 4 : 0;
}

/* How many words of the tile something is brought to, from wherever. */
static int words_brought(const struct simt_access *to,
                         const struct tiles *tiles)
{
    return is_to_tile(to, tiles) ? words_of(to) : 0;
}

/* Inputs are all different: the same digits are the same element, or what was
   made of it by a sign or a power of two. */
static int is_same(float a, float b)
{
    const uint32_t digits = UINT32_C(0x7fffff);
    uint32_t x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y || ((x & digits) != 0 && (x & digits) == (y & digits));
}

/* The load from global memory that a word of a store has its value from; the
   store itself if there is none. */
static size_t fetch_of(const struct simt_access *access, size_t store, int word)
{
    const struct simt_access *const to = &access[store];

    for (size_t i = store; i-- > 0 && store - i < LOOK_BACK;) {
        const struct simt_access *const from = &access[i];

        for (int w = 0; from->space == SIMT_GLOBAL && from->kind == SIMT_LOAD &&
                        w < words_of(from);
             w++) {
            if (is_same(from->value[w], to->value[word]))
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
    uintptr_t at, store; /* where it lies, and where its store begins */
};

static int by_coming(const void *a, const void *b)
{
    const struct word *const x = a, *const y = b;

    return (x->there > y->there) - (x->there < y->there);
}

/* Where stores begin that take the place of what had been loaded, or had
   not. */
struct places {
    uintptr_t *at;
    size_t count;
};

static int by_place(const void *a, const void *b)
{
    const uintptr_t *const x = a, *const y = b;

    return (*x > *y) - (*x < *y);
}

static struct places find_places(const struct simt_access *access, size_t count,
                                 int was_loaded)
{
    struct places p = {.at = malloc((count + 1) * sizeof *p.at)};

    for (size_t i = 0; p.at != NULL && i < count; i++) {
        if (access[i].space == SIMT_SHARED &&
            access[i].was_loaded == was_loaded)
            p.at[p.count++] = access[i].base + access[i].offset;
    }
    if (p.count > 0)
        qsort(p.at, p.count, sizeof *p.at, by_place);
    return p;
}

static int is_among(const struct places *p, uintptr_t place)
{
    return p->count > 0 &&
           bsearch(&place, p->at, p->count, sizeof *p->at, by_place) != NULL;
}

/*
 * How many of the shared loads are made while words are on their way, times the
 * share of those words: of words that come while the thread works, those that
 * are on their way in a good part of the work since the last ones came. Early
 * ones that nobody loads are none.
 */
static double loads_during(struct word *word, size_t words,
                           const struct places *loaded,
                           const struct places *unloaded)
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

            if (is_early && is_among(unloaded, word[i].store) &&
                !is_among(loaded, word[i].store))
                continue;
            early += is_early ? word[i].bytes : 0;
            all += there > 0 ? word[i].bytes : 0;
            first = is_early && begun < first ? begun : first;
        }
        during += there - first;
        last = there;
    }
    return all > 0 ? (double)during * (double)early / (double)all : 0.0;
}

/* What the thread does in one launch, as far as it was looked at. */
struct launch {
    const struct simt_access *access;
    size_t accesses;
    struct tiles tiles;
    size_t *before;    /* of each access, how many shared loads come before */
    struct word *word; /* that come to a tile */
    size_t words, known;
    int copies, later_copies, idle;
};

/* An asynchronous copy to a tile: its own store follows its load. */
static void follow_copy(struct launch *l, size_t i, struct simt_count *count)
{
    const struct simt_access *const a = &l->access[i];
    const size_t there = a[1].there;

    if (!is_to_tile(&a[1], &l->tiles))
        return;
    l->copies++;
    l->known++;
    if (l->before[i] > 0) {
        l->later_copies++;
        l->idle += there > 0 && l->before[there] == l->before[i];
        count->own_later_fetches++;
    }
    count->own_fetch_line = a->line;
    count->own_store_line = a[1].awaited;
    if (there > 0) {
        l->word[l->words++] = (struct word){.begun = l->before[i],
                                            .there = l->before[there],
                                            .bytes = (size_t)a->size,
                                            .store = a[1].base + a[1].offset};
    }
}

/* Keeps a word that comes. What lies there, and was never loaded, it takes the
   place of. */
static void add_word(struct launch *l, struct word word)
{
    size_t i = l->words;

    while (i > 0 && l->word[i - 1].there == word.there &&
           l->word[i - 1].at != word.at)
        i--;
    if (i == 0 || l->word[i - 1].there != word.there)
        i = ++l->words;
    l->word[i - 1] = word;
}

static void follow_store(struct launch *l, size_t i, struct simt_count *count)
{
    const struct simt_access *const a = &l->access[i];
    const int words = words_brought(a, &l->tiles);

    for (int w = 0; w < words; w++) {
        const size_t fetch = fetch_of(l->access, i, w);

        if (a->value[w] == 0.0f) /* beyond an edge; a NaN may be anything */
            continue;
        if (fetch < i) {
            l->known++;
            count->own_later_fetches += l->before[i] > 0;
        }
        if (fetch < i && l->copies == 0) {
            count->own_fetch_line = l->access[fetch].line;
            count->own_store_line = a->line;
        }
        add_word(l, (struct word){.begun = l->before[fetch],
                                  .there = l->before[i],
                                  .bytes = a->size < 4 ? (size_t)a->size : 4,
                                  .at = a->base + a->offset + 4 * (size_t)w,
                                  .store = a->base + a->offset});
    }
}

/* Fills simt.h's own_ fields but for the last. Returns the share of the
   thread's shared loads while something was on its way. */
static double look_at_launch(const struct simt_access *access, size_t accesses,
                             struct simt_count *count)
{
    struct launch l = {
        .access = access,
        .accesses = accesses,
        .tiles = find_tiles(access, accesses),
        .before = calloc(accesses + 2, sizeof(size_t)),
        .word = calloc(SIMT_VALUES * accesses + 1, sizeof(struct word))};
    const struct places loaded = find_places(access, accesses, 1);
    const struct places unloaded = find_places(access, accesses, -1);
    double during = 0.0;

    for (size_t i = 0; l.before != NULL && i < accesses; i++) {
        l.before[i + 1] = l.before[i] + (access[i].space == SIMT_SHARED &&
                                         access[i].kind == SIMT_LOAD);
    }
    for (size_t i = 0; l.word != NULL && l.before != NULL && i < accesses;
         i++) {
        if (access[i].is_async && i + 1 < accesses) {
            follow_copy(&l, i, count);
        } else if (i == 0 || !access[i - 1].is_async) {
            follow_store(&l, i, count);
        }
    }
    if (l.word != NULL && l.known > 0 && l.tiles.all > 0) {
        count->own_shared_loads = l.tiles.all;
        count->own_idle = l.idle > 0 && l.idle == l.later_copies;
        during = loads_during(l.word, l.words, &loaded, &unloaded) /
                 (double)l.tiles.all;
    }
    free(l.word);
    free(l.before);
    free(l.tiles.of);
    free(loaded.at);
    free(unloaded.at);
    return during;
}

void simt_log_overlap(const struct simt_log *log, struct simt_count *count)
{
    int cut;
    size_t accesses, end;
    const struct simt_access *const access =
        simt_log_read(log, &accesses, &cut);
    double most = -1.0;

    if (cut || count->launches == SIMT_LAUNCHES)
        return;
    for (size_t i = 0; i < count->launches; i++)
        count->own_idle_words += (double)count->launch[i].result_words;
    for (size_t i = 0; i < accesses; i = end) {
        struct simt_count one = {.launches = 0};
        double words, during;

        for (end = i; end < accesses && access[end].launch == access[i].launch;)
            end++;
        if (access[i].launch >= count->launches)
            continue;
        words = (double)count->launch[access[i].launch].result_words;
        during = look_at_launch(&access[i], end - i, &one);
        if (one.own_shared_loads == 0)
            continue;
        count->own_idle_words -= during * words;
        if (words <= most)
            continue;
        most = words;
        count->own_shared_loads = one.own_shared_loads;
        count->own_fetch_line = one.own_fetch_line;
        count->own_store_line = one.own_store_line;
        count->own_later_fetches = one.own_later_fetches;
        count->own_idle = one.own_idle;
    }
}
