/*
 * Keeps one request and one footprint while kernels run. A block runs on one OS
 * thread from its beginning to its end, so what belongs to a block needs no
 * lock; which block's request is kept does.
 */
#define _GNU_SOURCE
#include "trace.h"

#include "lines.h"
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARPS = SIMT_MAX_THREADS / SIMT_WARP,
    MOST_ARRAYS = 64
};

int simt_tracing;

/* --- what is asked for ---------------------------------------------------- */

static struct {
    char *kernel, *array, *file;
    int line, size, nth;
    enum simt_space space;
    enum simt_kind kind;
} wanted; /* kernel is NULL: no request */

static struct {
    char *kernel; /* NULL: no footprint */
    uint64_t block;
    int thread;
} feet;

static int is_kernel(const struct simt_worker *worker, const char *kernel)
{
    return kernel != NULL && strcmp(worker->grid->launch->kernel, kernel) == 0;
}

/* The number of the block in the grid. */
static uint64_t block_of(const struct simt_worker *worker)
{
    const struct uint3 *at = &worker->block_index, *size = &worker->grid->size;

    return at->x + size->x * (at->y + (uint64_t)size->y * at->z);
}

/* --- one request ---------------------------------------------------------- */

/* The best so far; found: 1 for this launch, 2 for one that is over. */
static struct {
    pthread_mutex_t lock;
    _Atomic uint64_t rank; /* of its warp in the grid */
    atomic_int found;
    struct simt_request request;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER, .rank = UINT64_MAX};

/* How many such requests each warp of the block that a worker runs has made. */
static struct {
    uint64_t block; /* its number, and one */
    int seen[WARPS];
} progress[SIMT_MAX_WORKERS];

static int is_wanted_site(const struct simt_site *site, uint64_t key)
{
    const char *file;
    int line;

    if (simt_key_size(key) != wanted.size ||
        simt_key_kind_of(key) != wanted.kind ||
        simt_key_space_of(key) != wanted.space)
        return 0;
    simt_line_of(simt_key_code(key), &file, &line);
    return line == wanted.line && strcmp(file, wanted.file) == 0 &&
           strcmp(simt_array_name(wanted.kernel, site->array), wanted.array) ==
               0;
}

/* Counts a request of the warp. Returns how many it made before. */
static int count_one(const struct simt_worker *worker, uint64_t block, int warp)
{
    const int number = worker->number;

    if (progress[number].block != block + 1) {
        memset(progress[number].seen, 0, sizeof progress[number].seen);
        progress[number].block = block + 1;
    }
    return progress[number].seen[warp]++;
}

/* Where shared memory lies differs from one OS thread to the next, so its banks
   are counted from the beginning of the array: what is equal and what is not
   stays as it is. */
static void fill_costs(struct simt_request *r, uint64_t key, uintptr_t base,
                       const uint64_t address[SIMT_WARP])
{
    const enum banks_rule rule = simt_banks_rule();
    const int is_store = (simt_key_kind(key) & SIMT_EVENT_STORE) != 0;
    const int size = simt_key_size(key);
    int bytes;

    if (wanted.space == SIMT_GLOBAL) {
        r->sectors = simt_count_sectors(address, r->lanes, size, &bytes);
        r->sectors_ideal = (bytes + 31) / 32;
        return;
    }
    if (wanted.space != SIMT_SHARED)
        return;
    r->wavefronts =
        banks_schedule(rule, address, r->lanes, size, is_store, r->wavefront);
    r->wavefronts_ideal = banks_ideal(rule, address, r->lanes, size, is_store);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        if (r->lanes >> lane & 1) {
            r->bank[lane] = (int)((r->offset[lane] + base % BANKS_WIDTH) /
                                  BANKS_WIDTH % (uint64_t)banks_count(rule));
        }
    }
}

static void fill_request(struct simt_request *r,
                         const struct simt_worker *worker,
                         const struct simt_site *site, uint64_t key,
                         const uint64_t address[SIMT_WARP], uint32_t active)
{
    const struct uint3 *at = &worker->block_index, *size = &worker->grid->block;

    *r = (struct simt_request){
        .block = {at->x, at->y, at->z},
        .block_size = {size->x, size->y, size->z},
        .warp = worker->recorder->first_thread / SIMT_WARP,
        .array_bytes = site->extent,
    };
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        if ((active >> lane & 1) && address[lane] - site->base < site->extent) {
            r->lanes |= UINT32_C(1) << lane;
            r->offset[lane] = address[lane] - site->base;
        }
    }
    fill_costs(r, key, site->base, address);
}

static void keep_request(struct simt_worker *worker,
                         const struct simt_site *site, uint64_t key,
                         const uint64_t address[SIMT_WARP], uint32_t active)
{
    const uint64_t block = block_of(worker);
    const int warp = worker->recorder->first_thread / SIMT_WARP;
    const uint64_t rank = block * WARPS + (uint64_t)warp;

    if (rank >= kept.rank || !is_wanted_site(site, key) ||
        count_one(worker, block, warp) != wanted.nth)
        return;
    pthread_mutex_lock(&kept.lock);
    if (rank < kept.rank && kept.found != 2) {
        fill_request(&kept.request, worker, site, key, address, active);
        kept.found = 1;
        kept.rank = rank;
    }
    pthread_mutex_unlock(&kept.lock);
}

/* --- footprints ----------------------------------------------------------- */

static struct simt_footprint footprint[MOST_ARRAYS];
static unsigned array_number[MOST_ARRAYS];
static size_t arrays;
static int not_all;

/* The marks of an allocation, new if need be; NULL without memory. */
static unsigned char *marks_of(const struct simt_allocation *allocation,
                               unsigned number)
{
    unsigned char *touched;

    for (size_t i = 0; i < arrays; i++) {
        if (array_number[i] == number) {
            /* Where the footprint was made, so no const is lost. */
            return (unsigned char *)(uintptr_t)footprint[i].touched;
        }
    }
    touched = arrays < MOST_ARRAYS ? calloc(allocation->size, 1) : NULL;
    if (touched == NULL) {
        not_all = 1;
        return NULL;
    }
    footprint[arrays] =
        (struct simt_footprint){.bytes = allocation->size, .touched = touched};
    array_number[arrays++] = number;
    return touched;
}

static void mark(struct simt_worker *worker, uint64_t key,
                 const uint64_t address[SIMT_WARP], uint32_t active)
{
    const size_t size = (size_t)simt_key_size(key);
    const int first = worker->recorder->first_thread;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const void *at = (const void *)(uintptr_t)address[lane];
        const struct simt_allocation *allocation;
        unsigned char *touched;
        unsigned char by = SIMT_BY_BLOCK;

        if (!(active >> lane & 1) || !simt_memory_valid(at, size))
            continue; /* a variable of the program, or a mistake */
        allocation = simt_memory_find(at);
        touched = marks_of(allocation, simt_memory_number(at));
        if (touched == NULL)
            return;
        if (first / SIMT_WARP == feet.thread / SIMT_WARP)
            by |= SIMT_BY_WARP;
        if (first + lane == feet.thread)
            by |= SIMT_BY_THREAD;
        for (size_t i = 0; i < size; i++)
            touched[address[lane] - (uintptr_t)allocation->base + i] |= by;
    }
}

static void forget_footprint(void)
{
    while (arrays > 0)
        free((void *)(uintptr_t)footprint[--arrays].touched);
    not_all = 0;
}

/* --- the recorder's calls ------------------------------------------------- */

void simt_trace(struct simt_worker *worker, const struct simt_site *site,
                uint64_t key, const uint64_t address[SIMT_WARP],
                uint32_t active)
{
    simt_follow_stores(worker, key, address, active);
    simt_requests_write(worker, site, key, address, active);
    if (kept.found != 2 && is_kernel(worker, wanted.kernel))
        keep_request(worker, site, key, address, active);
    if (simt_key_space_of(key) == SIMT_GLOBAL &&
        is_kernel(worker, feet.kernel) && block_of(worker) == feet.block)
        mark(worker, key, address, active);
}

void simt_trace_end(void)
{
    simt_follow_launch_ended();
    if (kept.found)
        kept.found = 2;
    memset(progress, 0, sizeof progress);
}

/* --- asking and reading --------------------------------------------------- */

void simt_trace_update(void)
{
    simt_tracing = wanted.kernel != NULL || feet.kernel != NULL ||
                   simt_keeps_stores() || simt_requests_asked();
}

int simt_request_ask(const struct simt_row *row, int nth)
{
    free(wanted.kernel);
    free(wanted.array);
    free(wanted.file);
    memset(&wanted, 0, sizeof wanted);
    memset(progress, 0, sizeof progress);
    kept.found = 0;
    kept.rank = UINT64_MAX;
    if (row != NULL) {
        wanted.kernel = strdup(row->kernel);
        wanted.array = strdup(row->array);
        wanted.file = strdup(row->file);
        wanted.line = row->line;
        wanted.size = row->size;
        wanted.nth = nth;
        wanted.space = row->space;
        wanted.kind = row->kind;
        if (!wanted.kernel || !wanted.array || !wanted.file) {
            simt_request_ask(NULL, 0);
            errno = ENOMEM;
            return -1;
        }
    }
    simt_trace_update();
    return 0;
}

int simt_request_read(struct simt_request *request)
{
    if (kept.found)
        *request = kept.request;
    return kept.found != 0;
}

int simt_footprint_ask(const char *kernel, uint64_t block, int thread)
{
    free(feet.kernel);
    feet.kernel = kernel != NULL ? strdup(kernel) : NULL;
    feet.block = block;
    feet.thread = thread;
    forget_footprint();
    simt_trace_update();
    if (kernel != NULL && feet.kernel == NULL) {
        errno = ENOMEM;
        return -1;
    }
    return 0;
}

int simt_footprint_read(const struct simt_footprint **found, size_t *count)
{
    for (size_t i = 0; i < arrays; i++)
        footprint[i].array = simt_array_name(feet.kernel, array_number[i]);
    *found = footprint;
    *count = arrays;
    if (not_all) {
        errno = ENOMEM;
        return -1;
    }
    return 0;
}
