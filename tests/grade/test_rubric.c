/* Does a rubric file change what it says, and nothing else; and is what is
   wrong in it told with its line? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "grade/base/rubric.h"

static const char index_text[] =
    "shapes 1x1x1\ncounting 4x4x4\n"
    "01_first | One | host:lab_host:host | 80 20 0 | - | - | - | - | -\n"
    "03_tiling | Two | kernel:lab_launch:launch | 60 20 20 | loads | 0.125 | 2 "
    "| 2 | -\n"
    "06_free | Three | kernel:lab_launch:launch | 60 20 20 | a b | 1 1 | 8 8 | "
    "8 8 | -\n";

static struct course_index the_index;
static struct grade_rubric rubric;
static char why[600];

static int set_up(void **state)
{
    (void)state;
    if (course_index_parse("INDEX", index_text, &the_index, why, sizeof why) !=
        0)
        return -1;
    grade_rubric_default(&the_index, &rubric);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    course_index_free(&the_index);
    return 0;
}

static int parse_rubric(const char *text)
{
    why[0] = '\0';
    return grade_rubric_parse("r.txt", text, &the_index, &rubric, why,
                              sizeof why);
}

static void is_refused(const char *text, const char *message)
{
    const struct grade_rubric before = rubric;

    assert_int_equal(parse_rubric(text), -1);
    if (strncmp(why, message, strlen(message)) != 0)
        fail_msg("'%s' does not begin with '%s'", why, message);
    assert_memory_equal(&rubric, &before, sizeof rubric);
}

EACH_TEST(set_up, tear_down);

TEST(test_the_default_is_the_index)
{
    const struct grade_rubric_lab *const lab =
        grade_rubric_find(&rubric, "03_tiling");

    assert_non_null(lab);
    assert_int_equal(rubric.labs, 3);
    assert_int_equal(rubric.right_by_share, 1);
    assert_int_equal(rubric.hidden_cases, 2);
    assert_true(lab->points[GRADE_RIGHT] == 60.0 && lab->full[0] == 0.125 &&
                lab->zero[0] == 2.0 && lab->graded);
    assert_null(grade_rubric_find(&rubric, "04_none"));
}

TEST(test_a_file_changes_what_it_says_and_nothing_else)
{
    const struct grade_rubric before = rubric;

    assert_int_equal(
        parse_rubric("# mine\r\nright all_or_nothing\nhidden 5 # more\n"
                     "late 10\ngrace 2\nreport 20\n"
                     "\n[06_free]\n  points 1.5 0 3\n\tb full 2 zero 4\n"
                     "[01_first]\ngraded no\ndue 2026-11-06 18:00"),
        0);
    assert_int_equal(rubric.late_percent, 10);
    assert_int_equal(rubric.grace, 2);
    assert_int_equal(rubric.report_points, 20);
    assert_true(rubric.lab[0].due > 0);
    assert_int_equal(rubric.right_by_share, 0);
    assert_int_equal(rubric.hidden_cases, 5);
    assert_true(rubric.lab[2].points[GRADE_RIGHT] == 1.5 &&
                rubric.lab[2].points[GRADE_NUMBER] == 3.0);
    assert_true(rubric.lab[2].full[1] == 2.0 && rubric.lab[2].zero[1] == 4.0 &&
                rubric.lab[2].full[0] == 1.0);
    assert_int_equal(rubric.lab[0].graded, 0);
    assert_memory_equal(&rubric.lab[1], &before.lab[1], sizeof rubric.lab[1]);
}

TEST(test_what_is_written_reads_back_as_the_same)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);
    struct grade_rubric written;

    assert_non_null(file);
    assert_int_equal(
        parse_rubric("hidden 0\n[03_tiling]\nloads full 0.1 zero 1e-7\n"
                     "[06_free]\ngraded no\n"),
        0);
    written = rubric;
    grade_rubric_write(file, &the_index, &rubric);
    fclose(file);
    grade_rubric_default(&the_index, &rubric);
    if (parse_rubric(text) != 0)
        fail_msg("%s", why);
    assert_memory_equal(&rubric, &written, sizeof rubric);
    free(text);
}

/* Of four labs the last is advanced: it has no column until a file says so. */
TEST(test_an_advanced_lab_is_graded_if_asked_for)
{
    static const char more[] =
        "advanced 10\n10_more | M | kernel:lab_launch:launch | 60 20 20 | "
        "loads | 1 | 2 | 2 | -\n";
    char text[sizeof index_text + sizeof more], *written = NULL;
    size_t length;
    FILE *const file = open_memstream(&written, &length);

    assert_non_null(file);
    snprintf(text, sizeof text, "%s%s", index_text, more);
    course_index_free(&the_index);
    assert_int_equal(
        course_index_parse("INDEX", text, &the_index, why, sizeof why), 0);
    grade_rubric_default(&the_index, &rubric);
    assert_int_equal(rubric.lab[2].graded, 1);
    assert_int_equal(rubric.lab[3].graded, 0);
    grade_rubric_write(file, &the_index, &rubric);
    fclose(file);
    assert_non_null(
        strstr(written, "[10_more]   # of the advanced track\ngraded  no\n"));
    assert_non_null(
        strstr(written, "advanced track say no until you write yes"));
    assert_int_equal(parse_rubric(written), 0);
    assert_int_equal(rubric.lab[3].graded, 0);
    free(written);
    assert_int_equal(parse_rubric("[10_more]\ngraded yes\n"), 0);
    assert_int_equal(rubric.lab[3].graded, 1);
    the_index.lab[3].needs.what = "wings";
    assert_int_equal(parse_rubric("[10_more]\ngraded no\n"), 0);
    assert_int_equal(parse_rubric("[10_more]\ngraded yes\n"), -1);
    assert_non_null(strstr(why, "10_more needs wings of a GPU, and labs are "
                                "graded on the CPU device"));
}

TEST(test_mistakes_are_told_with_their_line)
{
    is_refused("\npoints 1 2 3\n", "r.txt:2: 'points' is not known here");
    is_refused("right maybe", "r.txt:1: write 'right by_share'");
    is_refused("hidden 1.5", "r.txt:1: write 'hidden' and a whole number");
    is_refused("hidden -1", "r.txt:1: write 'hidden' and a whole number");
    is_refused("hidden 21", "r.txt:1: write 'hidden' and a whole number");
    is_refused("hidden 1\nhidden 2",
               "r.txt:2: 'hidden' stands here for the se");
    is_refused("[04_none]", "r.txt:1: there is no lab '04_none'");
    is_refused("[01_first", "r.txt:1: write a lab's name");
    is_refused("[01_first] now", "r.txt:1: write a lab's name");
    is_refused("[01_first]\n[01_first]", "r.txt:2: [01_first] stands here");
    is_refused("[01_first]\npoints 80 20", "r.txt:2: write the points for");
    is_refused("[01_first]\npoints 80 -1 0", "r.txt:2: write the points for");
    is_refused("[01_first]\npoints 80 nan 0", "r.txt:2: write the points for");
    is_refused("[01_first]\npoints 80 1 0 9", "r.txt:2: write the points for");
    is_refused("[01_first]\npoints 80 10 10",
               "r.txt:2: 01_first has no number");
    is_refused("[03_tiling]\nloads full 1", "r.txt:2: write 'loads full F");
    is_refused("[03_tiling]\nloads full 1 zero x",
               "r.txt:2: write 'loads full");
    is_refused("[03_tiling]\nloads full 1 zero 1", "r.txt:2: loads: full and");
    is_refused("[03_tiling]\nstores full 1 zero 2",
               "r.txt:2: 'stores' is not known of 03_tiling: use graded, "
               "points, due, loads");
    is_refused("[03_tiling]\ngraded maybe", "r.txt:2: write 'graded yes'");
    is_refused("[01_first]\ngraded no\n[03_tiling]\ngraded no\n[06_free]\n"
               "graded no\n",
               "r.txt:7: no lab is left");
}

TEST(test_a_file_that_is_not_there_is_told)
{
    assert_int_equal(
        grade_rubric_read("/nowhere/r", &the_index, &rubric, why, sizeof why),
        -1);
    assert_string_equal(why, "/nowhere/r: No such file or directory");
}
