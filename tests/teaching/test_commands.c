/* Hints, status and solutions, as a student asks for them. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <stdlib.h>
#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* A tree of its own, whose labs and build/ are nobody else's. */
#define IN_A_TREE                                                                                \
    "exec 2>&1; tree=$(mktemp -d) && mkdir -p $tree/build/cpu && "                               \
    "ln -s $PWD/common $PWD/solutions $PWD/plots $PWD/tests "                                    \
    "$PWD/Makefile $tree && cp -a labs $tree && ln -s $PWD/build/cpu/common $PWD/build/cpu/*.a " \
    "$tree/build/cpu && ln -s $PWD/build/tools $PWD/build/first "                                \
    "$tree/build && cd $tree && { %s; }"                                                         \
    "; code=$?; cd / && rm -r $tree; exit $code"

TEST(test_hints_go_on_until_there_are_no_more)
{
    static const char *const says[] = {"Hint 1 of 3", "Hint 2 of 3",
                                       "Hint 3 of 3", "All 3 hints were shown",
                                       "All 3 hints were shown"};
    struct command run = command_run(
        IN_A_TREE,
        "for i in 1 2 3 4 5; do " MAKE "hint-03; done; " MAKE
        "hint-03 TODO=3.4; " MAKE "hint-03 AGAIN=1; "
        "cp solutions/03_tiling/tiling.cu labs/03_tiling; " MAKE "hint-03");
    const char *at = run.text;

    command_ends(&run, 0);
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        at = strstr(at, says[i]);
        if (at == NULL)
            fail_msg("no '%s' in its place:\n%s", says[i], run.text);
        else
            at++;
    }
    at = strstr(at, "TODO 3.4 (labs/03_tiling/tiling.cu:55)\n  Hint 1 of 3");
    assert_non_null(at);
    assert_non_null(strstr(at, "TODO 3.1 (labs/03_tiling/tiling.cu:46)\n"
                               "  Hint 1 of 3"));
    command_says(&run, "No TODO of labs/03_tiling is open: run make lab-03");
    command_free(&run);
}

/* Whether a TODO is written whose comment is deleted, nobody knows. */
TEST(test_a_deleted_comment_is_not_taken_for_written)
{
    struct command run = command_run(
        IN_A_TREE,
        "cd labs/01_cpu_naive && awk '/TODO 1.2/ { skip = 1 } !skip { print } "
        "/\\*\\// { skip = 0 }' cpu_naive.cu > x && "
        "sed 's/^{$/{ ;/' x > cpu_naive.cu && cd ../.. && " MAKE
        "hint-01; " MAKE "hint-01 TODO=1.2; " MAKE "status; "
        "sed -i '/TODO 1.1/,/\\*\\//d' labs/01_cpu_naive/cpu_naive.cu; " MAKE
        "hint-01; " MAKE "status");

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("TODO 1.1 (labs/01_cpu_naive/cpu_naive.cu:",
                  "TODO 1.2 (labs/01_cpu_naive/cpu_naive.cu has its "
                  "comment no more)\n  Hint 1 of 3",
                  "TODOs closed", "[#####.....]   1 of 2  not run yet",
                  "2 of 2 are deleted", NOT "No TODO of"));
    command_free(&run);
}

TEST(test_a_wrong_hints_file_is_told_with_its_line)
{
    struct command run = command_run(
        IN_A_TREE,
        "echo oops >> labs/04_coalescing/hints.txt; " MAKE "hint-04");

    command_ends(&run, 2);
    text_has(run.text,
             SAYS("hint: labs/04_coalescing/hints.txt:",
                  "'oops' is not 'KEY: VALUE' (indent a line that goes on"));
    command_free(&run);
    RUN_GIVES(2, SAYS("labs/04_coalescing has no TODO 4.9"), IN_A_TREE,
              MAKE "hint-04 TODO=4.9");
}

TEST(test_a_solution_is_shown_after_a_pass_only)
{
    struct command run = command_run(
        IN_A_TREE,
        "sed -i s/256x384x512/64x96x128/ labs/INDEX; " MAKE "solution-03; " MAKE
        "lab-03; " MAKE "solution-03; "
        "cp solutions/03_tiling/tiling.cu labs/03_tiling; " MAKE
        "lab-03 && " MAKE "status && " MAKE "solution-03 && "
        "echo >> labs/03_tiling/tiling.cu; sleep 0.1; "
        "touch labs/03_tiling/tiling.cu; " MAKE "solution-03; echo END");
    const char *pass;

    command_ends(&run, 0);
    text_has(run.text, SAYS("solution-03: first pass it yourself: make lab-03",
                            "the last run said: UNFINISHED"));
    pass = strstr(run.text, "PASS  03_tiling");
    assert_non_null(pass);
    text_has(pass,
             SAYS("03_tiling           [##########]   5 of 5  "
                  "PASS, goal reached",
                  " 5 of 45  in all 1 of 9 passed",
                  "A copy is build/solutions/tiling.cu", NOT "/* end 3.1 */"));
    command_says(
        &run,
        "your file was saved after the last run: type make lab-03 once more");
    command_free(&run);
}

TEST(test_the_instructor_decides_about_solutions)
{
    RUN_GIVES(2, SAYS("your instructor keeps the solutions"),
              MAKE "solution-03 SOLUTIONS=never");
    RUN_GIVES(0, SAYS("const bool more = t + DEPTH < k;", NOT "skeleton:"),
              MAKE "solution-09 SOLUTIONS=always");
    RUN_GIVES(2, SAYS("use after-pass, never or always"),
              MAKE "solution-03 SOLUTIONS=perhaps");
}

TEST(test_programs_say_which_course_they_are_of)
{
    RUN_GIVES(
        0, NULL,
        "said=$(for p in cpu/labs/03_tiling cpu/solutions/02_gpu_naive-analyse "
        "tools/banks tools/report tools/grade_fake; do "
        "build/$p --version || exit; done | uniq) && echo \"$said\" && "
        "test \"$said\" = \"cuda-labs $(cat VERSION)\"");
}
