/* A number that the lab asks for and that is missed: where does it come from?
   See advice_parts.h. */
#include "advice_parts.h"

#include "measure.h"
#include "source.h"

#include "base/language.h"

#include <stdio.h>
#include <string.h>

/* The row of these accesses that has most; array NULL: of any. NULL: none. */
static const struct simt_row *
most_of(const struct simt_count *count, enum simt_space space,
        enum simt_kind kind, const char *array,
        uint64_t (*number)(const struct simt_row *row))
{
    const struct simt_row *most = NULL;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->space == space && row->kind == kind &&
            (array == NULL || strcmp(row->array, array) == 0) &&
            number(row) > (most != NULL ? number(most) : 0))
            most = row;
    }
    return most;
}

static uint64_t requests_of(const struct simt_row *row)
{
    return row->requests;
}

static uint64_t wavefronts_of(const struct simt_row *row)
{
    return row->wavefronts;
}

static uint64_t plain_lanes_of(const struct simt_row *row)
{
    return row->lanes - row->lanes_async;
}

/* The line that makes most requests for loads from this memory. Returns 0 if
   there is none. */
static int tell_loads(const struct lab_spent *spent, enum simt_space space,
                      struct lab_advice *advice)
{
    const struct simt_row *most =
        most_of(spent->count, space, SIMT_LOAD, NULL, requests_of);
    char where[120], part[SIMT_GROUPED], total[SIMT_GROUPED];
    uint64_t all = 0, its = 0; /* the line may load from several arrays */

    if (most == NULL)
        return 0;
    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space != space || row->kind != SIMT_LOAD)
            continue;
        all += row->requests;
        if (row->line == most->line && strcmp(row->file, most->file) == 0 &&
            row->size == most->size)
            its += row->requests;
    }
    lab_advice_say(
        advice,
        "%s makes %s of %s requests for loads from %s memory, each of %d "
        "bytes a lane.",
        lab_advice_place(where, sizeof where, most), simt_group(part, its),
        simt_group(total, all),
        space == SIMT_SHARED ? _("shared") : _("global"), most->size);
    lab_advice_show(advice, most->file, most->line);
    return 1;
}

/* More requests than the goal. Those of another line, as a tile's before the
   loop, may be as many as are too much. */
static void tell_requests(const struct lab_spent *spent,
                          struct lab_advice *advice)
{
    const uint64_t all = (uint64_t)spent->counter[LAB_GLOBAL_LOAD_REQUESTS];
    const uint64_t more = all - (uint64_t)spent->missed->full;
    const struct simt_row *same = NULL, *most = NULL;
    char number[SIMT_GROUPED], where[120], other[120];

    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space == SIMT_GLOBAL && row->kind == SIMT_LOAD &&
            row->requests == more)
            same = row;
    }
    for (size_t i = 0; i < spent->count->rows && same != NULL; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row != same && row->space == SIMT_GLOBAL &&
            row->kind == SIMT_LOAD && strcmp(row->array, same->array) == 0 &&
            (most == NULL || row->requests > most->requests))
            most = row;
    }
    if (most == NULL) {
        if (!tell_loads(spent, SIMT_GLOBAL, advice)) {
            lab_advice_say(advice,
                           "Global loads make %s requests more than the goal.",
                           simt_group(number, more));
        }
        return;
    }
    lab_advice_say(
        advice,
        "Global loads make %s requests more than the goal, as many as %s makes "
        "for one tile of each block: does %s also fetch a tile that nobody "
        "needs?",
        simt_group(number, more), lab_advice_place(other, sizeof other, same),
        lab_advice_place(where, sizeof where, most));
    lab_advice_show(advice, most->file, most->line);
    lab_source_hangs_on(most->file, most->line, &advice->more);
}

static void tell_overlap(const struct lab_spent *spent,
                         struct lab_advice *advice)
{
    const struct simt_count *c = spent->count;
    const int copies = spent->counter[LAB_GLOBAL_LOAD_ASYNC_SHARE_B] > 0.0;
    const double some = 0.3; /* less is no order that a fetch should have */
    char fetch[60] = "", store[60] = "";

    if (c->own_fetch_line > 0 && c->own_store_line > 0) {
        snprintf(fetch, sizeof fetch, _(" (line %d)"), c->own_fetch_line);
        snprintf(store, sizeof store, _(" (line %d)"), c->own_store_line);
    }
    if (c->own_later_fetches == 0) {
        lab_advice_say(advice,
                       "A thread fetches nothing behind its first load from "
                       "shared memory, so nothing is under way while it works. "
                       "Has a block one tile alone, and no next one?");
        return;
    }
    if (copies && c->own_idle) {
        lab_advice_say(advice,
                       "A thread begins its copies%s and waits for them%s, and "
                       "loads nothing from shared memory in between. Begin to "
                       "copy before the sums, and wait after them.",
                       fetch, store);
        return;
    }
    lab_advice_say(
        advice,
        "Of what a thread loads from shared memory %.0f %% is loaded while the "
        "next tile, or a part of it, is under way (a part counts as a part). "
        "One begins with its %s%s and ends with %s%s: %s.",
        100.0 * spent->counter[LAB_FETCH_OVERLAP],
        copies ? _("copy") : _("load"), fetch,
        copies ? _("the wait for it") : _("its store"), store,
        spent->counter[LAB_FETCH_OVERLAP] >= some
            ? _("a block's last tile has no next one, so few tiles in a block "
                "make this number small")
        : copies ? _("begin to copy before the sums, and wait after them")
                 : _("fetch before the sums, and store after them"));
}

/* The line that loads most of B without an asynchronous copy. Returns 0 if
   there is none. */
static int tell_copies(const struct lab_spent *spent, struct lab_advice *advice)
{
    const struct simt_row *most =
        most_of(spent->count, SIMT_GLOBAL, SIMT_LOAD, "B", plain_lanes_of);
    char where[120];

    if (most == NULL)
        return 0;
    lab_advice_say(
        advice,
        "%s loads from B into a register, and the thread waits for it there: "
        "%s of its loads are asynchronous copies.",
        lab_advice_place(where, sizeof where, most),
        most->lanes_async == 0 ? _("none") : _("not all"));
    advice->row = most;
    lab_advice_show(advice, most->file, most->line);
    return 1;
}

/* The request of an array that takes most wavefronts, where those lanes could
   not take these words in fewer. Returns 0 if there is none. */
static int tell_lanes(const struct lab_spent *spent, const char *array,
                      enum simt_kind kind, struct lab_advice *advice)
{
    const struct simt_row *most =
        most_of(spent->count, SIMT_SHARED, kind, array, wavefronts_of);
    char where[120];

    if (most == NULL)
        return 0;
    lab_advice_say(
        advice,
        "%s takes %.1f wavefronts a request, and needs them as the words are "
        "shared out among the lanes: share them out otherwise. make map-%.2s "
        "ARRAY=%s draws which lane asks for what.",
        lab_advice_place(where, sizeof where, most),
        (double)most->wavefronts / (double)most->requests, spent->lab->name,
        array);
    advice->row = most;
    lab_advice_show(advice, most->file, most->line);
    lab_source_of_thread(most->file, most->line, array, &advice->more);
    lab_advice_keep_own(most->file, &advice->more);
    return 1;
}

/* Says what the number comes from that is missed, if that is known. */
int lab_advice_tell_missed(const struct lab_spent *spent,
                           struct lab_advice *advice)
{
    const struct lab_score score =
        lab_measure_score(spent->missed, spent->counter);
    const int counter = lab_counter_find(spent->missed->column);
    enum simt_kind kind = SIMT_LOAD;
    const char *array = "As";
    struct lab_waste waste;

    if (!score.seen)
        return 0;
    switch (counter) {
    case LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS:
        kind = SIMT_STORE;
        break;
    case LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS:
        kind = SIMT_STORE;
        array = "Bs";
        break;
    case LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS:
        array = "Bs";
        break;
    case LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS:
        break;
    case LAB_GLOBAL_LOAD_REQUESTS:
        tell_requests(spent, advice);
        return 1;
    case LAB_GLOBAL_LOAD_ASYNC_SHARE_B:
        return tell_copies(spent, advice);
    case LAB_SHARED_LOADS_PER_FMA:
        return tell_loads(spent, SIMT_SHARED, advice);
    case LAB_FETCH_OVERLAP:
        tell_overlap(spent, advice);
        return 1;
    case LAB_WGMMA_OVERLAP:
        lab_advice_say(advice,
                       "Of the multiplications %.1f %% begin while the batch "
                       "before is under way: wait for all batches but the one "
                       "that was just begun.",
                       100.0 * score.value);
        return 1;
    case LAB_BULK_BYTES_PER_FMA:
        lab_advice_say(
            advice,
            "Copies of tiles bring %.4f bytes for a multiply-add, and %.4f "
            "are enough: the larger a tile of C, the fewer.",
            score.value, spent->missed->full);
        return 1;
    case LAB_BACKWARD_JUMPS_PER_FMA:
        if (!lab_advice_tell_loop(spent, advice))
            lab_advice_tell_cost(spent, LAB_COST_LOOPS, advice);
        return 1;
    case LAB_BARRIERS_PER_THREAD:
        lab_advice_say(
            advice, "Each thread waits at %.0f barriers, and %.0f are enough.",
            score.value, spent->missed->full);
        return 1;
    default:
        return 0;
    }
    waste =
        lab_advice_waste(spent->count, LAB_COST_BANK_CONFLICTS, array, kind);
    if (waste.row == NULL)
        return tell_lanes(spent, array, kind, advice);
    lab_advice_tell_waste(spent, &waste, advice);
    return 1;
}
