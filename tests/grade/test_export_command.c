/* Does EXPORT= do what an instructor asks, in one run or afterwards, and say
   what is wrong before anybody is graded? The verdicts are those of fake.c. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "../testing.h"
#include "folder.h"

/* A class of two students. */
static int set_up(void **state)
{
    if (folder_make_course(state) != 0)
        return -1;
    hand_in("alice", "03_tiling.cu", "PASS");
    hand_in("bob", "03_tiling.cu", "FAIL");
    folder_put("gradebook.csv", "Student,ID,SIS Login ID,Section,Lab 03 (5)\n"
                                "A,1,alice,x,\nB,2,bob,x,\n");
    folder_put("users.csv", "username\nbob\n");
    return 0;
}

#define ALL                                                         \
    "s --export 'canvas moodle gradescope' --canvas gradebook.csv " \
    "--moodle users.csv"

static void all_are_there(void)
{
    static const char *const names[] = {
        "s.grades/export/canvas.csv", "s.grades/export/moodle.csv",
        "s.grades/export/gradescope/0001_alice.json"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_there(names[i]))
            fail_msg("%s is not there", names[i]);
    }
}

EACH_TEST(set_up, NULL);

TEST(test_all_exports_come_with_the_grades)
{
    const char *const said = grades(ALL, 0, "canvas.csv; 2 students, 1 labs");

    expect_words(said, "moodle.csv; 1 students");
    expect_words(said, "not in the list of users, so left out: alice\n");
    all_are_there();
}

TEST(test_exports_come_afterwards_without_grading_again)
{
    grades("s", 0, "");
    assert_false(is_there("s.grades/export"));
    expect_none(grades(ALL, 0, ""), "1 of "); /* of a run that grades */
    all_are_there();
}

/* By the table of Classroom 50's wiki, "The result.json contract". */
TEST(test_classroom_50_has_its_result)
{
    char *text;

    setenv("CLASSROOM", "cs", 1);
    setenv("SUBMISSION_TAG", "submit/1", 1);
    grades("s --export classroom50", 0, "classroom50: s.grades/export");
    text = text_of("s.grades/export/classroom50/0002_bob.json");
    expect_words(text, "\"schema\": \"classroom50/result/v1\",\n"
                       "  \"classroom\": \"cs\",\n"
                       "  \"assignment\": \"\",\n"
                       "  \"submission\": \"submit/1\",\n");
    expect_words(text, "Z\",\n  \"tests\": [");
    expect_words(text, "\"test-name\": \"03_tiling\",\n"
                       "      \"passed\": false,\n");
    expect_words(text_of("s.grades/export/classroom50/0001_alice.json"),
                 "\"passed\": true,\n      \"score\": 100,\n"
                 "      \"max-score\": 100\n");
}

/* Gradescope is told what this run took: nothing, if all was known before. */
TEST(test_seconds_are_those_of_this_run)
{
    static const char file[] = "s.grades/export/gradescope/0001_alice.json";

    grades("s --export gradescope", 0, "");
    text_lacks(file, "\"execution_time\": 0,\n");
    grades("s --export gradescope", 0, "");
    text_says(file, "\"execution_time\": 0,\n");
}

TEST(test_a_manual_grade_is_exported)
{
    grades("s", 0, "");
    folder_put("s.grades/manual.csv",
               "student,lab,points,reason\nbob,03,61.5,said so\n");
    grades(ALL, 0, "");
    text_says("s.grades/export/canvas.csv", "\nB,2,bob,x,61.5\n");
}

static void refuses_command(const char *options, const char *words)
{
    grades(options, 2, words);
    assert_false(is_there("s.grades/grades.csv"));
}

TEST(test_what_is_wrong_is_said_before_anybody_is_graded)
{
    refuses_command("s --export sakai", "'sakai' is not known: use canvas");
    refuses_command("s --export canvas", "canvas needs CANVAS=FILE");
    refuses_command("s --export 'gradescope moodle'",
                    "moodle needs MOODLE=FILE");
    refuses_command("s --canvas /etc/passwd",
                    "CANVAS=FILE goes with EXPORT=canvas");
    refuses_command("s --export canvas --canvas /none", "/none: No such file");
    refuses_command("s --export gradescope --one alice",
                    "does not go with --one");
    refuses_command("s --export github", "goes without SUBMISSIONS");
}

/* grades.csv is there by then; the export is not, and it is no success. */
TEST(test_a_gradebook_without_labs_is_an_error)
{
    folder_put("gradebook.csv", "Student,ID,Quiz (5)\nA,1,3\n");
    grades(ALL, 2, "no assignment is one of the labs");
    assert_true(is_there("s.grades/grades.csv"));
    assert_false(is_there("s.grades/export/canvas.csv"));
}

TEST(test_the_class_is_drawn_where_gnuplot_is)
{
    const int drawn = system("command -v gnuplot >/dev/null") == 0;

    runs("ln -s \"$HOME_OF_COURSE\"/plots .", 0, "");
    grades("s", 0, drawn ? "picture: s.grades" : "gnuplot is not installed");
    assert_int_equal(is_there("s.grades/class.svg"), drawn);
    assert_false(is_there("s.grades/class.part.svg"));
    /* Without it the grades are the same, and no old picture stays. */
    runs("mkdir bin && PATH=bin build/tools/grade s", 0,
         "class.svg is not drawn: gnuplot is not installed");
    assert_false(is_there("s.grades/class.svg"));
    assert_true(is_there("s.grades/class.csv"));
}
