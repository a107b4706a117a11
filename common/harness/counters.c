#include "counters.h"

#include "base/language.h"
#include "simt/report_sums.h"

#include <math.h>
#include <string.h>

const struct lab_counter_entry lab_counters[LAB_COUNTERS] = {
#define COUNTER(id, name, unit, ...) {#name, LAB_UNIT_##unit, __VA_ARGS__},
#include "harness/counters.def"
#undef COUNTER
};

enum {
    SECTOR = 32
}; /* bytes */

int lab_counter_find(const char *name)
{
    for (int i = 0; i < LAB_COUNTERS; i++) {
        if (strcmp(lab_counters[i].name, name) == 0)
            return i;
    }
    return -1;
}

void lab_counters_clear(double counter[LAB_COUNTERS])
{
    for (int i = 0; i < LAB_COUNTERS; i++)
        counter[i] = NAN;
}

/* A mean; of nothing there is none. */
static double over(double total, double parts)
{
    return parts > 0.0 ? total / parts : (double)NAN;
}

static double mean(uint64_t total, uint64_t parts)
{
    return over((double)total, (double)parts);
}

static struct simt_sum sum_array(const struct simt_count *count,
                                 enum simt_space space, enum simt_kind kind,
                                 const char *array)
{
    return simt_sum_rows(
        count,
        (struct simt_rows){.space = space, .kind = kind, .array = array});
}

/* The loads of one array of global memory. */
static void derive_loads(const struct simt_row *loads, double *sectors,
                         double *efficiency)
{
    *sectors = mean(loads->sectors, loads->requests);
    *efficiency = mean(loads->bytes, SECTOR * loads->sectors);
}

/* Fewer requests than this share of all are not what a lab is about, nor are
   the lines that have fewer, if all of them together have no more. */
static const double ignored_share = 0.02;

/* Products for each atomic operation on C, at the least: it adds up what is
   stored. With fewer, C is where the sum is kept. */
static const double products_of_a_part = 32.0;

/* 1 for a load, and for an atomic operation, which loads as well; but not those
   on C. */
static int is_loading(const struct simt_row *row, enum simt_space space)
{
    return row->space == space &&
           (row->kind == SIMT_LOAD ||
            (row->kind == SIMT_ATOMIC && strcmp(row->array, "C") != 0));
}

/* What loads, one way or the other. */
static struct simt_row sum_loading(const struct simt_count *count,
                                   enum simt_space space)
{
    struct simt_row sum = {0};

    for (size_t i = 0; i < count->rows; i++) {
        if (is_loading(&count->row[i], space))
            simt_row_add(&sum, &count->row[i]);
    }
    return sum;
}

/* Loads, lane by lane; an atomic operation of several words is as many. */
static double lanes_loading(const struct simt_count *count,
                            enum simt_space space, double fmas)
{
    uint64_t loads = 0, on_c = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *const row = &count->row[i];
        const uint64_t words = row->lanes * ((uint64_t)(row->size + 3) / 4);

        if (row->space != space || row->kind == SIMT_STORE)
            continue;
        if (row->kind == SIMT_LOAD) {
            loads += row->lanes;
        } else if (is_loading(row, space)) {
            loads += words;
        } else {
            on_c += words;
        }
    }
    if ((double)on_c * products_of_a_part > fmas)
        loads += on_c;
    return (double)loads;
}

/* Wavefronts for each 32 lanes: a request that is cut into several, each of a
   few lanes, takes as many as before. */
static double for_a_warp(const struct simt_row *row)
{
    return over(32.0 * (double)row->wavefronts, (double)row->lanes);
}

static double efficiency_of(const struct simt_row *row)
{
    return mean(row->bytes, SECTOR * row->sectors);
}

static double async_share_of(const struct simt_row *row)
{
    return mean(row->lanes_async, row->lanes);
}

/*
 * What is told of B is no better than of a line that loads from an array that
 * is neither A nor B, as a copy of one is; C may hold a copy, too. Lines of few
 * requests count if all that are worse have more than a few together: as one.
 */
static double least_of_copies(const struct simt_count *count, double requests,
                              double (*of)(const struct simt_row *),
                              double of_b)
{
    struct simt_row few = {0};
    double least = of_b;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (!is_loading(row, SIMT_GLOBAL) || strcmp(row->array, "A") == 0 ||
            strcmp(row->array, "B") == 0 || of(row) >= of_b)
            continue;
        if ((double)row->requests > ignored_share * requests) {
            least = fmin(least, of(row));
        } else {
            simt_row_add(&few, row);
        }
    }
    return (double)few.requests > ignored_share * requests
               ? fmin(least, of(&few))
               : least;
}

static void derive_global(const struct simt_count *count, double fmas,
                          double *c)
{
    const struct simt_row all =
        sum_array(count, SIMT_GLOBAL, SIMT_LOAD, NULL).row;
    const double requests = (double)sum_loading(count, SIMT_GLOBAL).requests;
    const struct simt_row a = sum_array(count, SIMT_GLOBAL, SIMT_LOAD, "A").row;
    const struct simt_sum b = sum_array(count, SIMT_GLOBAL, SIMT_LOAD, "B");
    const struct simt_row store =
        sum_array(count, SIMT_GLOBAL, SIMT_STORE, NULL).row;

    c[LAB_GLOBAL_LOAD_REQUESTS] = requests;
    c[LAB_GLOBAL_LOAD_SECTORS] = (double)all.sectors;
    derive_loads(&all, &c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST],
                 &c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY]);
    derive_loads(&a, &c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_A],
                 &c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A]);
    derive_loads(&b.row, &c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_B],
                 &c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B]);
    c[LAB_GLOBAL_LOAD_ASYNC_SHARE_B] = mean(b.asked_async, b.asked);
    c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = least_of_copies(
        count, requests, efficiency_of, c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B]);
    c[LAB_GLOBAL_LOAD_ASYNC_SHARE_B] = least_of_copies(
        count, requests, async_share_of, c[LAB_GLOBAL_LOAD_ASYNC_SHARE_B]);
    c[LAB_GLOBAL_LOADS_PER_FMA] =
        over(lanes_loading(count, SIMT_GLOBAL, fmas), fmas);
    c[LAB_GLOBAL_LOAD_LANES_PER_REQUEST] = mean(all.lanes, all.requests);
    c[LAB_GLOBAL_ATOMICS] =
        (double)sum_array(count, SIMT_GLOBAL, SIMT_ATOMIC, NULL).row.lanes;
    c[LAB_GLOBAL_STORE_REQUESTS] = (double)store.requests;
    c[LAB_GLOBAL_STORE_SECTORS] = (double)store.sectors;
}

/* Requests to shared memory of that kind, and atomic ones, which are of both;
   of all arrays, if array is NULL. */
static struct simt_row sum_shared(const struct simt_count *count,
                                  enum simt_kind kind, const char *array)
{
    struct simt_row sum = sum_array(count, SIMT_SHARED, kind, array).row;

    const struct simt_row atomics =
        sum_array(count, SIMT_SHARED, SIMT_ATOMIC, array).row;

    simt_row_add(&sum, &atomics);
    return sum;
}

/* 1 if there is such an array, and it has no part in the work: both tiles of a
   lab have half of it, or somewhat less where a thread keeps a row of sums. */
static int is_for_show(const struct simt_count *count, const char *name)
{
    const uint64_t loads = sum_shared(count, SIMT_LOAD, name).lanes;

    return loads + sum_shared(count, SIMT_STORE, name).lanes > 0 &&
           16 * loads < sum_shared(count, SIMT_LOAD, NULL).lanes;
}

/*
 * Wavefronts for each request of the tile that a lab calls `name`. Who calls
 * it otherwise has them of the worst line of the arrays that bear neither of
 * the labs' names: the one that takes most times its least, and of lines that
 * take as many times the one with the fewest, as one of float does beside one
 * of float4. An array that bears the other name while this one is for show may
 * be both tiles.
 */
static double tile_wavefronts(const struct simt_count *count,
                              enum simt_kind kind, const char *name,
                              double requests)
{
    const struct simt_row named = sum_shared(count, kind, name);
    const int for_show = is_for_show(count, name);
    double worst = mean(named.wavefronts, named.wavefronts_ideal);
    double value = for_a_warp(&named);

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];
        const double times = mean(row->wavefronts, row->wavefronts_ideal);
        const double here = for_a_warp(row);

        if (row->space != SIMT_SHARED ||
            (row->kind != kind && row->kind != SIMT_ATOMIC) ||
            (!for_show && (strcmp(row->array, "As") == 0 ||
                           strcmp(row->array, "Bs") == 0)) ||
            (double)row->requests <= ignored_share * requests)
            continue;
        if (!(times <= 1.01 * worst) ||
            (named.requests == 0 && times >= 0.99 * worst && here < value)) {
            worst = times;
            value = here;
        }
    }
    return value;
}

/* The five counters of shared loads or stores, which follow each other. */
static void derive_shared(const struct simt_count *count, enum simt_kind kind,
                          double *c)
{
    const struct simt_row all = sum_array(count, SIMT_SHARED, kind, NULL).row;
    const double requests = (double)sum_shared(count, kind, NULL).requests;

    c[0] = (double)all.requests;
    c[1] = (double)all.wavefronts;
    c[2] = for_a_warp(&all);
    c[3] = tile_wavefronts(count, kind, "As", requests);
    c[4] = tile_wavefronts(count, kind, "Bs", requests);
}

void lab_counters_of_results(const struct simt_count *count, double results,
                             double counter[LAB_COUNTERS])
{
    const struct simt_kernel all = simt_sum_kernels(count, NULL);
    const int is_known = all.result_words > 0.0;

    counter[LAB_BARRIERS_PER_THREAD] =
        is_known ? over(all.barrier_words, results) : (double)NAN;
    counter[LAB_FETCH_OVERLAP] =
        is_known && count->own_shared_loads > 0
            ? fmax(1.0 - count->own_idle_words / results, 0.0)
            : (double)NAN;
}

void lab_counters_derive(const struct simt_count *count, double fmas,
                         double counter[LAB_COUNTERS])
{
    const struct simt_row shared =
        sum_array(count, SIMT_SHARED, SIMT_LOAD, NULL).row;
    const struct simt_row constant =
        sum_array(count, SIMT_CONSTANT, SIMT_LOAD, NULL).row;
    const struct simt_kernel all = simt_sum_kernels(count, NULL);

    lab_counters_clear(counter);
    derive_global(count, fmas, counter);
    derive_shared(count, SIMT_LOAD, &counter[LAB_SHARED_LOAD_REQUESTS]);
    derive_shared(count, SIMT_STORE, &counter[LAB_SHARED_STORE_REQUESTS]);
    counter[LAB_SHARED_LOADS_PER_FMA] =
        over(lanes_loading(count, SIMT_SHARED, fmas), fmas);
    counter[LAB_SHARED_LOAD_LANES_PER_REQUEST] =
        mean(shared.lanes, shared.requests);
    counter[LAB_SHARED_LOAD_WAVEFRONTS_IDEAL] = (double)shared.wavefronts_ideal;
    counter[LAB_CONSTANT_LOAD_REQUESTS] = (double)constant.requests;
    counter[LAB_CONSTANT_LOAD_WAVEFRONTS_PER_REQUEST] =
        mean(constant.wavefronts, constant.requests);
    counter[LAB_FLOPS] = (double)all.flops;
    counter[LAB_FLOP_PER_BYTE] = simt_flop_per_byte(count, NULL);
    counter[LAB_BULK_BYTES_PER_FMA] = over((double)all.bulk_bytes, fmas);
    counter[LAB_WGMMA_OVERLAP] = mean(all.products_overlapped, all.products);
    lab_counters_of_results(count, all.result_words, counter);
    counter[LAB_BACKWARD_JUMPS_PER_FMA] =
        over((double)all.backward_jumps, fmas);
}
