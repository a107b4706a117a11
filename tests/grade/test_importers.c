/*
 * Would each system's own importer take what is exported for it?
 *
 * The rules are those of the systems, as far as they are public: Canvas's
 * gradebook import (its guide: the student's columns as they were exported, an
 * assignment by its number, a number or EX in a cell), Moodle's
 * (docs.moodle.org, Grade import), Blackboard's (Work offline: the user name,
 * and a column by the number behind the bar), Brightspace's (Import grades: a
 * key that begins with #, titles that end in Points Grade, and End-of-Line
 * Indicator), Gradescope's (Autograder specifications) and those of the
 * collector of Classroom 50 (collect_scores.py). Tables are read with libcsv,
 * and JSON with cJSON. What is unknown to a rule is an error.
 */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <csv.h>
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "small_class.h"

enum {
    ROWS = 80,
    COLUMNS = 14
};

/* --- tables --------------------------------------------------------------- */

static struct {
    char cell[ROWS][COLUMNS][3000];
    int columns[ROWS], rows;
} table;

static void take_cell(void *text, size_t length, void *context)
{
    (void)context;
    assert_true(table.rows < ROWS && table.columns[table.rows] < COLUMNS);
    assert_true(length < sizeof table.cell[0][0]);
    memcpy(table.cell[table.rows][table.columns[table.rows]], text, length);
    table.cell[table.rows][table.columns[table.rows]++][length] = '\0';
}

static void take_row(int end, void *context)
{
    (void)end;
    (void)context;
    table.rows++;
}

/* Strictly: quotes where they must be, and each row as long as the first. */
static void read_table(const char *path)
{
    char *const text = text_of(path);
    struct csv_parser parser;

    memset(&table, 0, sizeof table);
    assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
    assert_int_equal(
        csv_parse(&parser, text, strlen(text), take_cell, take_row, NULL),
        strlen(text));
    assert_int_equal(csv_fini(&parser, take_cell, take_row, NULL), 0);
    csv_free(&parser);
    for (int r = 1; r < table.rows; r++)
        assert_int_equal(table.columns[r], table.columns[0]);
}

static int is_number(const char *text, double most)
{
    char *end;
    const double value = strtod(text, &end);

    return isdigit((unsigned char)*text) && *end == '\0' && value <= most;
}

/* The key of each row from this one on is there, and once. */
static void check_keys(int column, int first)
{
    for (int r = first; r < table.rows; r++) {
        assert_true(*table.cell[r][column] != '\0');
        for (int k = first; k < r; k++) {
            assert_string_not_equal(table.cell[r][column],
                                    table.cell[k][column]);
        }
    }
}

/* Scores of these columns are empty, the word, or a number up to `most`. */
static void check_scores(int first_row, int from, int to, int step,
                         const char *word, double most)
{
    assert_true(from < to);
    for (int r = first_row; r < table.rows; r++) {
        for (int c = from; c < to; c += step) {
            const char *const cell = table.cell[r][c];

            if (*cell != '\0' && strcmp(cell, word) != 0 &&
                !is_number(cell, most))
                fail_msg("row %d, column %d: '%s'", r, c, cell);
        }
    }
}

static int column_of(const char *title)
{
    for (int c = 0; c < table.columns[0]; c++) {
        if (strcmp(table.cell[0][c], title) == 0)
            return c;
    }
    fail_msg("no column '%s'", title);
    return -1;
}

static void export_as(int which, const char *given)
{
    struct grade_export_wanted wanted = {.is_any = 1};

    wanted.is_wanted[which] = 1;
    if (given != NULL) {
        folder_put("given.csv", given);
        wanted.given[which] = "given.csv";
    }
    if (grade_export_check(&wanted, why, sizeof why) != 0 ||
        grade_export(&papers, &wanted) != 0)
        fail_msg("%s", why);
}

EACH_TEST(small_class_begin, small_class_end);

TEST(test_canvas_finds_its_columns_numbers_and_scores)
{
    const char *title;

    export_as(GRADE_CANVAS,
              "Student,ID,SIS User ID,SIS Login ID,Section,Lab 03 (88),Lab 04 "
              "(89),Current Score\n,,,,,Manual Posting,,\n"
              "    Points Possible,,,,,100,100,(read only)\n"
              "\"A, Alice\",1,S1,alice,Main,,,\n"
              "\"G, Ghost\",2,S2,ghost,Main,5,,\n");
    read_table("export/canvas.csv");
    assert_string_equal(table.cell[0][0], "Student");
    assert_string_equal(table.cell[0][1], "ID");
    assert_string_equal(table.cell[0][column_of("Section")], "Section");
    for (int c = column_of("Section") + 1; c < table.columns[0]; c++) {
        title = strrchr(table.cell[0][c], '(');
        assert_non_null(title); /* without it a new assignment is made */
        assert_true(isdigit((unsigned char)title[1]));
        assert_true(title[1 + strspn(title + 1, "0123456789")] == ')');
    }
    text_says("export/canvas.csv", "\n    Points Possible,");
    check_keys(1, 3);
    check_scores(3, column_of("Section") + 1, table.columns[0], 1, "EX", 100);
    assert_string_equal(table.cell[3][column_of("Lab 03 (88)")], "100");
}

TEST(test_moodle_finds_a_key_grades_and_feedback)
{
    export_as(GRADE_MOODLE, "First name,Last name,Username,Email address\n"
                            "A,Alice,alice,a@u\nG,Ghost,ghost,g@u\n");
    read_table("export/moodle.csv");
    assert_string_equal(table.cell[0][0], "username");
    assert_string_equal(table.cell[0][1], "email");
    check_keys(0, 1);
    check_keys(1, 1);
    check_scores(1, column_of("Lab 03"), table.columns[0], 2, "-", 100);
    for (int c = column_of("Lab 03"); c < table.columns[0]; c += 2) {
        const char *const grades = table.cell[0][c];
        const char *const feedback = table.cell[0][c + 1];

        assert_int_equal(strncmp(feedback, grades, strlen(grades)), 0);
        assert_string_equal(feedback + strlen(grades), " feedback");
        for (int r = 1; r < table.rows; r++)
            assert_true(strcspn(table.cell[r][c + 1], "=+-@") > 0);
    }
}

static const char blackboard[] =
    "\xef\xbb\xbf\"Last Name\",\"First Name\",\"Username\",\"Student ID\","
    "\"Last Access\",\"Lab 03 [Total Pts: 100 Score] |3766016\","
    "\"Lab 04 [Total Pts: 100 Score] |3766017\"\n"
    "\"A\",\"Alice, \"\"A\"\"\",\"alice\",\"S1\",\"\",\"\",\"\"\n"
    "\"G\",\"Ghost\",\"ghost\",\"S2\",\"\",\"5\",\"7\"\n"
    "\"N\",\"Nobody\",\"nobody\",\"S3\",\"\",\"5\",\"\"\n";

TEST(test_blackboard_finds_user_names_and_its_columns)
{
    int lab;

    export_as(GRADE_BLACKBOARD, blackboard);
    read_table("export/blackboard.csv");
    lab = column_of("Lab 03 [Total Pts: 100 Score] |3766016");
    assert_int_equal(table.rows, 4);
    assert_int_equal(table.columns[0], lab + 2);
    for (int c = lab; c < table.columns[0]; c++) {
        const char *const bar = strstr(table.cell[0][c], " Score] |");

        assert_non_null(bar); /* without it a new column is made */
        assert_true(bar[9 + strspn(bar + 9, "0123456789")] == '\0');
    }
    check_keys(column_of("Username"), 1);
    check_scores(1, lab, table.columns[0], 1, "", 100);
    assert_string_equal(table.cell[1][lab], "100");
    assert_string_equal(table.cell[1][lab + 1], "83.33");
    assert_string_equal(table.cell[2][lab], "0");
    assert_string_equal(table.cell[3][lab], "5"); /* not in the class */
    text_lacks("export/blackboard.csv", "Last Access");
}

static const char brightspace[] =
    "OrgDefinedId,Username,Last Name,First Name,Email,Lab 03 Points Grade "
    "<Numeric MaxPoints:100 Weight:10>,Lab 04 Points Grade <Numeric "
    "MaxPoints:100 Weight:10>,Calculated Final Grade Numerator,End-of-Line "
    "Indicator\n#S1,#alice,A,Alice,a@u,,,,#\n#S2,#ghost,G,Ghost,g@u,5,,,#\n";

TEST(test_brightspace_finds_its_keys_titles_and_line_ends)
{
    const int last = 7;

    export_as(GRADE_BRIGHTSPACE, brightspace);
    read_table("export/brightspace.csv");
    assert_int_equal(table.rows, 3);
    assert_int_equal(table.columns[0], last + 1);
    assert_string_equal(table.cell[0][0], "OrgDefinedId");
    assert_string_equal(table.cell[0][1], "Username");
    assert_string_equal(table.cell[0][last], "End-of-Line Indicator");
    for (int r = 1; r < table.rows; r++) {
        assert_int_equal(table.cell[r][0][0], '#');
        assert_int_equal(table.cell[r][1][0], '#');
        assert_string_equal(table.cell[r][last], "#");
    }
    for (int c = 5; c < last; c++)
        assert_non_null(strstr(table.cell[0][c], " Points Grade <Numeric "));
    check_keys(0, 1);
    check_scores(1, 5, last, 1, "", 100);
    assert_string_equal(table.cell[1][6], "83.33");
}

static void is_refused(int which, const char *given, const char *words)
{
    struct grade_export_wanted wanted = {.is_any = 1};

    folder_put("given.csv", given);
    wanted.is_wanted[which] = 1;
    wanted.given[which] = "given.csv";
    assert_int_equal(grade_export(&papers, &wanted), -1);
    expect_words(why, words);
}

TEST(test_other_tables_are_refused)
{
    is_refused(GRADE_BLACKBOARD, "Student,ID\nA,1\n", "no column 'Username'");
    is_refused(GRADE_BLACKBOARD,
               "Username,Lab 03\nalice,1\n"
               "ghost,2\n",
               "make them in Blackboard, called as 'Lab 03'");
    is_refused(GRADE_BLACKBOARD,
               "Username,Lab 03 [Total Pts: 10 Score] |1\nalice,\n",
               "has 10 points in Blackboard, and 100 here");
    is_refused(GRADE_BRIGHTSPACE, "Username,Lab 03 Points Grade\n#alice,\n",
               "End-of-Line Indicator");
    is_refused(GRADE_BRIGHTSPACE,
               "Username,Lab 03 Points Grade <Numeric MaxPoints:50>,"
               "End-of-Line Indicator\n#alice,,#\n",
               "has 50 points in Brightspace, and 100 here");
    is_refused(GRADE_BRIGHTSPACE,
               "Username,Lab 03 Letter Grade,End-of-Line Indicator\n#alice,,#"
               "\n",
               "make them in Brightspace");
}

/* --- JSON ----------------------------------------------------------------- */

/* The text is one of these words, which stand between blanks. */
static void check_word(const cJSON *value, const char *words)
{
    char word[100];

    assert_true(cJSON_IsString(value));
    snprintf(word, sizeof word, " %s ", value->valuestring);
    assert_non_null(strstr(words, word));
}

static void check_text(const cJSON *of, const char *name)
{
    const cJSON *const value = cJSON_GetObjectItemCaseSensitive(of, name);

    if (!cJSON_IsString(value) || *value->valuestring == '\0')
        fail_msg("%s is no text, or empty", name);
}

/* A whole number from 0 on. */
static int whole(const cJSON *of, const char *name)
{
    const cJSON *const value = cJSON_GetObjectItemCaseSensitive(of, name);

    assert_true(cJSON_IsNumber(value));
    assert_true(value->valuedouble >= 0.0);
    assert_true(value->valuedouble == (double)value->valueint);
    return value->valueint;
}

static void check_gradescope_test(const cJSON *test)
{
    const cJSON *score = NULL, *most = NULL, *member;

    cJSON_ArrayForEach(member, test)
    {
        const char *const name = member->string;

        if (strcmp(name, "score") == 0) {
            score = member;
        } else if (strcmp(name, "max_score") == 0) {
            most = member;
        } else if (strcmp(name, "status") == 0) {
            check_word(member, " passed failed ");
        } else if (strcmp(name, "output_format") == 0) {
            check_word(member, " text html simple_format md ansi ");
        } else if (strcmp(name, "visibility") == 0) {
            check_word(member,
                       " hidden after_due_date after_published visible ");
        } else if (strcmp(name, "name") == 0 || strcmp(name, "number") == 0 ||
                   strcmp(name, "output") == 0) {
            assert_true(cJSON_IsString(member));
        } else {
            fail_msg("a test has no %s", name);
        }
    }
    assert_true(cJSON_IsNumber(score) && cJSON_IsNumber(most));
    assert_true(score->valuedouble >= 0.0 &&
                score->valuedouble <= most->valuedouble);
}

static void check_gradescope(const cJSON *whole_file)
{
    int has_points = 0;
    const cJSON *member, *test;

    cJSON_ArrayForEach(member, whole_file)
    {
        const char *const name = member->string;

        if (strcmp(name, "score") == 0 || strcmp(name, "execution_time") == 0) {
            assert_true(cJSON_IsNumber(member));
            has_points |= *name == 's';
        } else if (strcmp(name, "visibility") == 0 ||
                   strcmp(name, "stdout_visibility") == 0) {
            check_word(member,
                       " hidden after_due_date after_published visible ");
        } else if (strcmp(name, "output_format") == 0) {
            check_word(member, " text html simple_format md ansi ");
        } else if (strcmp(name, "output") == 0) {
            assert_true(cJSON_IsString(member));
        } else if (strcmp(name, "extra_data") == 0) {
            assert_true(cJSON_IsObject(member));
        } else if (strcmp(name, "tests") == 0) {
            assert_true(cJSON_IsArray(member));
            cJSON_ArrayForEach(test, member)
            {
                check_gradescope_test(test);
            }
        } else {
            fail_msg("results.json has no %s", name);
        }
    }
    /* Without, Gradescope says that the autograder failed. */
    if (!has_points)
        assert_null(cJSON_GetObjectItemCaseSensitive(whole_file, "tests"));
}

/* As validate_payload of collect_scores.py, where the runner has set all. */
static void check_classroom50(const cJSON *result)
{
    static const char *const texts[] = {"schema",   "classroom", "assignment",
                                        "commit",   "release",   "review",
                                        "datetime", "submission"};
    const cJSON *const tests =
        cJSON_GetObjectItemCaseSensitive(result, "tests");
    const cJSON *test;
    int score = 0, most = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_text(result, texts[i]);
    assert_string_equal(
        cJSON_GetObjectItemCaseSensitive(result, "schema")->valuestring,
        "classroom50/result/v1");
    assert_int_equal(
        strncmp(
            cJSON_GetObjectItemCaseSensitive(result, "submission")->valuestring,
            "submit/", 7),
        0);
    if (tests == NULL) { /* the grader failed: their runner says so */
        assert_null(cJSON_GetObjectItemCaseSensitive(result, "score"));
        return;
    }
    assert_true(cJSON_IsArray(tests));
    cJSON_ArrayForEach(test, tests)
    {
        check_text(test, "test-name");
        assert_true(
            cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(test, "passed")));
        assert_true(whole(test, "score") <= whole(test, "max-score"));
        assert_int_equal(cJSON_GetArraySize(test), 4);
        score += whole(test, "score");
        most += whole(test, "max-score");
    }
    assert_int_equal(whole(result, "score"), score);
    assert_int_equal(whole(result, "max-score"), most);
    assert_true(score <= most);
}

static void check_each(const char *pattern, size_t files,
                       void (*check)(const cJSON *))
{
    glob_t found;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, files);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const text = text_of(found.gl_pathv[i]);
        const char *end = NULL;
        cJSON *const whole_file = cJSON_ParseWithOpts(text, &end, 1);

        assert_non_null(whole_file); /* and nothing behind it */
        check(whole_file);
        cJSON_Delete(whole_file);
    }
    globfree(&found);
}

TEST(test_gradescope_knows_all_that_is_in_its_file)
{
    export_as(GRADE_GRADESCOPE, NULL);
    check_each("export/gradescope/*.json", class.rows, check_gradescope);
}

TEST(test_classroom_50_collects_its_file)
{
    setenv("CLASSROOM", "cs", 1);
    setenv("ASSIGNMENT", "lab03", 1);
    setenv("SUBMISSION_TAG", "submit/1", 1);
    setenv("COMMIT_URL", "https://x/commit/1", 1);
    setenv("RELEASE_URL", "https://x/releases/1", 1);
    unsetenv("REVIEW_URL"); /* there is none without a feedback request */
    export_as(GRADE_CLASSROOM50, NULL);
    check_each("export/classroom50/*.json", class.rows, check_classroom50);
}
