/* Does a class that is graded by shares, as a cluster does it, come to the
   grades of one machine? The verdicts are those of fake.c. */
#define _GNU_SOURCE

#include "../testing.h"
#include "folder.h"

static void hand_in_a_class(void)
{
    hand_in("alice", "tiling.cu", "PASS");
    hand_in("alice", "coalescing.cu", "half");
    hand_in("b o b", "tiling.cu", "FAIL");
    hand_in("$(touch X)", "tiling.cu", "PASS");
    hand_in("x\ny\xff", "tiling.cu", "COMPILE");
    hand_in("-rf", "tiling.cu", "TIME");
}

/* A grader with the same seed as all the others. */
#define GRADE "build/tools/grade --seed-file seed "

/* Are these two folders of grades the same but for the seconds that it took,
   and is nothing left? */
static void expect_same_grades(void)
{
    assert_string_equal(
        runs("diff -r -I execution_time local cluster && ls -A tmp", 0, ""),
        "");
}

/* What Slurm does, with the script as CLUSTER.md has it. */
static const char array[] =
    "pids=; code=0; for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i "
    "SLURM_ARRAY_TASK_COUNT=3 sh common/grade/share.sh --seed-file seed "
    "--out cluster s & pids=\"$pids $!\"; done; "
    "for p in $pids; do wait $p || code=$?; done; exit $code";

EACH_TEST(folder_make_course, NULL);

TEST(test_shares_and_a_machine_come_to_the_same)
{
    hand_in_a_class();
    runs(GRADE "--out local s", 0, "6 of 6");
    runs(array, 0, "");
    assert_false(is_there("cluster/grades.csv"));
    runs(GRADE "--out cluster s >said 2>&1; ! grep ' of [0-9]*  0' said", 0,
         "");
    expect_same_grades();
}

TEST(test_a_share_that_was_killed_is_made_up_for)
{
    hand_in_a_class();
    hand_in("eve", "tiling.cu", "hang");
    /* All three shares are killed once somebody hangs. */
    runs("pids=; export FAKE_HANGS=hangs; for i in 1 2 3; do " GRADE
         "--share $i/3 --out cluster s & "
         "pids=\"$pids $!\"; done; while [ ! -e hangs ]; do sleep 0.1; done; "
         "kill -KILL $pids 2>/dev/null; wait",
         0, "");
    hand_in("eve", "tiling.cu", "PASS");
    runs(GRADE "--out local s", 0, "7 of 7");
    runs(array, 0, "");
    runs(GRADE "--out cluster s", 0, "");
    expect_same_grades();
}

TEST(test_what_no_share_graded_the_collector_does)
{
    hand_in_a_class();
    runs(GRADE "--out local s", 0, "6 of 6");
    runs(GRADE "--share 1/3 --out cluster s", 0, "");
    runs(GRADE "--out cluster s", 0, "");
    expect_same_grades();
}

TEST(test_a_fault_of_the_grader_is_the_same_too)
{
    hand_in_a_class();
    hand_in("eve", "tiling.cu", "crash");
    runs(GRADE "--out local s", 3, "");
    runs(array, 3, "GRADER_ERROR");
    runs(GRADE "--out cluster s", 3, "");
    expect_same_grades();
}

TEST(test_nobody_collects_while_a_share_is_at_work)
{
    hand_in("eve", "tiling.cu", "hang");
    runs("FAKE_HANGS=hangs build/tools/grade --share 1/1 --out cluster s & "
         "while [ ! -e hangs ]; do sleep 0.1; done; " GRADE
         "--out cluster s; code=$?; kill $!; wait; exit $code",
         2, "another grader is at work here");
}

TEST(test_where_a_control_goes_wrong_nobody_is_graded)
{
    hand_in_a_class();
    runs("FAKE_BROKEN_CONTROL=1 " GRADE "--share 1/1 --out cluster s", 3,
         "so nobody is graded");
    runs("ls cluster/results; FAKE_NO_BOX=1 " GRADE
         "--share 1/1 --out cluster s",
         78, "no box starts here");
}

TEST(test_what_does_not_go_together_is_told)
{
    hand_in_a_class();
    runs(GRADE "--share 4/3 s", 2, "'4/3' is no share");
    runs(GRADE "--share 1/3", 2, "--share goes with a folder of submissions");
    runs(GRADE "--share 1/3 --one alice s", 2, "--share");
    runs(GRADE "--share 1/3 --export github s", 2, "--share");
}
