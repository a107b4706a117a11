/* What could the bank model get wrong? It is held against the course's table,
   against facts measured on hardware, and against a slow restatement. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "banks/banks.h"

#include <stdlib.h>
#include <string.h>

/* Of all lanes, on the banks of today. */
static int today(const uint64_t *address, int size, int is_store)
{
    return banks_wavefronts(BANKS_TODAY, address, UINT32_MAX, size, is_store);
}

static int strided(enum banks_rule rule, int size, int stride)
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = 4096 + (uint64_t)lane * (uint64_t)(stride * size);
    return banks_wavefronts(rule, address, UINT32_MAX, size, 0);
}

/* Wavefronts on 1.x and today; an H200's counters gave today's for char, short,
   float. */
TEST(test_the_table_of_types_and_strides)
{
    static const struct {
        int stride, wavefronts[8]; /* char, short, float, double: 1.x, today */
    } rows[] = {
        {1, {4, 1, 2, 1, 1, 1, 4, 2}},
        {2, {2, 1, 1, 1, 2, 2, 8, 4}},
        {3, {2, 1, 2, 2, 1, 1, 4, 2}},
        {4, {1, 1, 2, 2, 4, 4, 16, 8}},
        {5, {2, 2, 2, 2, 1, 1, 4, 2}},
        {8, {2, 2, 4, 4, 8, 8, 32, 16}},
        {16, {4, 4, 8, 8, 16, 16, 32, 32}},
        {32, {8, 8, 16, 16, 16, 32, 32, 32}},
        {33, {2, 1, 2, 1, 1, 1, 4, 2}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int type = 0; type < 4; type++) {
            assert_int_equal(strided(BANKS_CC1, 1 << type, rows[i].stride),
                             rows[i].wavefronts[2 * type]);
            assert_int_equal(strided(BANKS_TODAY, 1 << type, rows[i].stride),
                             rows[i].wavefronts[2 * type + 1]);
        }
    }
}

TEST(test_the_padding_of_a_transposed_tile)
{
    static const int rows[][4] = {{16, 16, 16, 8},
                                  {16, 17, 1, 2},
                                  {16, 18, 2, 1},
                                  {32, 32, 16, 32},
                                  {32, 33, 1, 1}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int tile = rows[i][0], row = rows[i][1];
        uint64_t address[BANKS_LANES];

        for (int lane = 0; lane < BANKS_LANES; lane++)
            address[lane] = 4 * (uint64_t)(lane % tile * row + lane / tile);
        assert_int_equal(banks_wavefronts(BANKS_CC1, address, UINT32_MAX, 4, 1),
                         rows[i][2]);
        assert_int_equal(today(address, 4, 1), rows[i][3]);
    }
}

/* All lanes one address: 1, 1 and 2 wavefronts on an H200, not 1, 2 and 4. */
TEST(test_a_broadcast_of_16_bytes_takes_two)
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = 64;
    assert_int_equal(today(address, 4, 0), 1);
    assert_int_equal(today(address, 8, 0), 1);
    assert_int_equal(today(address, 16, 0), 2);
    assert_int_equal(today(address, 8, 1), 2);
    assert_int_equal(today(address, 16, 1), 4);
}

/* Where neighbours read the same 16 bytes, twice as many lanes are served
   together; one lane that differs undoes it. */
TEST(test_equal_neighbours_are_served_together_in_loads_only)
{
    for (int bit = 1; bit <= 2; bit++) {
        uint64_t address[BANKS_LANES];

        for (int lane = 0; lane < BANKS_LANES; lane++) {
            const int pair = bit == 1 ? lane / 2 : lane / 4 * 2 + lane % 2;

            address[lane] = 16 * (uint64_t)pair;
        }
        assert_int_equal(today(address, 16, 0), 2);
        assert_int_equal(today(address, 16, 1), 4);
        address[31] = address[0];
        assert_int_equal(today(address, 16, 0), 4);
    }
}

TEST(test_neighbouring_elements_are_ideal)
{
    static const int ideal[] = {1, 1, 1, 2, 4};

    for (int log = 0; log < 5; log++) {
        uint64_t address[BANKS_LANES];

        for (int lane = 0; lane < BANKS_LANES; lane++)
            address[lane] = (uint64_t)lane << log;
        for (int is_store = 0; is_store < 2; is_store++) {
            assert_int_equal(today(address, 1 << log, is_store), ideal[log]);
            assert_int_equal(banks_ideal(BANKS_TODAY, address, UINT32_MAX,
                                         1 << log, is_store),
                             ideal[log]);
        }
    }
}

/* 32 neighbouring words have a bank each; the next one shares the first's. */
TEST(test_words_32_apart_conflict)
{
    uint64_t address[BANKS_LANES] = {0};

    address[31] = 4 * 31;
    assert_int_equal(today(address, 4, 0), 1);
    address[31] = 4 * 32;
    assert_int_equal(today(address, 4, 0), 2);
    assert_int_equal(today(address, 2, 1), 2);
}

TEST(test_inactive_lanes_ask_for_nothing)
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = 128 * (uint64_t)lane; /* all in bank 0 */
    assert_int_equal(today(address, 4, 0), 32);
    assert_int_equal(banks_wavefronts(BANKS_TODAY, address, 0x11, 4, 0), 2);
    assert_int_equal(banks_wavefronts(BANKS_TODAY, address, 1U << 31, 16, 0),
                     1);
    assert_int_equal(banks_ideal(BANKS_TODAY, address, 1U << 31, 16, 0), 1);
    assert_int_equal(banks_wavefronts(BANKS_CC1, address, 0x30001, 4, 0), 2);
}

/* The counts of an H200 for these: tests/hardware/atomics.cu. */
TEST(test_lanes_of_an_atomic_wait_for_each_other)
{
    static const struct {
        int together, apart, wavefronts; /* lanes of a word; words between */
    } measured[] = {{1, 1, 1}, {32, 1, 32}, {2, 1, 2},
                    {4, 1, 4}, {1, 2, 2},   {1, 32, 32}};
    uint64_t address[BANKS_LANES];

    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        for (int lane = 0; lane < BANKS_LANES; lane++) {
            address[lane] = (uint64_t)(4 * (lane / measured[i].together) *
                                       measured[i].apart);
        }
        assert_int_equal(banks_atomic(BANKS_TODAY, address, UINT32_MAX, 4),
                         measured[i].wavefronts);
    }
    assert_int_equal(banks_atomic(BANKS_TODAY, address, 0x100, 4), 1);
    assert_int_equal(banks_atomic(BANKS_CC1, address, UINT32_MAX, 4), 16);
}

/* Nobody waits for more lanes than there are, nor is faster than a store. */
TEST(test_an_atomic_is_a_store_where_no_two_lanes_share)
{
    srand(4);
    for (int i = 0; i < 20000; i++) {
        const int size = rand() % 2 ? 4 : 8, odd = 1 + 2 * (rand() % 40);
        const uint32_t active = (uint32_t)rand() | 1;
        uint64_t address[BANKS_LANES];

        for (int lane = 0; lane < BANKS_LANES; lane++)
            address[lane] = (uint64_t)(lane * odd * size);
        assert_int_equal(
            banks_atomic(BANKS_TODAY, address, active, size),
            banks_wavefronts(BANKS_TODAY, address, active, size, 1));
        for (int lane = 0; lane < BANKS_LANES; lane++)
            address[lane] = 64; /* all lanes share */
        assert_int_equal(banks_atomic(BANKS_TODAY, address, active, size),
                         __builtin_popcount(active));
    }
}

/* Today's rule said once more, slowly: sort nothing, skip nothing. */
static int restated(const uint64_t *address, uint32_t active, int size,
                    int is_store)
{
    int lanes = size <= 4 ? 32 : 128 / size;
    int wavefronts = 0;

    for (int bit = 1; bit <= 2 && lanes < 32 && !is_store; bit++) {
        int equal = 1;

        for (int lane = 0; lane < 32; lane++) {
            if ((active >> lane & 1) && (active >> (lane ^ bit) & 1))
                equal &= address[lane] == address[lane ^ bit];
        }
        if (equal) {
            lanes *= 2;
            break;
        }
    }
    for (int first = 0; first < 32; first += lanes) {
        int most = 0;

        for (uint64_t bank = 0; bank < 32; bank++) {
            uint64_t seen[256];
            int count = 0;

            for (int lane = first; lane < first + lanes; lane++) {
                for (int byte = 0; byte < size && active >> lane & 1; byte++) {
                    const uint64_t word = (address[lane] + (uint64_t)byte) / 4;
                    int known = word % 32 != bank;

                    for (int i = 0; i < count; i++)
                        known |= seen[i] == word;
                    if (!known)
                        seen[count++] = word;
                }
            }
            most = count > most ? count : most;
        }
        wavefronts += most;
    }
    return wavefronts;
}

/* A random request: lanes that share, lanes that repeat, lanes that are off.
   What a lane that is off would ask for is UINT64_MAX. */
static void random_request(uint64_t *address, uint32_t *active, int size)
{
    const int span = 1 << (3 + rand() % 9), repeat = 1 << rand() % 3;
    uint64_t last = 0;

    *active = rand() % 2 ? UINT32_MAX : (uint32_t)rand() | 2;
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        if (lane % repeat == 0)
            last = (uint64_t)(rand() % span) * (uint64_t)size;
        address[lane] = *active >> lane & 1 ? last : UINT64_MAX;
    }
}

TEST(test_random_requests_equal_the_restated_rule)
{
    srand(2);
    for (int i = 0; i < 6000; i++) {
        const int size = 1 << rand() % 5, is_store = rand() % 2;
        uint32_t active;
        uint64_t address[BANKS_LANES];

        random_request(address, &active, size);
        const int wavefronts =
            banks_wavefronts(BANKS_TODAY, address, active, size, is_store);

        assert_int_equal(wavefronts, restated(address, active, size, is_store));
        assert_true(wavefronts >=
                    banks_ideal(BANKS_TODAY, address, active, size, is_store));
        assert_true(size > 4 || wavefronts <= 32);
    }
}

TEST(test_the_order_of_lanes_does_not_matter_for_4_bytes)
{
    srand(3);
    for (int i = 0; i < 2000; i++) {
        uint64_t address[BANKS_LANES];
        int wavefronts;

        for (int lane = 0; lane < BANKS_LANES; lane++)
            address[lane] = (uint64_t)(rand() % 200 * 4);
        wavefronts = today(address, 4, 0);
        for (int lane = 31; lane > 0; lane--) {
            const int other = rand() % (lane + 1);
            const uint64_t kept = address[lane];

            address[lane] = address[other];
            address[other] = kept;
        }
        assert_int_equal(today(address, 4, 1), wavefronts);
    }
}

/* The rule of 1.x said once more: one 4-byte part of the access after the
   other; a wavefront gives one word to all and each other bank to one lane. */
static int restated_half(const uint64_t *address, uint32_t half, int size)
{
    int wavefronts = 0;

    for (int part = 0; part < (size + 3) / 4; part++) {
        uint32_t waiting = half;

        for (; waiting != 0; wavefronts++) {
            int best = 0, most = 0, taken[16] = {0};

            for (int lane = 0; lane < 32; lane++) {
                int wish = 0;

                for (int l = 0; l < 32; l++) {
                    wish += (waiting >> l & 1) &&
                            address[l] / 4 == address[lane] / 4;
                }
                if ((waiting >> lane & 1) && wish > most) {
                    most = wish;
                    best = lane;
                }
            }
            const uint64_t word = address[best] / 4 + (uint64_t)part;

            taken[word % 16] = 1;
            for (int lane = 0; lane < 32; lane++) {
                const uint64_t own = address[lane] / 4 + (uint64_t)part;

                if (!(waiting >> lane & 1))
                    continue;
                if (own == word || !taken[own % 16])
                    waiting &= ~(UINT32_C(1) << lane);
                taken[own % 16] = 1;
            }
        }
    }
    return wavefronts;
}

static int restated_cc1(const uint64_t *address, uint32_t active, int size)
{
    const int low = restated_half(address, active & 0xffff, size);
    const int high = restated_half(address, active & 0xffff0000, size);

    return low > high ? low : high;
}

TEST(test_random_requests_equal_the_restated_rule_of_1_x)
{
    srand(4);
    for (int i = 0; i < 3000; i++) {
        const int size = 1 << rand() % 5;
        uint64_t address[BANKS_LANES];
        uint32_t active;
        int wavefronts;

        random_request(address, &active, size);
        wavefronts =
            banks_wavefronts(BANKS_CC1, address, active, size, rand() % 2);
        assert_int_equal(wavefronts, restated_cc1(address, active, size));
        assert_true(wavefronts >=
                    banks_ideal(BANKS_CC1, address, active, size, 0));
    }
}

/* A schedule must be one that the banks can keep: it ends with the last one,
   and today no bank hands out two words in one wavefront. */
TEST(test_the_schedule_is_one_that_banks_can_keep)
{
    srand(5);
    for (int i = 0; i < 4000; i++) {
        const enum banks_rule rule = (enum banks_rule)(i % BANKS_RULES);
        const int size = 1 << rand() % 5, is_store = rand() % 2;
        uint64_t address[BANKS_LANES];
        int wavefront[BANKS_LANES], last = 0;
        uint32_t active;

        random_request(address, &active, size);
        const int wavefronts =
            banks_schedule(rule, address, active, size, is_store, wavefront);

        assert_int_equal(wavefronts, banks_wavefronts(rule, address, active,
                                                      size, is_store));
        for (int lane = 0; lane < BANKS_LANES; lane++) {
            assert_int_equal(wavefront[lane] > 0, active >> lane & 1);
            last = wavefront[lane] > last ? wavefront[lane] : last;
            for (int l = 0; size <= 4 && l < lane; l++) {
                const uint64_t a = address[l] / 4, b = address[lane] / 4;

                if (rule == BANKS_TODAY && wavefront[l] > 0 &&
                    wavefront[l] == wavefront[lane] && a % 32 == b % 32) {
                    assert_true(a == b);
                }
            }
        }
        assert_int_equal(last, wavefronts);
    }
}
