/* Are the rows of one space, kind and array added up, and no others? */

#include <math.h>
#include <string.h>

#include "../testing.h"
#include "simt/report_sums.h"

/* Each counter of a row is the row's number times its own, so that sums tell
   which rows they are of. */
#define ROW(named, of, where, access, each, n)                          \
    {                                                                   \
        .kernel = (named), .array = (of), .file = "", .space = (where), \
        .kind = (access), .size = (each), .requests = 1 * (n),          \
        .lanes = 2 * (n), .bytes = 3 * (n), .sectors = 4 * (n),         \
        .sectors_ideal = 5 * (n), .wavefronts = 6 * (n),                \
        .wavefronts_ideal = 7 * (n), .lanes_async = 8 * (n)             \
    }

static const struct simt_row rows[] = {
    ROW("k", "A", SIMT_GLOBAL, SIMT_LOAD, 4, 1),
    ROW("k", "A", SIMT_GLOBAL, SIMT_LOAD, 16, 10),
    ROW("k", "B", SIMT_GLOBAL, SIMT_LOAD, 4, 100),
    ROW("k", "C", SIMT_GLOBAL, SIMT_STORE, 4, 1000),
    ROW("k", "A", SIMT_SHARED, SIMT_LOAD, 4, 10000),
    ROW("l", "A", SIMT_GLOBAL, SIMT_LOAD, 4, 100000),
};
static const struct simt_kernel kernels[] = {
    {.kernel = "k",
     .launches = 1,
     .threads = 2,
     .storing_threads = 1,
     .result_words = 4,
     .barrier_words = 8,
     .barriers = 3,
     .backward_jumps = 5,
     .flops = 6,
     .tensor_operations = 7},
    {.kernel = "l",
     .launches = 10,
     .threads = 20,
     .storing_threads = 10,
     .result_words = 40,
     .barrier_words = 80,
     .barriers = 30,
     .backward_jumps = 50,
     .flops = 60,
     .tensor_operations = 70},
};
static const struct simt_count count = {
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
    .kernel = kernels,
    .kernels = sizeof kernels / sizeof *kernels,
};

static struct simt_sum loads(const char *kernel, const char *array)
{
    return simt_sum_rows(&count, (struct simt_rows){.space = SIMT_GLOBAL,
                                                    .kind = SIMT_LOAD,
                                                    .kernel = kernel,
                                                    .array = array});
}

TEST(test_space_kind_array_and_kernel_choose_rows)
{
    assert_int_equal(loads(NULL, NULL).row.requests, 100111);
    assert_int_equal(loads(NULL, "A").row.requests, 100011);
    assert_int_equal(loads("k", "A").row.requests, 11);
    assert_int_equal(loads("k", NULL).row.requests, 111);
    assert_int_equal(loads("m", NULL).row.requests, 0);
    assert_int_equal(
        simt_sum_rows(
            &count, (struct simt_rows){.space = SIMT_SHARED, .kind = SIMT_LOAD})
            .row.requests,
        10000);
}

TEST(test_arrays_can_be_left_out)
{
    const struct simt_sum sum =
        simt_sum_rows(&count, (struct simt_rows){.space = SIMT_GLOBAL,
                                                 .kind = SIMT_LOAD,
                                                 .but = {"A", "C"}});

    assert_int_equal(sum.row.requests, 100);
    assert_string_equal(sum.largest->array, "B");
}

TEST(test_every_counter_is_added)
{
    const struct simt_row sum = loads("k", "A").row;

    assert_int_equal(sum.requests, 11);
    assert_int_equal(sum.lanes, 22);
    assert_int_equal(sum.bytes, 33);
    assert_int_equal(sum.sectors, 44);
    assert_int_equal(sum.sectors_ideal, 55);
    assert_int_equal(sum.wavefronts, 66);
    assert_int_equal(sum.wavefronts_ideal, 77);
    assert_int_equal(sum.lanes_async, 88);
}

/* Lanes of 16 bytes weigh four times those of 4. */
TEST(test_bytes_asked_for_go_by_each_rows_size)
{
    const struct simt_sum sum = loads("k", "A");

    assert_int_equal(sum.asked, 2 * 4 + 20 * 16);
    assert_int_equal(sum.asked_async, 8 * 4 + 80 * 16);
    assert_ptr_equal(sum.largest, &rows[1]);
    assert_ptr_equal(loads("m", NULL).largest, NULL);
}

TEST(test_requests_take_sectors_or_wavefronts)
{
    const struct simt_sum sum = loads("k", "A");

    assert_int_equal(simt_row_sectors_or_wavefronts(&rows[0]), 4);
    assert_int_equal(simt_row_ideal(&rows[0]), 5);
    assert_int_equal(simt_row_sectors_or_wavefronts(&rows[4]), 60000);
    assert_int_equal(simt_row_ideal(&rows[4]), 70000);
    assert_int_equal(simt_row_sectors_or_wavefronts(&sum.row), 44);
}

TEST(test_rows_of_an_array_are_known_by_all_four)
{
    assert_true(simt_row_same_array(&rows[0], &rows[1]));
    for (int i = 2; i < 6; i++)
        assert_false(simt_row_same_array(&rows[0], &rows[i]));
}

TEST(test_kernels_are_added_up_by_name)
{
    const struct simt_kernel all = simt_sum_kernels(&count, NULL);

    assert_int_equal(all.launches, 11);
    assert_int_equal(all.threads, 22);
    assert_int_equal(all.barriers, 33);
    assert_int_equal(all.backward_jumps, 55);
    assert_int_equal(all.flops, 66);
    assert_int_equal(all.tensor_operations, 77);
    assert_true(all.result_words == 44.0 && all.barrier_words == 88.0);
    assert_int_equal(simt_sum_kernels(&count, "l").flops, 60);
    assert_int_equal(simt_sum_kernels(&count, "m").flops, 0);
}

/* Bytes lane by lane, not those of sectors; without loads no number. */
TEST(test_flop_per_byte_is_over_what_lanes_load)
{
    const struct simt_count none = {.kernel = kernels, .kernels = 2};

    assert_true(simt_flop_per_byte(&count, "l") == 60.0 / (4 * 200000));
    assert_true(simt_flop_per_byte(&count, NULL) ==
                66.0 / (328 + 4 * 200 + 4 * 200000));
    assert_true(isnan(simt_flop_per_byte(&none, NULL)));
}
