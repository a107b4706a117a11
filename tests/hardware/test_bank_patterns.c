/*
 * Is the bank rule (banks.h) that of an H200? Each request of bank_patterns.h
 * was made there (h200.csv), and its wavefronts are those of the rule. Where
 * they are not, the first few are drawn, lane by lane, to mend the rule from.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "bank_patterns.h"
#include "banks/banks.h"
#include "compare.h"

#include <stdlib.h>
#include <string.h>

enum {
    DRAWN = 6 /* wrong requests, at most, of each kind */
};

static struct bank_pattern pattern[BANK_PATTERNS_MOST];
static int patterns;
static int on_gpu[BANK_PATTERNS_MOST]; /* wavefronts; 0: not measured */

FIXTURE(read_counts)
{
    struct command cat = command_run("cat tests/hardware/h200.csv");
    struct compare_table gpu;
    char why[256];

    patterns = bank_patterns(pattern);
    if (cat.code != 0 || compare_read(&gpu, "tests/hardware/h200.csv", cat.text,
                                      why, sizeof why) != 0) {
        print_error("%s\n", cat.code != 0 ? cat.text : why);
        return -1;
    }
    for (size_t i = 0; i < gpu.rows; i++) {
        const struct compare_row *row = &gpu.row[i];
        const int n = row->launch - 1;
        const char *quantity = compare_quantity(row->metric);

        if (strcmp(row->program, "bank_patterns") != 0)
            continue;
        if (n >= patterns || strcmp(pattern[n].name, row->label) != 0 ||
            quantity == NULL || on_gpu[n] != 0 ||
            strcmp(quantity, pattern[n].is_store
                                 ? "shared_store_wavefronts"
                                 : "shared_load_wavefronts") != 0) {
            print_error("launch %d, %s, %s: not of this table, measure again\n",
                        row->launch, row->label, row->metric);
            return -1;
        }
        on_gpu[n] = (int)row->value;
    }
    compare_free(&gpu);
    command_free(&cat);
    return 0;
}

static int by_rule(const struct bank_pattern *p)
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = p->offset[lane];
    return banks_wavefronts(BANKS_TODAY, address, p->active, p->size,
                            p->is_store);
}

/* "bank of word" for each lane, a quarter of the warp a line. */
static void draw_pattern(const struct bank_pattern *p, int gpu, int rule)
{
    print_error("%s: %d on the GPU, %d by the rule; bank.row of each lane:\n",
                p->name, gpu, rule);
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        const unsigned word = p->offset[lane] / BANKS_WIDTH;

        if (lane % 8 == 0)
            print_error("  %2d-%2d", lane, lane + 7);
        if (p->active >> lane & 1)
            print_error(" %4u.%-2u", word % 32, word / 32);
        else
            print_error("    -   ");
        if (lane % 8 == 7)
            print_error("\n");
    }
}

struct kind {
    int size, is_store, is_part;
};

static void rule_is_that_of_the_gpu(void **state)
{
    const struct kind *kind = *state;
    int seen = 0, wrong = 0;

    for (int i = 0; i < patterns; i++) {
        const struct bank_pattern *p = &pattern[i];
        const int is_part = p->active != UINT32_MAX;

        if (p->size != kind->size || p->is_store != kind->is_store ||
            is_part != kind->is_part)
            continue;
        seen++;
        if (on_gpu[i] == by_rule(p))
            continue;
        if (wrong++ < DRAWN)
            draw_pattern(p, on_gpu[i], by_rule(p));
    }
    if (wrong > 0 || seen == 0)
        fail_msg("%d of %d requests differ", wrong, seen);
}

static void add_kinds(void)
{
    static struct kind kind[12];

    for (int i = 0; i < 12; i++) {
        kind[i] = (struct kind){4 << i / 4, i / 2 % 2, i % 2};
        testing_add_case(rule_is_that_of_the_gpu, &kind[i],
                         "%d bytes %s %s: rule is the GPU's", kind[i].size,
                         kind[i].is_store ? "store" : "load",
                         kind[i].is_part ? "part of a warp" : "whole warp");
    }
}

MORE_TESTS(add_kinds);
ALL_TESTS(read_counts, NULL);
