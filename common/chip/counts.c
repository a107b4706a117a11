#define _GNU_SOURCE
#include "counts.h"

#include "banks/banks.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    SECTOR = 32,
    LINE = 128
};

/* One request of a warp. */
struct request {
    int warp, array, size, is_shared, is_store, is_async;
    unsigned interval;
    uint64_t code; /* of the instruction */
    uint32_t active;
    uint64_t offset[LANES];
    int round;     /* of a loop over neighbouring words, from 0 */
    int window;    /* number of those that stand together */
    int is_merged; /* into another one, or counted */
    uint64_t bits; /* of all addresses of its instruction in that round */
};

/* A line of global memory that a warp loads. */
struct first {
    int warp;
    uint64_t line;
    size_t request;
};

struct requests {
    struct request *row;
    size_t count;
};

/* --- reading -------------------------------------------------------------- */

/* The number at *at, which goes on behind the comma. */
static uint64_t take_number(char **at, int base)
{
    const uint64_t number = strtoull(*at, at, base);

    *at += **at == ',';
    return number;
}

/* The word at *at, likewise, without its quotes if it has any. */
static const char *take_word(char **at)
{
    const int is_quoted = **at == '"';
    char *const word = *at + is_quoted;

    *at = word + strcspn(word, is_quoted ? "\"" : ",");
    if (**at != '\0')
        *(*at)++ = '\0';
    *at += is_quoted && **at == ',';
    return word;
}

/* Reads a line, of which the launch goes into block. Returns 0, 1 if what it
   asks for is no memory that counts, or -1 if it is no request. */
static int read_line(char *line, struct chip_block *block, struct request *r)
{
    char *at = line;
    const char *space;

    snprintf(block->kernel, sizeof block->kernel, "%s", take_word(&at));
    for (int i = 0; i < 3; i++)
        block->grid[i] = (unsigned)take_number(&at, 10);
    block->threads = (int)take_number(&at, 10);
    r->interval = (unsigned)take_number(&at, 10);
    block->dynamic_shared = take_number(&at, 10);
    r->warp = (int)take_number(&at, 10);
    r->array = (int)take_number(&at, 10);
    r->code = take_number(&at, 10);
    take_word(&at); /* the line */
    take_word(&at); /* the array's name */
    space = take_word(&at);
    r->is_shared = strcmp(space, "shared") == 0;
    r->is_store = strcmp(take_word(&at), "load") != 0;
    r->size = (int)take_number(&at, 10);
    r->is_async = (int)take_number(&at, 10);
    r->active = (uint32_t)take_number(&at, 16);
    for (int lane = 0; lane < LANES; lane++) {
        if (r->active >> lane & 1)
            r->offset[lane] = (uint64_t)strtoll(at, &at, 10);
    }
    if (r->active == 0 || r->size == 0 || *at != '\n')
        return -1;
    return strcmp(space, "constant") == 0;
}

/* Keeps the requests of kernel number nth. As chip_block_read. */
static int read_lines(FILE *file, int nth, struct requests *r,
                      struct chip_block *block)
{
    struct chip_block launch = {.threads = 0}, before;
    char *line = NULL;
    size_t room = 0;
    int kernels = -1, result = 1;

    if (getline(&line, &room, file) < 0)
        result = -1; /* the header */
    while (result != -1 && getline(&line, &room, file) > 0) {
        struct request request = {0}, *added;
        int what;

        before = launch;
        what = read_line(line, &launch, &request);
        /* A template has one name for all its kernels. */
        kernels += strcmp(launch.kernel, before.kernel) != 0 ||
                   launch.threads != before.threads;
        if (what == -1)
            errno = EINVAL;
        if (what == 0 && kernels == nth) {
            added = base_list_add(&r->row, &r->count, sizeof *added);
            if (added != NULL)
                *added = request;
            *block = launch;
            result = added != NULL ? 0 : -1;
        }
        result = what == -1 ? -1 : result;
    }
    free(line);
    return result;
}

/* --- what nvcc merges ----------------------------------------------------- */

/* 1 if each lane of b lies `bytes` behind the same lane of a. */
static int lies_behind(const struct request *a, const struct request *b,
                       uint64_t bytes)
{
    if (a->active != b->active)
        return 0;
    for (int lane = 0; lane < LANES; lane++) {
        if ((a->active >> lane & 1) &&
            b->offset[lane] != a->offset[lane] + bytes)
            return 0;
    }
    return 1;
}

/* Does an instruction go on from a to b along neighbouring words? Forwards or
   backwards, and by as many as others beside it may load between: a loop of
   every other word loads two. */
static int goes_on(const struct request *a, const struct request *b)
{
    for (uint64_t bytes = 4; bytes < 16; bytes += 4) {
        if (lies_behind(a, b, bytes) || lies_behind(b, a, bytes))
            return 1;
    }
    return 0;
}

static int may_merge(const struct request *r)
{
    return r->is_shared && !r->is_store && r->size == 4;
}

/* The last load before `at` of the same warp and array; of the same window too
   and by the same instruction, if asked. NULL: none. */
static struct request *before(struct requests *r, size_t at, int window)
{
    const struct request *now = &r->row[at];

    for (size_t i = at; i-- > 0;) {
        struct request *q = &r->row[i];

        if (!may_merge(q) || q->warp != now->warp || q->array != now->array)
            continue;
        if (window != 0 && q->window != window)
            return NULL;
        if (window == 0 || q->code == now->code)
            return q;
    }
    return NULL;
}

/*
 * Numbers the windows of a warp's loads of an array: from where it comes to an
 * instruction to where it does so again, or to a barrier. An instruction that
 * goes on along neighbouring words stays in its window.
 */
static void find_windows(struct requests *r)
{
    int windows = 0;

    for (size_t i = 0; i < r->count; i++) {
        struct request *now = &r->row[i], *last, *same;

        if (!may_merge(now))
            continue;
        last = before(r, i, 0);
        if (last == NULL || last->interval != now->interval) {
            now->window = ++windows;
            continue;
        }
        same = before(r, i, last->window);
        if (same != NULL && goes_on(same, now)) {
            now->round = same->round + 1;
        } else if (same != NULL) {
            now->window = ++windows;
            continue;
        }
        now->window = last->window;
    }
}

/* An instruction in one round, and the bits of all its addresses. */
struct turn {
    uint64_t code, bits;
    int array, round;
};

static struct turn *turn_of(struct turn *turn, size_t *turns,
                            const struct request *q)
{
    size_t at = 0;

    while (at < *turns &&
           (turn[at].code != q->code || turn[at].array != q->array ||
            turn[at].round != q->round))
        at++;
    if (at == *turns) {
        turn[(*turns)++] = (struct turn){
            .code = q->code, .array = q->array, .round = q->round};
    }
    return &turn[at];
}

/* Sets bits of each load to those of its instruction's addresses in that round,
   in all warps. Returns 0, or -1 without memory. */
static int find_bits(struct requests *r)
{
    struct turn *turn = malloc((r->count + 1) * sizeof *turn);
    size_t turns = 0;

    if (turn == NULL)
        return -1;
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < r->count; i++) {
            struct request *q = &r->row[i];
            struct turn *p;

            if (!may_merge(q))
                continue;
            p = turn_of(turn, &turns, q);
            for (int lane = 0; lane < LANES; lane++)
                p->bits |= q->active >> lane & 1 ? q->offset[lane] : 0;
            q->bits = p->bits;
        }
    }
    free(turn);
    return 0;
}

/* The load of this window that lies `bytes` behind, or NULL. Windows begin
   close to each other, so the search is short. */
static struct request *behind(struct request **window, size_t count,
                              const struct request *of, uint64_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (!window[i]->is_merged && lies_behind(of, window[i], bytes))
            return window[i];
    }
    return NULL;
}

/* The widest load that this one begins, in bytes. What it takes in is
   marked. */
static int merge_from(struct request **window, size_t count,
                      struct request *first)
{
    for (int width = 16; width > 4; width /= 2) {
        struct request *part[4] = {first};
        int parts = 1;

        if (first->bits % (uint64_t)width != 0)
            continue;
        while (parts < width / 4 &&
               (part[parts] =
                    behind(window, count, first, 4 * (uint64_t)parts)) != NULL)
            parts++;
        if (parts < width / 4)
            continue;
        while (--parts > 0)
            part[parts]->is_merged = 1;
        return width;
    }
    return 4;
}

static int by_window(const void *a, const void *b)
{
    const struct request *p = *(struct request *const *)a;
    const struct request *q = *(struct request *const *)b;
    const int lane = p->active ? __builtin_ctz(p->active) : 0;

    if (p->window != q->window)
        return p->window < q->window ? -1 : 1;
    if (p->offset[lane] != q->offset[lane])
        return p->offset[lane] < q->offset[lane] ? -1 : 1;
    return p < q ? -1 : p > q;
}

/* --- what a block asks for ------------------------------------------------ */

static int index_of_width(int bytes)
{
    return bytes <= 4 ? 0 : bytes == 8 ? 1 : 2;
}

static void count_load(const struct request *q, int width,
                       struct chip_block *block)
{
    const int at = index_of_width(width);

    block->count[BLOCK_LOADS + at]++;
    block->count[BLOCK_LOAD_PASSES + at] +=
        banks_wavefronts(BANKS_TODAY, q->offset, q->active, width, 0);
}

/* The loads of shared memory, as nvcc would make them. */
static int count_merged(struct requests *r, struct chip_block *block)
{
    struct request **order = malloc((r->count + 1) * sizeof(struct request *));
    size_t loads = 0;

    if (order == NULL || find_bits(r) != 0) {
        free(order);
        return -1;
    }
    for (size_t i = 0; i < r->count; i++) {
        if (may_merge(&r->row[i]))
            order[loads++] = &r->row[i];
    }
    qsort(order, loads, sizeof(struct request *), by_window);
    for (size_t i = 0, end; i < loads; i = end) {
        end = i + 1;
        while (end < loads && order[end]->window == order[i]->window)
            end++;
        for (size_t j = i; j < end; j++) {
            if (order[j]->is_merged)
                continue;
            order[j]->is_merged = 1;
            count_load(order[j], merge_from(order + i, end - i, order[j]),
                       block);
        }
    }
    free(order);
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

enum which {
    ALL,
    LOADS,
    STORES
};

/* How many different pieces of `bytes` these requests of global memory touch,
   or the loads or stores among them; NaN without memory. No access crosses the
   end of a piece. */
static double count_pieces(const struct request *q, size_t count,
                           enum which which, uint64_t bytes)
{
    uint64_t *const piece = malloc((count * LANES + 1) * sizeof *piece);
    size_t all = 0, different = 0;

    if (piece == NULL)
        return (double)NAN;
    for (const struct request *const end = q + count; q < end; q++) {
        for (int lane = 0; lane < LANES; lane++) {
            if ((q->active >> lane & 1) && !q->is_shared &&
                (which == ALL || q->is_store == (which == STORES))) {
                piece[all++] = ((uint64_t)(unsigned)q->array << 40) +
                               q->offset[lane] / bytes;
            }
        }
    }
    qsort(piece, all, sizeof *piece, by_value);
    for (size_t i = 0; i < all; i++)
        different += i == 0 || piece[i] != piece[i - 1];
    free(piece);
    return (double)different;
}

/* Intervals of the first warp in which it stores to shared memory. */
static double count_tiles(const struct requests *r)
{
    unsigned last = 0;
    double tiles = 0.0;

    for (size_t i = 0; i < r->count; i++) {
        const struct request *q = &r->row[i];

        if (q->warp == 0 && q->is_shared && q->is_store &&
            (tiles < 1.0 || q->interval != last)) {
            last = q->interval;
            tiles++;
        }
    }
    return tiles;
}

/* By warp and line, and in the order of the requests. */
static int by_place(const void *a, const void *b)
{
    const struct first *p = a, *q = b;

    if (p->warp != q->warp)
        return p->warp < q->warp ? -1 : 1;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->request > q->request) - (p->request < q->request);
}

/* Global loads that are the first of their warp to touch one of their lines. */
static double count_fresh(struct requests *r)
{
    struct first *line = malloc((r->count * LANES + 1) * sizeof *line);
    size_t lines = 0, fresh = 0;

    if (line == NULL)
        return (double)NAN;
    for (size_t i = 0; i < r->count; i++) {
        const struct request *q = &r->row[i];

        for (int lane = 0; lane < LANES; lane++) {
            if ((q->active >> lane & 1) && !q->is_shared && !q->is_store) {
                line[lines++] = (struct first){
                    .warp = q->warp,
                    .line = ((uint64_t)(unsigned)q->array << 40) +
                            q->offset[lane] / LINE,
                    .request = i};
            }
        }
    }
    qsort(line, lines, sizeof *line, by_place);
    for (size_t i = 0; i < lines; i++) {
        struct request *q = &r->row[line[i].request];

        if (i == 0 || line[i].warp != line[i - 1].warp ||
            line[i].line != line[i - 1].line) {
            fresh += !q->is_merged;
            q->is_merged = 1; /* counted */
        }
    }
    free(line);
    return (double)fresh;
}

/* Elements of 4 bytes, in stores that are all as wide as the last one. */
static double count_stored(const struct requests *r)
{
    int size = 0;

    for (size_t i = 0; i < r->count; i++) {
        if (!r->row[i].is_shared && r->row[i].is_store)
            size = r->row[i].size;
    }
    return count_pieces(r->row, r->count, STORES, 4) * size / 4.0;
}

static void count_other(const struct request *q, struct chip_block *block)
{
    double *count = block->count;

    if (q->interval > count[BLOCK_BARRIERS])
        count[BLOCK_BARRIERS] = q->interval;
    if (q->is_shared && q->is_store) {
        count[BLOCK_STORES]++;
        count[BLOCK_STORE_PASSES] +=
            banks_wavefronts(BANKS_TODAY, q->offset, q->active, q->size, 1);
    } else if (q->is_shared && !may_merge(q)) {
        count_load(q, q->size, block);
    } else if (!q->is_shared && q->is_store) {
        count[BLOCK_GLOBAL_STORES]++;
        count[BLOCK_STORE_LINES] += count_pieces(q, 1, ALL, LINE);
    } else if (!q->is_shared) {
        count[BLOCK_GLOBAL_LOADS]++;
        count[BLOCK_GLOBAL_LINES] += count_pieces(q, 1, ALL, LINE);
        count[BLOCK_ASYNC_LOADS] += q->is_async;
    }
}

int chip_block_read(const char *path, int nth, struct chip_block *block,
                    char *why, size_t size)
{
    struct requests r = {0};
    FILE *file = fopen(path, "r");
    int result = -1;

    *block = (struct chip_block){0};
    if (file != NULL) {
        errno = 0;
        result = read_lines(file, nth, &r, block);
        if (result == -1 && errno == 0)
            errno = EINVAL;
        fclose(file);
    }
    if (result == 0) {
        for (size_t i = 0; i < r.count; i++)
            count_other(&r.row[i], block);
        find_windows(&r);
        block->count[BLOCK_SECTORS] =
            count_pieces(r.row, r.count, LOADS, SECTOR);
        block->count[BLOCK_DISTINCT] =
            count_pieces(r.row, r.count, LOADS, LINE);
        block->count[BLOCK_STORED] = count_stored(&r);
        block->count[BLOCK_FRESH] = count_fresh(&r);
        block->count[BLOCK_TILES] = count_tiles(&r);
        result = count_merged(&r, block);
        for (int i = 0; i < BLOCK_COUNTS; i++)
            result = isnan(block->count[i]) ? -1 : result;
        errno = ENOMEM;
    }
    free(r.row);
    if (result == -1)
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
    return result;
}
