/* Are sectors and distinct bytes counted right? Compared with a count that
   marks each byte, on patterns of all sizes and any number of lanes. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "simt/recorder.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPAN = 8192,
    BASE = 1 << 20
};

static int slow_count(const uint64_t *address, uint32_t active, int size,
                      int *bytes)
{
    static char touched[SPAN];
    int sectors = 0;

    memset(touched, 0, sizeof touched);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        if (active >> lane & 1)
            memset(touched + (address[lane] - BASE), 1, (size_t)size);
    }
    *bytes = 0;
    for (int i = 0; i < SPAN; i += 32) {
        int in_sector = 0;

        for (int j = 0; j < 32; j++)
            in_sector += touched[i + j];
        *bytes += in_sector;
        sectors += in_sector > 0;
    }
    return sectors;
}

static void compare_counts(const uint64_t *address, uint32_t active, int size)
{
    int bytes = -1, want_bytes;
    const int want = slow_count(address, active, size, &want_bytes);

    assert_int_equal(simt_count_sectors(address, active, size, &bytes), want);
    assert_int_equal(bytes, want_bytes);
}

TEST(test_random_requests_equal_a_count_byte_by_byte)
{
    static const int spans[] = {40, 128, 1000, 2048, 4000, SPAN - 32};

    srand(1);
    for (int i = 0; i < 60000; i++) {
        const int size = 1 << rand() % 5;
        const int span = spans[rand() % 6];
        const int align = rand() % 8 ? size : 1; /* misaligned at times */
        uint64_t address[SIMT_WARP];
        uint32_t active = rand() % 3 ? UINT32_MAX : (uint32_t)rand() | 1;

        for (int lane = 0; lane < SIMT_WARP; lane++)
            address[lane] = BASE + (uint64_t)(rand() % span / align * align);
        compare_counts(address, active, size);
    }
}

TEST(test_inactive_lanes_are_not_looked_at)
{
    uint64_t address[SIMT_WARP];
    int bytes;

    for (int lane = 0; lane < SIMT_WARP; lane++)
        address[lane] = lane == 17 ? BASE + 30 : UINT64_MAX;
    assert_int_equal(simt_count_sectors(address, 1U << 17, 4, &bytes), 2);
    assert_int_equal(bytes, 4);
}

/* In rounds: each takes, of the lanes that share an element, one. */
static int atomic_sectors_by_rounds(const uint64_t *address, uint32_t left)
{
    int sectors = 0;

    while (left != 0) {
        uint32_t round = 0;
        int bytes;

        for (int lane = 0; lane < SIMT_WARP; lane++) {
            int is_first = left >> lane & 1;

            for (int other = 0; other < lane; other++) {
                is_first &=
                    !(round >> other & 1) || address[other] != address[lane];
            }
            round |= (uint32_t)is_first << lane;
        }
        sectors += simt_count_sectors(address, round, 4, &bytes);
        left &= ~round;
    }
    return sectors;
}

TEST(test_lanes_of_an_atomic_that_share_an_element_follow)
{
    uint64_t address[SIMT_WARP];

    srand(3);
    for (int i = 0; i < 20000; i++) {
        const int span = 1 << rand() % 9;
        const uint32_t active = rand() % 2 ? UINT32_MAX : (uint32_t)rand() | 1;

        for (int lane = 0; lane < SIMT_WARP; lane++)
            address[lane] = BASE + (uint64_t)(rand() % span * 4);
        assert_int_equal(simt_count_atomic_sectors(address, active),
                         atomic_sectors_by_rounds(address, active));
    }
}

/* What an H200 counted for copies of 16 bytes a lane (tests/hardware/README.md,
   "Copies past the L1 cache"). */
TEST(test_wide_copies_take_the_sectors_that_a_gpu_counted)
{
    static const struct {
        int pair, lane, from, sectors; /* bytes from pair to pair, in a pair */
    } measured[] = {
        {32, 16, 0, 16},  /* neighbours */
        {0, 0, 0, 16},    /* all lanes the same */
        {64, 32, 0, 16},  /* a sector for each lane */
        {32, 16, 16, 20}, /* neighbours, from the middle of a sector on */
        {16, 0, 0, 16},   /* two lanes the same */
    };
    int bytes;

    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        uint64_t address[SIMT_WARP];

        for (int lane = 0; lane < SIMT_WARP; lane++) {
            address[lane] = BASE + (uint64_t)(measured[i].from +
                                              lane / 2 * measured[i].pair +
                                              lane % 2 * measured[i].lane);
        }
        assert_int_equal(simt_count_copy_sectors(address, UINT32_MAX, &bytes),
                         measured[i].sectors);
        assert_int_equal(bytes, 512);
    }
}

TEST(test_lanes_that_copy_nothing_take_no_sector)
{
    uint64_t address[SIMT_WARP] = {0};
    int bytes;

    address[2] = BASE;
    address[3] = address[4] = BASE + 4096;
    assert_int_equal(simt_count_copy_sectors(address, 0, &bytes), 0);
    assert_int_equal(simt_count_copy_sectors(address, 4, &bytes), 1);
    assert_int_equal(bytes, 16);
    assert_int_equal(simt_count_copy_sectors(address, 12, &bytes), 2);
    assert_int_equal(simt_count_copy_sectors(address, 28, &bytes), 3);
}
