/*
 * Are the floating-point operations of basic blocks those of the source? What
 * stands in calculations/ is compiled as for the analyse build and run here, as
 * host code, whose blocks the device tells of.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "calculations/calculations.h"
#include "simt/blocks.h"
#include "simt/recorder.h"

#include <string.h>

enum {
    MOST = 1000
};

/* The blocks that were entered, and how often. */
static uintptr_t block[MOST];
static uint64_t entered[MOST];
static int blocks;
static int expected;

static void enter(uintptr_t code)
{
    int i = 0;

    while (i < blocks && block[i] != code)
        i++;
    assert_true(i < MOST);
    blocks += i == blocks;
    block[i] = code;
    entered[i]++;
}

void expect_flops(const char *what, const char *file, int line, uint64_t flops)
{
    uint64_t got = 0;

    expected++;
    for (int i = 0; i < blocks; i++) {
        const struct simt_block_line *lines;
        const size_t count = simt_block_flops(block[i], &lines);

        for (size_t j = 0; j < count; j++) {
            if (lines[j].line == line && strcmp(lines[j].file, file) == 0)
                got += entered[i] * lines[j].flops;
        }
    }
    if (got != flops)
        fail_msg("%s (%s:%d): %d operations instead of %d", what, file, line,
                 (int)got, (int)flops);
}

static void calculate(void (*calculations)(const float *, float *))
{
    static float in[16], out[16] __attribute__((aligned(16)));

    for (int i = 0; i < 16; i++)
        in[i] = (float)(i + 1);
    blocks = expected = 0;
    memset(entered, 0, sizeof entered);
    simt_on_host_block = enter;
    calculations(in, out);
    simt_on_host_block = NULL;
}

TEST(test_operations_are_those_of_the_source)
{
    calculate(first_calculations);
    assert_int_equal(expected, 20);
}

TEST(test_a_template_of_two_files_has_one_table)
{
    blocks = 0;
    calculate(second_calculations);
    assert_int_equal(expected, 4);
}

TEST(test_an_address_that_is_no_block_has_no_operations)
{
    const struct simt_block_line *lines;

    calculate(second_calculations);
    assert_true(blocks > 0);
    for (int i = 0; i < blocks; i++)
        assert_int_equal(simt_block_flops(block[i] + 1, &lines), 0);
    assert_int_equal(simt_block_flops(0, &lines), 0);
    assert_int_equal(simt_block_flops(UINTPTR_MAX, &lines), 0);
}
