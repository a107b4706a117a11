/* Does each counter of results.csv add up the right rows? */

#include <math.h>

#include "../testing.h"
#include "harness/counters.h"

/* Made up so that no two sums are equal. */
static const struct simt_row rows[] = {
    {"k", "A", "", 0, SIMT_GLOBAL, SIMT_LOAD, 4, 10, 320, 640, 20, 20, 0, 0, 0,
     0, 0},
    {"k", "B", "", 0, SIMT_GLOBAL, SIMT_LOAD, 4, 30, 900, 3600, 480, 120, 0, 0,
     0, 0, 0},
    {"k", "?", "", 0, SIMT_GLOBAL, SIMT_LOAD, 4, 1, 2, 8, 1, 1, 0, 0, 0, 0, 0},
    {"k", "C", "", 0, SIMT_GLOBAL, SIMT_STORE, 4, 4, 128, 512, 16, 16, 0, 0, 0,
     0, 0},
    {"k", "C", "", 0, SIMT_GLOBAL, SIMT_ATOMIC, 4, 99, 99, 99, 99, 99, 0, 0, 0,
     0, 0},
    {"k", "As", "", 0, SIMT_SHARED, SIMT_LOAD, 4, 50, 1600, 0, 0, 0, 100, 50, 0,
     0, 0},
    {"k", "Bs", "", 0, SIMT_SHARED, SIMT_LOAD, 4, 70, 2240, 0, 0, 0, 560, 70, 0,
     0, 0},
    {"k", "As", "", 0, SIMT_SHARED, SIMT_STORE, 4, 5, 160, 0, 0, 0, 15, 5, 0, 0,
     0},
    {"k", "Bs", "", 0, SIMT_SHARED, SIMT_STORE, 4, 6, 192, 0, 0, 0, 24, 6, 0, 0,
     0},
    {"k", "table", "", 0, SIMT_CONSTANT, SIMT_LOAD, 4, 8, 200, 0, 0, 0, 20, 8,
     0, 0, 0},
};
static const struct simt_kernel kernels[] = {
    {.kernel = "k",
     .result_words = 256,
     .barrier_words = 2560,
     .backward_jumps = 1000,
     .flops = 1000},
    {.kernel = "l",
     .result_words = 64,
     .barrier_words = 320,
     .backward_jumps = 280,
     .flops = 222},
};

static double counter[LAB_COUNTERS];

FIXTURE(derive)
{
    const struct simt_count count = {.row = rows,
                                     .rows = sizeof rows / sizeof rows[0],
                                     .kernel = kernels,
                                     .kernels =
                                         sizeof kernels / sizeof kernels[0]};

    lab_counters_derive(&count, 640.0, counter);
    return 0;
}

static void is(enum lab_counter which, double expected)
{
    if (!(fabs(counter[which] - expected) <= 1e-12 * expected))
        fail_msg("%s: %.17g expected, %.17g got", lab_counters[which].name,
                 expected, counter[which]);
}

EACH_TEST(derive, NULL);

TEST(test_global_totals_add_all_loads_and_no_stores)
{
    is(LAB_GLOBAL_LOAD_REQUESTS, 41);
    is(LAB_GLOBAL_LOAD_SECTORS, 501);
    is(LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST, 501.0 / 41);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY, 4248.0 / (32 * 501));
    is(LAB_GLOBAL_STORE_REQUESTS, 4);
    is(LAB_GLOBAL_STORE_SECTORS, 16);
}

TEST(test_arrays_are_told_apart)
{
    is(LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_A, 2);
    is(LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_B, 16);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A, 1);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B, 3600.0 / (32 * 480));
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS, 2);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS, 8);
    is(LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS, 3);
    is(LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS, 4);
}

TEST(test_shared_loads_and_stores_are_told_apart)
{
    is(LAB_SHARED_LOAD_REQUESTS, 120);
    is(LAB_SHARED_LOAD_WAVEFRONTS, 660);
    is(LAB_SHARED_LOAD_WAVEFRONTS_IDEAL, 120);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST, 5.5);
    is(LAB_SHARED_STORE_REQUESTS, 11);
    is(LAB_SHARED_STORE_WAVEFRONTS, 39);
    is(LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST, 39.0 / 11);
}

/* Lanes, not requests: a warp's load is up to 32 loads. */
TEST(test_per_multiply_add_counts_lanes)
{
    /* and 99 atomic operations on C, one for 6 products */
    is(LAB_GLOBAL_LOADS_PER_FMA, (1222.0 + 99) / 640);
    is(LAB_SHARED_LOADS_PER_FMA, 6);
    is(LAB_BACKWARD_JUMPS_PER_FMA, 2);
    is(LAB_BARRIERS_PER_THREAD, 2880.0 / 320);
}

/* What a kernel stores for nothing makes no mean better: C has 256 words. */
TEST(test_barriers_and_idle_work_are_sums_over_the_result)
{
    const struct simt_count count = {.kernel = kernels,
                                     .kernels = 2,
                                     .own_shared_loads = 100,
                                     .own_idle_words = 64};

    lab_counters_of_results(&count, 256.0, counter);
    is(LAB_BARRIERS_PER_THREAD, 2880.0 / 256);
    is(LAB_FETCH_OVERLAP, 0.75);
}

TEST(test_active_lanes_flops_and_constants_are_derived)
{
    is(LAB_GLOBAL_LOAD_LANES_PER_REQUEST, 1222.0 / 41);
    is(LAB_SHARED_LOAD_LANES_PER_REQUEST, 32);
    is(LAB_CONSTANT_LOAD_REQUESTS, 8);
    is(LAB_CONSTANT_LOAD_WAVEFRONTS_PER_REQUEST, 2.5);
    is(LAB_FLOPS, 1222);
    is(LAB_FLOP_PER_BYTE, 1222.0 / (4 * 1222));
}

/* Each line has one request in a hundred, and all of them have a third. */
TEST(test_small_lines_of_a_copy_count_together)
{
    struct simt_row row[52] = {{.array = "B",
                                .size = 4,
                                .requests = 100,
                                .lanes = 3200,
                                .bytes = 12800,
                                .sectors = 400,
                                .lanes_async = 3200}};
    const struct simt_count count = {.row = row, .rows = 51};

    for (int i = 1; i <= 50; i++) {
        row[i] = (struct simt_row){.array = "copy",
                                   .line = i,
                                   .size = 4,
                                   .requests = 1,
                                   .lanes = 32,
                                   .bytes = 128,
                                   .sectors = 16};
    }
    lab_counters_derive(&count, 640.0, counter);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B, 0.25);
    is(LAB_GLOBAL_LOAD_ASYNC_SHARE_B, 0.0);
    for (int i = 3; i <= 50; i++) /* two are few */
        row[i].requests = 0;
    lab_counters_derive(&count, 640.0, counter);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B, 1);
}

/* They load and store as well: of a copy a request, of a tile both. */
TEST(test_atomic_operations_are_requests)
{
    static const struct simt_row row[] = {
        {.array = "copy", .kind = SIMT_ATOMIC, .size = 4, .requests = 7},
        {.array = "Bs",
         .space = SIMT_SHARED,
         .kind = SIMT_ATOMIC,
         .size = 4,
         .requests = 10,
         .lanes = 320,
         .wavefronts = 80,
         .wavefronts_ideal = 10},
    };
    const struct simt_count count = {.row = row, .rows = 2};

    lab_counters_derive(&count, 640.0, counter);
    is(LAB_GLOBAL_LOAD_REQUESTS, 7);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS, 8);
    is(LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS, 8);
}

/* As is touched once, and both tiles lie in the other array. */
TEST(test_a_tile_for_show_is_not_the_tile)
{
    static const struct simt_row row[] = {
        {.array = "As",
         .space = SIMT_SHARED,
         .size = 4,
         .requests = 1,
         .lanes = 32,
         .wavefronts = 1,
         .wavefronts_ideal = 1},
        {.array = "Bs",
         .space = SIMT_SHARED,
         .size = 4,
         .requests = 90,
         .lanes = 2880,
         .wavefronts = 720,
         .wavefronts_ideal = 90},
    };
    const struct simt_count count = {.row = row, .rows = 2};

    lab_counters_derive(&count, 640.0, counter);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS, 8);
}

/* Bytes count, not lanes: 20 of 16 bytes, of 60 of 4 and 30 of 16. */
TEST(test_asynchronous_loads_are_a_share_of_bytes)
{
    static const struct simt_row b[] = {
        {.array = "B", .size = 4, .lanes = 60},
        {.array = "B", .size = 16, .lanes = 30, .lanes_async = 20},
        {.array = "A", .size = 4, .lanes = 60, .lanes_async = 60},
    };
    const struct simt_count count = {.row = b, .rows = 3};

    is(LAB_GLOBAL_LOAD_ASYNC_SHARE_B, 0.0);
    lab_counters_derive(&count, 640.0, counter);
    is(LAB_GLOBAL_LOAD_ASYNC_SHARE_B, 320.0 / 720);
}

/* A request that is cut into eight of four lanes takes as many wavefronts. */
TEST(test_wavefronts_are_those_of_32_lanes)
{
    static const struct simt_row cut = {.array = "Bs",
                                        .space = SIMT_SHARED,
                                        .requests = 8,
                                        .lanes = 32,
                                        .wavefronts = 8,
                                        .wavefronts_ideal = 8};
    const struct simt_count count = {.row = &cut, .rows = 1};

    lab_counters_derive(&count, 640.0, counter);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS, 8);
    is(LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST, 8);
}

/* Atomic operations load as well; those on C add up what is stored. */
TEST(test_atomic_operations_are_loads)
{
    static const struct simt_row atomics[] = {
        {.array = "copy",
         .kind = SIMT_ATOMIC,
         .size = 8,
         .lanes = 320,
         .requests = 20,
         .bytes = 80,
         .sectors = 20},
        {.array = "C",
         .kind = SIMT_ATOMIC,
         .size = 4,
         .lanes = 640,
         .requests = 20},
        {.array = "s",
         .space = SIMT_SHARED,
         .kind = SIMT_ATOMIC,
         .size = 4,
         .lanes = 1280},
        {.array = "B", .lanes = 64, .requests = 2, .bytes = 256, .sectors = 8}};
    const struct simt_count count = {.row = atomics, .rows = 4};

    lab_counters_derive(&count, 640.0, counter);
    is(LAB_GLOBAL_LOADS_PER_FMA, 2.1);
    is(LAB_SHARED_LOADS_PER_FMA, 2.0);
    is(LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B, 0.125);
    /* One for 40 products adds up what is stored. */
    lab_counters_derive(&count, 40.0 * 640, counter);
    is(LAB_GLOBAL_LOADS_PER_FMA, 1.1 / 40);
}

TEST(test_efficiency_is_at_most_one)
{
    assert_true(counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY] <= 1.0);
    assert_true(counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A] <= 1.0);
    assert_true(counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] <= 1.0);
}

/* 0 requests are a count; their mean is no number, and so not a good one. */
TEST(test_of_nothing_there_is_no_mean)
{
    const struct simt_count nothing = {0};

    lab_counters_derive(&nothing, 640.0, counter);
    assert_true(counter[LAB_GLOBAL_LOAD_REQUESTS] == 0.0);
    assert_true(counter[LAB_GLOBAL_LOADS_PER_FMA] == 0.0);
    assert_true(isnan(counter[LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST]));
    assert_true(isnan(counter[LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY]));
    assert_true(isnan(counter[LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS]));
    assert_true(isnan(counter[LAB_BARRIERS_PER_THREAD]));
}

TEST(test_right_cells_are_not_a_count_of_the_device)
{
    assert_true(isnan(counter[LAB_RIGHT_CELLS]));
}

TEST(test_each_name_is_found_at_its_place)
{
    for (int i = 0; i < LAB_COUNTERS; i++) {
        assert_non_null(lab_counters[i].name);
        assert_int_equal(lab_counter_find(lab_counters[i].name), i);
    }
    assert_int_equal(lab_counter_find("gflops"), -1);
    assert_int_equal(lab_counter_find(""), -1);
}
