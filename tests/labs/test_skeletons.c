/* Does what a student wrote outlive the commands that write into labs/? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "
#define GIT  "git -c user.name=t -c user.email=t "
#define LAB  "labs/03_tiling/tiling.cu"

/* A tree with a copy of the labs, in which a shell command is run. */
#define IN_A_TREE                                                     \
    "exec 2>&1; tree=$(mktemp -d) && mkdir -p $tree/build/cpu && "    \
    "ln -s $PWD/common $PWD/plots $PWD/tests $PWD/Makefile $tree && " \
    "cp -a labs solutions $tree && ln -s $PWD/build/cpu/common "      \
    "$PWD/build/cpu/*.a $tree/build/cpu && ln -s $PWD/build/tools "   \
    "$tree/build && cd $tree && cp " LAB " as_given && "              \
    "cp labs/04_coalescing/coalescing.cu next && { %s; }; "           \
    "code=$?; cd / && rm -rf $tree; exit $code"

/* The labs are in a commit. */
#define COMMITTED "git init -q . && git add labs && " GIT "commit -qm t && "

TEST(test_work_that_is_in_no_commit_is_not_overwritten)
{
    RUN_GIVES(0,
              SAYS("skeletons: labs/ has work in it that is in no commit, "
                   "and nothing was written: make skeletons LABS=\"03\""),
              IN_A_TREE,
              COMMITTED "echo mine >" LAB " && echo '// more' >>labs/TODOS && "
                        "rm labs/04_coalescing/coalescing.cu && ! " MAKE
                        "skeletons "
                        "&& grep -x mine " LAB " && grep more labs/TODOS && "
                        "test ! -e labs/04_coalescing/coalescing.cu");
}

TEST(test_without_git_all_work_is_kept)
{
    RUN_GIVES(0, SAYS("LABS=\"03\" overwrites it", "\nmine\n"), IN_A_TREE,
              "echo mine >" LAB " && ! " MAKE "skeletons && cat " LAB);
}

/* And that of a lab beside it is kept, whose TODOs stay those of its
   skeleton. */
TEST(test_a_lab_that_is_named_is_cut_anew)
{
    RUN_GIVES(0, NULL, IN_A_TREE,
              COMMITTED
              "echo mine | tee " LAB " >labs/04_coalescing/coalescing.cu "
              "&& " MAKE "skeletons LABS=3 && cmp as_given " LAB " && "
              "grep -x mine labs/04_coalescing/coalescing.cu && "
              "git diff --exit-code labs/TODOS");
    RUN_GIVES(2, SAYS("there is no lab '33': use 01 to 17, 20 to 22"),
              IN_A_TREE, MAKE "skeletons LABS=33");
}

/* A solution that has changed changes the skeleton that was committed. */
TEST(test_a_skeleton_that_is_committed_is_cut_anew)
{
    RUN_GIVES(0, SAYS("/* more */"), IN_A_TREE,
              COMMITTED "rm " LAB " && echo '/* more */' >>"
                        "solutions/04_coalescing/coalescing.cu && " MAKE
                        "skeletons && cmp " LAB " as_given && tail -n 1 "
                        "labs/04_coalescing/coalescing.cu");
}

TEST(test_a_reset_keeps_what_was_written)
{
    RUN_GIVES(0,
              SAYS("Your file is kept as " LAB ".kept-1\n" LAB
                   " is as it was given out\n",
                   "Your file is kept as " LAB ".kept-2\n",
                   "nothing is to be done\none\ntwo\n"),
              IN_A_TREE,
              "echo one >" LAB " && " MAKE "reset-03 && cmp as_given " LAB
              " && echo two >" LAB " && " MAKE "reset-3 && cmp as_given " LAB
              " && " MAKE "reset-03 && cat " LAB ".kept-*; "
              "cmp next labs/04_coalescing/coalescing.cu");
    RUN_GIVES(
        0, SAYS("or begin anew with make reset-03", NOT "is kept"), IN_A_TREE,
        "rm " LAB "; " MAKE "lab-03; " MAKE "reset-03 && cmp as_given " LAB);
}

/* There, a copy of the skeletons stands in for the solutions. */
TEST(test_a_reset_needs_no_solutions_and_no_git)
{
    RUN_GIVES(0,
              SAYS("Your file is kept as " LAB ".kept-1\n",
                   "reset-04: this copy has neither a solution nor a "
                   "skeleton of lab 04_coalescing"),
              IN_A_TREE,
              "rm -r solutions && rm common && cp -r $OLDPWD/common . && "
              "mkdir common/course/skeletons && mv as_given "
              "common/course/skeletons/03_tiling.cu && echo mine >" LAB
              " && PATH=/nowhere:$PATH GIT_DIR=/nowhere " MAKE
              "reset-03 && grep -x mine " LAB ".kept-1 && cmp " LAB
              " common/course/skeletons/03_tiling.cu; ! " MAKE "reset-04");
}
