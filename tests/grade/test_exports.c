/* Do the files of a run say what was graded, in the form that their readers
   expect, and the same each time? */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "base/csv_read.h"
#include "small_class.h"
#include "worst_names.h"

/* --- grades.csv ----------------------------------------------------------- */

static char *write_grades(void)
{
    if (grade_write_grades(&papers) != 0)
        fail_msg("%s", why);
    return text_of("grades.csv");
}

EACH_TEST(small_class_begin, small_class_end);

TEST(test_the_table_is_exactly_this)
{
    char *const text = write_grades();

    assert_string_equal(
        text,
        "student,name,total,03_tiling,04_coalescing,03_tiling_verdict,"
        "04_coalescing_verdict,isolation,look_at,note\n"
        "alice,\"Alice, A.\",183.33,100,83.33,PASS,PASS,container,,\n"
        "ghost,,0,0,0,MISSING,MISSING,container,,\n"
        "'=cmd|'\\n<b>`*$(touch X),,,33.33,,FAIL,GRADER_ERROR,container,"
        "03: fewer loads than can be; 04: no box starts,not on the roster\n");
}

TEST(test_the_table_is_the_same_each_time)
{
    char *const first = write_grades(), *const second = write_grades();

    assert_string_equal(first, second);
}

TEST(test_a_decision_wins_and_is_named)
{
    static char who[] = "x", reason[] = "=1,\"so\"";
    const struct grade_decision d = {
        .student = who, .reason = reason, .points = 50.0};
    struct base_csv csv;
    char *text;

    class.row[2].decision[1] = &d;
    text = write_grades();
    if (base_csv_parse("grades.csv", text, &csv, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(csv.rows, 3);
    assert_string_equal(base_csv_text(&csv, 2, "04_coalescing"), "50");
    assert_string_equal(base_csv_text(&csv, 2, "04_coalescing_verdict"),
                        "GRADER_ERROR");
    assert_string_equal(base_csv_text(&csv, 2, "total"), "83.33");
    assert_string_equal(base_csv_text(&csv, 2, "note"),
                        "not on the roster; 04 by hand: =1,\"so\"");
    assert_string_equal(base_csv_text(&csv, 2, "look_at"),
                        "03: fewer loads than can be");
    base_csv_free(&csv);
}

/* --- files for each row --------------------------------------------------- */

TEST(test_each_row_has_its_feedback)
{
    assert_int_equal(grade_write_grades(&papers), 0);
    assert_int_equal(files_in("feedback"), 3);
    assert_true(is_there("feedback/0001_alice.md"));
    assert_true(is_there("feedback/0002_ghost.md"));
    assert_true(is_there("feedback/0003__cmd____b_____touch_X_.md"));
}

TEST(test_feedback_of_an_earlier_run_does_not_stay)
{
    assert_int_equal(grade_write_grades(&papers), 0);
    folder_put("feedback/0002_bob.md", "");
    folder_put("feedback/0004_carol.md", "");
    folder_put("feedback/0001_alice.md.aB3xYz", "");
    folder_put("feedback/notes.md", "");
    folder_put("feedback/0001_alice.txt", "");
    assert_int_equal(grade_write_grades(&papers), 0);
    assert_false(is_there("feedback/0002_bob.md"));
    assert_false(is_there("feedback/0004_carol.md"));
    assert_false(is_there("feedback/0001_alice.md.aB3xYz"));
    assert_true(is_there("feedback/notes.md")); /* not the grader's */
    assert_true(is_there("feedback/0001_alice.txt"));
    assert_int_equal(files_in("feedback"), 5);
}

/* --- Gradescope ----------------------------------------------------------- */

static const cJSON *get_member(const cJSON *from, const char *name)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(from, name);

    if (item == NULL)
        fail_msg("no member %s", name);
    return item;
}

TEST(test_gradescope_finds_what_it_asks_for)
{
    char *text;
    cJSON *whole;
    const cJSON *test;

    text = small_class_gradescope(0);
    whole = cJSON_Parse(text);
    assert_non_null(whole);
    assert_true(get_member(whole, "score")->valuedouble == 183.33);
    assert_string_equal(get_member(whole, "visibility")->valuestring,
                        "visible");
    assert_string_equal(get_member(whole, "stdout_visibility")->valuestring,
                        "hidden");
    assert_string_equal(get_member(whole, "output_format")->valuestring,
                        "text");
    assert_string_equal(get_member(whole, "output")->valuestring, "");
    assert_true(cJSON_IsNumber(get_member(whole, "execution_time")));
    assert_int_equal(cJSON_GetArraySize(get_member(whole, "tests")), 2);
    test = cJSON_GetArrayItem(get_member(whole, "tests"), 1);
    assert_true(get_member(test, "score")->valuedouble == 83.33);
    assert_true(get_member(test, "max_score")->valuedouble == 100.0);
    assert_string_equal(get_member(test, "status")->valuestring, "failed");
    assert_string_equal(get_member(test, "name")->valuestring, "04_coalescing");
    assert_string_equal(get_member(test, "number")->valuestring, "04");
    assert_string_equal(get_member(test, "output_format")->valuestring, "text");
    assert_string_equal(get_member(test, "visibility")->valuestring, "visible");
    assert_non_null(strstr(get_member(test, "output")->valuestring,
                           "16 sectors a request"));
    test = cJSON_GetArrayItem(get_member(whole, "tests"), 0);
    assert_string_equal(get_member(test, "status")->valuestring, "passed");
    assert_string_equal(
        get_member(get_member(whole, "extra_data"), "isolation")->valuestring,
        "container");
    cJSON_Delete(whole);
    free(text);
}

TEST(test_gradescope_has_a_report_once_it_is_read)
{
    const struct grade_decision given = {.points = 10.0};
    const struct grade_decision *part = &given;
    const int columns = class.columns;

    class.columns = class.labs + 1;
    for (size_t parts = 0; parts < 2; parts++) {
        char *text;
        cJSON *whole;

        class.row[0].report = &part;
        class.row[0].report_parts = parts;
        text = small_class_gradescope(0);
        whole = cJSON_Parse(text);
        assert_non_null(whole);
        assert_int_equal(cJSON_GetArraySize(get_member(whole, "tests")),
                         class.labs + (int)parts);
        cJSON_Delete(whole);
        free(text);
    }
    class.row[0].report = NULL;
    class.row[0].report_parts = 0;
    class.columns = columns;
}

TEST(test_gradescope_gets_no_points_that_nobody_decided)
{
    char *text;
    cJSON *whole;

    text = small_class_gradescope(2);
    whole = cJSON_Parse(text);
    assert_non_null(whole);
    assert_null(cJSON_GetObjectItemCaseSensitive(whole, "score"));
    assert_null(cJSON_GetObjectItemCaseSensitive(whole, "tests"));
    assert_non_null(strstr(get_member(whole, "output")->valuestring,
                           "The grader failed, not you"));
    assert_non_null(strstr(get_member(whole, "output")->valuestring,
                           "03_tiling: FAIL, 33.33 of 100 points"));
    assert_null(strstr(text, "no box starts")); /* is not for students */
    cJSON_Delete(whole);
    free(text);
    assert_int_equal(
        grade_papers_rows(&papers, "feedback", ".json", grade_gradescope), 0);
    assert_int_equal(files_in("feedback"), 3);
}

TEST(test_gradescope_is_told_the_seconds_of_this_run)
{
    char *text;
    cJSON *whole;

    class.row[0].seconds[0] = 1.25;
    class.row[0].seconds[1] = 2.0004;
    text = small_class_gradescope(0);
    whole = cJSON_Parse(text);
    assert_non_null(whole);
    assert_true(get_member(whole, "execution_time")->valuedouble == 3.25);
    cJSON_Delete(whole);
    free(text);
}

TEST(test_gradescope_does_not_see_what_is_hidden)
{
    char *text;

    class.row[2].result[1].verdict = GRADE_FAIL;
    text = small_class_gradescope(2);
    assert_null(strstr(text, "secret shape"));
    assert_null(strstr(text, "fewer loads"));
    assert_non_null(strstr(text, "hidden 1"));
    free(text);
}

EACH_TEST(small_class_begin_worst, small_class_end);

/* Whatever a student is called and a compiler said. */
TEST(test_gradescope_survives_the_worst_names)
{
    for (size_t i = 0; i < WORST_NAMES; i++) {
        char *text;
        cJSON *json;
        const cJSON *sum;

        text = small_class_gradescope(i);
        for (const char *s = text; *s != '\0'; s++)
            assert_true(*s == '\n' || *s == '\t' ||
                        !iscntrl((unsigned char)*s));
        json = cJSON_Parse(text);
        assert_non_null(json);
        sum = cJSON_GetObjectItemCaseSensitive(json, "score");
        if (i % 5 == 0) {
            assert_null(sum);
        } else {
            assert_true(sum->valuedouble == 83.33);
        }
        cJSON_Delete(json);
        free(text);
    }
}

/* --- the table at the end ------------------------------------------------- */

EACH_TEST(small_class_begin, small_class_end);

TEST(test_the_summary_counts_and_fits_a_terminal)
{
    char text[1000];

    grade_tell_class(&papers);
    snprintf(text, sizeof text, "%s", told());
    assert_non_null(
        strstr(text, "  03_tiling: 1 PASS, 1 FAIL, 1 MISSING; mean 44.4\n"));
    /* The mean is that of what was decided. */
    assert_non_null(strstr(text, "  04_coalescing: 1 PASS, 1 MISSING, "
                                 "1 GRADER_ERROR; mean 41.7\n"));
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
}
