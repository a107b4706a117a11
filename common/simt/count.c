/* Counts requests by instruction and array, and adds them up by array. */
#define _GNU_SOURCE
#include "recorder.h"
#include "simt.h"

#include "../banks/banks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WITHOUT_DEPTH UINT64_C(0x0000ffffffffffff)

/* What all launches counted, by instruction, array and kernel. */
static struct simt_sites totals;
static struct simt_kernel *kernels;
static int kernel_count;
static struct simt_row *rows;
static int out_of_memory;

int simt_can_count(void)
{
    return 1;
}

/* --- one request ------------------------------------------------------------ */

static int sort_and_sweep(const uint64_t *address, uint32_t active, int size,
                          int *bytes)
{
    uint64_t sorted[SIMT_WARP] = {0};
    uint64_t seen = 0;        /* bytes below this one are counted */
    uint64_t next_sector = 0; /* likewise sectors */
    int count = 0, sectors = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        int at = count;

        if (!(active >> lane & 1))
            continue;
        for (; at > 0 && sorted[at - 1] > address[lane]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = address[lane];
        count++;
    }
    *bytes = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t end = sorted[i] + (uint64_t)size;
        const uint64_t from = sorted[i] > seen ? sorted[i] : seen;
        uint64_t sector = sorted[i] / 32;

        if (end > from)
            *bytes += (int)(end - from);
        seen = end > seen ? end : seen;
        if (sector < next_sector)
            sector = next_sector;
        for (; sector <= (end - 1) / 32; sector++)
            sectors++;
        next_sector = sector > next_sector ? sector : next_sector;
    }
    return sectors;
}

/*
 * Most requests stay within 2 KB and ask for whole words: then a bit for each
 * word is enough, and each byte of these bits stands for a sector.
 */
int simt_count_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                       int size, int *bytes)
{
    const uint64_t first = address[__builtin_ctz(active)];
    const uint64_t base = first / 32 * 32 - 1024;
    const uint64_t word = size >= 4 ? (UINT64_C(1) << size / 4) - 1 : 0;
    uint64_t bits[8] = {0};
    int sectors = 0, words = 0;

    if (word == 0)
        return sort_and_sweep(address, active, size, bytes);
    for (uint32_t left = active; left != 0; left &= left - 1) {
        const uint64_t offset = address[__builtin_ctz(left)] - base;

        if (offset >= 2048 || offset % (uint64_t)size != 0)
            return sort_and_sweep(address, active, size, bytes);
        bits[offset / 256] |= word << offset / 4 % 64;
    }
    for (int i = 0; i < 8; i++) {
        uint64_t any = bits[i];

        words += __builtin_popcountll(any);
        any |= any >> 4;
        any |= any >> 2;
        any |= any >> 1;
        sectors += __builtin_popcountll(any & UINT64_C(0x0101010101010101));
    }
    *bytes = 4 * words;
    return sectors;
}

/* --- sites ------------------------------------------------------------------ */

static size_t place_of(const struct simt_sites *sites, uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) &
           (sites->room - 1);
}

/* Doubles the table. Returns 0, or -1 without memory. */
static int make_room(struct simt_sites *sites)
{
    const struct simt_sites old = *sites;

    sites->room = old.room ? 2 * old.room : 64;
    sites->site = calloc(sites->room, sizeof *sites->site);
    if (sites->site == NULL) {
        *sites = old;
        return -1;
    }
    for (size_t i = 0; i < old.room; i++) {
        size_t at = place_of(sites, old.site[i].key);

        if (old.site[i].key == 0)
            continue;
        while (sites->site[at].key != 0)
            at = (at + 1) & (sites->room - 1);
        sites->site[at] = old.site[i];
    }
    free(old.site);
    return 0;
}

/* A free place for a new site with this key, which it takes. NULL without
   memory. */
static struct simt_site *add_site(struct simt_sites *sites, uint64_t key)
{
    size_t at;

    if (2 * (sites->used + 1) > sites->room && make_room(sites) != 0)
        return NULL;
    at = place_of(sites, key);
    while (sites->site[at].key != 0)
        at = (at + 1) & (sites->room - 1);
    sites->used++;
    sites->site[at].key = key;
    return &sites->site[at];
}

/* Which array an address belongs to, and where that array lies. */
static void find_array(const struct simt_worker *worker, uint64_t key,
                       uintptr_t address, struct simt_site *site)
{
    if (!(simt_key_kind(key) & SIMT_EVENT_SHARED)) {
        const struct simt_allocation *a =
            simt_memory_find((const void *)address);

        site->array = simt_memory_number((const void *)address);
        site->base = a ? (uintptr_t)a->pages : address;
        site->extent = a ? a->page_bytes : 1;
    } else if (address - (uintptr_t)worker->shared < worker->shared_size) {
        size_t begin, bytes;

        site->array =
            simt_symbol_at(address - (uintptr_t)worker->shared, &begin, &bytes);
        site->base = (uintptr_t)worker->shared + begin;
        site->extent = bytes;
    } else {
        site->array = UINT32_MAX; /* dynamic shared memory */
        site->base = (uintptr_t)worker->dynamic_shared;
        site->extent = SIMT_MAX_SHARED;
    }
}

static struct simt_site *find_site(struct simt_worker *worker, uint64_t key,
                                   uintptr_t address)
{
    struct simt_sites *sites = &worker->recorder->sites;
    struct simt_site array = {0}, *site;
    size_t at = place_of(sites, key);

    for (; sites->site[at].key != 0; at = (at + 1) & (sites->room - 1)) {
        site = &sites->site[at];
        if (site->key == key && address - site->base < site->extent)
            return site;
    }
    find_array(worker, key, address, &array);
    site = add_site(sites, key);
    if (site == NULL) {
        worker->recorder->out_of_memory = 1;
        return NULL;
    }
    site->array = array.array;
    site->base = array.base;
    site->extent = array.extent;
    return site;
}

/* Reports the first lane whose access does not lie within its array. The pages
   of an array are a little larger than the array itself, so that not every such
   access is a fault. */
static void check_bounds(struct simt_worker *worker, uint64_t key,
                         const uint64_t address[SIMT_WARP], uint32_t active)
{
    const size_t size = (size_t)simt_key_size(key);

    for (uint32_t left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const char *at = (const char *)address[lane];

        if (simt_memory_valid(at, size))
            continue;
        worker->current =
            &worker->thread[worker->recorder->first_thread + lane];
        simt_report_address(worker, at, simt_key_kind(key) & SIMT_EVENT_STORE);
        worker->current = NULL;
        return;
    }
}

void simt_count_request(struct simt_worker *worker, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active)
{
    const int size = simt_key_size(key), kind = simt_key_kind(key);
    struct simt_site *site =
        find_site(worker, key & WITHOUT_DEPTH, address[__builtin_ctz(active)]);
    int bytes;

    if (site == NULL)
        return;
    site->requests++;
    site->lanes += (uint64_t)__builtin_popcount(active);
    if (kind & SIMT_EVENT_SHARED) {
        const int is_store = (kind & SIMT_EVENT_STORE) != 0;

        site->wavefronts += (uint64_t)banks_wavefronts(BANKS_TODAY, address,
                                                       active, size, is_store);
        site->wavefronts_ideal +=
            (uint64_t)banks_ideal(BANKS_TODAY, address, active, size, is_store);
    } else {
        check_bounds(worker, key, address, active);
        site->sectors +=
            (uint64_t)simt_count_sectors(address, active, size, &bytes);
        site->bytes += (uint64_t)bytes;
        site->sectors_ideal += (uint64_t)(bytes + 31) / 32;
    }
}

/* --- launches ----------------------------------------------------------------- */

int simt_recorder_begin(struct simt_worker *worker)
{
    if (worker->recorder == NULL) {
        worker->recorder = calloc(1, sizeof *worker->recorder);
        if (worker->recorder == NULL)
            return -1;
    }
    if (worker->recorder->sites.room == 0 &&
        make_room(&worker->recorder->sites) != 0)
        return -1;
    simt_symbols_read();
    return 0;
}

/* The number of the kernel with this name, new if need be; -1 without memory. */
static int kernel_number(const char *name)
{
    struct simt_kernel *larger;
    char *copy;

    for (int i = 0; i < kernel_count; i++) {
        if (strcmp(kernels[i].kernel, name) == 0)
            return i;
    }
    larger = realloc(kernels, (size_t)(kernel_count + 1) * sizeof *larger);
    if (larger == NULL)
        return -1;
    kernels = larger;
    copy = strdup(name);
    if (copy == NULL)
        return -1;
    kernels[kernel_count] = (struct simt_kernel){.kernel = copy};
    return kernel_count++;
}

static void add_up(struct simt_site *to, const struct simt_site *from)
{
    to->requests += from->requests;
    to->lanes += from->lanes;
    to->bytes += from->bytes;
    to->sectors += from->sectors;
    to->sectors_ideal += from->sectors_ideal;
    to->wavefronts += from->wavefronts;
    to->wavefronts_ideal += from->wavefronts_ideal;
}

static int add_to_totals(const struct simt_site *from, int kernel)
{
    struct simt_site *site = NULL;

    if (totals.room == 0 && make_room(&totals) != 0)
        return -1;
    for (size_t at = place_of(&totals, from->key); totals.site[at].key != 0;
         at = (at + 1) & (totals.room - 1)) {
        site = &totals.site[at];
        if (site->key == from->key && site->array == from->array &&
            site->kernel == kernel)
            break;
        site = NULL;
    }
    if (site == NULL) {
        site = add_site(&totals, from->key);
        if (site == NULL)
            return -1;
        site->array = from->array;
        site->kernel = kernel;
    }
    add_up(site, from);
    return 0;
}

void simt_recorder_end(struct simt_worker **workers, int count,
                       const struct simt_grid *grid)
{
    const int kernel = kernel_number(grid->launch->kernel);

    if (kernel >= 0) {
        kernels[kernel].launches++;
        kernels[kernel].threads += grid->blocks * (uint64_t)grid->threads;
    }
    for (int i = 0; i < count; i++) {
        struct simt_recorder *r = workers[i]->recorder;

        if (r == NULL)
            continue;
        for (size_t j = 0; j < r->sites.room; j++) {
            if (r->sites.site[j].key != 0 && kernel >= 0 &&
                add_to_totals(&r->sites.site[j], kernel) != 0)
                out_of_memory = 1;
        }
        if (kernel >= 0) {
            kernels[kernel].basic_blocks += r->basic_blocks;
            kernels[kernel].barriers += r->barriers;
        }
        out_of_memory |= r->out_of_memory || kernel < 0;
        r->basic_blocks = r->barriers = 0;
        r->out_of_memory = 0;
        r->sites.used = 0;
        memset(r->sites.site, 0, r->sites.room * sizeof *r->sites.site);
    }
}

void simt_count_reset(void)
{
    free(totals.site);
    totals = (struct simt_sites){0};
    for (int i = 0; i < kernel_count; i++)
        free((void *)(uintptr_t)kernels[i].kernel);
    free(kernels);
    kernels = NULL;
    kernel_count = 0;
    free(rows);
    rows = NULL;
    out_of_memory = 0;
}

/* --- reports ------------------------------------------------------------------ */

static const char *array_name(const struct simt_site *site)
{
    if (site->array == UINT32_MAX)
        return "dynamic shared";
    if (simt_key_kind(site->key) & SIMT_EVENT_SHARED)
        return simt_symbol_name(site->array);

    const struct simt_allocation *a = simt_memory_numbered(site->array);

    return a != NULL && a->name[0] ? a->name : "?";
}

static struct simt_row row_of(const struct simt_site *site)
{
    const int kind = simt_key_kind(site->key);

    return (struct simt_row){
        .kernel = kernels[site->kernel].kernel,
        .array = array_name(site),
        .file = "",
        .size = simt_key_size(site->key),
        .space = kind & SIMT_EVENT_SHARED ? SIMT_SHARED : SIMT_GLOBAL,
        .kind = kind & SIMT_EVENT_ATOMIC  ? SIMT_ATOMIC
                : kind & SIMT_EVENT_STORE ? SIMT_STORE
                                          : SIMT_LOAD,
        .requests = site->requests,
        .lanes = site->lanes,
        .bytes = site->bytes,
        .sectors = site->sectors,
        .sectors_ideal = site->sectors_ideal,
        .wavefronts = site->wavefronts,
        .wavefronts_ideal = site->wavefronts_ideal,
    };
}

static int compare_rows(const void *left, const void *right)
{
    const struct simt_row *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);

    if (order == 0)
        order = (int)a->space - (int)b->space;
    if (order == 0)
        order = strcmp(a->array, b->array);
    return order ? order : (int)a->kind - (int)b->kind;
}

/* Adds up neighbours that differ only in the instruction. Returns how many
   rows are left. */
static size_t join_rows(size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct simt_row *to = kept ? &rows[kept - 1] : NULL;

        if (to == NULL || compare_rows(to, &rows[i]) != 0) {
            rows[kept++] = rows[i];
            continue;
        }
        to->requests += rows[i].requests;
        to->lanes += rows[i].lanes;
        to->bytes += rows[i].bytes;
        to->sectors += rows[i].sectors;
        to->sectors_ideal += rows[i].sectors_ideal;
        to->wavefronts += rows[i].wavefronts;
        to->wavefronts_ideal += rows[i].wavefronts_ideal;
    }
    return kept;
}

int simt_count_read(struct simt_count *count)
{
    size_t filled = 0;

    *count = (struct simt_count){0};
    free(rows);
    rows = calloc(totals.used + 1, sizeof *rows);
    if (rows == NULL || out_of_memory) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < totals.room; i++) {
        if (totals.site[i].key != 0)
            rows[filled++] = row_of(&totals.site[i]);
    }
    qsort(rows, filled, sizeof *rows, compare_rows);
    count->row = rows;
    count->rows = join_rows(filled);
    count->kernel = kernels;
    count->kernels = (size_t)kernel_count;
    return 0;
}

/* --- findings: none yet -------------------------------------------------------- */

const char *const simt_check_name[SIMT_CHECKS] = {
    "race in shared memory",
    "race in global memory",
    "read of shared memory that nobody wrote",
    "read of global memory that nobody wrote",
    "access outside of an array",
    "misaligned access",
    "access to memory that is not the device's",
    "barrier that not all threads reach",
};

void simt_findings_read(struct simt_findings *findings)
{
    *findings = (struct simt_findings){0};
}

void simt_findings_print(int on)
{
    (void)on;
}

void simt_array_unwritten(const void *pointer)
{
    (void)pointer;
}

void simt_set_banks(int compute_capability_major)
{
    (void)compute_capability_major;
}
