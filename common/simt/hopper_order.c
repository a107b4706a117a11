/* Which warp knows what another one has done, and what becomes of shared memory
   that more than one of them uses. */
#define _GNU_SOURCE
#include "hopper_state.h"
#include "lines.h"
#include "recorder.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the block's state ---------------------------------------------------- */

void hopper_refuse(struct simt_worker *worker, enum simt_check check,
                   struct hopper_line at, const char *format, ...)
{
    char text[700];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    simt_report(worker, check, cudaErrorLaunchFailure, at.file, at.line, "%s",
                text);
    simt_abandon_block(worker);
}

void *hopper_add(struct simt_worker *worker, void *list, size_t *count,
                 size_t size)
{
    void *const added = base_list_add(list, count, size);

    if (added == NULL) {
        hopper_refuse(worker, SIMT_ASSERTION, (struct hopper_line){"", 0},
                      "needs more memory than there is.");
    }
    return added;
}

const struct simt_hopper_calls *hopper_calls;

struct simt_hopper *hopper_of(struct simt_worker *worker)
{
    struct simt_hopper *h = worker->hopper;
    size_t none = 0;

    if (h == NULL)
        h = hopper_add(worker, &worker->hopper, &none, sizeof *h);
    if (worker->hopper_calls != NULL)
        return h;
    worker->hopper_calls = hopper_calls;
    memset(h->clock, 0, sizeof h->clock);
    for (int i = 0; i < HOPPER_WARPS; i++) {
        h->clock[i].of[i] = 1;
        h->base[i] = simt_recording ? 1 - worker->recorder->step[i] : 1;
    }
    h->barriers = h->phases = h->loads = h->loads_there = 0;
    h->stores = h->stores_done = h->unfenced_count = 0;
    memset(h->named, 0, sizeof h->named);
    memset(h->waited, 0, sizeof h->waited);
    memset(h->stored, 0, sizeof h->stored);
    memset(h->granule, 0, sizeof h->granule);
    for (int g = 0; g < HOPPER_GROUPS; g++) {
        struct hopper_group *group = &h->group[g];

        for (size_t i = 0; i < group->sum_count; i++)
            free(group->sums[i].value);
        group->products = group->sum_count = 0;
        memset(group->thread, 0, sizeof group->thread);
    }
    return h;
}

void hopper_wait_for(struct simt_worker *worker, const struct hopper_wait *wait)
{
    struct simt_thread *self = worker->current;

    worker->hopper->wait[hopper_self(worker)] = *wait;
    self->state = SIMT_AT_HOPPER;
    if (simt_recording) {
        simt_give_way(worker);
        return;
    }
    simt_go_on_with(worker, simt_next_thread(worker));
}

void hopper_ends(struct simt_worker *worker, int thread, struct hopper_line at,
                 const char *what)
{
    worker->current = &worker->thread[thread];
    simt_report(worker, SIMT_EARLY, cudaErrorLaunchFailure, at.file, at.line,
                "%s", what);
    worker->current = NULL;
}

/* --- clocks --------------------------------------------------------------- */

int hopper_knows(const struct simt_hopper *h, int warp, int other,
                 uint32_t tick)
{
    return tick != 0 && h->clock[warp].of[other] >= tick;
}

static void tick(struct simt_worker *worker, int warp)
{
    uint16_t *const step =
        simt_recording ? &worker->recorder->step[warp] : NULL;

    worker->hopper->clock[warp].of[warp]++;
    if (step != NULL && *step < SIMT_MOST_STEPS)
        ++*step;
}

static void join(struct hopper_clock *to, const struct hopper_clock *from)
{
    for (int i = 0; i < HOPPER_WARPS; i++)
        to->of[i] = to->of[i] > from->of[i] ? to->of[i] : from->of[i];
}

void hopper_tell(struct simt_worker *worker, int warp, struct hopper_clock *to)
{
    join(to, &worker->hopper->clock[warp]);
    tick(worker, warp);
}

void hopper_learn(struct simt_hopper *h, int warp,
                  const struct hopper_clock *known)
{
    join(&h->clock[warp], known);
}

void hopper_step(struct simt_worker *worker, int first_thread)
{
    worker->hopper->clock[hopper_warp(first_thread)]
        .of[hopper_warp(first_thread)]++;
}

void hopper_pass(struct simt_worker *worker)
{
    struct hopper_clock all = {{0}};

    memset(worker->hopper->named, 0, sizeof worker->hopper->named);
    for (int i = 0; i < HOPPER_WARPS; i++)
        hopper_tell(worker, i, &all);
    for (int i = 0; i < HOPPER_WARPS; i++) {
        hopper_learn(worker->hopper, i, &all);
        worker->hopper->base[i] = worker->hopper->clock[i].of[i];
    }
}

/* 1 if a thread knows what an access of a thread of this block did that is not
   older than the last __syncthreads(). */
static int knows_touch(const struct simt_worker *worker, int thread,
                       simt_touch other)
{
    const struct simt_hopper *const h = worker->hopper;
    const int its = simt_touch_thread(other);
    const unsigned step = (unsigned)(other >> 14 & 0x3ff);
    const uint32_t then = (uint32_t)(h->base[hopper_warp(its)] + step);

    if (its == thread || step == SIMT_MOST_STEPS)
        return 1;
    return hopper_knows(h, hopper_warp(thread), hopper_warp(its),
                        hopper_warp(its) == hopper_warp(thread) ? then + 1
                                                                : then);
}

int hopper_orders(const struct simt_worker *worker, uint64_t mine,
                  uint64_t other)
{
    return knows_touch(worker, simt_touch_thread(mine), other);
}

int hopper_has_come(const struct simt_hopper *h, int warp,
                    const struct hopper_load *load)
{
    const struct hopper_phase *phase = &h->phase[load->phase];

    if (!load->is_there)
        return 0;
    for (int i = 0; i < HOPPER_WARPS; i++) {
        if (hopper_knows(h, warp, i, phase->seen.of[i]))
            return 1;
    }
    return 0;
}

/* --- shared memory -------------------------------------------------------- */

unsigned hopper_end(const struct simt_worker *worker)
{
    return simt_first_dynamic(worker) +
           (unsigned)worker->grid->launch->dynamic_shared;
}

static struct hopper_granule *granule_at(struct simt_hopper *h,
                                         unsigned address)
{
    return &h->granule[hopper_short(address) / HOPPER_GRANULE];
}

unsigned hopper_byte(const struct simt_worker *worker, unsigned address)
{
    return address -
           (address >= SIMT_SHARED_DYNAMIC ? simt_first_dynamic(worker) : 0);
}

/* --- what is read --------------------------------------------------------- */

/* What the warp did to see that something has come: its last wait. */
static const char *say_wait(char text[250], const struct simt_hopper *h,
                            int warp)
{
    const struct hopper_wait *wait = &h->waited[warp];
    const uint32_t number = h->waited_number[warp];

    if (wait->at.line == 0)
        return "Its warp has waited for no barrier yet.";
    snprintf(text, 250,
             "The last wait of its warp, in line %d, was for parity %d of the "
             "barrier that line %d initialises, whose phase %u, of parity %u, "
             "was under way%s.",
             wait->at.line, wait->parity, h->barrier[wait->barrier].init.line,
             (unsigned)number, (unsigned)number & 1,
             wait->parity == (int)(number & 1) ? "" : ": it was over at once");
    return text;
}

/* The last plain store to that granule, if there was one since the last
   __syncthreads(); 0: none. */
static simt_touch last_store(const struct simt_worker *worker, unsigned address,
                             int *was_written)
{
    const struct simt_recorder *r = worker->recorder;
    const struct simt_shadow *shadow =
        address >= SIMT_SHARED_DYNAMIC ? &r->dynamics : &r->statics;
    const uintptr_t at = (uintptr_t)simt_shared_pointer(address);

    for (size_t i = 0; i < HOPPER_GRANULE / 4; i++) {
        const simt_touch write =
            shadow->word[(at - shadow->base) / 4 + i].write;

        *was_written |= simt_touch_interval(write) >= r->block_first;
        if (simt_touch_interval(write) == r->interval)
            return write;
    }
    return 0;
}

/* A load from that granule since the last __syncthreads() of which this thread
   does not know that it is over; 0: there is none. */
static simt_touch unknown_load(const struct simt_worker *worker,
                               unsigned address)
{
    const struct simt_recorder *r = worker->recorder;
    const struct simt_shadow *shadow =
        address >= SIMT_SHARED_DYNAMIC ? &r->dynamics : &r->statics;
    const uintptr_t at = (uintptr_t)simt_shared_pointer(address);

    for (size_t i = 0; i < HOPPER_GRANULE / 4; i++) {
        const struct simt_word *word =
            &shadow->word[(at - shadow->base) / 4 + i];
        const simt_touch loads[] = {word->read, word->other_read};

        for (size_t j = 0; j < sizeof loads / sizeof loads[0]; j++) {
            if (simt_touch_interval(loads[j]) == r->interval &&
                !knows_touch(worker, hopper_self(worker), loads[j]))
                return loads[j];
        }
    }
    return 0;
}

static void line_of_touch(simt_touch touch, struct hopper_line *at)
{
    simt_line_of(simt_key_code(simt_instruction_key(touch & 0x3fff)), &at->file,
                 &at->line);
}

/* Stores of threads that are to be read by a copy or a multiplication. */
static void look_at_stores(struct simt_worker *worker, unsigned address,
                           const char *what, struct hopper_line at)
{
    const struct simt_hopper *h = worker->hopper;
    const struct hopper_granule *g =
        &h->granule[hopper_short(address) / HOPPER_GRANULE];
    const int warp = hopper_warp(hopper_self(worker));
    struct hopper_line store = {"", 0};
    int was_written = 0;
    const simt_touch touch = last_store(worker, address, &was_written);
    char index[SIMT_INDEX_TEXT], text[250];

    if (g->load == 0 && !was_written) {
        hopper_refuse(
            worker, SIMT_EARLY, at,
            "reads by this %s byte %u of shared memory, where neither a "
            "copy nor a store has put anything. %s",
            what, hopper_byte(worker, address), say_wait(text, h, warp));
    }
    if (touch == 0)
        return;
    line_of_touch(touch, &store);
    simt_index_text(index, worker->grid->block,
                    worker->thread[simt_touch_thread(touch)].index);
    if (!knows_touch(worker, hopper_self(worker), touch)) {
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "reads by this %s byte %u of shared memory, which thread %s "
            "stores in line %d. No barrier stands between the two.",
            what, hopper_byte(worker, address), index, store.line);
    }
    if (g->unfenced != 0 ||
        (g->fenced_at != 0 && hopper_warp(g->fenced) != warp &&
         !hopper_knows(h, warp, hopper_warp(g->fenced), g->fenced_at))) {
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "reads by this %s byte %u of shared memory, which thread %s "
            "stores in line %d. A copy or a multiplication need not see "
            "what a thread has stored: that thread must call "
            "shared_written() after it, before the barrier.",
            what, hopper_byte(worker, address), index, store.line);
    }
}

void hopper_read(struct simt_worker *worker, unsigned address, const char *what,
                 struct hopper_line at)
{
    struct simt_hopper *h = worker->hopper;
    struct hopper_granule *g = granule_at(h, address);
    const int warp = hopper_warp(hopper_self(worker));
    const struct hopper_load *load = g->load > 0 ? &h->load[g->load - 1] : NULL;
    char text[250];

    if (simt_recording) {
        worker->recorder->seen[SIMT_RACE_SHARED]++;
        worker->recorder->seen[SIMT_UNWRITTEN_SHARED]++;
    }
    if (load != NULL && !hopper_has_come(h, warp, load)) {
        const struct hopper_barrier *b = &h->barrier[load->barrier];
        char counted[160] = "";

        if (!load->is_there && b->number > 0) {
            snprintf(counted, sizeof counted,
                     " Its phase %u was complete with %lld announced bytes, "
                     "without this copy.",
                     (unsigned)b->number - 1,
                     (long long)h->phase[b->last].announced);
        }
        hopper_refuse(worker, SIMT_EARLY, at,
                      "reads by this %s byte %u of shared memory, which the "
                      "tile_load() of line %d fills: nothing says that it has "
                      "come. %s%s",
                      what, hopper_byte(worker, address), load->at.line,
                      say_wait(text, h, warp), counted);
    }
    if (simt_recording)
        look_at_stores(worker, address, what, at);
}

/* --- what is written ------------------------------------------------------ */

/* Is a multiplication or a copy that reads it over, as the warp knows? */
static int has_read(const struct simt_hopper *h, int warp, int group,
                    int32_t reader, struct hopper_line *at, const char **what)
{
    if (reader < 0) {
        const struct hopper_store *s = &h->store[-reader - 1];

        *at = s->at;
        *what = "tile_store()";
        return hopper_knows(h, warp, hopper_warp(s->thread), s->done);
    }
    const struct hopper_product *p = &h->group[group].product[reader - 1];

    *at = p->at;
    *what = "wgmma()";
    for (int i = 0; i < HOPPER_GROUP / SIMT_WARP; i++) {
        if (!hopper_knows(h, warp, group * (HOPPER_GROUP / SIMT_WARP) + i,
                          p->done[i]))
            return 0;
    }
    return 1;
}

/* The reader that may not have read the granule yet; NULL: there is none. */
static const char *find_reader(const struct simt_hopper *h, int warp,
                               const struct hopper_granule *g,
                               struct hopper_line *at)
{
    const char *what = NULL;

    for (int i = 0; i < HOPPER_GROUPS; i++) {
        if (g->reader[i] != 0 && !has_read(h, warp, i, g->reader[i], at, &what))
            return what;
    }
    return NULL;
}

void hopper_fill(struct simt_worker *worker, unsigned address,
                 struct hopper_line at)
{
    struct simt_hopper *h = worker->hopper;
    struct hopper_granule *g = granule_at(h, address);
    const int warp = hopper_warp(hopper_self(worker));
    struct hopper_line other = {"", 0};
    const char *what = find_reader(h, warp, g, &other);
    int ignored = 0;
    simt_touch touch;

    if (simt_recording)
        worker->recorder->seen[SIMT_RACE_SHARED]++;
    if (what != NULL) {
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "begins to copy to byte %u of shared memory, which the %s of "
            "line %d may still read: nothing has told this thread that it "
            "is over.",
            hopper_byte(worker, address), what, other.line);
    }
    if (g->load > 0 && !hopper_has_come(h, warp, &h->load[g->load - 1])) {
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "begins to copy to byte %u of shared memory, which the "
            "tile_load() of line %d may still fill: nothing has told this "
            "thread that it has come.",
            hopper_byte(worker, address), h->load[g->load - 1].at.line);
    }
    touch = simt_recording ? last_store(worker, address, &ignored) : 0;
    if (touch != 0 && !knows_touch(worker, hopper_self(worker), touch)) {
        line_of_touch(touch, &other);
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "begins to copy to byte %u of shared memory, where another "
            "thread stores in line %d: no barrier stands between the two.",
            hopper_byte(worker, address), other.line);
    }
    touch = simt_recording ? unknown_load(worker, address) : 0;
    if (touch != 0) {
        line_of_touch(touch, &other);
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "begins to copy to byte %u of shared memory, from which another "
            "thread loads in line %d: no barrier stands between the two.",
            hopper_byte(worker, address), other.line);
    }
    g->unfenced = 0;
    g->fenced_at = 0;
}

/* --- what threads load and store themselves ------------------------------- */

static void note_store(struct simt_worker *worker, struct hopper_granule *g,
                       int thread)
{
    struct simt_hopper *h = worker->hopper;
    unsigned *at;

    g->load = 0;
    g->fenced_at = 0;
    if (g->unfenced == thread + 1)
        return;
    g->unfenced = (uint16_t)(thread + 1);
    at = base_list_add(&h->unfenced, &h->unfenced_count, sizeof *at);
    if (at != NULL)
        *at = (unsigned)(g - h->granule);
}

void hopper_touch(struct simt_worker *worker, uint64_t key,
                  const uint64_t *address, uint32_t active)
{
    struct simt_hopper *h = worker->hopper;
    const int stores = simt_key_kind(key) & SIMT_EVENT_STORE;
    const int warp = hopper_warp(worker->recorder->first_thread);
    struct hopper_line at = {"", 0}, other = {"", 0};

    for (uint32_t left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const unsigned number = simt_shared_number((void *)address[lane]);
        struct hopper_granule *g = granule_at(h, number);
        const struct hopper_load *load =
            g->load > 0 ? &h->load[g->load - 1] : NULL;
        const char *what = stores ? find_reader(h, warp, g, &other) : NULL;

        if (load != NULL && !hopper_has_come(h, warp, load)) {
            what = "tile_load()";
            other = load->at;
        }
        if (what != NULL) {
            worker->current = &worker->thread[warp * SIMT_WARP + lane];
            simt_line_of(simt_key_code(key), &at.file, &at.line);
            simt_report(worker, stores ? SIMT_RACE_SHARED : SIMT_EARLY,
                        cudaErrorLaunchFailure, at.file, at.line,
                        "%s byte %u of shared memory, which the %s of line %d "
                        "may still %s: nothing has told this thread that it is "
                        "over.",
                        stores ? "stores at" : "loads",
                        hopper_byte(worker, number), what, other.line,
                        load != NULL ? "fill" : "read");
            worker->current = NULL;
            return;
        }
        if (stores)
            note_store(worker, g, warp * SIMT_WARP + lane);
    }
}

int hopper_fills(const struct simt_worker *worker, uint64_t address)
{
    return granule_at(worker->hopper,
                      simt_shared_number((const void *)(uintptr_t)address))
               ->load > 0;
}

void simt_shared_written(void)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const int thread = hopper_self(worker);
    size_t kept = 0;

    simt_drain(worker);
    for (size_t i = 0; i < h->unfenced_count; i++) {
        struct hopper_granule *g = &h->granule[h->unfenced[i]];

        if (g->unfenced == thread + 1) {
            g->unfenced = 0;
            g->fenced = (uint16_t)thread;
            g->fenced_at =
                h->clock[hopper_warp(thread)].of[hopper_warp(thread)];
        } else if (g->unfenced != 0) {
            h->unfenced[kept++] = h->unfenced[i];
        }
    }
    h->unfenced_count = kept;
}
