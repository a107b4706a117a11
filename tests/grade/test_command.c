/* Does the grader do what an instructor asks on the command line, and survive
   what happens to it? The verdicts are those of fake.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "folder.h"

static const char table[] = "s.grades/grades.csv";

static void table_says(const char *words)
{
    text_says(table, words);
}

/* Is nothing left but the folder of the grades? */
static void is_clean(void)
{
    const char *const left =
        runs("ls -A tmp; ls s.grades | grep -v -x -e "
             "'class.csv\\|class.svg\\|feedback\\"
             "|grades.csv\\|lock\\|log.csv\\|results\\|seed\\|manual.csv'",
             1, "");

    assert_string_equal(left, "");
}

EACH_TEST(folder_make_course, NULL);

TEST(test_everybody_on_the_roster_gets_a_row)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "04_coalescing.cu", "half");
    hand_in("eve", "coalescing.cu", "FAIL");
    folder_put("r.csv", "id,name\nghost,\"Ghost, G\"\nbob,Bob\nalice,Alice\n");
    grades("s --roster r.csv --lab 4", 0, "not on the roster: eve");
    table_says(
        "student,name,total,04_coalescing,04_coalescing_verdict,isolation,"
        "look_at,note\n"
        "ghost,\"Ghost, G\",0,0,MISSING,boxed,,\n"
        "bob,Bob,90,90,PASS,boxed,,\n"
        "alice,Alice,100,100,PASS,boxed,,\n"
        "eve,,0,0,FAIL,boxed,,not on the roster\n");
    is_clean();
}

TEST(test_names_of_every_kind_survive)
{
    static const char *const name[] = {
        "-rf",  "$(touch X)", "a b",     "'\"`", "x\ny", "=HYPERLINK(\"x\")",
        "\xff", ";touch X;",  "|touch X"};
    const size_t names = sizeof name / sizeof name[0];
    char longest[256];

    memset(longest, 'z', 255);
    longest[255] = '\0';
    for (size_t i = 0; i < names; i++)
        hand_in(name[i], "coalescing.cu", "PASS");
    hand_in(longest, "coalescing.cu", "PASS");
    grades("s --lab 4", 0, "students: 10");
    assert_string_equal(runs("grep -c ',100,100,PASS,' s.grades/grades.csv; "
                             "ls s.grades/feedback | wc -l; find . -name X",
                             0, ""),
                        "10\n10\n");
    grades("s --lab 4 --one='$(touch X)' --explain", 0, "100 of 100 points");
    grades("s --lab 4 --one=-rf", 0, "100 of 100 points");
    is_clean();
}

TEST(test_what_is_graded_is_not_graded_again)
{
    const char *first;

    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "FAIL");
    grades("s --lab 4", 0, "2 of 2  04_coalescing");
    first = text_of(table);
    expect_none(grades("s --lab 4", 0, ""), " of 2");
    assert_string_equal(first, text_of(table));
    hand_in("bob", "coalescing.cu", "PASS again");
    grades("s --lab 4", 0, "1 of 1  04_coalescing  PASS  bob");
    folder_put("r.txt", "lab: 04_coalescing\npoints: 1 1 1\n");
    grades("s --lab 4 --rubric r.txt", 0, "2 of 2");
    table_says("alice,,3,3,PASS");
    folder_put("r.txt", "[03_tiling]\npoints 1 1 1\n");
    grades("s --lab 4 --rubric r.txt --isolation unsafe", 0, "2 of 2");
    table_says("alice,,100,100,PASS,unsafe");
}

/* Starts a grader of its own, for a signal. */
static pid_t start_grader(void)
{
    const pid_t process = fork();
    char tmp[60];

    if (process == 0) {
        const int null = open("/dev/null", O_WRONLY);

        dup2(null, 1);
        dup2(null, 2);
        snprintf(tmp, sizeof tmp, "%s/tmp", folder);
        setenv("TMPDIR", tmp, 1);
        execl("build/tools/grade", "grade", "s", "--lab", "3 4", "--jobs", "4",
              NULL);
        _exit(127);
    }
    return process;
}

TEST(test_kills_and_a_rerun_give_the_same_table)
{
    char name[20], *expected;

    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "student%d", i);
        hand_in(name, "coalescing.cu", i % 3 == 0 ? "FAIL" : "half");
        hand_in(name, "tiling.cu", i % 2 == 0 ? "PASS" : "UNCLEAN");
    }
    grades("s --lab '3 4'", 0, "students: 8");
    expected = strdup(text_of(table));
    for (int i = 0; i < 20; i++) {
        runs("rm -rf s.grades/results", 0, "");
        for (int k = 0; k < 2; k++) {
            const pid_t process = start_grader();

            assert_true(process > 0);
            usleep((useconds_t)(2000 + 1500 * i));
            kill(process, SIGKILL);
            waitpid(process, NULL, 0);
        }
        grades("s --lab '3 4'", 0, "students: 8");
        assert_string_equal(text_of(table), expected);
        is_clean();
    }
    free(expected);
}

/* Until something is called so: up to a minute, for a machine that is busy. */
static void wait_for_file(const char *pattern)
{
    for (int i = 0; i < 6000; i++) {
        glob_t found;
        const int none = glob(pattern, 0, NULL, &found);

        globfree(&found);
        if (none == 0)
            return;
        usleep(10000);
    }
    fail_msg("%s: there is none", pattern);
}

TEST(test_a_signal_ends_it_cleanly_and_it_goes_on)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    setenv("FAKE_HANGS", "hangs", 1);
    hand_in("alice", "coalescing.cu", "hang");
    hand_in("bob", "coalescing.cu", "PASS");
    for (size_t i = 0; i < 3; i++) {
        const pid_t process = start_grader();
        int status;

        wait_for_file("hangs");
        wait_for_file("s.grades/results/*/04_coalescing.record");
        assert_int_equal(unlink("hangs"), 0);
        kill(process, signals[i]);
        assert_int_equal(waitpid(process, &status, 0), process);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        is_clean();
    }
    unsetenv("FAKE_HANGS");
    hand_in("alice", "coalescing.cu", "PASS");
    grades("s --lab 4", 0, "1 of 1"); /* bob's is there */
}

/* Whoever holds the lock of the folder makes the grader wait between papers. */
TEST(test_a_signal_is_obeyed_while_papers_are_written)
{
    pid_t process;
    int locked, status;

    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "PASS");
    assert_return_code(mkdir("s.grades", 0700), errno);
    assert_return_code(mkdir("s.grades/feedback", 0700), errno);
    locked = open("s.grades/feedback", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_return_code(flock(locked, LOCK_EX), errno);
    process = start_grader();
    wait_for_file("s.grades/results/*/04_coalescing.record");
    runs("while ls s.grades | grep -q work-; do sleep 0.01; done", 0, "");
    kill(process, SIGTERM);
    close(locked);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_false(is_there("s.grades/grades.csv"));
    grades("s --lab '3 4'", 0, "students: 2");
    is_clean();
}

TEST(test_a_fault_of_the_grader_is_no_zero)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "crash");
    hand_in("carol", "coalescing.cu", "GRADER_ERROR");
    grades("s --lab 4", 3, "the grader failed for 2 students");
    table_says("alice,,100,100,PASS");
    table_says("bob,,,,GRADER_ERROR,boxed,04: the grader's process was ended");
    table_says("carol,,,,GRADER_ERROR");
    grades("s --lab 4", 3, "2 of 2"); /* tried again */
    folder_put("s.grades/manual.csv", "student,lab,points,reason\nbob,4,50,\n"
                                      "carol,4,60,\n");
    grades("s --lab 4", 0, "students: 3"); /* somebody decided */
    is_clean();
}

TEST(test_a_broken_control_grades_nobody)
{
    hand_in("alice", "coalescing.cu", "PASS");
    setenv("FAKE_BROKEN_CONTROL", "1", 1);
    grades("s --lab 4", 3,
           "the control that is wrong came out as PASS, so nobody is graded");
    unsetenv("FAKE_BROKEN_CONTROL");
    assert_false(is_there("s.grades/grades.csv"));
    is_clean();
}

TEST(test_without_isolation_nobody_is_graded)
{
    hand_in("alice", "coalescing.cu", "PASS");
    setenv("FAKE_NO_BOX", "1", 1);
    grades("s --lab 4", 78, "grade: no box starts here: do this or that\n");
    assert_false(is_there("s.grades"));
    grades("s --lab 4 --isolation unsafe", 0, "isolation: unsafe");
    unsetenv("FAKE_NO_BOX");
}

TEST(test_a_persons_grades_win_and_stay)
{
    static const char mine[] = "student,lab,points,reason\n"
                               "bob,4,77,\"told me, why\"\n'=x,04,5,\n";

    hand_in("bob", "coalescing.cu", "FAIL");
    hand_in("=x", "coalescing.cu", "FAIL");
    grades("s --lab 4", 0, "students: 2");
    folder_put("s.grades/manual.csv", mine);
    grades("s --lab 4", 0, "students: 2");
    table_says("'=x,,5,5,FAIL");
    table_says("bob,,77,77,FAIL,boxed,,\"04 by hand: told me, why\"");
    assert_string_equal(text_of("s.grades/manual.csv"), mine);
    folder_put("s.grades/manual.csv", "student,lab,points,reason\nbop,4,77,\n");
    grades("s --lab 4", 2,
           "manual.csv: row 2: there is no student 'bop' (write the name");
    table_says("bob,,77,77,FAIL"); /* as it was */
}

TEST(test_one_student_is_explained_whole)
{
    const char *before, *said;

    hand_in("alice", "coalescing.cu", "FAIL");
    hand_in("bob", "coalescing.cu", "PASS");
    grades("s --lab 4", 0, "students: 2");
    before = text_of(table);
    hand_in("alice", "coalescing.cu", "FAIL again");
    said = grades("s --lab 4 --one alice --explain", 0, "secret: 31 x 7 x 3");
    expect_words(said, "grades.csv is as it was");
    expect_none(said, "bob");
    expect_none(grades("s --lab 4 --one alice", 0, ""), "secret");
    assert_string_equal(before, text_of(table));
    grades("s --lab 4 --one carol", 2, "there is no student 'carol'");
}

TEST(test_ones_own_labs_are_graded_where_they_are)
{
    folder_put("labs/04_coalescing/coalescing.cu", "half");
    grades("--lab 4", 1,
           "  04_coalescing        PASS          90 of 100 points\n");
    folder_put("labs/04_coalescing/coalescing.cu", "PASS");
    grades("--lab 4", 0,
           "  04_coalescing        PASS          100 of 100 points\n");
    grades("--export github", 1,
           "  01_cpu_naive         MISSING       0 of 100 points\n");
    assert_false(is_there("build/results/grade/grades.csv"));
    assert_true(is_there("build/results/grade/export/github.md"));
}

/* A class that does the nine has no column for more; a rubric takes a lab in.
   Of one's own labs any is graded that is asked for. */
TEST(test_the_advanced_track_is_graded_when_asked_for)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("alice", "register_tiling.cu", "PASS");
    grades("s", 0, "students: 1");
    table_says("09_prefetch,");
    text_lacks(table, "10_register_tiling");
    grades("s --lab 10", 2, "the rubric does not grade 10_register_tiling");
    folder_put("r.txt", "lab: 10_register_tiling\ngraded: yes\n");
    grades("s --rubric r.txt", 0, "students: 1");
    table_says(",10_register_tiling,");
    text_lacks(table, "11_vectorized_loads");
    grades("--write-rubric w.txt", 0, "Rubric: w.txt");
    grades("s --rubric w.txt", 0, "students: 1");
    text_lacks(table, "10_register_tiling");
    folder_put("labs/10_register_tiling/register_tiling.cu", "PASS");
    grades("--lab '10'", 0, "  10_register_tiling   PASS          100 of 100");
    grades("", 1, "  09_prefetch          MISSING ");
}

TEST(test_a_rubric_is_written_and_read_back)
{
    hand_in("alice", "coalescing.cu", "PASS");
    grades("--write-rubric r.txt", 0, "Rubric: r.txt");
    grades("s --lab 4", 0, "1 of 1");
    /* The same: nothing is new. */
    expect_none(grades("s --lab 4 --rubric r.txt", 0, ""), "1 of 1");
    folder_put("r.txt", "lab: 04_coalescing\ngraded: no\n");
    grades("s --rubric r.txt", 1, "no lab was handed in by half of the class");
    table_says("student,name,total,01_cpu_naive,02_gpu_naive,03_tiling,05_");
    grades("s --lab 4 --rubric r.txt", 2,
           "the rubric does not grade 04_coalescing");
    grades("s --lab ' '", 2, "--lab: names no lab");
    folder_put("r.txt", "points: 1\n");
    grades("s --rubric r.txt", 2, "grade: r.txt:1: 'points' is not known here");
}

TEST(test_a_wrong_call_is_told_in_a_line)
{
    grades("nowhere", 2, "grade: nowhere: No such file or directory");
    grades("s", 2, "grade: s: holds no submissions");
    grades("s t", 2, "'t' is one too many");
    grades("s --jobs 0", 2, "--jobs: '0' is not a whole number from 1 to 256");
    grades("s --isolation none", 2, "use boxed, container or unsafe");
    grades("s --lab 44", 2, "there is no lab '44': use a number from 01 to ");
    grades("s --roster x", 2, "grade: x: No such file or directory");
    grades("--roster x", 2, "--roster goes with a folder of submissions");
    grades("s --out ''", 2, "--out: is empty");
    grades("--nonsense", 2, "is not an option");
    grades("--help", 0, "Exit status:");
}
