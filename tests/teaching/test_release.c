/* The students' archive: has it what a student needs, and no line of a solution? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"

#include <string.h>

/* A repository of its own, with some of the tree's files as they are now. */
#define FILES                                                      \
    "Makefile VERSION common/lab.h common/course/release.sh labs " \
    "slides/README.md solutions tests/simt/programs "              \
    "tests/mutants"
#define IN_A_REPOSITORY                                                         \
    "exec 2>&1; cut=$PWD/build/tools/make_skeleton; tree=$(mktemp -d) && "      \
    "tar -cf - " FILES                                                          \
    " | tar -C $tree -xf - && cd $tree && git init -q . && "                    \
    "{ %s; } && git add -A && git -c user.name=t -c user.email=t commit -qm t " \
    "&& sh common/course/release.sh $cut %s && "                                \
    "tar tzf build/release/cuda-labs-$(cat VERSION).tar.gz; "                   \
    "code=$?; cd / && rm -rf $tree; exit $code"

static void says_not(const struct command *run, const char *words)
{
    if (strstr(run->text, words) != NULL)
        fail_msg("'%s' is in the archive", words);
}

static void test_the_archive_has_skeletons_and_no_solution(void **state)
{
    struct command run = command_run(
        IN_A_REPOSITORY, "cp solutions/03_tiling/tiling.cu labs/03_tiling", "");

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "lines of the solutions is in it");
    command_says(&run, "labs/spot_the_bug/ was not searched");
    command_says(&run, "cuda-labs/Makefile");
    command_says(&run, "cuda-labs/labs/INDEX");
    command_says(&run, "cuda-labs/labs/03_tiling/tiling.cu");
    command_says(&run, "cuda-labs/common/lab.h");
    command_says(&run, "cuda-labs/labs/spot_the_bug/exercise.h");
    says_not(&run, "cuda-labs/solutions");
    says_not(&run, "cuda-labs/slides");
    says_not(&run, "cuda-labs/tests");
    command_free(&run);
}

static void test_folders_can_be_left_out(void **state)
{
    struct command run = command_run(IN_A_REPOSITORY, ":", "labs/spot_the_bug");

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "cuda-labs/Makefile");
    says_not(&run, "spot_the_bug");
    command_free(&run);
    run = command_run(IN_A_REPOSITORY, ":", "labs/spot");
    command_ends(&run, 2);
    command_says(&run, "there is no folder labs/spot");
    command_free(&run);
}

static void test_a_line_of_a_solution_is_found(void **state)
{
    struct command run = command_run(
        IN_A_REPOSITORY,
        "echo 'sum  += As[ty][i]*Bs[i][tx];' >> labs/03_tiling/README.md", "");

    (void)state;
    command_ends(&run, 1);
    command_says(&run, "a solution's line is in ");
    command_says(&run, "labs/03_tiling/README.md:");
    says_not(&run, "Archive:");
    command_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_archive_has_skeletons_and_no_solution),
        cmocka_unit_test(test_folders_can_be_left_out),
        cmocka_unit_test(test_a_line_of_a_solution_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
