/* Is everybody on the roster read, and every decision of a person; and is a
   mistake in either file told before anything is graded? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../testing.h"
#include "folder.h"
#include "grade/intake/roster.h"

static const char index_text[] =
    "shapes: 1x1x1\ncounting: 4x4x4\n"
    "lab: 03_tiling\ntitle: Two\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: loads full 0.125 zero 2 before 2\n"
    "lab: 12_last\ntitle: Three\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: a full 1 zero 8 before 8\n";

static struct course_index the_index;
static const char path[] = "roster.csv";
static char why[600];

static int set_up(void **state)
{
    return folder_make(state) != 0 ||
           course_index_parse("INDEX", index_text, &the_index, why,
                              sizeof why) != 0;
}

FIXTURE(tear_down)
{
    course_index_free(&the_index);
    return 0;
}

static void put_roster(const char *text)
{
    folder_put(path, text);
    why[0] = '\0';
}

/* Is the file refused with these words behind its name? */
static void expect_refusal(const char *message)
{
    const char *const behind = why + strlen(path);

    if (strncmp(why, path, strlen(path)) != 0 ||
        strncmp(behind, message, strlen(message)) != 0)
        fail_msg("'%s' is not the file and '%s'", why, message);
}

static void roster_is_refused(const char *text, const char *message)
{
    struct grade_roster roster;

    put_roster(text);
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), -1);
    expect_refusal(message);
}

static void manual_is_refused(const char *text, const char *message)
{
    struct grade_manual manual;

    put_roster(text);
    assert_int_equal(
        grade_manual_read(path, &the_index, 0, &manual, why, sizeof why), -1);
    expect_refusal(message);
}

TEST(test_a_roster_is_read_by_its_header)
{
    struct grade_roster roster;

    put_roster("\xef\xbb\xbf"
               "email,name,id\r\na@x,\"Doe, \"\"J\"\"\",alice\r\n"
               ",,\"a\nb \"\r\n,,$(touch X)\n");
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), 0);
    assert_int_equal(roster.persons, 3);
    assert_string_equal(roster.person[0].id, "alice");
    assert_string_equal(roster.person[0].name, "Doe, \"J\"");
    assert_string_equal(roster.person[1].id, "a\nb ");
    assert_string_equal(roster.person[1].name, "");
    assert_string_equal(roster.person[2].id, "$(touch X)");
    grade_roster_free(&roster);
}

TEST(test_a_roster_without_names_will_do)
{
    struct grade_roster roster;

    put_roster("id\nalice\n");
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), 0);
    assert_string_equal(roster.person[0].name, "");
    grade_roster_free(&roster);
}

/* Classroom 50's roster and Brightspace's gradebook. */
TEST(test_names_of_github_and_brightspace_are_known)
{
    struct grade_owner owner = {.any = strdup("cs-lab03-gh-eva-lang")};
    struct grade_roster roster;

    put_roster("username,first_name,last_name,email,github_username\n"
               "lang,Ulf,Lang,u@x,ulf\neva,Eva,Lang,e@x,gh-eva-lang\n");
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), 0);
    assert_string_equal(roster.person[1].name, "Eva Lang");
    assert_ptr_equal(grade_roster_find(&roster, &owner), &roster.person[1]);
    grade_roster_free(&roster);
    free(owner.any);
    put_roster("OrgDefinedId,Username,End-of-Line Indicator\n#1,#eva,#\n");
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), 0);
    assert_string_equal(roster.person[0].id, "eva");
    grade_roster_free(&roster);
}

TEST(test_mistakes_in_a_roster_are_told)
{
    struct grade_roster roster;

    roster_is_refused("name,group\nalice,a\n", ": no column 'id'");
    roster_is_refused("id,name\n", ": has no rows");
    roster_is_refused("id,name\na,b\n,c\n", ": row 3: the id is empty");
    roster_is_refused("id\na\nb\na\n", ": row 4: the id 'a' is there twice");
    roster_is_refused("id,name\na\n", ": row 2 has not 2 cells");
    roster_is_refused("", ": the file is empty");
    roster_is_refused("id,name,id\na,b,c\n",
                      ": has two columns 'id' (1 and 3)");
    /* A named pipe is not waited for. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(grade_roster_read(path, &roster, why, sizeof why), -1);
    expect_refusal(": is no file");
    assert_int_equal(unlink(path), 0);
    roster_is_refused("id\na\033b\na\033b\n", ": row 3: the id 'a\\x1bb' is");
}

TEST(test_labs_are_called_by_number_or_name)
{
    assert_ptr_equal(grade_lab_called(&the_index, "03"), &the_index.lab[0]);
    assert_ptr_equal(grade_lab_called(&the_index, "3"), &the_index.lab[0]);
    assert_ptr_equal(grade_lab_called(&the_index, "tiling"), &the_index.lab[0]);
    assert_ptr_equal(grade_lab_called(&the_index, "12_last"),
                     &the_index.lab[1]);
    assert_null(grade_lab_called(&the_index, "1"));
    assert_null(grade_lab_called(&the_index, "2"));
    assert_null(grade_lab_called(&the_index, "0"));
    assert_null(grade_lab_called(&the_index, "03_"));
    assert_null(grade_lab_called(&the_index, ""));
}

TEST(test_decisions_are_found_by_student_and_lab)
{
    struct grade_manual manual;
    const struct grade_decision *d;

    put_roster("student,lab,points,reason\nalice,3,85.5,\"said so, well\"\n"
               "alice,12,0,\nbob,03_tiling,1,x\n");
    assert_int_equal(
        grade_manual_read(path, &the_index, 0, &manual, why, sizeof why), 0);
    assert_int_equal(manual.decisions, 3);
    d = &manual.decision[0];
    assert_string_equal(d->student, "alice");
    assert_string_equal(d->lab->name, "03_tiling");
    assert_true(d->points == 85.5);
    assert_string_equal(d->reason, "said so, well");
    assert_int_equal(d->row, 2);
    assert_string_equal(manual.decision[2].student, "bob");
    grade_manual_free(&manual);
}

TEST(test_there_need_be_no_decisions)
{
    struct grade_manual manual;

    assert_int_equal(grade_manual_read("/nowhere/m.csv", &the_index, 0, &manual,
                                       why, sizeof why),
                     0);
    assert_int_equal(manual.decisions, 0);
    grade_manual_free(&manual);
}

TEST(test_mistakes_in_decisions_are_told)
{
    static const char head[] = "student,lab,points,reason\n";
    char text[200];

    manual_is_refused("student,lab,points\na,3,1\n", ": no column 'reason'");
    snprintf(text, sizeof text, "%sa,99,1,x\n", head);
    manual_is_refused(text, ": row 2: there is no lab '99'");
    snprintf(text, sizeof text, "%sa,3,many,x\n", head);
    manual_is_refused(text, ": row 2: points 'many' are no number");
    snprintf(text, sizeof text, "%sa,3,-1,x\n", head);
    manual_is_refused(text, ": row 2: points '-1' are no number");
    snprintf(text, sizeof text, "%sa,3,nan,x\n", head);
    manual_is_refused(text, ": row 2: points 'nan' are no number");
    snprintf(text, sizeof text, "%sa,3,1,x\na,03,2,x\n", head);
    manual_is_refused(text, ": row 3: student 'a' has a row");
}

ALL_TESTS(set_up, tear_down);
