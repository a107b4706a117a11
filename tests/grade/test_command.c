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
#include "../command.h"
#include "base/file.h"
#include "grade/base/clean_up.h"

static char root[40], program[4096], home[4096], why[300];

/* A tree of a course with what the grader reads of it, and a class "s". */
static int set_up(void **state)
{
    struct command c;
    int code;

    (void)state;
    snprintf(root, sizeof root, "/tmp/test_grade.XXXXXX");
    if (mkdtemp(root) == NULL || getcwd(home, sizeof home) == NULL)
        return -1;
    snprintf(program, sizeof program, "%.4000s/build/tools/grade_fake", home);
    c = command_run("cd %s && mkdir -p labs common/grade build/grade/kit tmp s "
                    "&& cp '%s'/labs/INDEX '%s'/labs/TODOS labs/ && cp "
                    "'%s'/common/grade/control.cu common/grade/",
                    root, home, home, home);
    code = c.code;
    command_free(&c);
    return code != 0 || chdir(root) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return chdir(home) != 0 || grade_remove_tree(root) != 0;
}

static void hand_in(const char *student, const char *file, const char *text)
{
    char path[600];
    FILE *f;

    snprintf(path, sizeof path, "s/%s", student);
    assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "s/%s/%s", student, file);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Runs it with these options below the root; TMPDIR must be absolute. */
static struct command run_grader(const char *options)
{
    return command_run("TMPDIR=%s/tmp %s %s", root, program, options);
}

static void runs(const char *options, int code, const char *says)
{
    struct command c = run_grader(options);

    command_ends(&c, code);
    command_says(&c, says);
    command_free(&c);
}

static char *table(void)
{
    char *const text = base_read_file("s.grades/grades.csv", why, sizeof why);

    if (text == NULL)
        fail_msg("%s", why);
    return text;
}

static void table_says(const char *words)
{
    char *const text = table();

    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
    free(text);
}

static void table_says_not(const char *words)
{
    char *const text = table();

    if (strstr(text, words) != NULL)
        fail_msg("'%s' is in:\n%s", words, text);
    free(text);
}

/* Is nothing left but the folder of the grades? */
static void is_clean(void)
{
    struct command c =
        command_run("ls -A tmp; ls s.grades | grep -v -x -e "
                    "'class.csv\\|class.svg\\|feedback\\"
                    "|grades.csv\\|lock\\|results\\|seed\\|manual.csv'");

    assert_string_equal(c.text, "");
    command_free(&c);
}

EACH_TEST(set_up, tear_down);

TEST(test_everybody_on_the_roster_gets_a_row)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "04_coalescing.cu", "half");
    hand_in("eve", "coalescing.cu", "FAIL");
    put_file("r.csv", "id,name\nghost,\"Ghost, G\"\nbob,Bob\nalice,Alice\n");
    runs("s --roster r.csv --lab 4", 0, "not on the roster: eve");
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
    struct command c;

    memset(longest, 'z', 255);
    longest[255] = '\0';
    for (size_t i = 0; i < names; i++)
        hand_in(name[i], "coalescing.cu", "PASS");
    hand_in(longest, "coalescing.cu", "PASS");
    runs("s --lab 4", 0, "students: 10");
    c = command_run("grep -c ',100,100,PASS,' s.grades/grades.csv; "
                    "ls s.grades/feedback | wc -l; find . -name X");
    assert_string_equal(c.text, "10\n10\n");
    command_free(&c);
    runs("s --lab 4 --one='$(touch X)' --explain", 0, "100 of 100 points");
    runs("s --lab 4 --one=-rf", 0, "100 of 100 points");
    is_clean();
}

TEST(test_what_is_graded_is_not_graded_again)
{
    char *first, *second;

    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "FAIL");
    runs("s --lab 4", 0, "2 of 2  04_coalescing");
    first = table();
    struct command c = run_grader("s --lab 4");

    assert_null(strstr(c.text, " of 2"));
    command_free(&c);
    second = table();
    assert_string_equal(first, second);
    free(first);
    free(second);
    hand_in("bob", "coalescing.cu", "PASS again");
    runs("s --lab 4", 0, "1 of 1  04_coalescing  PASS  bob");
    put_file("r.txt", "lab: 04_coalescing\npoints: 1 1 1\n");
    runs("s --lab 4 --rubric r.txt", 0, "2 of 2");
    table_says("alice,,3,3,PASS");
    put_file("r.txt", "[03_tiling]\npoints 1 1 1\n");
    runs("s --lab 4 --rubric r.txt --isolation unsafe", 0, "2 of 2");
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
        snprintf(tmp, sizeof tmp, "%s/tmp", root);
        setenv("TMPDIR", tmp, 1);
        execl(program, program, "s", "--lab", "3 4", "--jobs", "4", NULL);
        _exit(127);
    }
    return process;
}

TEST(test_kills_and_a_rerun_give_the_same_table)
{
    char name[20], *expected, *found;

    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "student%d", i);
        hand_in(name, "coalescing.cu", i % 3 == 0 ? "FAIL" : "half");
        hand_in(name, "tiling.cu", i % 2 == 0 ? "PASS" : "UNCLEAN");
    }
    runs("s --lab '3 4'", 0, "students: 8");
    expected = table();
    for (int i = 0; i < 20; i++) {
        struct command c = command_run("rm -rf s.grades/results");

        command_free(&c);
        for (int k = 0; k < 2; k++) {
            const pid_t process = start_grader();

            assert_true(process > 0);
            usleep((useconds_t)(2000 + 1500 * i));
            kill(process, SIGKILL);
            waitpid(process, NULL, 0);
        }
        runs("s --lab '3 4'", 0, "students: 8");
        found = table();
        assert_string_equal(found, expected);
        free(found);
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
    runs("s --lab 4", 0, "1 of 1"); /* bob's is there */
}

/* Whoever holds the lock of the folder makes the grader wait between papers. */
TEST(test_a_signal_is_obeyed_while_papers_are_written)
{
    pid_t process;
    int folder, status;

    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "PASS");
    assert_return_code(mkdir("s.grades", 0700), errno);
    assert_return_code(mkdir("s.grades/feedback", 0700), errno);
    folder = open("s.grades/feedback", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_return_code(flock(folder, LOCK_EX), errno);
    process = start_grader();
    wait_for_file("s.grades/results/*/04_coalescing.record");
    for (int left = 1; left > 0; usleep(10000)) { /* all is graded */
        struct command work = command_run("ls s.grades | grep work-");

        left = work.code == 0;
        command_free(&work);
    }
    kill(process, SIGTERM);
    close(folder);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(access("s.grades/grades.csv", F_OK), -1);
    runs("s --lab '3 4'", 0, "students: 2");
    is_clean();
}

TEST(test_a_fault_of_the_grader_is_no_zero)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("bob", "coalescing.cu", "crash");
    hand_in("carol", "coalescing.cu", "GRADER_ERROR");
    runs("s --lab 4", 3, "the grader failed for 2 students");
    table_says("alice,,100,100,PASS");
    table_says("bob,,,,GRADER_ERROR,boxed,04: the grader's process was ended");
    table_says("carol,,,,GRADER_ERROR");
    runs("s --lab 4", 3, "2 of 2"); /* tried again */
    put_file("s.grades/manual.csv", "student,lab,points,reason\nbob,4,50,\n"
                                    "carol,4,60,\n");
    runs("s --lab 4", 0, "students: 3"); /* somebody decided */
    is_clean();
}

TEST(test_a_broken_control_grades_nobody)
{
    hand_in("alice", "coalescing.cu", "PASS");
    setenv("FAKE_BROKEN_CONTROL", "1", 1);
    runs("s --lab 4", 3,
         "the control that is wrong came out as PASS, so nobody is graded");
    unsetenv("FAKE_BROKEN_CONTROL");
    assert_int_equal(access("s.grades/grades.csv", F_OK), -1);
    is_clean();
}

TEST(test_without_isolation_nobody_is_graded)
{
    hand_in("alice", "coalescing.cu", "PASS");
    setenv("FAKE_NO_BOX", "1", 1);
    runs("s --lab 4", 78, "grade: no box starts here: do this or that\n");
    assert_int_equal(access("s.grades", F_OK), -1);
    runs("s --lab 4 --isolation unsafe", 0, "isolation: unsafe");
    unsetenv("FAKE_NO_BOX");
}

TEST(test_a_persons_grades_win_and_stay)
{
    static const char mine[] = "student,lab,points,reason\n"
                               "bob,4,77,\"told me, why\"\n'=x,04,5,\n";
    char *text;

    hand_in("bob", "coalescing.cu", "FAIL");
    hand_in("=x", "coalescing.cu", "FAIL");
    runs("s --lab 4", 0, "students: 2");
    put_file("s.grades/manual.csv", mine);
    runs("s --lab 4", 0, "students: 2");
    table_says("'=x,,5,5,FAIL");
    table_says("bob,,77,77,FAIL,boxed,,\"04 by hand: told me, why\"");
    text = base_read_file("s.grades/manual.csv", why, sizeof why);
    assert_string_equal(text, mine);
    free(text);
    put_file("s.grades/manual.csv", "student,lab,points,reason\nbop,4,77,\n");
    runs("s --lab 4", 2,
         "manual.csv: row 2: there is no student 'bop' (write the name");
    table_says("bob,,77,77,FAIL"); /* as it was */
}

TEST(test_one_student_is_explained_whole)
{
    char *before, *after;
    struct command c;

    hand_in("alice", "coalescing.cu", "FAIL");
    hand_in("bob", "coalescing.cu", "PASS");
    runs("s --lab 4", 0, "students: 2");
    before = table();
    hand_in("alice", "coalescing.cu", "FAIL again");
    c = run_grader("s --lab 4 --one alice --explain");
    command_ends(&c, 0);
    command_says(&c, "secret: 31 x 7 x 3");
    command_says(&c, "grades.csv is as it was");
    assert_null(strstr(c.text, "bob"));
    command_free(&c);
    c = run_grader("s --lab 4 --one alice");
    assert_null(strstr(c.text, "secret"));
    command_free(&c);
    after = table();
    assert_string_equal(before, after);
    free(before);
    free(after);
    runs("s --lab 4 --one carol", 2, "there is no student 'carol'");
}

TEST(test_ones_own_labs_are_graded_where_they_are)
{
    assert_int_equal(mkdir("labs/04_coalescing", 0700), 0);
    put_file("labs/04_coalescing/coalescing.cu", "half");
    runs("--lab 4", 1,
         "  04_coalescing        PASS          90 of 100 points\n");
    put_file("labs/04_coalescing/coalescing.cu", "PASS");
    runs("--lab 4", 0,
         "  04_coalescing        PASS          100 of 100 points\n");
    runs("--export github", 1,
         "  01_cpu_naive         MISSING       0 of 100 points\n");
    assert_int_equal(access("build/results/grade/grades.csv", F_OK), -1);
    assert_int_equal(access("build/results/grade/export/github.md", F_OK), 0);
}

/* A class that does the nine has no column for more; a rubric takes a lab in.
   Of one's own labs any is graded that is asked for. */
TEST(test_the_advanced_track_is_graded_when_asked_for)
{
    hand_in("alice", "coalescing.cu", "PASS");
    hand_in("alice", "register_tiling.cu", "PASS");
    runs("s", 0, "students: 1");
    table_says("09_prefetch,");
    table_says_not("10_register_tiling");
    runs("s --lab 10", 2, "the rubric does not grade 10_register_tiling");
    put_file("r.txt", "lab: 10_register_tiling\ngraded: yes\n");
    runs("s --rubric r.txt", 0, "students: 1");
    table_says(",10_register_tiling,");
    table_says_not("11_vectorized_loads");
    runs("--write-rubric w.txt", 0, "Rubric: w.txt");
    runs("s --rubric w.txt", 0, "students: 1");
    table_says_not("10_register_tiling");
    assert_int_equal(mkdir("labs/10_register_tiling", 0700), 0);
    put_file("labs/10_register_tiling/register_tiling.cu", "PASS");
    runs("--lab '10'", 0, "  10_register_tiling   PASS          100 of 100");
    runs("", 1, "  09_prefetch          MISSING ");
}

TEST(test_a_rubric_is_written_and_read_back)
{
    hand_in("alice", "coalescing.cu", "PASS");
    runs("--write-rubric r.txt", 0, "Rubric: r.txt");
    runs("s --lab 4", 0, "1 of 1");
    struct command c = run_grader("s --lab 4 --rubric r.txt");

    command_ends(&c, 0);
    assert_null(strstr(c.text, "1 of 1")); /* the same: nothing is new */
    command_free(&c);
    put_file("r.txt", "lab: 04_coalescing\ngraded: no\n");
    runs("s --rubric r.txt", 1, "no lab was handed in by half of the class");
    table_says("student,name,total,01_cpu_naive,02_gpu_naive,03_tiling,05_");
    runs("s --lab 4 --rubric r.txt", 2,
         "the rubric does not grade 04_coalescing");
    runs("s --lab ' '", 2, "--lab: names no lab");
    put_file("r.txt", "points: 1\n");
    runs("s --rubric r.txt", 2, "grade: r.txt:1: 'points' is not known here");
}

TEST(test_a_wrong_call_is_told_in_a_line)
{
    runs("nowhere", 2, "grade: nowhere: No such file or directory");
    runs("s", 2, "grade: s: holds no submissions");
    runs("s t", 2, "'t' is one too many");
    runs("s --jobs 0", 2, "--jobs: '0' is not a whole number from 1 to 256");
    runs("s --isolation none", 2, "use boxed, container or unsafe");
    runs("s --lab 44", 2, "there is no lab '44': use a number from 01 to ");
    runs("s --roster x", 2, "grade: x: No such file or directory");
    runs("--roster x", 2, "--roster goes with a folder of submissions");
    runs("s --out ''", 2, "--out: is empty");
    runs("--nonsense", 2, "is not an option");
    runs("--help", 0, "Exit status:");
}
