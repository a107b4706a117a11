/* What is wrong: collected by each worker, told once a launch. */
#define _GNU_SOURCE
#include "lines.h"
#include "recorder.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One mistake as a worker sees it: all that have the same two instructions and
   the same array. The thread and the address are those of the first block. */
struct simt_found {
    enum simt_check check;
    unsigned array;
    uint64_t key, other_key; /* of the instructions; 0: no other */
    uint64_t count;
    uint64_t block, other_block;
    int thread, other_thread;
    uintptr_t offset; /* of the address into the array */
    size_t extent;    /* of the array, in bytes */
};

static struct simt_finding *findings;
static size_t finding_count;
static uint64_t seen[SIMT_CHECKS];
static int silent;

void simt_findings_print(int on)
{
    silent = !on;
}

/* --- while blocks run --------------------------------------------------------- */

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

/* Whether the two threads of a race belong to one warp of one block. */
static int in_same_warp(const struct simt_found *found)
{
    return found->block == found->other_block &&
           found->thread / SIMT_WARP == found->other_thread / SIMT_WARP;
}

/* 1 if `a` is the better example: of two warps, since that is plainer, then of
   the lowest block, so that the number of workers makes no difference. */
static int is_better(const struct simt_found *a, const struct simt_found *b)
{
    if (a->other_key != 0 && in_same_warp(a) != in_same_warp(b))
        return in_same_warp(b);
    return a->block < b->block;
}

/* Adds a mistake to a list. Returns 0, or -1 without memory. */
static int add(struct simt_found **list, size_t *count, size_t *room,
               const struct simt_found *found)
{
    struct simt_found *larger;

    for (size_t i = 0; i < *count; i++) {
        struct simt_found *old = &(*list)[i];

        if (is_same_mistake(old, found)) {
            const uint64_t total = old->count + found->count;

            if (is_better(found, old))
                *old = *found;
            old->count = total;
            return 0;
        }
    }
    if (*count == *room) {
        const size_t more = *room ? 2 * *room : 16;

        larger = realloc(*list, more * sizeof *larger);
        if (larger == NULL)
            return -1;
        *list = larger;
        *room = more;
    }
    (*list)[(*count)++] = *found;
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

    if (other != 0) {
        found.other_key = simt_instruction_key((unsigned)(other & 0x3fff));
        found.other_thread = simt_touch_thread(other);
        found.other_block = simt_interval_block(simt_touch_interval(other));
        put_writer_first(&found);
    }
    if (add(&recorder->found, &recorder->found_count, &recorder->found_room,
            &found) != 0)
        recorder->out_of_memory = 1;
    if (error != cudaSuccess) {
        atomic_compare_exchange_strong(&worker->grid->failed, &none,
                                       (int)error);
    }
}

/* --- the words ---------------------------------------------------------------- */

/* A text that grows, up to its end. */
struct text {
    char *at;
    size_t left;
};

static void __attribute__((format(printf, 2, 3)))
say(struct text *text, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text->at, text->left, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= text->left) {
        text->at += text->left ? text->left - 1 : 0;
        text->left = 0;
    } else {
        text->at += length;
        text->left -= (size_t)length;
    }
}

/* "thread (1,0,0)", or with its block. */
static void say_thread(struct text *text, const struct simt_grid *grid,
                       int thread, const uint64_t *block)
{
    const unsigned x = grid->block.x, y = grid->block.y;
    const unsigned t = (unsigned)thread;

    say(text, "thread (%u,%u,%u)", t % x, t / x % y, t / x / y);
    if (block != NULL) {
        say(text, " of block (%u,%u,%u)", (unsigned)(*block % grid->size.x),
            (unsigned)(*block / grid->size.x % grid->size.y),
            (unsigned)(*block / grid->size.x / grid->size.y));
    }
}

/* "As[3][12]"; "element 12 of A". */
static void say_element(struct text *text, const struct simt_found *found,
                        const struct simt_grid *grid)
{
    const char *name = simt_array_name(grid->launch->kernel, found->array);
    const long long offset = (long long)(intptr_t)found->offset;
    int size = simt_key_size(found->key);
    int dimension[SIMT_DIMENSIONS], dimensions = 0;

    if (found->array >= SIMT_VARIABLES && found->array != SIMT_DYNAMIC_SHARED)
        dimensions = simt_variable_shape(name, found->extent, dimension, &size);
    if (dimensions > 0) {
        unsigned long long row = found->extent / (unsigned)size;
        unsigned long long rest = (unsigned long long)(offset / size);

        say(text, "%s", name);
        for (int i = 0; i < dimensions; i++) {
            row /= (unsigned long long)dimension[i];
            say(text, "[%llu]", rest / row);
            rest %= row;
        }
    } else if (found->array == SIMT_DYNAMIC_SHARED) {
        say(text, "element %lld of the dynamic shared memory", offset / size);
    } else {
        say(text, "element %lld of %s", offset / size,
            name[0] == '?' ? "an unnamed array" : name);
    }
}

static const char *verb_of(uint64_t key)
{
    const int kind = simt_key_kind(key);

    return kind & SIMT_EVENT_ATOMIC  ? "changes"
           : kind & SIMT_EVENT_STORE ? "writes"
                                     : "reads";
}

/* What usually causes it, and what to do. */
static const char *advice(const struct simt_found *found, int other_block,
                          int same_warp)
{
    const int both_write = simt_key_kind(found->key) & SIMT_EVENT_STORE &&
                           simt_key_kind(found->other_key) & SIMT_EVENT_STORE;

    switch (found->check) {
    case SIMT_RACE_SHARED:
    case SIMT_RACE_GLOBAL:
        if (other_block && both_write) {
            return "Usually an index that two blocks share; blocks run in any "
                   "order.\n    A sum over blocks needs atomicAdd.";
        }
        if (other_block) {
            return "Blocks run in any order, and __syncthreads() does not wait "
                   "for\n    other blocks: use a second kernel.";
        }
        if (both_write && found->key == found->other_key) {
            return "Usually an index that two threads share; which value stays "
                   "is\n    undefined. A sum over threads needs atomicAdd.";
        }
        if (same_warp) {
            return "Usually a __syncthreads() is missing in between. Threads of "
                   "one warp, as\n    these, do not run in step either; for "
                   "them alone __syncwarp() would do.";
        }
        return "Usually a __syncthreads() is missing: after a tile is written, "
               "before\n    others read it; or before it is written anew.";
    case SIMT_UNWRITTEN_SHARED:
        return "Usually the edge of a tile that no thread fills, or a barrier "
               "that\n    is missing before the read.";
    case SIMT_UNWRITTEN_GLOBAL:
        return "Usually a cudaMemcpy or cudaMemset is missing, or copies fewer "
               "bytes\n    than the array has.";
    case SIMT_BOUNDS:
        return "Usually a guard such as `if (row < m && col < n)` is missing, "
               "or\n    the size of one matrix is used for another.";
    case SIMT_ALIGNMENT:
        return "A vector type is read at a multiple of its own size: 8 bytes "
               "for\n    float2, 16 for float4.";
    default:
        return "";
    }
}

/* "line 55: ", or with its file if that is not the message's. */
static void say_line(struct text *text, uint64_t key, const char *message_file)
{
    const char *file;
    int line;

    say(text, "    ");
    if (simt_line_of(simt_key_code(key), &file, &line) != 0)
        return;
    if (strcmp(file, message_file) != 0) {
        say(text, "%s:%d: ", file, line);
    } else {
        say(text, "line %d: ", line);
    }
}

static void say_race(struct text *text, const struct simt_found *found,
                     const struct simt_grid *grid, const char *file)
{
    const int other_block = found->block != found->other_block;

    say_line(text, found->key, file);
    say_thread(text, grid, found->thread, other_block ? &found->block : NULL);
    say(text, " %s ", verb_of(found->key));
    say_element(text, found, grid);
    say(text, "\n");
    say_line(text, found->other_key, file);
    say_thread(text, grid, found->other_thread,
               other_block ? &found->other_block : NULL);
    say(text, " %s it", verb_of(found->other_key));
    say(text, other_block ? "\n" : ", with no barrier in between\n");
}

static void say_single(struct text *text, const struct simt_found *found,
                       const struct simt_grid *grid, const char *file)
{
    const int size = simt_key_size(found->key);

    say_line(text, found->key, file);
    say_thread(text, grid, found->thread, NULL);
    say(text, " %s ", verb_of(found->key));
    if (found->check == SIMT_ALIGNMENT) {
        say(text, "%d bytes at byte %lld of %s, no multiple of %d", size,
            (long long)(intptr_t)found->offset,
            simt_array_name(grid->launch->kernel, found->array), size);
    } else {
        say_element(text, found, grid);
    }
    if (found->check == SIMT_BOUNDS)
        say(text, ", which has %zu", found->extent / (size_t)size);
    say(text, "\n");
}

/*
 * The whole message:
 *
 *   tiling.cu:55: race in shared memory on Bs
 *       line 55: thread (0,6,0) writes Bs[0][6]
 *       line 64: thread (6,9,0) reads it, with no barrier in between
 *       Seen 5505024 times in kernel matmul_tiling, as in block (0,0,0).
 *       Usually ...
 */
/* NOLINTNEXTLINE(readability-non-const-parameter): say() writes there */
static void describe(char *buffer, size_t size, const struct simt_found *found,
                     const struct simt_grid *grid)
{
    struct text text = {buffer, size};
    const unsigned long long block = found->block;
    const char *file;
    int line;

    if (simt_line_of(simt_key_code(found->key), &file, &line) == 0)
        say(&text, "%s:%d: ", file, line);
    say(&text, "%s on %s\n", simt_check_name[found->check],
        simt_array_name(grid->launch->kernel, found->array));
    if (found->other_key != 0) {
        say_race(&text, found, grid, file);
    } else {
        say_single(&text, found, grid, file);
    }
    say(&text,
        "    Seen %llu time%s in kernel %s, as in block (%llu,%llu,%llu).\n",
        (unsigned long long)found->count, found->count == 1 ? "" : "s",
        grid->launch->kernel, block % grid->size.x,
        block / grid->size.x % grid->size.y,
        block / grid->size.x / grid->size.y);
    say(&text, "    %s\n",
        advice(found, found->block != found->other_block, in_same_warp(found)));
}

/* --- after a launch ------------------------------------------------------------- */

static int by_line(const void *left, const void *right)
{
    const struct simt_finding *a = left, *b = right;

    if (a->check != b->check)
        return (int)a->check - (int)b->check;
    if (a->line != b->line)
        return a->line - b->line;
    return a->other_line - b->other_line;
}

/* A finding with the same lines from an earlier launch, or NULL. */
static struct simt_finding *find_old(const struct simt_finding *finding)
{
    for (size_t i = 0; i < finding_count; i++) {
        struct simt_finding *old = &findings[i];

        if (old->check == finding->check && old->line == finding->line &&
            old->other_line == finding->other_line &&
            strcmp(old->kernel, finding->kernel) == 0 &&
            strcmp(old->array, finding->array) == 0 &&
            strcmp(old->file, finding->file) == 0)
            return old;
    }
    return NULL;
}

/* Keeps a finding; its texts are copied. Returns 0, or -1 without memory. */
static int keep(struct simt_finding finding)
{
    char *text = strdup(finding.text), *kernel = strdup(finding.kernel);
    char *array = strdup(finding.array);
    struct simt_finding *larger =
        realloc(findings, (finding_count + 1) * sizeof *larger);

    if (larger != NULL)
        findings = larger;
    if (larger == NULL || text == NULL || kernel == NULL || array == NULL) {
        free(text);
        free(kernel);
        free(array);
        return -1;
    }
    finding.text = text;
    finding.kernel = kernel;
    finding.array = array;
    findings[finding_count++] = finding;
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
        .kernel = grid->launch->kernel,
        .array = simt_array_name(grid->launch->kernel, found->array),
        .count = found->count,
        .text = text,
        .file = "",
        .other_file = ""};
    struct simt_finding *old;

    simt_line_of(simt_key_code(found->key), &finding.file, &finding.line);
    if (found->other_key != 0) {
        simt_line_of(simt_key_code(found->other_key), &finding.other_file,
                     &finding.other_line);
    }
    old = find_old(&finding);
    if (old != NULL) {
        old->count += found->count;
        return 0;
    }
    describe(text, sizeof text, found, grid);
    return keep(finding);
}

void simt_tell(struct simt_worker *worker, enum simt_check check,
               const char *file, int line, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    if (keep((struct simt_finding){.check = check,
                                   .kernel = worker->grid->launch->kernel,
                                   .array = "",
                                   .file = line ? file : "",
                                   .line = line,
                                   .other_file = "",
                                   .count = 1,
                                   .text = text}) != 0 ||
        !silent)
        fputs(text, stderr);
    pthread_mutex_unlock(&lock);
}

void simt_found_collect(struct simt_worker **workers, int count,
                        const struct simt_grid *grid)
{
    const size_t before = finding_count;
    struct simt_found *all = NULL;
    size_t total = 0, room = 0;

    for (int i = 0; i < count; i++) {
        struct simt_recorder *r = workers[i]->recorder;

        if (r == NULL)
            continue;
        for (size_t j = 0; j < r->found_count; j++)
            r->out_of_memory |= add(&all, &total, &room, &r->found[j]) != 0;
        r->found_count = 0;
        for (int j = 0; j < SIMT_CHECKS; j++)
            seen[j] += r->seen[j];
        memset(r->seen, 0, sizeof r->seen);
    }
    for (size_t i = 0; i < total; i++)
        make_finding(&all[i], grid);
    free(all);
    if (finding_count > before) {
        qsort(findings + before, finding_count - before, sizeof *findings,
              by_line);
    }
    for (size_t i = before; i < finding_count && !silent; i++)
        fputs(findings[i].text, stderr);
}

void simt_findings_read(struct simt_findings *result)
{
    *result =
        (struct simt_findings){.finding = findings, .count = finding_count};
    memcpy(result->seen, seen, sizeof seen);
}

void simt_found_reset(void)
{
    for (size_t i = 0; i < finding_count; i++) {
        free((void *)(uintptr_t)findings[i].text);
        free((void *)(uintptr_t)findings[i].kernel);
        free((void *)(uintptr_t)findings[i].array);
    }
    free(findings);
    findings = NULL;
    finding_count = 0;
    memset(seen, 0, sizeof seen);
}
