/* The students' archive: has it what one needs, and no line of a solution? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <stdlib.h>
#include <string.h>

/* A repository of its own, with some of the tree's files as they are now. */
#define FILES                                                             \
    "Makefile VERSION INSTRUCTORS.md LICENSE plots/gallery common/lab.h " \
    "common/course/release.sh common/course/labs.awk "                    \
    "common/grade/README.md labs "                                        \
    "slides/README.md solutions tests/simt/programs "                     \
    "tests/corpus/labs"
#define GIT "git -c user.name=t -c user.email=t "
/* An archive of it after an edit, which is taken back. */
#define IN_A_REPOSITORY                                           \
    "exec 2>&1; cut=$PWD/build/tools/make_skeleton; cd $TREE && " \
    "{ %s; } && git add -A && " GIT "commit -qm t --allow-empty " \
    "&& sh common/course/release.sh $cut %s && "                  \
    "cat build/release/*/README.md && "                           \
    "for a in build/release/*.tar.gz; do tar tzf $a; done; "      \
    "code=$?; git reset -q --hard begin; rm -rf build; exit $code"

static char tree[] = "/tmp/test_release.XXXXXX";

static int make_repository(void **state)
{
    struct command run;

    (void)state;
    if (mkdtemp(tree) == NULL || setenv("TREE", tree, 1) != 0)
        return -1;
    run = command_run("tar -cf - " FILES " | tar -C $TREE -xf - && cd $TREE && "
                      "git init -q . && git add -A && " GIT
                      "commit -qm t && git tag begin");
    command_ends(&run, 0);
    command_free(&run);
    return 0;
}

static int remove_repository(void **state)
{
    struct command run = command_run("rm -rf $TREE");

    (void)state;
    command_free(&run);
    return 0;
}

static void says_not(const struct command *run, const char *words)
{
    if (strstr(run->text, words) != NULL)
        fail_msg("'%s' is in the archive", words);
}

TEST(test_an_archive_has_its_labs_and_no_solution)
{
    struct command run = command_run(
        IN_A_REPOSITORY, "cp solutions/03_tiling/tiling.cu labs/03_tiling",
        "'01 02 03'");

    command_ends(&run, 0);
    command_says(&run, "lines of the solutions is in it");
    command_says(&run, "make lab-01     # builds the first lab");
    command_says(&run, "- [03 Shared-memory tiles](labs/03_tiling/README.md)");
    command_says(&run, "cuda-labs-01-03/Makefile");
    command_says(&run, "cuda-labs-01-03/labs/INDEX");
    command_says(&run, "cuda-labs-01-03/labs/03_tiling/tiling.cu");
    command_says(&run, "cuda-labs-01-03/common/course/skeletons/03_tiling.cu");
    command_says(&run, "cuda-labs-01-03/common/lab.h");
    command_says(&run, "cuda-labs-01-03/labs/spot_the_bug/05_no_guard/");
    says_not(&run, "/solutions/");
    says_not(&run, "/slides/");
    says_not(&run, "/tests/");
    says_not(&run, "INSTRUCTORS.md");
    says_not(&run, "common/grade/README.md");
    says_not(&run, "gallery/banks.svg");
    says_not(&run, "labs/04_coalescing");
    says_not(&run, "04_barrier_in_the_k_loop");
    says_not(&run, "07_remainder_dropped");
    command_free(&run);
}

/* The skeleton of lab 04 is lab 03's solution but for its own lines. */
TEST(test_no_archive_has_a_lab_and_its_solution)
{
    struct command run = command_run(IN_A_REPOSITORY, ":", "'3 4'");

    command_ends(&run, 1);
    command_says(&run, "the skeleton of lab 04 shows the solution of lab 03");
    command_free(&run);
    run = command_run(IN_A_REPOSITORY, ":", "");
    command_ends(&run, 0);
    command_says(&run, "cuda-labs-01-03/labs/03_tiling/tiling.cu");
    command_says(&run, "cuda-labs-04-07/labs/07_outer_product/");
    command_says(&run, "cuda-labs-08/labs/08_unrolling/unrolling.cu");
    says_not(&run, "cuda-labs-01-03/labs/04_coalescing");
    says_not(&run, "cuda-labs-04-07/labs/03_tiling");
    command_free(&run);
}

TEST(test_folders_can_be_left_out)
{
    struct command run =
        command_run(IN_A_REPOSITORY, ":", "01 labs/spot_the_bug");

    command_ends(&run, 0);
    command_says(&run, "cuda-labs-01/Makefile");
    says_not(&run, "spot_the_bug/");
    command_free(&run);
    run = command_run(IN_A_REPOSITORY, ":", "01 labs/spot");
    command_ends(&run, 2);
    command_says(&run, "there is no folder labs/spot");
    command_free(&run);
    run = command_run(IN_A_REPOSITORY, ":", "77");
    command_ends(&run, 2);
    command_says(&run, "LABS: there is no lab 77");
    command_free(&run);
}

TEST(test_a_lab_that_is_left_out_is_in_no_archive)
{
    struct command run = command_run(
        IN_A_REPOSITORY, "sed -i '/^lab: 05_/,/^$/d' labs/INDEX", "'04 06'");

    command_ends(&run, 0);
    command_says(&run, "labs/06_conflict_free/conflict_free.cu");
    says_not(&run, "05_bank_conflicts");
    says_not(&run, "answers.txt");
    command_free(&run);
    run = command_run(IN_A_REPOSITORY, "sed -i '/^lab: 05_/,/^$/d' labs/INDEX",
                      "05");
    command_ends(&run, 2);
    command_says(&run, "LABS: there is no lab 05");
    command_free(&run);
}

TEST(test_a_line_of_a_solution_is_found)
{
    struct command run = command_run(
        IN_A_REPOSITORY,
        "echo 'sum  += As[ty][i]*Bs[i][tx];' >> labs/03_tiling/README.md",
        "03");

    command_ends(&run, 1);
    command_says(&run, "a solution's line is in ");
    command_says(&run, "labs/03_tiling/README.md:");
    says_not(&run, "Archive:");
    command_free(&run);
}

/* What a cheat would do: hand in all that the archive has, as each of its labs.
   It is done with the skeletons, and with CORPUS=all with every exercise,
   program and block of text of two stages. */
static void hand_in_all(const char *archive, const char *labs,
                        const char *numbers)
{
    struct command run = command_run(
        "exec 2>&1; tree=$(mktemp -d) && trap 'rm -rf $tree' EXIT && "
        "sh common/course/release.sh build/tools/make_skeleton '%s' "
        ">/dev/null && FAST=%s sh tests/grade/lay_leaks.sh build/release/%s "
        "$tree/class %s && build/tools/grade --out $tree/out --lab '%s' "
        "$tree/class && ! awk -F, 'NR > 1 && $3 != 0' $tree/out/grades.csv | "
        "grep .",
        numbers,
        getenv("CORPUS") != NULL && strcmp(getenv("CORPUS"), "all") == 0 ? ""
                                                                         : "1",
        archive, labs, numbers);

    command_ends(&run, 0);
    command_says(&run, "grades.csv");
    command_free(&run);
}

TEST(test_what_an_archive_has_earns_nothing)
{
    hand_in_all("cuda-labs-01-03", "01_cpu_naive 02_gpu_naive 03_tiling",
                "01 02 03");
    if (getenv("CORPUS") == NULL)
        return;
    hand_in_all("cuda-labs-04-07",
                "04_coalescing 05_bank_conflicts 06_conflict_free "
                "07_outer_product",
                "04 05 06 07");
}

ALL_TESTS(make_repository, remove_repository);
