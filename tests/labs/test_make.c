/* Do the commands that a student types say what they should, and refuse what
   they cannot do with a line that helps? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"

#include <stdlib.h>

/* As from a shell: without what the make that runs this test has set. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

static void test_the_menu_fits_80_columns_and_lists_the_labs(void **state)
{
    struct command run = command_run(MAKE);
    struct command wide = command_run(
        MAKE "| awk 'length > 80 { wide++ } END { print wide + 0 }'");

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "make demo");
    command_says(&run, "09_prefetch");
    command_ends(&wide, 0);
    assert_string_equal(wide.text, "0\n");
    command_free(&run);
    command_free(&wide);
}

/* make itself ends with 2 where a recipe fails; the lab's program with 1. */
static void test_a_skeleton_fails_and_says_what_to_write(void **state)
{
    struct command run = command_run(MAKE "lab-03");

    (void)state;
    command_ends(&run, 2);
    command_says(&run, "labs/03_tiling/tiling.cu:");
    command_says(&run, "Next is TODO 3.1: ");
    command_says(&run, "UNFINISHED");
    command_free(&run);
    run = command_run(MAKE "status");
    command_ends(&run, 0);
    command_says(&run, "03_tiling            UNFINISHED");
    command_free(&run);
}

static void test_a_solution_passes_and_reaches_its_goal(void **state)
{
    struct command run = command_run(MAKE "solution-4");

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "goal 100.0 %, reached");
    command_free(&run);
    /* A lab without a kernel has nothing to count, which is no failure. */
    run = command_run(MAKE "solution-01");
    command_ends(&run, 0);
    command_says(&run, "SKIPPED");
    command_free(&run);
}

static void test_what_cannot_be_made_is_named(void **state)
{
    static const char *const cases[][2] = {
        {"lab-33", "there is no lab '33': use one of 01_cpu_naive"},
        {"lab-03 DEVICE=tpu", "DEVICE is 'tpu': use cpu or gpu"},
        {"lab-03 M=5", "--m, --n and --k"},
        {"solution-03 M=x N=1 K=1", "--m"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command run = command_run(MAKE "%s", cases[i][0]);

        command_ends(&run, 2);
        command_says(&run, cases[i][1]);
        command_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_menu_fits_80_columns_and_lists_the_labs),
        cmocka_unit_test(test_a_skeleton_fails_and_says_what_to_write),
        cmocka_unit_test(test_a_solution_passes_and_reaches_its_goal),
        cmocka_unit_test(test_what_cannot_be_made_is_named),
    };

    return cmocka_run_group_tests_name("make", tests, NULL, NULL);
}
