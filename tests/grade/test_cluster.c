/* Does the grader get all grades from a cluster, and say what is wrong with it?
   The cluster is fake_slurm.sh, the verdicts are those of fake.c. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../command.h"
#include "course/file.h"
#include "grade/remove_tree.h"

static char root[40], program[4096], home[4096];

/* A tree of a course with what the grader reads of it, a class "s" and a
   cluster. */
static int begin(void **state)
{
    struct command c;
    int code;

    (void)state;
    snprintf(root, sizeof root, "/tmp/test_cluster.XXXXXX");
    if (mkdtemp(root) == NULL || getcwd(home, sizeof home) == NULL)
        return -1;
    snprintf(program, sizeof program, "%.4000s/build/tools/grade_fake", home);
    c = command_run("cd %s && mkdir -p labs common/grade build/grade/kit tmp s "
                    "bin fake && cp '%s'/labs/INDEX '%s'/labs/TODOS labs/ && "
                    "cp '%s'/common/grade/control.cu "
                    "'%s'/common/grade/slurm_task.sh common/grade/ && "
                    "cp '%s'/tests/grade/fake_slurm.sh bin/sbatch && "
                    "chmod +x bin/sbatch && ln -s sbatch bin/squeue && "
                    "ln -s sbatch bin/scancel && ln -s sbatch bin/sinfo",
                    root, home, home, home, home, home);
    code = c.code;
    command_free(&c);
    return code != 0 || chdir(root) != 0;
}

static int end(void **state)
{
    (void)state;
    return chdir(home) != 0 || grade_remove_tree(AT_FDCWD, root) != 0;
}

static void put(const char *path, const char *text)
{
    char why[300];

    if (course_write_file(path, text, why, sizeof why) != 0)
        fail_msg("%s", why);
}

static void hand_in(const char *student, const char *file, const char *text)
{
    char path[600];

    snprintf(path, sizeof path, "s/%s", student);
    assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "s/%s/%s", student, file);
    put(path, text);
}

static void hand_in_a_class(void)
{
    hand_in("alice", "tiling.cu", "PASS");
    hand_in("alice", "coalescing.cu", "half");
    hand_in("b o b", "tiling.cu", "FAIL");
    hand_in("$(touch X)", "tiling.cu", "PASS");
    hand_in("x\ny\xff", "tiling.cu", "COMPILE");
    hand_in("-rf", "tiling.cu", "TIME");
}

/* Runs it on the class, with the same seed for both engines. */
static void runs(const char *before, const char *options, int code,
                 const char *says)
{
    struct command c = command_run(
        "export FAKE_SLURM=%s/fake TMPDIR=%s/tmp PATH=%s/bin:/usr/bin:/bin; %s %s "
        "--seed-file seed %s s",
        root, root, root, before, program, options);

    command_ends(&c, code);
    command_says(&c, says);
    command_free(&c);
}

/* Are these two folders of grades the same but for the seconds that it took, and
   is nothing left? */
static void same(void)
{
    struct command c =
        command_run("diff -r -I execution_time local cluster && ls -A tmp");

    assert_string_equal(c.text, "");
    command_free(&c);
}

/* How many of the calls were of this kind? */
static int calls(const char *words)
{
    struct command c = command_run("grep -c -e '%s' fake/calls", words);
    const int count = atoi(c.text);

    command_free(&c);
    return count;
}

static void test_a_cluster_and_a_machine_come_to_the_same(void **state)
{
    (void)state;
    hand_in_a_class();
    runs("", "--out local", 0, "6 of 6");
    runs("", "--engine slurm --out cluster", 0,
         "array job 7: 2 tasks for 6 labs");
    same();
    assert_int_equal(calls("^sbatch"), 1);
    assert_int_equal(calls("--partition\\|--account\\|touch\\|b o b"), 0);
}

static void test_what_a_site_sets_goes_to_slurm(void **state)
{
    (void)state;
    hand_in_a_class();
    runs("",
         "--engine slurm --partition 'a b' --account c --jobs 1 --out "
         "cluster",
         0, "");
    assert_int_equal(calls("^sbatch .*\\[--partition=a b\\] "
                           "\\[--account=c\\]"),
                     1);
    assert_int_equal(calls("^sbatch .*\\[--array=0-1%1\\]"), 1);
}

static void test_an_array_that_is_lost_is_submitted_again(void **state)
{
    (void)state;
    hand_in_a_class();
    put("fake/lose", "2\n");
    runs("", "--out local", 0, "");
    runs("", "--engine slurm --out cluster", 0,
         "6 of 6 labs have no result: Slurm has lost task 0");
    same();
    assert_int_equal(calls("^sbatch"), 3);
}

static void test_after_three_tries_the_grader_gives_up(void **state)
{
    (void)state;
    hand_in_a_class();
    put("fake/lose", "9\n");
    runs("", "--engine slurm --out cluster", 3, "GRADER_ERROR");
    assert_int_equal(calls("^sbatch"), 3);
    runs("", "--engine slurm --out cluster --one alice --explain", 3,
         "The cluster brought no result in 3 tries: Slurm has lost task");
    put("fake/lose", "0\n");
    runs("", "--out local", 0, "");
    runs("", "--engine slurm --out cluster", 0, "");
    same();
}

static void test_a_fault_of_the_grader_is_the_same_too(void **state)
{
    (void)state;
    hand_in_a_class();
    hand_in("eve", "tiling.cu", "crash");
    runs("", "--out local", 3, "");
    runs("", "--engine slurm --out cluster", 3, "1 of 1 labs have no result");
    assert_int_equal(calls("^sbatch"), 4);
    runs("diff -r -I execution_time -x slurm -x results local cluster &&",
         "--out local", 3, "");
}

static void test_a_node_that_does_not_see_the_folder_is_told(void **state)
{
    (void)state;
    hand_in_a_class();
    put("fake/blind", "");
    runs("", "--engine slurm --out cluster", 3,
         "node node1 does not see cluster/slurm (it must lie on a file system "
         "that all nodes share)");
    assert_int_equal(calls("^sbatch .*--exclude=node1"), 2);
    assert_int_equal(access("cluster/grades.csv", F_OK), -1);
}

static void test_where_a_control_goes_wrong_nobody_is_graded(void **state)
{
    (void)state;
    hand_in_a_class();
    runs("FAKE_BROKEN_CONTROL=1", "--engine slurm --out cluster", 3,
         "a control went wrong on node node1: see cluster/slurm/grade-");
    put("fake/alone", "");
    assert_int_equal(unlink("fake/calls"), 0);
    runs("FAKE_BROKEN_CONTROL=1", "--engine slurm --out cluster", 3,
         "grade: no node can grade: a control went wrong on node node1");
    assert_int_equal(calls("^sbatch"), 2);
    assert_int_equal(unlink("fake/alone"), 0);
    runs("FAKE_NO_BOX=1", "--engine slurm --out cluster", 3,
         "no box can be had on node node1: see cluster/slurm/grade-");
    assert_int_equal(access("cluster/grades.csv", F_OK), -1);
}

static void test_a_course_that_changed_meanwhile_is_noticed(void **state)
{
    (void)state;
    hand_in_a_class();
    runs("sed -i '/^exec ./i echo >>labs/TODOS' common/grade/slurm_task.sh &&",
         "--engine slurm --out cluster", 3, "with code 2: see");
    runs("cat cluster/slurm/*.log; ", "--out local", 0,
         "is not what it was when the run began");
}

static void test_what_slurm_refuses_is_told(void **state)
{
    (void)state;
    hand_in_a_class();
    put("fake/refuse", "sbatch: warning\nsbatch: error: no such account\n");
    runs("", "--engine slurm --out cluster", 3,
         "Slurm did not take the array job (PARTITION=, ACCOUNT=): sbatch: "
         "error: no such account");
    assert_int_equal(access("cluster/slurm", F_OK), -1);
}

static void test_without_slurm_it_says_so(void **state)
{
    (void)state;
    hand_in_a_class();
    assert_int_equal(unlink("bin/sbatch"), 0);
    runs("PATH=bin", "--engine slurm --out cluster", 2,
         "there is no sbatch in PATH");
    runs("", "--engine pbs", 2, "'pbs' is not known: use local or slurm");
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        test(test_a_cluster_and_a_machine_come_to_the_same),
        test(test_what_a_site_sets_goes_to_slurm),
        test(test_an_array_that_is_lost_is_submitted_again),
        test(test_after_three_tries_the_grader_gives_up),
        test(test_a_fault_of_the_grader_is_the_same_too),
        test(test_a_node_that_does_not_see_the_folder_is_told),
        test(test_where_a_control_goes_wrong_nobody_is_graded),
        test(test_a_course_that_changed_meanwhile_is_noticed),
        test(test_what_slurm_refuses_is_told),
        test(test_without_slurm_it_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
