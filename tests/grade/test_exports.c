/* Do the files of a run say what was graded, in the form that their readers
   expect, and the same each time? */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "base/file.h"
#include "grade/base/clean_up.h"
#include "base/csv_read.h"
#include "small_class.h"
#include "worst_names.h"

static struct grade_class class;
static struct grade_papers papers;
static char root[40], path[80], why[300];

static int begin_with(int (*make)(struct grade_class *))
{
    snprintf(root, sizeof root, "/tmp/test_exports.XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/feedback", root);
    papers = small_class_papers(&class, root, NULL, why, sizeof why);
    return make(&class);
}

static int set_up(void **state)
{
    (void)state;
    return begin_with(small_class_make);
}

static int begin_worst(void **state)
{
    (void)state;
    return begin_with(small_class_worst);
}

static int tear_down(void **state)
{
    (void)state;
    small_class_free(&class);
    return grade_remove_tree(root);
}

/* --- grades.csv ----------------------------------------------------------- */

/* What grades.csv holds, for free(). */
static char *write_grades(void)
{
    char file[80], *text;

    if (grade_write_grades(&papers) != 0)
        fail_msg("%s", why);
    snprintf(file, sizeof file, "%s/grades.csv", root);
    text = base_read_file(file, why, sizeof why);
    assert_non_null(text);
    return text;
}

EACH_TEST(set_up, tear_down);

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
    free(text);
}

TEST(test_the_table_is_the_same_each_time)
{
    char *const first = write_grades(), *const second = write_grades();

    assert_string_equal(first, second);
    free(first);
    free(second);
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
    free(text);
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

static int files_in(const char *folder)
{
    DIR *const listing = opendir(folder);
    const struct dirent *entry;
    int count = 0;

    assert_non_null(listing);
    while ((entry = readdir(listing)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void put_cell_name(const char *name)
{
    char file[200];
    FILE *f;

    snprintf(file, sizeof file, "%s/%s", path, name);
    f = fopen(file, "w");
    assert_non_null(f);
    fclose(f);
}

static int is_there(const char *name)
{
    char file[200];

    snprintf(file, sizeof file, "%s/%s", path, name);
    return access(file, F_OK) == 0;
}

TEST(test_each_row_has_its_feedback)
{
    assert_int_equal(grade_write_grades(&papers), 0);
    assert_int_equal(files_in(path), 3);
    assert_true(is_there("0001_alice.md"));
    assert_true(is_there("0002_ghost.md"));
    assert_true(is_there("0003__cmd____b_____touch_X_.md"));
}

TEST(test_feedback_of_an_earlier_run_does_not_stay)
{
    assert_int_equal(grade_write_grades(&papers), 0);
    put_cell_name("0002_bob.md");
    put_cell_name("0004_carol.md");
    put_cell_name("0001_alice.md.aB3xYz");
    put_cell_name("notes.md");
    put_cell_name("0001_alice.txt");
    assert_int_equal(grade_write_grades(&papers), 0);
    assert_false(is_there("0002_bob.md"));
    assert_false(is_there("0004_carol.md"));
    assert_false(is_there("0001_alice.md.aB3xYz"));
    assert_true(is_there("notes.md")); /* not the grader's */
    assert_true(is_there("0001_alice.txt"));
    assert_int_equal(files_in(path), 5);
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

    assert_int_equal(small_class_gradescope(&class, &class.row[0], &text), 0);
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
        assert_int_equal(small_class_gradescope(&class, &class.row[0], &text),
                         0);
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

    assert_int_equal(small_class_gradescope(&class, &class.row[2], &text), 0);
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
    assert_int_equal(files_in(path), 3);
}

TEST(test_gradescope_is_told_the_seconds_of_this_run)
{
    char *text;
    cJSON *whole;

    class.row[0].seconds[0] = 1.25;
    class.row[0].seconds[1] = 2.0004;
    assert_int_equal(small_class_gradescope(&class, &class.row[0], &text), 0);
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
    assert_int_equal(small_class_gradescope(&class, &class.row[2], &text), 0);
    assert_null(strstr(text, "secret shape"));
    assert_null(strstr(text, "fewer loads"));
    assert_non_null(strstr(text, "hidden 1"));
    free(text);
}

EACH_TEST(begin_worst, tear_down);

/* Whatever a student is called and a compiler said. */
TEST(test_gradescope_survives_the_worst_names)
{
    for (size_t i = 0; i < WORST_NAMES; i++) {
        char *text;
        cJSON *json;
        const cJSON *sum;

        assert_int_equal(small_class_gradescope(&class, &class.row[i], &text),
                         0);
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

EACH_TEST(set_up, tear_down);

TEST(test_the_summary_counts_and_fits_a_terminal)
{
    char *text = NULL;
    size_t length;

    papers.tell = open_memstream(&text, &length);
    assert_non_null(papers.tell);
    grade_tell_class(&papers);
    fclose(papers.tell);
    assert_non_null(
        strstr(text, "  03_tiling: 1 PASS, 1 FAIL, 1 MISSING; mean 44.4\n"));
    /* The mean is that of what was decided. */
    assert_non_null(strstr(text, "  04_coalescing: 1 PASS, 1 MISSING, "
                                 "1 GRADER_ERROR; mean 41.7\n"));
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    free(text);
}
