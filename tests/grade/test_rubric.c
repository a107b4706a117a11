/* Does a rubric file change what it says, and nothing else; and is what is
   wrong in it told with its line? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../scratch.h"
#include "grade/base/rubric.h"

static const char index_text[] =
    "shapes: 1x1x1\ncounting: 4x4x4\n"
    "lab: 01_first\ntitle: One\nentry: host lab_host host\npoints: 80 20 0\n"
    "lab: 03_tiling\ntitle: Two\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: loads full 0.125 zero 2 before 2\n"
    "lab: 06_free\ntitle: Three\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: a full 1 zero 8 before 8\n"
    "measure: b full 1 zero 8 before 8\n";

static struct course_index the_index;
static struct grade_rubric rubric;
static char why[600];

FIXTURE(set_up)
{
    if (course_index_parse("INDEX", index_text, &the_index, why, sizeof why) !=
        0)
        return -1;
    grade_rubric_default(&the_index, &rubric);
    return 0;
}

FIXTURE(tear_down)
{
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

static void changes_what_it_says_and_nothing_else(const char *text)
{
    const struct grade_rubric before = rubric;

    if (parse_rubric(text) != 0)
        fail_msg("%s", why);
    assert_int_equal(rubric.late_percent, 10);
    assert_int_equal(rubric.grace, 2);
    assert_int_equal(rubric.report_points, 20);
    assert_int_equal(rubric.lab[0].due, 1793984400); /* 17:00 UTC */
    assert_int_equal(rubric.right_by_share, 0);
    assert_int_equal(rubric.hidden_cases, 5);
    assert_true(rubric.lab[2].points[GRADE_RIGHT] == 1.5 &&
                rubric.lab[2].points[GRADE_NUMBER] == 3.0);
    assert_true(rubric.lab[2].full[1] == 2.0 && rubric.lab[2].zero[1] == 4.0 &&
                rubric.lab[2].full[0] == 1.0);
    assert_int_equal(rubric.lab[0].graded, 0);
    assert_memory_equal(&rubric.lab[1], &before.lab[1], sizeof rubric.lab[1]);
}

TEST(test_a_file_changes_what_it_says_and_nothing_else)
{
    changes_what_it_says_and_nothing_else(
        "# mine\r\nright: all_or_nothing\nhidden: 5 # more\n"
        "late: 10\ngrace:2\nreport: 20\nzone: +01:00\n"
        "\nlab: 06_free\n\npoints: 1.5 0 3\n\tmeasure: b full 2 zero 4\n"
        "lab: 01_first\ngraded: no\ndue: 2026-11-06 18:00");
}

/* As rubrics are that some have on their disks. */
TEST(test_a_file_may_do_without_colons)
{
    changes_what_it_says_and_nothing_else(
        "# mine\r\nright all_or_nothing\nhidden 5 # more\n"
        "late 10\ngrace 2\nreport 20\nzone +01:00\n"
        "\n[06_free]  # why not\r\n  points 1.5 0 3\n\tb  full 2  zero 4\n"
        "[01_first]\ngraded no\ndue     2026-11-06 18:00");
}

TEST(test_what_is_written_reads_back_as_the_same)
{
    struct grade_rubric before;

    assert_int_equal(
        parse_rubric("hidden: 0\nlab: 03_tiling\nmeasure: loads full 0.1 zero "
                     "1e-7\nlab: 06_free\ngraded: no\n"),
        0);
    before = rubric;
    grade_rubric_write(writing(), &the_index, &rubric);
    grade_rubric_default(&the_index, &rubric);
    if (parse_rubric(written()) != 0)
        fail_msg("%s", why);
    assert_memory_equal(&rubric, &before, sizeof rubric);
}

/* Of four labs the last is advanced: it has no column until a file says so. */
TEST(test_an_advanced_lab_is_graded_if_asked_for)
{
    static const char more[] =
        "lab: 10_more\ntitle: M\nentry: kernel lab_launch launch\n"
        "points: 60 20 20\nmeasure: loads full 1 zero 2 before 2\n";
    char text[sizeof index_text + sizeof more + 20];
    const char *whole;

    snprintf(text, sizeof text, "advanced: 10\n%s%s", index_text, more);
    course_index_free(&the_index);
    assert_int_equal(
        course_index_parse("INDEX", text, &the_index, why, sizeof why), 0);
    grade_rubric_default(&the_index, &rubric);
    assert_int_equal(rubric.lab[2].graded, 1);
    assert_int_equal(rubric.lab[3].graded, 0);
    grade_rubric_write(writing(), &the_index, &rubric);
    whole = written();
    assert_non_null(
        strstr(whole, "# of the advanced track\nlab: 10_more\ngraded: no\n"));
    assert_non_null(strstr(whole, "advanced track say no until you write yes"));
    assert_int_equal(parse_rubric(whole), 0);
    assert_int_equal(rubric.lab[3].graded, 0);
    assert_int_equal(parse_rubric("lab: 10_more\ngraded: yes\n"), 0);
    assert_int_equal(rubric.lab[3].graded, 1);
    the_index.lab[3].needs.what = "wings";
    assert_int_equal(parse_rubric("lab: 10_more\ngraded: no\n"), 0);
    assert_int_equal(parse_rubric("lab: 10_more\ngraded: yes\n"), -1);
    assert_non_null(strstr(why, "10_more needs wings of a GPU, and labs are "
                                "graded on the CPU device"));
}

TEST(test_mistakes_are_told_with_their_line)
{
    is_refused("\npoints: 1 2 3\n",
               "r.txt:2: 'points' is not known here: use right, before, "
               "hidden, grace, late, report, language, zone or lab");
    is_refused("right: maybe", "r.txt:1: write 'right: all_or_nothing' or "
                               "'right: by_share'");
    is_refused("hidden: 1.5",
               "r.txt:1: write 'hidden:' and a whole number from "
               "0 to 20");
    is_refused("hidden: -1", "r.txt:1: write 'hidden:' and a whole number");
    is_refused("hidden: 21", "r.txt:1: write 'hidden:' and a whole number");
    is_refused("hidden", "r.txt:1: nothing stands behind hidden");
    is_refused("hidden: 1\nhidden 2",
               "r.txt:2: 'hidden' stands here for the se");
    is_refused("lab: 04_none", "r.txt:1: there is no lab '04_none': labs/INDEX "
                               "has them, from 01_first to 06_free");
    is_refused("[01_first", "r.txt:1: '[01_first:' is not 'KEY: VALUE'");
    is_refused("[01_first] now", "r.txt:1: there is no lab '01_first now'");
    is_refused("[01_first]\nlab: 01_first",
               "r.txt:2: 01_first stands here for the second time");
}

TEST(test_a_class_has_one_of_the_languages_that_there_are)
{
    is_refused("hidden: 1\nlanguage: xx",
               "r.txt:2: there is no language 'xx': write en, or the name of a "
               "folder of labs/languages, as in 'language: es'");
    is_refused("language: ../es", "r.txt:1: there is no language '../es'");
    assert_int_equal(parse_rubric("language: zh_CN"), 0);
    assert_string_equal(rubric.language, "zh_CN");
    assert_int_equal(parse_rubric("language: en"), 0);
    assert_string_equal(rubric.language, "");
}

TEST(test_mistakes_in_the_part_of_a_lab_are_told)
{
    static const char *const wrong_points[] = {"80 20", "80 -1 0", "80 nan 0",
                                               "80 1 0 9"};
    char text[100];

    for (size_t i = 0; i < sizeof wrong_points / sizeof *wrong_points; i++) {
        snprintf(text, sizeof text, "lab: 01_first\npoints: %s",
                 wrong_points[i]);
        is_refused(text, "r.txt:2: write the points for");
    }
    is_refused("lab: 01_first\npoints: 80 10 10",
               "r.txt:2: 01_first has no number");
    is_refused("lab: 03_tiling\nmeasure: loads full 1",
               "r.txt:2: write 'measure: COLUMN full F zero Z'");
    is_refused("lab: 03_tiling\nmeasure: loads full 1 zero x",
               "r.txt:2: write 'measure: COLUMN full F zero Z'");
    is_refused("lab: 03_tiling\nmeasure: loads full 1 zero 1",
               "r.txt:2: loads: full and");
    is_refused("lab: 06_free\nmeasure: stores full 1 zero 2",
               "r.txt:2: 06_free has no measure 'stores': use a or b");
    is_refused("lab: 03_tiling\ncolour: red",
               "r.txt:2: 'colour' is not known here: use lab, graded, "
               "points, due or measure");
    is_refused("lab: 03_tiling\ngraded: maybe",
               "r.txt:2: write 'graded: no' or 'graded: yes'");
    is_refused("zone: UTC\nlab: 03_tiling\ndue: soon", "r.txt:3: write a day");
    is_refused("lab: 03_tiling\ndue: 2026-11-06", "r.txt:2: in which zone");
    is_refused("zone: Mars/Base\n", "r.txt:1: there is no zone 'Mars/Base'");
    is_refused("zone: ../../etc/passwd\n", "r.txt:1: there is no zone");
    is_refused("zone: Europe\n", "r.txt:1: there is no zone");
    is_refused("zone: +25:00\n", "r.txt:1: there is no zone");
    is_refused("lab: 01_first\ngraded: no\nlab: 03_tiling\ngraded: no\n"
               "lab: 06_free\ngraded: no\n",
               "r.txt: no lab is left");
}

/* The last second of the day where the class is, wherever it is graded. */
TEST(test_a_day_ends_in_the_zone_of_the_class)
{
    static const struct {
        const char *text;
        long due; /* 2026-11-06 23:59:59 UTC is 1794009599 */
    } days[] = {
        {"zone: UTC\nlab: 03_tiling\ndue: 2026-11-06", 1794009599},
        {"zone: -08:00\nlab: 03_tiling\ndue: 2026-11-06",
         1794009599 + 8 * 3600},
        {"zone: +05:30\nlab: 03_tiling\ndue: 2026-11-06",
         1794009599 - 5 * 3600 - 1800},
        {"lab: 03_tiling\ndue: 2026-11-06 23:59:59 -0800",
         1794009599 + 8 * 3600},
    };

    setenv("TZ", "<+03>-3", 1);
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        assert_int_equal(parse_rubric(days[i].text), 0);
        assert_int_equal(rubric.lab[1].due, days[i].due);
        assert_string_equal(getenv("TZ"), "<+03>-3");
    }
    if (access("/usr/share/zoneinfo/America/Los_Angeles", F_OK) == 0) {
        assert_int_equal(parse_rubric("zone: America/Los_Angeles\n"
                                      "lab: 03_tiling\ndue: 2026-07-06"),
                         0);
        assert_int_equal(rubric.lab[1].due, 1783407599); /* summer: 7 hours */
    }
}

TEST(test_a_file_that_is_not_there_is_told)
{
    assert_int_equal(
        grade_rubric_read("/nowhere/r", &the_index, &rubric, why, sizeof why),
        -1);
    assert_string_equal(why, "/nowhere/r: No such file or directory");
}
