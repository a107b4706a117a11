/*
 * Fills the logs of log.h: request by request, as the warps' are merged, or
 * access by access as one thread, or host code, is about to make it. A block
 * runs on one OS thread from its beginning to its end, so the log of a thread
 * needs no lock; one of requests does.
 */
#define _GNU_SOURCE
#include "log.h"

#include "copies.h"
#include "lines.h"
#include "recorder.h"

#include "base/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 21 /* accesses of a log */
};

struct simt_log {
    struct simt_filter filter;
    unsigned launches; /* seen so far */
    struct simt_access *access;
    size_t count;
    int cut;
    int pending; /* 1: the last is a store that is still to be made */
    struct simt_log *next;
};

/* Those that get what comes, and how many are of requests and of host code. */
static struct simt_log *logs;
int simt_logs_of_requests, simt_logs_of_host;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- begin, end and read -------------------------------------------------- */

static int is_of_host(const struct simt_log *log)
{
    return log->filter.host[0].from != NULL;
}

static int is_of_thread(const struct simt_log *log)
{
    return !is_of_host(log) && log->filter.thread != SIMT_ANY;
}

static void count_log(const struct simt_log *log, int more)
{
    if (is_of_host(log)) {
        simt_logs_of_host += more;
    } else if (!is_of_thread(log)) {
        simt_logs_of_requests += more;
    }
}

struct simt_log *simt_log_begin(const struct simt_filter *filter)
{
    struct simt_log *log = calloc(1, sizeof *log);

    if (log == NULL)
        return NULL;
    log->filter = *filter;
    log->next = logs;
    logs = log;
    count_log(log, 1);
    return log;
}

void simt_log_stop(struct simt_log *log)
{
    struct simt_log **at = &logs;

    while (*at != NULL && *at != log)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = log->next;
    count_log(log, -1);
}

void simt_log_free(struct simt_log *log)
{
    simt_log_stop(log);
    if (log != NULL)
        free(log->access);
    free(log);
}

const struct simt_access *simt_log_read(const struct simt_log *log,
                                        size_t *count, int *cut)
{
    *count = log != NULL ? log->count : 0;
    *cut = log == NULL || log->cut;
    return log != NULL ? log->access : NULL;
}

const char *simt_access_array(const struct simt_access *access)
{
    return simt_array_name(access->kernel, access->array);
}

void simt_access_name(char *text, size_t size, const struct simt_access *access)
{
    simt_element_name(text, size, access->kernel, access->array,
                      (long long)access->offset, access->extent, access->size);
}

/* One access more; NULL if there are too many, or without memory. */
static struct simt_access *new_access(struct simt_log *log)
{
    struct simt_access *const added =
        log->count < MOST
            ? base_list_add(&log->access, &log->count, sizeof *added)
            : NULL;

    log->cut |= added == NULL;
    return added;
}

/* --- one access ----------------------------------------------------------- */

/* What an instruction's accesses of a thread have in common. */
static struct simt_access describe(uintptr_t code, uint64_t key)
{
    struct simt_access a = {.file = "",
                            .code = code,
                            .space = simt_key_space_of(key),
                            .kind = simt_key_kind_of(key),
                            .is_async =
                                (simt_key_kind(key) & SIMT_EVENT_ASYNC) != 0,
                            .size = simt_key_size(key),
                            .writer = -1,
                            .writer_file = ""};

    simt_line_of(code, &a.file, &a.line);
    return a;
}

/* The same, with who makes it. */
static struct simt_access describe_for(const struct simt_log *log,
                                       const struct simt_worker *worker,
                                       uint64_t key)
{
    const struct simt_grid *grid = worker->grid;
    struct simt_access a = describe(simt_key_code(key), key);

    a.kernel = grid->launch->kernel;
    memcpy(a.grid, &grid->size, sizeof a.grid);
    memcpy(a.block_size, &grid->block, sizeof a.block_size);
    a.dynamic_shared = grid->launch->dynamic_shared;
    a.launch = log->launches;
    a.block = worker->recorder->block;
    a.interval = worker->recorder->interval - worker->recorder->block_first;
    return a;
}

static void place_access(struct simt_access *a,
                         const struct simt_worker *worker, uint64_t key,
                         uintptr_t address)
{
    const struct simt_array array = simt_array_at(worker, key, address);

    a->array = array.number;
    a->base = array.base;
    a->offset = address - array.base;
    a->extent = array.extent;
}

/* 1 if all its bytes are there to be read. */
static int is_there(const struct simt_access *a)
{
    return a->offset <= a->extent && (size_t)a->size <= a->extent - a->offset;
}

/* --- requests ------------------------------------------------------------- */

/* 1 if the log wants accesses of this block, of this launch. */
static int is_wanted_block(const struct simt_log *log,
                           const struct simt_worker *worker)
{
    const struct simt_filter *f = &log->filter;

    return (f->launch == SIMT_ANY || f->launch == (long)log->launches) &&
           (f->block == SIMT_ANY ||
            (uint64_t)f->block == worker->recorder->block) &&
           (f->kernel == NULL ||
            strcmp(f->kernel, worker->grid->launch->kernel) == 0);
}

static int is_of_row(const struct simt_row *row, const struct simt_access *a)
{
    return a->size == row->size && a->kind == row->kind &&
           a->space == row->space && a->line == row->line &&
           strcmp(a->file, row->file) == 0 &&
           strcmp(a->kernel, row->kernel) == 0 &&
           strcmp(simt_access_array(a), row->array) == 0;
}

static void keep(struct simt_log *log, const struct simt_access *access,
                 int lanes)
{
    for (int i = 0; i < lanes; i++) {
        struct simt_access *to = new_access(log);

        if (to == NULL)
            return;
        *to = access[i];
    }
}

static void log_request(struct simt_log *log, const struct simt_worker *worker,
                        uint64_t key, const uint64_t address[SIMT_WARP],
                        uint32_t active)
{
    const struct simt_filter *f = &log->filter;
    const struct simt_access common = describe_for(log, worker, key);
    struct simt_access access[SIMT_WARP];
    int lanes = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        struct simt_access *a = &access[lanes];

        if (!(active >> lane & 1))
            continue;
        *a = common;
        a->thread = worker->recorder->first_thread + lane;
        place_access(a, worker, key, address[lane]);
        if (lanes == 0 && f->row != NULL && !is_of_row(f->row, a))
            return;
        lanes += !f->memory_only ||
                 simt_memory_valid((const void *)(uintptr_t)address[lane],
                                   (size_t)a->size);
    }
    if (lanes == 0)
        return;
    pthread_mutex_lock(&lock);
    if (f->take != NULL) {
        f->take(f->to, access, lanes);
    } else {
        keep(log, access, lanes);
    }
    pthread_mutex_unlock(&lock);
}

void simt_log_request(const struct simt_worker *worker, uint64_t key,
                      const uint64_t address[SIMT_WARP], uint32_t active)
{
    for (struct simt_log *log = logs; log != NULL; log = log->next) {
        if (!is_of_host(log) && !is_of_thread(log) &&
            (!log->filter.stores_only ||
             simt_key_kind(key) & SIMT_EVENT_STORE) &&
            is_wanted_block(log, worker))
            log_request(log, worker, key, address, active);
    }
}

void simt_log_launch_ended(void)
{
    for (struct simt_log *log = logs; log != NULL; log = log->next)
        log->launches++;
}

/* --- one thread, and host code -------------------------------------------- */

static int follows(const struct simt_log *log, const struct simt_worker *worker,
                   const struct simt_thread *thread)
{
    return is_of_thread(log) && is_wanted_block(log, worker) &&
           (log->filter.thread == SIMT_EACH ||
            thread - worker->thread == log->filter.thread);
}

int simt_log_follows(const struct simt_worker *worker,
                     const struct simt_thread *thread)
{
    const struct simt_log *log = logs;

    while (log != NULL && !follows(log, worker, thread))
        log = log->next;
    return log != NULL;
}

/* The access' value as it now stands in memory. */
static void fetch_value(struct simt_access *a)
{
    if (a->size > (int)sizeof a->value)
        return;
    memcpy(a->value, (const void *)(a->base + a->offset), (size_t)a->size);
    a->known = 1;
}

static void settle(struct simt_log *log)
{
    if (log->pending)
        fetch_value(&log->access[log->count - 1]);
    log->pending = 0;
}

void simt_log_settle(const struct simt_worker *worker,
                     const struct simt_thread *thread)
{
    for (struct simt_log *log = logs; log != NULL; log = log->next) {
        if (follows(log, worker, thread))
            settle(log);
    }
}

/* Keeps an access that is about to be made. A store has its value when it is:
   at the next access of the thread, or when that gives way. */
static struct simt_access *add(struct simt_log *log,
                               const struct simt_access *access)
{
    struct simt_access *a = new_access(log);

    if (a == NULL)
        return NULL;
    *a = *access;
    if (!is_there(a))
        return a;
    if (a->kind == SIMT_LOAD) {
        fetch_value(a);
    } else {
        log->pending = 1;
    }
    return a;
}

/* What is known of this word of shared memory; NULL: nothing. */
static const struct simt_word *find_word(const struct simt_worker *worker,
                                         const struct simt_access *a)
{
    const struct simt_recorder *r = worker->recorder;
    const struct simt_shadow *shadow =
        a->array == SIMT_DYNAMIC_SHARED ? &r->dynamics : &r->statics;
    const size_t at = (a->base + a->offset - shadow->base) / 4;

    return shadow->word == NULL || at * 4 >= shadow->bytes ? NULL
                                                           : &shadow->word[at];
}

/* Has all that is about to be overwritten been loaded in this block? */
static void look_before_store(const struct simt_worker *worker,
                              struct simt_access *a)
{
    struct simt_access at = *a;
    int is_loaded = 1;

    for (int done = 0; done < a->size; done += 4, at.offset += 4) {
        const struct simt_word *const word = find_word(worker, &at);
        uint32_t write;

        if (word == NULL)
            return;
        write = simt_touch_interval(word->write);
        if (write < worker->recorder->block_first)
            return;
        is_loaded &= simt_touch_interval(word->read) >= write ||
                     simt_touch_interval(word->other_read) >= write;
    }
    a->was_loaded = is_loaded ? 1 : -1;
}

/* Who wrote this word of shared memory last. */
static void find_writer(const struct simt_worker *worker, struct simt_access *a)
{
    const struct simt_recorder *r = worker->recorder;
    const struct simt_word *const word = find_word(worker, a);
    simt_touch write;

    if (word == NULL)
        return;
    write = word->write;
    if (simt_touch_interval(write) < r->block_first || (write & 0x3fff) == 0)
        return;
    a->writer = simt_touch_thread(write);
    simt_line_of(
        simt_key_code(simt_instruction_key((unsigned)(write & 0x3fff))),
        &a->writer_file, &a->writer_line);
}

/* 1 for the load of `*to = *from`, of several elements at once: g++ tells of
   the store first, and makes both after that. */
static int is_copied(const struct simt_log *log, const struct simt_access *load)
{
    const struct simt_access *const store =
        log->pending ? &log->access[log->count - 1] : load;

    return store->kind == SIMT_STORE && load->kind == SIMT_LOAD &&
           load->size > 4 && !load->is_async && store->size == load->size &&
           store->line == load->line && store->file == load->file;
}

/* Exchanges it with the one before. Returns where it is then. */
static struct simt_access *put_before(struct simt_access *last)
{
    const struct simt_access own = *last;

    last[0] = last[-1];
    last[-1] = own;
    return last - 1;
}

void simt_log_thread(const struct simt_worker *worker, uint64_t key,
                     uintptr_t address)
{
    for (struct simt_log *log = logs; log != NULL; log = log->next) {
        struct simt_access access, *added;
        int is_copy;

        if (!follows(log, worker, worker->current))
            continue;
        /* A store of both ways of a branch may be made where they meet. */
        if (simt_key_kind(key) == SIMT_EVENT_BLOCK)
            continue;
        access = describe_for(log, worker, key);
        access.thread = (int)(worker->current - worker->thread);
        place_access(&access, worker, key, address);
        is_copy = is_copied(log, &access);
        if (!is_copy)
            settle(log);
        added = add(log, &access);
        if (is_copy && added != NULL)
            added = put_before(added);
        if (added == NULL || added->space != SIMT_SHARED)
            continue;
        if (added->kind != SIMT_LOAD)
            look_before_store(worker, added);
        if (!added->known)
            continue;
        find_writer(worker, added);
        if (added->writer >= 0 && isnan(added->value[0]))
            added->copy = simt_copy_state(worker, added->writer, address);
    }
}

/* The log that follows the thread which runs; NULL: none does. */
static struct simt_log *log_of(const struct simt_worker *worker)
{
    struct simt_log *log = logs;

    while (log != NULL && !follows(log, worker, worker->current))
        log = log->next;
    return log;
}

size_t simt_log_at(const struct simt_worker *worker)
{
    const struct simt_log *const log = log_of(worker);

    return log != NULL ? log->count : 0;
}

void simt_log_copied(const struct simt_worker *worker, size_t begun, int line)
{
    struct simt_log *const log = log_of(worker);

    /* The copy's own store, of what stands there until then, is the one before.
     */
    for (size_t i = begun > 0 ? begun - 1 : 0; log != NULL && i < log->count;
         i++)
        log->access[i].awaited = line;
    if (log != NULL && begun > 0 && begun <= log->count)
        log->access[begun - 1].there = log->count;
}

void simt_log_host(uintptr_t address, int size, int kind, uintptr_t code)
{
    for (struct simt_log *log = logs; log != NULL; log = log->next) {
        struct simt_access access =
            describe(code, (uint64_t)size << 8 | (uint64_t)kind);

        if (!is_of_host(log))
            continue;
        settle(log);
        for (unsigned i = 0; i < SIMT_HOST_RANGES; i++) {
            access.base = (uintptr_t)log->filter.host[i].from;
            access.extent = (uintptr_t)log->filter.host[i].to - access.base;
            access.offset = address - access.base;
            access.array = i;
            if (access.offset < access.extent) {
                add(log, &access);
                break;
            }
        }
    }
}
