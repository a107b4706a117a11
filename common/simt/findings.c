/* What is wrong: collected by each worker, told once a launch. */
#define _GNU_SOURCE
#include "lines.h"
#include "recorder.h"
#include "report_message.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All since the program began: whoever has read one may keep it. From first on
   those since the last reset. */
static struct simt_finding *findings;
static size_t first, finding_count;
static uint64_t seen[SIMT_CHECKS];
static int silent;

void simt_findings_print(int on)
{
    silent = !on;
}

/* --- while blocks run ----------------------------------------------------- */

static cudaError_t error_of(enum simt_check check)
{
    switch (check) {
    case SIMT_BOUNDS:
    case SIMT_ADDRESS:
        return cudaErrorIllegalAddress;
    case SIMT_ALIGNMENT:
        return cudaErrorMisalignedAddress;
    default:
        return cudaSuccess; /* the kernel goes on, as on a GPU */
    }
}

static int is_same_mistake(const struct simt_found *a,
                           const struct simt_found *b)
{
    return a->check == b->check && a->array == b->array && a->key == b->key &&
           a->other_key == b->other_key;
}

/* 1 if `a` is the better example: of values that differ, of a known order, of
   two warps, since that is plainer, then of the lowest block, so that the
   number of workers makes no difference. */
static int is_better(const struct simt_found *a, const struct simt_found *b)
{
    if (a->are_equal != b->are_equal)
        return b->are_equal;
    if ((a->order == 0) != (b->order == 0))
        return b->order == 0;
    if (a->other_key != 0 && simt_found_in_warp(a) != simt_found_in_warp(b))
        return simt_found_in_warp(b);
    return a->block < b->block;
}

/* 1 if it is a race of two writes. A line such as x += 1 reads and writes: as
   an example the read is plainer, so races of writes come last. */
static int both_write(const struct simt_found *found)
{
    return found->other_key != 0 &&
           (simt_key_kind(found->key) & simt_key_kind(found->other_key) &
            SIMT_EVENT_STORE) != 0;
}

/* Adds a mistake to a list. Returns 0, or -1 without memory. */
static int add_found(struct simt_found **list, size_t *count,
                     const struct simt_found *found)
{
    struct simt_found *added;

    for (size_t i = 0; i < *count; i++) {
        struct simt_found *old = &(*list)[i];

        if (is_same_mistake(old, found)) {
            const uint64_t total = old->count + found->count;
            const int ways = old->ways | found->ways;
            const int are_equal = old->are_equal && found->are_equal;

            if (is_better(found, old))
                *old = *found;
            old->count = total;
            old->ways = ways;
            old->are_equal = are_equal;
            return 0;
        }
    }
    added = base_list_add(list, count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = *found;
    return 0;
}

/* A race of two instructions is one mistake, whichever came first: the one that
   writes is named first. */
static void put_writer_first(struct simt_found *found)
{
    const int writes = simt_key_kind(found->key) & SIMT_EVENT_STORE;
    const int other_writes = simt_key_kind(found->other_key) & SIMT_EVENT_STORE;
    struct simt_found swapped = *found;

    if (writes && (!other_writes || found->key <= found->other_key))
        return;
    swapped.key = found->other_key;
    swapped.other_key = found->key;
    swapped.thread = found->other_thread;
    swapped.other_thread = found->thread;
    swapped.block = found->other_block;
    swapped.other_block = found->block;
    *found = swapped;
}

/* What is known of the way between a write and a read; 0 for two writes. */
static int order_of(const struct simt_recorder *recorder,
                    const struct simt_found *found, simt_touch touch,
                    simt_touch other)
{
    const int writes = simt_key_kind(found->key) & SIMT_EVENT_STORE;
    const int other_writes = simt_key_kind(found->other_key) & SIMT_EVENT_STORE;

    return writes == other_writes ? 0
           : writes               ? simt_race_order(recorder, touch, other)
                                  : simt_race_order(recorder, other, touch);
}

void simt_found(struct simt_worker *worker, enum simt_check check,
                const struct simt_site *site, uint64_t address,
                simt_touch touch, simt_touch other)
{
    struct simt_recorder *recorder = worker->recorder;
    struct simt_found found = {
        .check = check,
        .array = site->array,
        .key = site->key,
        .count = 1,
        .block = recorder->block,
        .thread = simt_touch_thread(touch),
        .offset = address - site->base,
        .extent = site->extent,
    };
    const cudaError_t error = error_of(check);
    int none = 0;

    /* Only here does the block go on, to its next barrier. */
    if (recorder->ended)
        return;
    if (other != 0) {
        found.other_key = simt_instruction_key((unsigned)(other & 0x3fff));
        found.other_thread = simt_touch_thread(other);
        found.other_block = simt_interval_block(simt_touch_interval(other));
        if (check == SIMT_RACE_SHARED)
            found.order = found.ways = order_of(recorder, &found, touch, other);
        put_writer_first(&found);
        found.are_equal =
            both_write(&found) &&
            ((simt_key_kind(found.key) | simt_key_kind(found.other_key)) &
             (SIMT_EVENT_ATOMIC | SIMT_EVENT_VOLATILE)) == 0 &&
            simt_values_are_equal(worker, address, simt_key_size(site->key),
                                  check == SIMT_RACE_SHARED);
    }
    if (add_found(&recorder->found, &recorder->found_count, &found) != 0)
        recorder->out_of_memory = 1;
    if (error != cudaSuccess) {
        recorder->ended = 1;
        atomic_compare_exchange_strong(&worker->grid->failed, &none,
                                       (int)error);
    }
}

/* --- after a launch ------------------------------------------------------- */

/* What ends a kernel comes first: the rest may be its consequence. */
static int rank(enum simt_check check)
{
    return error_of(check) != cudaSuccess ? (int)check - SIMT_CHECKS
                                          : (int)check;
}

static int by_line(const void *left, const void *right)
{
    const struct simt_finding *a = left, *b = right;

    if (a->check != b->check)
        return rank(a->check) - rank(b->check);
    if (a->in_warp != b->in_warp)
        return a->in_warp - b->in_warp;
    if (a->line != b->line)
        return a->line - b->line;
    return a->other_line - b->other_line;
}

/* A finding with the same lines from an earlier launch, or NULL. */
static struct simt_finding *find_old(const struct simt_finding *finding)
{
    for (size_t i = first; i < finding_count; i++) {
        struct simt_finding *old = &findings[i];

        if (old->check == finding->check && old->line == finding->line &&
            old->is_warning == finding->is_warning &&
            old->other_line == finding->other_line &&
            strcmp(old->kernel, finding->kernel) == 0 &&
            strcmp(old->array, finding->array) == 0 &&
            strcmp(old->file, finding->file) == 0)
            return old;
    }
    return NULL;
}

/* Keeps a finding; its texts are copied. Returns 0, or -1 without memory. */
static int keep_finding(struct simt_finding finding)
{
    char *text = strdup(finding.text), *kernel = strdup(finding.kernel);
    char *array = strdup(finding.array);
    struct simt_finding *const added =
        text != NULL && kernel != NULL && array != NULL
            ? base_list_add(&findings, &finding_count, sizeof *added)
            : NULL;

    if (added == NULL) {
        free(text);
        free(kernel);
        free(array);
        return -1;
    }
    finding.text = text;
    finding.kernel = kernel;
    finding.array = array;
    *added = finding;
    return 0;
}

/* 1 if a read of what nobody wrote is only what comes of a race: had it waited,
   the other thread would have written before. Which of the two goes first is
   chance, so the race alone is told. */
static int is_of_race(const struct simt_found *found,
                      const struct simt_found *all, size_t count)
{
    if (found->check != SIMT_UNWRITTEN_SHARED &&
        found->check != SIMT_UNWRITTEN_GLOBAL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].other_key != 0 && all[i].array == found->array &&
            (all[i].key == found->key || all[i].other_key == found->key))
            return 1;
    }
    return 0;
}

/* Makes a finding of what a launch found, unless an earlier one did. Returns 0,
   or -1 without memory. */
static int make_finding(const struct simt_found *found,
                        const struct simt_grid *grid)
{
    char text[1200];
    struct simt_finding finding = {
        .check = found->check,
        .is_warning = found->are_equal,
        .kernel = grid->launch->kernel,
        .array = simt_array_name(grid->launch->kernel, found->array),
        .count = found->count,
        .block = found->block,
        .thread = found->thread,
        .other_thread = found->other_thread,
        .offset = (long long)(intptr_t)found->offset,
        .text = text,
        .file = "",
        .other_file = ""};
    struct simt_finding *old;

    simt_line_of(simt_key_code(found->key), &finding.file, &finding.line);
    if (found->other_key != 0) {
        finding.in_warp = simt_found_in_warp(found);
        simt_line_of(simt_key_code(found->other_key), &finding.other_file,
                     &finding.other_line);
    }
    old = find_old(&finding);
    if (old != NULL) {
        old->count += found->count;
        return 0;
    }
    simt_found_describe(text, sizeof text, found, grid);
    return keep_finding(finding);
}

/* In the reader's language, where the program runs in the course's folder. */
static void print_finding(const char *text)
{
    char said[2500];

    simt_message_say(said, sizeof said, text);
    fputs(said, stderr);
}

void simt_tell(struct simt_worker *worker, enum simt_check check,
               const char *file, int line, const char *text, int is_warning)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct simt_finding finding = {
        .check = check,
        .kernel = worker->grid->launch->kernel,
        .array = "",
        .file = line ? file : "",
        .line = line,
        .other_file = "",
        .is_warning = is_warning,
        .count = 1,
        .block = worker->recorder ? worker->recorder->block : 0,
        .thread = worker->current == NULL
                      ? -1
                      : (int)(worker->current - worker->thread),
        .text = text};

    pthread_mutex_lock(&lock);
    if ((!is_warning || find_old(&finding) == NULL) &&
        (keep_finding(finding) != 0 || !silent))
        print_finding(text);
    pthread_mutex_unlock(&lock);
}

void simt_found_collect(struct simt_worker **workers, int count,
                        const struct simt_grid *grid)
{
    const size_t before = finding_count;
    struct simt_found *all = NULL;
    size_t total = 0;

    for (int i = 0; i < count; i++) {
        struct simt_recorder *r = workers[i]->recorder;

        if (r == NULL)
            continue;
        for (size_t j = 0; j < r->found_count; j++) {
            r->out_of_memory |= add_found(&all, &total, &r->found[j]) != 0;
        }
        r->found_count = 0;
        for (int j = 0; j < SIMT_CHECKS; j++)
            seen[j] += r->seen[j];
        memset(r->seen, 0, sizeof r->seen);
    }
    for (int writes = 0; writes <= 1; writes++) {
        for (size_t i = 0; i < total; i++) {
            if (both_write(&all[i]) == writes &&
                !is_of_race(&all[i], all, total))
                make_finding(&all[i], grid);
        }
    }
    free(all);
    if (finding_count > before) {
        qsort(findings + before, finding_count - before, sizeof *findings,
              by_line);
    }
    for (size_t i = before; i < finding_count && !silent; i++)
        print_finding(findings[i].text);
}

void simt_findings_read(struct simt_findings *result)
{
    const size_t count = finding_count - first;

    *result = (struct simt_findings){
        .finding = count > 0 ? findings + first : NULL, .count = count};
    memcpy(result->seen, seen, sizeof seen);
}

void simt_found_reset(void)
{
    first = finding_count;
    memset(seen, 0, sizeof seen);
}
