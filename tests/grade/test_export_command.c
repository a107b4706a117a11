/* Does EXPORT= do what an instructor asks, in one run or afterwards, and say
   what is wrong before anybody is graded? The verdicts are those of fake.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "grade/base/clean_up.h"
#include "base/csv_read.h"

static char root[60];

/* A class "s" of two students. */
static int set_up(void **state)
{
    struct command c;
    int code;

    (void)state;
    snprintf(root, sizeof root, "/tmp/test_export.XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    c = command_run("cd %s && mkdir -p s/alice s/bob tmp && "
                    "echo PASS >s/alice/03_tiling.cu && "
                    "echo FAIL >s/bob/03_tiling.cu && "
                    "printf 'Student,ID,SIS Login ID,Section,Lab 03 (5)\\n"
                    "A,1,alice,x,\\nB,2,bob,x,\\n' >gradebook.csv && "
                    "printf 'username\\nbob\\n' >users.csv",
                    root);
    code = c.code;
    command_free(&c);
    return code;
}

static int tear_down(void **state)
{
    (void)state;
    return grade_remove_tree(root);
}

/* Grades the class with these options. */
static struct command run_grader(const char *options)
{
    return command_run("TMPDIR=%s/tmp build/tools/grade_fake --out %s/out %s "
                       "%s/s",
                       root, root, options, root);
}

static int is_there(const char *name)
{
    char path[200];

    snprintf(path, sizeof path, "%s/out/%s", root, name);
    return access(path, F_OK) == 0;
}

#define ALL "--export 'canvas moodle gradescope' "

static struct command run_all_exports(void)
{
    char options[400];

    snprintf(options, sizeof options,
             ALL "--canvas %s/gradebook.csv --moodle %s/users.csv", root, root);
    return run_grader(options);
}

static void all_are_there(void)
{
    static const char *const names[] = {"export/canvas.csv",
                                        "export/moodle.csv",
                                        "export/gradescope/0001_alice.json"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_there(names[i]))
            fail_msg("%s is not there", names[i]);
    }
}

EACH_TEST(set_up, tear_down);

TEST(test_all_exports_come_with_the_grades)
{
    struct command c = run_all_exports();

    command_ends(&c, 0);
    command_says(&c, "canvas.csv; 2 students, 1 labs");
    command_says(&c, "moodle.csv; 1 students");
    command_says(&c, "not in the list of users, so left out: alice\n");
    command_free(&c);
    all_are_there();
}

TEST(test_exports_come_afterwards_without_grading_again)
{
    struct command c = run_grader("");

    command_ends(&c, 0);
    command_free(&c);
    assert_false(is_there("export"));
    c = run_all_exports();
    command_ends(&c, 0);
    assert_null(strstr(c.text, "1 of ")); /* of a run that grades */
    command_free(&c);
    all_are_there();
}

/* Gradescope is told what this run took: nothing, if all was known before. */
TEST(test_seconds_are_those_of_this_run)
{
    for (int again = 0; again < 2; again++) {
        struct command c = run_grader("--export gradescope");

        (void)state;
        command_ends(&c, 0);
        command_free(&c);
        c = command_run("grep execution_time "
                        "%s/out/export/gradescope/0001_alice.json",
                        root);
        command_ends(&c, 0);
        assert_int_equal(strcmp(c.text, "  \"execution_time\": 0,\n") == 0,
                         again);
        command_free(&c);
    }
}

TEST(test_a_manual_grade_is_exported)
{
    char path[200], why[300];
    struct base_csv csv;
    struct command c = run_grader("");

    command_free(&c);
    c = command_run("printf 'student,lab,points,reason\\nbob,03,61.5,said so"
                    "\\n' >%s/out/manual.csv",
                    root);
    command_free(&c);
    c = run_all_exports();
    command_ends(&c, 0);
    command_free(&c);
    snprintf(path, sizeof path, "%s/out/export/canvas.csv", root);
    assert_int_equal(base_csv_read(path, &csv, why, sizeof why), 0);
    assert_string_equal(base_csv_text(&csv, 1, "Lab 03 (5)"), "61.5");
    base_csv_free(&csv);
}

static void expect_refused_command(const char *options, const char *words)
{
    struct command c = run_grader(options);

    command_ends(&c, 2);
    command_says(&c, words);
    command_free(&c);
    assert_false(is_there("grades.csv"));
}

TEST(test_what_is_wrong_is_said_before_anybody_is_graded)
{
    expect_refused_command("--export blackboard",
                           "'blackboard' is not known: use canvas");
    expect_refused_command("--export canvas", "canvas needs CANVAS=FILE");
    expect_refused_command("--export 'gradescope moodle'",
                           "moodle needs MOODLE=FILE");
    expect_refused_command("--canvas /etc/passwd",
                           "CANVAS=FILE goes with EXPORT=canvas");
    expect_refused_command("--export canvas --canvas /none",
                           "/none: No such file");
    expect_refused_command("--export gradescope --one alice",
                           "does not go with --one");
    expect_refused_command("--export github", "goes without SUBMISSIONS");
}

/* grades.csv is there by then; the export is not, and it is no success. */
TEST(test_a_gradebook_without_labs_is_an_error)
{
    struct command c = command_run(
        "printf 'Student,ID,Quiz (5)\\nA,1,3\\n' >%s/gradebook.csv", root);

    command_free(&c);
    c = run_all_exports();
    command_ends(&c, 2);
    command_says(&c, "no assignment is one of the labs");
    command_free(&c);
    assert_true(is_there("grades.csv"));
    assert_false(is_there("export/canvas.csv"));
}

TEST(test_the_class_is_drawn_where_gnuplot_is)
{
    struct command c = command_run("command -v gnuplot");
    const int drawn = c.code == 0;

    command_free(&c);
    c = run_grader("");
    command_ends(&c, 0);
    command_says(&c, drawn ? "picture: /tmp" : "gnuplot is not installed");
    command_free(&c);
    assert_int_equal(is_there("class.svg"), drawn);
    assert_false(is_there("class.part.svg"));
    /* Without it the grades are the same, and no old picture stays. */
    c = command_run("mkdir %s/bin && TMPDIR=%s/tmp PATH=%s/bin "
                    "build/tools/grade_fake --out %s/out %s/s",
                    root, root, root, root, root);
    command_ends(&c, 0);
    command_says(&c, "class.svg is not drawn: gnuplot is not installed");
    command_free(&c);
    assert_false(is_there("class.svg"));
    assert_true(is_there("class.csv"));
}
