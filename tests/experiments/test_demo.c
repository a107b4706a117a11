/* Does make demo say of each lab what its run said, and run no lab twice? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* A course of two labs, 01 and 04, at a 64th of their size. */
#define IN_A_COURSE                                                             \
    "exec 2>&1; tree=$(mktemp -d) && mkdir -p $tree/build/cpu $tree/labs "      \
    "$tree/solutions && ln -s $PWD/common $PWD/plots $PWD/tests $PWD/Makefile " \
    "$tree && cp -a labs/TODOS labs/01_* labs/04_* $tree/labs && "              \
    "cp -a solutions/01_* solutions/04_* $tree/solutions && "                   \
    "sed -e '/^lab: \\(0[235-9]\\|1.\\)_/,/^$/d' -e /^advanced/d -e "           \
    "s/256x384x512/64x96x128/ labs/INDEX >$tree/labs/INDEX && "                 \
    "ln -s $PWD/build/cpu/common $PWD/build/cpu/*.a $tree/build/cpu && ln -s "  \
    "$PWD/build/tools $PWD/build/first $tree/build && "                         \
    "three=$PWD/solutions/03_tiling && cd $tree && { %s; }; code=$?; cd / && "  \
    "rm -r $tree; exit $code"

static const char *after(const char *text, const char *words)
{
    const char *const at = strstr(text, words);

    if (at == NULL)
        fail_msg("no '%s' in:\n%s", words, text);
    return at + strlen(words);
}

/* The kernel of lab 03 is right, but its loads are not coalesced. */
TEST(test_a_lab_that_failed_is_never_a_pass_in_the_table)
{
    struct command run = command_run(
        IN_A_COURSE,
        "cp $three/tiling.cu solutions/04_coalescing/coalescing.cu; " MAKE
        "demo; echo first $?; " MAKE "demo; echo second $?");
    const char *at = run.text;

    for (int i = 0; i < 2; i++) {
        if (i == 0)
            at = after(at, "FAIL  04_coalescing  goal not reached");
        at = after(at, "\n01_cpu_naive      PASS ");
        at = after(at, "\n04_coalescing     FAIL ");
        at = after(at, i == 0 ? "first 2\n" : "second 2\n");
    }
    command_free(&run);
}

TEST(test_a_lab_that_is_wrong_is_no_pass_either)
{
    RUN_GIVES(2, SAYS("\n04_coalescing     FAIL ", "\n01_cpu_naive      PASS "),
              IN_A_COURSE,
              "sed -i 's/float sum = 0.0f;/float sum = 1.0f;/' "
              "solutions/04_coalescing/coalescing.cu; " MAKE "demo");
}

TEST(test_a_second_demo_runs_no_lab)
{
    struct command run = command_run(
        IN_A_COURSE,
        MAKE "demo && echo SECOND && " MAKE "demo && echo THIRD && " MAKE
             "demo REPEAT=2 && echo FOURTH && touch "
             "solutions/04_coalescing/coalescing.cu && " MAKE "demo REPEAT=2");
    const char *second, *third, *fourth;

    command_ends(&run, 0);
    after(run.text, "PASS  04_coalescing  64 x 96 x 128 counted");
    second = after(run.text, "SECOND\n");
    third = after(second, "THIRD\n");
    fourth = after(third, "FOURTH\n");
    assert_true(strstr(second, "PASS  0") >= third);
    after(second, "\n04_coalescing     PASS ");
    after(third, "PASS  01_cpu_naive  ");
    /* Of the lab that changed alone. */
    after(fourth, "PASS  04_coalescing  ");
    assert_null(strstr(fourth, "PASS  01_cpu_naive  "));
    command_free(&run);
}
