/*
 * Does a grade depend on the numbers that were drawn? Fresh seeds, 2 of them or
 * GRADE_SEEDS (100 in make test WHAT=all): with each, the solution is right and
 * the sum that lacks its last term is not.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "class_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_grade(const struct class_run *run, const char *student,
                         const char *lab, const char *verdict, double points)
{
    const int row = class_row(run, student);
    char column[80];

    assert_true(row >= 0);
    snprintf(column, sizeof column, "%s_verdict", lab);
    assert_string_equal(base_csv_text(&run->grades, (size_t)row, column),
                        verdict);
    assert_true(base_csv_number(&run->grades, (size_t)row, lab) == points);
}

TEST(the_solution_passes_with_each_seed_and_a_dropped_term_with_none)
{
    static const char *const no_options[] = {NULL};
    const char *const wanted = getenv("GRADE_SEEDS");
    const int seeds = wanted != NULL ? atoi(wanted) : 2;
    struct class_run run;
    char *last = NULL;

    class_make(&run);
    class_shrink(&run);
    class_lay(&run, "right/reference_01");
    if (class_all())
        class_lay(&run, "right/reference_03");
    class_lay(&run, "broken/drops_the_last_term");
    for (int i = 0; i < seeds; i++) {
        char out[30], seed[40], *drawn;

        snprintf(out, sizeof out, "out%d", i);
        snprintf(seed, sizeof seed, "out%d/seed", i);
        snprintf(run.out, sizeof run.out, "%s", class_path(&run, out));
        class_grade(&run, no_options, 0.0);
        assert_int_equal(run.code, 0);
        expect_grade(&run, "right_reference_01", "01_cpu_naive", "PASS", 100.0);
        if (class_all())
            expect_grade(&run, "right_reference_03", "03_tiling", "PASS",
                         100.0);
        expect_grade(&run, "broken_drops_the_last_term", "01_cpu_naive", "FAIL",
                     0.0);
        drawn = class_read(&run, seed);
        assert_true(drawn[0] != '\0');
        assert_true(last == NULL || strcmp(last, drawn) != 0);
        free(last);
        last = drawn;
    }
    free(last);
    class_remove(&run);
}
