/*
 * Races, and reads of what nobody wrote.
 *
 * Each word of shared and global memory has a shadow that keeps who wrote it
 * last and who read it last. Time is cut into intervals: an interval is what
 * one block does between two barriers, and has a number of its own over all
 * blocks and launches. Two accesses of which one writes are a race
 *
 *   - within a block, if they belong to the same interval and to different
 *     threads; threads of one warp may have a __syncwarp() between them;
 *   - between blocks of one launch always, in global memory.
 *
 * Atomic operations do not race with each other, nor do volatile accesses to
 * global memory: such accesses are how blocks tell each other that something
 * is ready. So whatever a block did before it did one first is taken as known
 * to every block that does one later (compare NVIDIA's sample
 * threadFenceReduction). This is coarse: it may hide a race of a kernel that
 * has both, and never makes one up.
 *
 * A plain read does not race with atomicCAS(): a loop that changes a value by
 * it begins with such a read (CUDA C++ Programming Guide, "Atomic Functions").
 *
 * Threads that store the same constant in one variable, as done = 1, do not
 * race: whichever is last, it stays. In an element of an array they do: there
 * it is most often the index that is wrong.
 *
 * Bytes that are touched alone, as by a char array, have shadows of their own;
 * neighbours in a word do not race.
 */
#define _GNU_SOURCE
#include "lines.h"
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

/* --- one access ----------------------------------------------------------- */

/* What one request brings along. */
struct request {
    struct simt_worker *worker;
    struct simt_recorder *recorder;
    const struct simt_site *site;
    struct simt_shadow *shadow;
    uint64_t address; /* of the lane at hand */
    enum simt_check race, unwritten;
};

static int has_other_thread(simt_touch a, simt_touch b)
{
    return ((a ^ b) >> 24 & 0x3ff) != 0;
}

/* 1 if the interval is one of the block that runs. */
static int is_of_block(const struct simt_recorder *recorder, uint32_t interval)
{
    for (int i = recorder->runs - 1; i >= 0; i--) {
        if (interval - recorder->run[i] < SIMT_RUN)
            return 1;
    }
    return 0;
}

/* 1 if a __syncwarp() stands between two accesses of one interval. */
static int is_of_other_step(simt_touch a, simt_touch b)
{
    const simt_touch differs = a ^ b;

    if ((differs >> 24 & 0x3ff) >= SIMT_WARP)
        return 0; /* another warp */
    return (differs >> 14 & 0x3ff) != 0 || (a >> 14 & 0x3ff) == SIMT_MOST_STEPS;
}

/* 1 if one access is an atomicCAS() and the other a plain read: what was read
   too early is compared again before it counts. */
static int is_compared(int kind, int other_kind)
{
    return (kind & SIMT_EVENT_CAS) != 0 && !(other_kind & SIMT_EVENT_STORE);
}

/* 1 if neither access is a plain one, or only read to be compared. */
static int may_meet(const struct request *r, simt_touch other)
{
    const int mine = simt_key_kind(r->site->key);
    const int its =
        simt_key_kind(simt_instruction_key((unsigned)(other & 0x3fff)));
    const int strong = SIMT_EVENT_ATOMIC |
                       (r->race == SIMT_RACE_GLOBAL ? SIMT_EVENT_VOLATILE : 0);

    return ((mine & strong) != 0 && (its & strong) != 0) ||
           is_compared(mine, its) || is_compared(its, mine);
}

/* 1 if both are made by one instruction, which stores a constant in what is no
   array. */
static int store_the_same(const struct request *r, simt_touch mine,
                          simt_touch other)
{
    const uint64_t key = r->site->key;

    return ((mine ^ other) & 0x3fff) == 0 &&
           r->site->extent == (size_t)simt_key_size(key) &&
           !(simt_key_kind(key) & SIMT_EVENT_ATOMIC) &&
           simt_stores_constant(simt_key_code(key));
}

/* Of two accesses one of which writes: tells a race, unless something else
   orders them. Rarely called. */
static __attribute__((noinline)) void
judge_accesses(const struct request *r, simt_touch mine, simt_touch other)
{
    const struct simt_hopper_calls *const calls = r->worker->hopper_calls;
    const uint32_t interval = simt_touch_interval(other);

    if ((mine & other & 0x3fff) == 0 &&
        ((mine & 0x3fff) == 0 || (other & 0x3fff) == 0))
        return; /* an instruction without a number: nothing could be told */
    if (interval == simt_touch_interval(mine)) {
        if (!has_other_thread(mine, other) || is_of_other_step(mine, other) ||
            (calls != NULL && calls->orders(r->worker, mine, other)))
            return;
    } else {
        uint64_t released;

        if (is_of_block(r->recorder, interval))
            return;
        released = simt_interval_released(interval);
        if (released != 0 &&
            (released <= r->recorder->acquired || r->recorder->is_syncing))
            return;
    }
    if (!may_meet(r, other) && !store_the_same(r, mine, other))
        simt_found(r->worker, r->race, r->site, r->address, mine, other);
}

/* 1 if the access may race with this one: it belongs to the same interval, or
   to another block of the launch. For shared memory only the first counts. */
static inline int is_concurrent(const struct request *r, simt_touch mine,
                                simt_touch other)
{
    const uint32_t interval = simt_touch_interval(other);

    if (interval == simt_touch_interval(mine))
        return has_other_thread(mine, other);
    return r->race == SIMT_RACE_GLOBAL && interval >= r->recorder->launch_first;
}

/* Other workers look at the shadow of global memory too. */
static inline simt_touch load_touch(const simt_touch *touch)
{
    return __atomic_load_n(touch, __ATOMIC_RELAXED);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the builtin stores there */
static inline void note(simt_touch *touch, simt_touch value)
{
    __atomic_store_n(touch, value, __ATOMIC_RELAXED);
}

static inline void load(const struct request *r, struct simt_word *word,
                        simt_touch mine)
{
    const simt_touch write = load_touch(&word->write),
                     read = load_touch(&word->read);

    if (is_concurrent(r, mine, write))
        judge_accesses(r, mine, write);
    if (read >> 24 == mine >> 24)
        return;
    /* Two readers are kept, so that whoever writes meets one that is not
       itself; of other blocks rather than of this interval. */
    if (is_concurrent(r, mine, read) &&
        !(simt_touch_interval(read) != simt_touch_interval(mine) &&
          is_of_block(r->recorder, simt_touch_interval(read))))
        note(&word->other_read, read);
    note(&word->read, mine);
}

static inline void store(const struct request *r, struct simt_word *word,
                         simt_touch mine)
{
    const simt_touch read = load_touch(&word->read);
    simt_touch write;

    if (r->race == SIMT_RACE_GLOBAL) {
        write = __atomic_exchange_n(&word->write, mine, __ATOMIC_RELAXED);
    } else {
        write = word->write;
        word->write = mine;
    }
    if (is_concurrent(r, mine, write))
        judge_accesses(r, mine, write);
    if (is_concurrent(r, mine, read))
        judge_accesses(r, mine, read);
    if (simt_touch_interval(read) >= r->recorder->launch_first) {
        const simt_touch other = load_touch(&word->other_read);

        if (is_concurrent(r, mine, other))
            judge_accesses(r, mine, other);
    }
}

/* 1 if the word or byte was written in this block; of shared memory. */
static inline int is_written_here(const struct request *r, simt_touch write)
{
    return simt_touch_interval(write) >= r->recorder->block_first;
}

/* 1 if each byte of the word was written alone in this block. */
static int are_bytes_written(const struct request *r, size_t first,
                             size_t count)
{
    const struct simt_word *byte = r->shadow->byte;

    for (size_t i = first; byte != NULL && i < first + count; i++) {
        if (!is_written_here(r, byte[i].write))
            return 0;
    }
    return byte != NULL;
}

static int are_marked(const struct simt_shadow *shadow, size_t first,
                      size_t count)
{
    return memchr(shadow->written + first, 0, count) == NULL;
}

/* Reads of words or bytes: was it written? `first` and `count` are bytes. */
static inline void check_written(const struct request *r, simt_touch mine,
                                 simt_touch write, size_t first, size_t count)
{
    if (r->shadow->is_shared
            ? is_written_here(r, write) || are_bytes_written(r, first, count) ||
                  (r->worker->hopper_calls != NULL &&
                   r->worker->hopper_calls->fills(r->worker, r->address))
            : r->shadow->written == NULL || are_marked(r->shadow, first, count))
        return;
    simt_found(r->worker, r->unwritten, r->site, r->address, mine, 0);
}

/* One lane's access to whole words. */
static inline void touch_words(const struct request *r, simt_touch mine,
                               size_t size, int kind)
{
    struct simt_shadow *shadow = r->shadow;
    const size_t first = r->address - shadow->base;

    for (size_t at = first; at < first + size; at += 4) {
        struct simt_word *word = &shadow->word[at / 4];

        if (!(kind & SIMT_EVENT_STORE) || kind & SIMT_EVENT_ATOMIC)
            check_written(r, mine, load_touch(&word->write), at, 4);
        if (kind & SIMT_EVENT_STORE) {
            store(r, word, mine);
        } else {
            load(r, word, mine);
        }
        for (size_t i = 0; shadow->byte != NULL && i < 4; i++) {
            const struct simt_word *byte = &shadow->byte[at + i];

            if (is_concurrent(r, mine, load_touch(&byte->write)))
                judge_accesses(r, mine, load_touch(&byte->write));
            if (kind & SIMT_EVENT_STORE &&
                is_concurrent(r, mine, load_touch(&byte->read)))
                judge_accesses(r, mine, load_touch(&byte->read));
        }
    }
    if (kind & SIMT_EVENT_STORE && shadow->written != NULL)
        memset(shadow->written + first, 1, size);
}

/* One lane's access to one or two bytes. */
static void touch_bytes(const struct request *r, simt_touch mine, size_t size,
                        int kind)
{
    struct simt_shadow *shadow = r->shadow;
    const size_t first = r->address - shadow->base;
    struct simt_word *byte = simt_shadow_bytes(shadow);
    const struct simt_word *word = &shadow->word[first / 4];

    if (byte == NULL)
        return;
    if (!(kind & SIMT_EVENT_STORE))
        check_written(r, mine, load_touch(&word->write), first, size);
    if (is_concurrent(r, mine, load_touch(&word->write)))
        judge_accesses(r, mine, load_touch(&word->write));
    if (kind & SIMT_EVENT_STORE &&
        is_concurrent(r, mine, load_touch(&word->read)))
        judge_accesses(r, mine, load_touch(&word->read));
    for (size_t i = first; i < first + size; i++) {
        if (kind & SIMT_EVENT_STORE) {
            store(r, &byte[i], mine);
        } else {
            load(r, &byte[i], mine);
        }
    }
    if (kind & SIMT_EVENT_STORE && shadow->written != NULL)
        memset(shadow->written + first, 1, size);
}

uint32_t simt_lanes_that_differ(const uint64_t address[SIMT_WARP],
                                uint32_t active)
{
    uint32_t equal = 0; /* to the lane before */

    if (active != UINT32_MAX)
        return active;
    for (int lane = 1; lane < SIMT_WARP; lane++)
        equal |= (uint32_t)(address[lane] == address[lane - 1]) << lane;
    return ~(equal & equal >> 1);
}

/*
 * The commonest request, loads of one word of shared memory, without the
 * detours: a word that this block wrote in an earlier interval is all right.
 */
static void load_shared(struct request *r, const uint64_t address[SIMT_WARP],
                        uint32_t active, simt_touch base)
{
    const uint32_t block_first = r->recorder->block_first;
    const uint32_t interval = simt_touch_interval(base);
    const uintptr_t shadow_base = r->shadow->base;
    struct simt_word *const words = r->shadow->word;
    const uint64_t first = (uint64_t)r->recorder->first_thread;

    for (uint32_t left = active; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        struct simt_word *word = &words[(address[lane] - shadow_base) / 4];
        const simt_touch mine = base | (first + lane) << 24;
        const simt_touch write = word->write, read = word->read;

        if (simt_touch_interval(write) - block_first >=
            interval - block_first) {
            r->address = address[lane];
            check_written(r, mine, write, address[lane] - shadow_base, 4);
            if (is_concurrent(r, mine, write))
                judge_accesses(r, mine, write);
        }
        if (read >> 24 == mine >> 24)
            continue;
        if (simt_touch_interval(read) == interval)
            word->other_read = read;
        word->read = mine;
    }
}

/*
 * The same for loads of one word of global memory: a word that nobody has
 * written in this launch is all right.
 */
static void load_global(struct request *r, const uint64_t address[SIMT_WARP],
                        uint32_t active, simt_touch base)
{
    const uint32_t launch_first = r->recorder->launch_first;
    const uint32_t interval = simt_touch_interval(base);
    const uintptr_t shadow_base = r->shadow->base;
    struct simt_word *const words = r->shadow->word;
    const uint64_t first = (uint64_t)r->recorder->first_thread;

    for (uint32_t left = active; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        struct simt_word *word = &words[(address[lane] - shadow_base) / 4];
        const simt_touch mine = base | (first + lane) << 24;
        const simt_touch write = load_touch(&word->write),
                         read = load_touch(&word->read);

        if (simt_touch_interval(write) >= launch_first) {
            r->address = address[lane];
            if (is_concurrent(r, mine, write))
                judge_accesses(r, mine, write);
        }
        if (read >> 24 == mine >> 24)
            continue;
        if (simt_touch_interval(read) == interval ||
            (simt_touch_interval(read) >= launch_first &&
             !is_of_block(r->recorder, simt_touch_interval(read))))
            note(&word->other_read, read);
        note(&word->read, mine);
    }
}

/* --- which line comes first ---------------------------------------------- */

void simt_check_request(struct simt_worker *worker,
                        const struct simt_site *site,
                        const uint64_t address[SIMT_WARP], uint32_t active,
                        uint32_t differing)
{
    struct simt_recorder *recorder = worker->recorder;
    struct simt_shadow *shadow = site->shadow;
    const int kind = simt_key_kind(site->key);
    const int is_load = !(kind & SIMT_EVENT_STORE);
    const int reads = is_load || kind & SIMT_EVENT_ATOMIC;
    const size_t size = (size_t)simt_key_size(site->key);
    const int first = recorder->first_thread;
    const simt_touch base =
        (simt_touch)recorder->interval << 34 |
        (simt_touch)recorder->step[first / SIMT_WARP] << 14 | site->instruction;
    struct request r = {
        .worker = worker, .recorder = recorder, .site = site, .shadow = shadow};

    if (shadow == NULL || shadow->word == NULL || recorder->interval == 0)
        return;
    if (shadow->is_shared)
        simt_passage_note(recorder, site->instruction, active);
    if (shadow->is_shared && worker->hopper_calls != NULL)
        worker->hopper_calls->touch(worker, site->key, address, active);
    r.race = shadow->is_shared ? SIMT_RACE_SHARED : SIMT_RACE_GLOBAL;
    r.unwritten =
        shadow->is_shared ? SIMT_UNWRITTEN_SHARED : SIMT_UNWRITTEN_GLOBAL;
    recorder->seen[r.race] += simt_lane_count(active);
    if (reads)
        recorder->seen[r.unwritten] += simt_lane_count(active);

    if (is_load && differing != 0) {
        active = differing;
    } else if (is_load) {
        active = simt_lanes_that_differ(address, active);
    }
    if (is_load && size == 4 && shadow->is_shared && shadow->byte == NULL) {
        load_shared(&r, address, active, base);
        return;
    }
    if (is_load && size == 4 && !shadow->is_shared && shadow->byte == NULL &&
        shadow->written == NULL) {
        load_global(&r, address, active, base);
        return;
    }
    for (uint32_t left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const simt_touch mine = base | (simt_touch)(first + lane) << 24;

        r.address = address[lane];
        if (size >= 4) {
            touch_words(&r, mine, size, kind);
        } else {
            touch_bytes(&r, mine, size, kind);
        }
    }
}
