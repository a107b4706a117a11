#include "counters.h"

#include "simt/report.h"

#include <math.h>
#include <string.h>

const char *const lab_counter_name[LAB_COUNTERS] = {
    "global_load_requests",
    "global_load_sectors",
    "global_load_sectors_per_request",
    "global_load_sector_efficiency",
    "global_load_sectors_per_request_A",
    "global_load_sectors_per_request_B",
    "global_load_sector_efficiency_A",
    "global_load_sector_efficiency_B",
    "global_loads_per_fma",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_requests",
    "shared_load_wavefronts",
    "shared_load_wavefronts_per_request",
    "shared_load_wavefronts_per_request_As",
    "shared_load_wavefronts_per_request_Bs",
    "shared_store_requests",
    "shared_store_wavefronts",
    "shared_store_wavefronts_per_request",
    "shared_store_wavefronts_per_request_As",
    "shared_store_wavefronts_per_request_Bs",
    "shared_loads_per_fma",
    "barriers_per_thread",
    "backward_jumps_per_fma",
    "right_cells",
    "global_load_lanes_per_request",
    "shared_load_lanes_per_request",
    "constant_load_requests",
    "constant_load_wavefronts_per_request",
    "flops",
    "flop_per_byte",
    "global_load_async_share_B",
};

enum {
    SECTOR = 32
}; /* bytes */

int lab_counter_find(const char *name)
{
    for (int i = 0; i < LAB_COUNTERS; i++) {
        if (strcmp(lab_counter_name[i], name) == 0)
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

struct sum {
    double requests, lanes, bytes, sectors, wavefronts;
    double asked, asked_async; /* bytes, lane by lane */
};

/* Adds up the rows of one space and kind; of one array, or of all for NULL. */
static struct sum add_up(const struct simt_count *count, enum simt_space space,
                         enum simt_kind kind, const char *array)
{
    struct sum sum = {0};

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->space != space || row->kind != kind ||
            (array != NULL && strcmp(row->array, array) != 0))
            continue;
        sum.requests += (double)row->requests;
        sum.lanes += (double)row->lanes;
        sum.bytes += (double)row->bytes;
        sum.sectors += (double)row->sectors;
        sum.wavefronts += (double)row->wavefronts;
        sum.asked += (double)row->lanes * row->size;
        sum.asked_async += (double)row->lanes_async * row->size;
    }
    return sum;
}

static void derive_global(const struct simt_count *count, double fmas,
                          double *c)
{
    const struct sum all = add_up(count, SIMT_GLOBAL, SIMT_LOAD, NULL);
    const struct sum a = add_up(count, SIMT_GLOBAL, SIMT_LOAD, "A");
    const struct sum b = add_up(count, SIMT_GLOBAL, SIMT_LOAD, "B");
    const struct sum store = add_up(count, SIMT_GLOBAL, SIMT_STORE, NULL);

    c[LAB_GLOBAL_LOAD_REQUESTS] = all.requests;
    c[LAB_GLOBAL_LOAD_SECTORS] = all.sectors;
    c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST] = over(all.sectors, all.requests);
    c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_A] = over(a.sectors, a.requests);
    c[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_B] = over(b.sectors, b.requests);
    c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY] =
        over(all.bytes, SECTOR * all.sectors);
    c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A] = over(a.bytes, SECTOR * a.sectors);
    c[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = over(b.bytes, SECTOR * b.sectors);
    c[LAB_GLOBAL_LOAD_ASYNC_SHARE_B] = over(b.asked_async, b.asked);
    c[LAB_GLOBAL_LOADS_PER_FMA] = over(all.lanes, fmas);
    c[LAB_GLOBAL_LOAD_LANES_PER_REQUEST] = over(all.lanes, all.requests);
    c[LAB_GLOBAL_STORE_REQUESTS] = store.requests;
    c[LAB_GLOBAL_STORE_SECTORS] = store.sectors;
}

/* The five counters of shared loads or stores, which follow each other. */
static void derive_shared(const struct simt_count *count, enum simt_kind kind,
                          double *c)
{
    const struct sum all = add_up(count, SIMT_SHARED, kind, NULL);
    const struct sum as = add_up(count, SIMT_SHARED, kind, "As");
    const struct sum bs = add_up(count, SIMT_SHARED, kind, "Bs");

    c[0] = all.requests;
    c[1] = all.wavefronts;
    c[2] = over(all.wavefronts, all.requests);
    c[3] = over(as.wavefronts, as.requests);
    c[4] = over(bs.wavefronts, bs.requests);
}

void lab_counters_derive(const struct simt_count *count, double fmas,
                         double counter[LAB_COUNTERS])
{
    const struct sum shared = add_up(count, SIMT_SHARED, SIMT_LOAD, NULL);
    const struct sum constant = add_up(count, SIMT_CONSTANT, SIMT_LOAD, NULL);
    double threads = 0.0, barriers = 0.0, jumps = 0.0, flops = 0.0;

    lab_counters_clear(counter);
    derive_global(count, fmas, counter);
    derive_shared(count, SIMT_LOAD, &counter[LAB_SHARED_LOAD_REQUESTS]);
    derive_shared(count, SIMT_STORE, &counter[LAB_SHARED_STORE_REQUESTS]);
    counter[LAB_SHARED_LOADS_PER_FMA] = over(shared.lanes, fmas);
    counter[LAB_SHARED_LOAD_LANES_PER_REQUEST] =
        over(shared.lanes, shared.requests);
    counter[LAB_CONSTANT_LOAD_REQUESTS] = constant.requests;
    counter[LAB_CONSTANT_LOAD_WAVEFRONTS_PER_REQUEST] =
        over(constant.wavefronts, constant.requests);

    for (size_t i = 0; i < count->kernels; i++) {
        threads += (double)count->kernel[i].threads;
        barriers += (double)count->kernel[i].barriers;
        jumps += (double)count->kernel[i].backward_jumps;
        flops += (double)count->kernel[i].flops;
    }
    counter[LAB_FLOPS] = flops;
    counter[LAB_FLOP_PER_BYTE] = simt_flop_per_byte(count, NULL);
    counter[LAB_BARRIERS_PER_THREAD] = over(barriers, threads);
    counter[LAB_BACKWARD_JUMPS_PER_FMA] = over(jumps, fmas);
}
