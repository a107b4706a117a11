/* Counts requests by instruction and array. */
#define _GNU_SOURCE
#include "lines.h"
#include "recorder.h"
#include "report.h"

#include "../banks/banks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static enum banks_rule rule = BANKS_TODAY;

void simt_set_banks(int compute_capability_major)
{
    rule = compute_capability_major == 1 ? BANKS_CC1 : BANKS_TODAY;
}

/* --- sites ---------------------------------------------------------------- */

static size_t site_slot(const struct simt_sites *sites, uint64_t key)
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
        size_t at = site_slot(sites, old.site[i].key);

        if (old.site[i].key == 0)
            continue;
        while (sites->site[at].key != 0)
            at = (at + 1) & (sites->room - 1);
        sites->site[at] = old.site[i];
    }
    free(old.site);
    return 0;
}

/* A free slot for a new site with this key, which it takes. NULL without
   memory. */
static struct simt_site *add_site(struct simt_sites *sites, uint64_t key)
{
    size_t at;

    if (2 * (sites->used + 1) > sites->room && make_room(sites) != 0)
        return NULL;
    at = site_slot(sites, key);
    while (sites->site[at].key != 0)
        at = (at + 1) & (sites->room - 1);
    sites->used++;
    sites->site[at].key = key;
    return &sites->site[at];
}

struct simt_site *simt_site_in(struct simt_sites *sites, uint64_t key,
                               unsigned array, int kernel)
{
    struct simt_site *site;

    if (sites->room == 0 && make_room(sites) != 0)
        return NULL;
    for (size_t at = site_slot(sites, key); sites->site[at].key != 0;
         at = (at + 1) & (sites->room - 1)) {
        site = &sites->site[at];
        if (site->key == key && site->array == array && site->kernel == kernel)
            return site;
    }
    site = add_site(sites, key);
    if (site != NULL) {
        site->array = array;
        site->kernel = kernel;
    }
    return site;
}

/* Who touched the array last. */
static struct simt_shadow *shadow_of(struct simt_worker *worker, uint64_t key,
                                     const struct simt_array *array)
{
    if (array->number == SIMT_DYNAMIC_SHARED)
        return &worker->recorder->dynamics;
    if (simt_key_kind(key) & SIMT_EVENT_SHARED)
        return &worker->recorder->statics;
    if (array->number == SIMT_VARIABLES || array->extent == 0)
        return NULL;
    if (array->number > SIMT_VARIABLES) {
        return simt_shadow_of_variable(array->number - SIMT_VARIABLES,
                                       array->base, array->extent);
    }
    return simt_shadow_of(simt_memory_numbered(array->number), array->number);
}

/* The site of an instruction that touches the array at `address`. */
static struct simt_site *find_site(struct simt_worker *worker, uint64_t key,
                                   uintptr_t address)
{
    struct simt_sites *sites = &worker->recorder->sites;
    struct simt_array array;
    struct simt_site *site;

    for (size_t at = site_slot(sites, key); sites->site[at].key != 0;
         at = (at + 1) & (sites->room - 1)) {
        site = &sites->site[at];
        if (site->key == key && address - site->base < site->extent)
            return site;
    }
    array = simt_array_at(worker, key, address);
    site = simt_site_in(sites, key, array.number, 0);
    if (site == NULL) {
        worker->recorder->out_of_memory = 1;
        return NULL;
    }
    site->base = array.base;
    site->extent = array.extent;
    site->shadow = shadow_of(worker, key, &array);
    site->instruction = simt_instruction_number(key);
    return site;
}

/* --- one request: what it touches ----------------------------------------- */

/* 1 if a request copies 16 bytes a lane to shared memory, past the L1 cache. */
static int is_wide_copy(int size, int kind)
{
    return size == 16 && (kind & SIMT_EVENT_ASYNC) != 0;
}

/* What a request takes, unless it is atomic, and which bytes it asks for. */
static int count_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                         int size, int kind, int *bytes)
{
    return is_wide_copy(size, kind)
               ? simt_count_copy_sectors(address, active, bytes)
               : simt_count_sectors(address, active, size, bytes);
}

/* The lanes of `active` whose access lies in the site's array as a whole. */
static uint32_t lanes_inside(const struct simt_site *site,
                             const uint64_t address[SIMT_WARP], uint32_t active,
                             int size)
{
    const uintptr_t last = site->extent - (size_t)size;
    uint32_t inside = 0;

    if (site->extent < (size_t)size)
        return 0;
    for (int lane = 0; lane < SIMT_WARP; lane++)
        inside |= (uint32_t)(address[lane] - site->base <= last) << lane;
    return inside & active;
}

/* 1 if all addresses are multiples of `size`, and lie in the site's array. */
static int is_plain_request(const struct simt_site *site,
                            const struct simt_pattern *pattern, uint64_t first,
                            int size)
{
    return ((pattern->bits | first) & ((uint64_t)size - 1)) == 0 &&
           first - pattern->below >= site->base &&
           first + pattern->above + (uint64_t)size <= site->base + site->extent;
}

/* The lanes whose address `size` does not divide. */
static uint32_t lanes_misaligned(const uint64_t address[SIMT_WARP],
                                 uint32_t active, int size)
{
    uint32_t misaligned = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        misaligned |= (uint32_t)((address[lane] & ((uint64_t)size - 1)) != 0)
                      << lane;
    }
    return misaligned & active;
}

/* 1 if the instruction's line of the source has the array's name. */
static int is_named(const struct simt_worker *worker,
                    const struct simt_site *site, uintptr_t code)
{
    const char *name =
        simt_array_name(worker->grid->launch->kernel, site->array);
    const size_t length = strlen(name);
    char text[400];
    const char *file;
    int line;

    simt_line_of(code, &file, &line);
    simt_source_line(text, sizeof text, file, line);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        if ((at == text ||
             !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return 1;
    }
    return 0;
}

/* 1 if both instructions stand on one line. */
static int is_beside(uintptr_t code, uintptr_t other)
{
    const char *file, *other_file;
    int line, other_line;

    return simt_line_of(code, &file, &line) == 0 &&
           simt_line_of(other, &other_file, &other_line) == 0 &&
           line == other_line && strcmp(file, other_file) == 0;
}

/* The array that an instruction is meant to use, of shared memory or of the
   other, where its address lies in `at` or, NULL, in none: of those that it has
   used, or its line if it has used none, the one that the line names, the most
   used if it names several; or the only one. NULL: unknown. */
static const struct simt_site *find_meant(const struct simt_worker *worker,
                                          uintptr_t code, int is_shared,
                                          const struct simt_site *at)
{
    const struct simt_sites *sites = &worker->recorder->sites;
    const struct simt_site *named = NULL, *used = NULL;
    int names = 0, differ = 0;

    for (int on_line = 0; on_line <= 1 && used == NULL; on_line++) {
        for (size_t i = 0; i < sites->room; i++) {
            const struct simt_site *site = &sites->site[i];
            const uintptr_t other = simt_key_code(site->key);

            if (site->key == 0 || simt_key_kind(site->key) & SIMT_EVENT_BLOCK ||
                site->extent == 0 ||
                is_shared != !!(simt_key_kind(site->key) & SIMT_EVENT_SHARED) ||
                !(on_line ? is_beside(code, other) : other == code))
                continue;
            differ |= used != NULL && used->array != site->array;
            used = site;
            if (!is_named(worker, site, code))
                continue;
            names += named == NULL || named->array != site->array;
            if (named == NULL || site->requests > named->requests)
                named = site;
        }
    }
    if (at != NULL && at->extent > 0 && at->requests > 1 && names != 1)
        return at;
    return named != NULL ? named : differ ? at : used;
}

/* Tells that a lane of this request did what ends a kernel. */
static void end_kernel(struct simt_worker *worker, const struct simt_site *site,
                       enum simt_check check, uint64_t address, int lane)
{
    const struct simt_recorder *recorder = worker->recorder;
    const simt_touch touch = (uint64_t)(recorder->first_thread + lane) << 24;
    const int is_shared = !!(simt_key_kind(site->key) & SIMT_EVENT_SHARED);
    /* The address may lie nearer to another array than to its own. */
    const struct simt_site *const meant =
        check == SIMT_BOUNDS
            ? find_meant(worker, simt_key_code(site->key), is_shared, site)
            : site;

    simt_found(worker, check, meant != NULL ? meant : site, address, touch, 0);
}

int simt_uses_shared(const struct simt_worker *worker, uintptr_t code)
{
    const struct simt_sites *sites = &worker->recorder->sites;

    for (size_t i = 0; i < sites->room; i++) {
        const struct simt_site *site = &sites->site[i];

        if (site->key != 0 && site->extent > 0 &&
            simt_key_code(site->key) == code &&
            (simt_key_kind(site->key) & SIMT_EVENT_SHARED))
            return 1;
    }
    return 0;
}

int simt_outside(struct simt_worker *worker, uintptr_t code, uintptr_t address,
                 int is_shared)
{
    struct simt_recorder *recorder = worker->recorder;
    const int thread = (int)(worker->current - worker->thread);
    const struct simt_site *site = find_meant(worker, code, is_shared, NULL);

    if (site == NULL)
        return 0;
    recorder->first_thread = thread / SIMT_WARP * SIMT_WARP;
    end_kernel(worker, site, SIMT_BOUNDS, address, thread % SIMT_WARP);
    return 1;
}

static int is_freed(uint64_t address)
{
    const struct simt_allocation *a =
        simt_memory_find((const void *)(uintptr_t)address);

    return a != NULL && a->freed;
}

/*
 * Checks a request against the arrays that its lanes touch. Nearly always that
 * is one; the lanes that touch another one are checked with the site of that.
 */
static void check_lanes(struct simt_worker *worker, struct simt_site *site,
                        const struct simt_pattern *pattern, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active)
{
    const int size = simt_key_size(key);
    const size_t lanes = simt_lane_count(active);
    uint32_t misaligned;

    worker->recorder->seen[SIMT_BOUNDS] += lanes;
    worker->recorder->seen[SIMT_ALIGNMENT] += lanes;
    if (pattern != NULL && is_plain_request(site, pattern, address[0], size)) {
        simt_check_request(worker, site, address, active, pattern->differing);
        return;
    }
    misaligned = lanes_misaligned(address, active, size);
    if (misaligned != 0) {
        const int lane = __builtin_ctz(misaligned);

        end_kernel(worker, site, SIMT_ALIGNMENT, address[lane], lane);
        return;
    }
    while (active != 0) {
        const uint32_t inside = lanes_inside(site, address, active, size);
        const int lane = __builtin_ctz(active);

        if (inside == 0 && is_freed(address[lane]))
            return; /* the access faults, and is told then */
        if (inside == 0) {
            end_kernel(worker, site, SIMT_BOUNDS, address[lane], lane);
            return;
        }
        simt_check_request(worker, site, address, inside, 0);
        active &= ~inside;
        if (active != 0) {
            site = find_site(worker, key, address[__builtin_ctz(active)]);
            if (site == NULL)
                return;
        }
    }
}

/* How many different addresses the active lanes have: constant memory answers
   one a pass (CUDA C++ Programming Guide, "Constant Memory"). */
static uint64_t count_addresses(const uint64_t address[SIMT_WARP],
                                uint32_t active)
{
    uint64_t different = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        uint32_t before = active & ((UINT32_C(1) << lane) - 1);

        while (before != 0 && address[__builtin_ctz(before)] != address[lane])
            before &= before - 1;
        different += (active >> lane & 1) && before == 0;
    }
    return different;
}

static void make_pattern(struct simt_pattern *pattern, uint64_t key,
                         const uint64_t address[SIMT_WARP])
{
    *pattern = (struct simt_pattern){.key = key, .offset = address[0] % 4};
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const uint64_t distance = address[lane] - address[0];

        pattern->distance[lane] = distance;
        pattern->bits |= distance;
        if (address[lane] < address[0]) {
            pattern->below =
                -distance > pattern->below ? -distance : pattern->below;
        } else {
            pattern->above =
                distance > pattern->above ? distance : pattern->above;
        }
    }
    pattern->differing = simt_lanes_that_differ(address, UINT32_MAX);
}

/* The pattern of a request of all lanes, that of the last one if it is the same
   from the first address on. NULL: it is to be counted by itself. */
static struct simt_pattern *pattern_of(struct simt_recorder *recorder,
                                       uint64_t key,
                                       const uint64_t address[SIMT_WARP],
                                       uint32_t active)
{
    struct simt_pattern *pattern =
        &recorder->pattern[(key >> 16 ^ key >> 22) % SIMT_PATTERNS];
    uint64_t differs =
        (key ^ pattern->key) | (address[0] % 4 ^ pattern->offset);

    if (active != UINT32_MAX)
        return NULL;
    for (int lane = 0; lane < SIMT_WARP; lane++)
        differs |= (address[lane] - address[0]) ^ pattern->distance[lane];
    if (differs != 0)
        make_pattern(pattern, key, address);
    return pattern;
}

/* Words that are all moved by as many lie in other banks, and meet there as
   before; in other sectors too, if they are moved by whole sectors, and those
   of wide copies in other lines if by whole lines. */
static void count_pattern(struct simt_site *site, struct simt_pattern *pattern,
                          const uint64_t address[SIMT_WARP], int size, int kind)
{
    const int is_store = (kind & SIMT_EVENT_STORE) != 0;
    int *sectors =
        &pattern->sectors[address[0] / (is_wide_copy(size, kind) ? 16 : 4) % 8];

    if (kind & SIMT_EVENT_SHARED) {
        if (pattern->wavefronts == 0) {
            pattern->wavefronts =
                banks_wavefronts(rule, address, UINT32_MAX, size, is_store);
            pattern->wavefronts_ideal =
                banks_ideal(rule, address, UINT32_MAX, size, is_store);
        }
        site->wavefronts += (uint64_t)pattern->wavefronts;
        site->wavefronts_ideal += (uint64_t)pattern->wavefronts_ideal;
        return;
    }
    if (*sectors == 0) {
        *sectors =
            count_sectors(address, UINT32_MAX, size, kind, &pattern->bytes);
    }
    site->sectors += (uint64_t)*sectors;
    site->bytes += (uint64_t)pattern->bytes;
    site->sectors_ideal += (uint64_t)(pattern->bytes + 31) / 32;
}

void simt_count_request(struct simt_worker *worker, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active)
{
    const int size = simt_key_size(key), kind = simt_key_kind(key);
    const uint64_t instruction = key & SIMT_KEY_WITHOUT_DEPTH;
    const int is_store = (kind & SIMT_EVENT_STORE) != 0;
    struct simt_site *site =
        find_site(worker, instruction, address[__builtin_ctz(active)]);
    struct simt_pattern *pattern;
    int bytes;

    if (site == NULL)
        return;
    site->requests++;
    site->lanes += simt_lane_count(active);
    pattern = pattern_of(worker->recorder, instruction, address, active);
    if (pattern != NULL)
        site->apart = (long long)pattern->distance[1];
    if (pattern != NULL && rule == BANKS_TODAY &&
        !(kind & (SIMT_EVENT_ATOMIC | SIMT_EVENT_CONSTANT))) {
        count_pattern(site, pattern, address, size, kind);
    } else if (kind & SIMT_EVENT_SHARED) {
        site->wavefronts +=
            (uint64_t)(kind & SIMT_EVENT_ATOMIC
                           ? banks_atomic(rule, address, active, size)
                           : banks_wavefronts(rule, address, active, size,
                                              is_store));
        site->wavefronts_ideal +=
            (uint64_t)banks_ideal(rule, address, active, size, is_store);
    } else if (kind & SIMT_EVENT_CONSTANT) {
        site->wavefronts += count_addresses(address, active);
        site->wavefronts_ideal++;
    } else {
        const int sectors = count_sectors(address, active, size, kind, &bytes);

        site->sectors +=
            (uint64_t)(kind & SIMT_EVENT_ATOMIC
                           ? simt_count_atomic_sectors(address, active)
                           : sectors);
        site->bytes += (uint64_t)bytes;
        site->sectors_ideal += (uint64_t)(bytes + 31) / 32;
    }
    if (simt_logs_of_requests)
        simt_log_request(worker, key, address, active);
    check_lanes(worker, site, pattern, instruction, address, active);
}
