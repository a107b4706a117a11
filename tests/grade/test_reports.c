/* Do JUnit's readers, Autolab, Gradescope and GitHub Actions understand what is
   written for them, whatever a student is called and a compiler said? Read with
   libxml2 and cJSON. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <ctype.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/file.h"
#include "grade/export/export.h"
#include "grade/exports.h"
#include "grade/remove_tree.h"
#include "grade/text.h"
#include "small_class.h"
#include "worst_names.h"

static struct grade_class class;
static char root[40], path[80], beside[80], why[300];

static int begin_with(int (*make)(struct grade_class *))
{
    snprintf(root, sizeof root, "/tmp/test_reports.XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/out", root);
    snprintf(beside, sizeof beside, "%s/beside", root);
    return make(&class);
}

static int begin(void **state)
{
    (void)state;
    return begin_with(small_class_make);
}

static int begin_worst(void **state)
{
    (void)state;
    return begin_with(small_class_worst);
}

static int end(void **state)
{
    (void)state;
    small_class_free(&class);
    return grade_remove_tree(AT_FDCWD, root);
}

static char *read_text(const char *from)
{
    char *const text = course_read_file(from, why, sizeof why);

    if (text == NULL)
        fail_msg("%s", why);
    return text;
}

/* --- JUnit ----------------------------------------------------------------------- */

static xmlDocPtr read_junit(void)
{
    xmlSchemaParserCtxtPtr reader;
    xmlSchemaPtr schema;
    xmlSchemaValidCtxtPtr judge;
    xmlDocPtr document;

    if (grade_export_junit(path, &class, why, sizeof why) != 0)
        fail_msg("%s", why);
    document = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    reader = xmlSchemaNewParserCtxt("tests/grade/junit.xsd");
    schema = xmlSchemaParse(reader);
    assert_non_null(schema);
    judge = xmlSchemaNewValidCtxt(schema);
    assert_int_equal(xmlSchemaValidateDoc(judge, document), 0);
    xmlSchemaFreeValidCtxt(judge);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(reader);
    return document;
}

static void check_attribute(xmlNodePtr node, const char *name,
                            const char *value)
{
    xmlChar *const found = xmlGetProp(node, BAD_CAST name);

    assert_non_null(found);
    assert_string_equal((const char *)found, value);
    xmlFree(found);
}

static xmlNodePtr child(xmlNodePtr node, int number)
{
    xmlNodePtr at = xmlFirstElementChild(node);

    while (at != NULL && number-- > 0)
        at = xmlNextElementSibling(at);
    assert_non_null(at);
    return at;
}

static void
test_junit_has_a_suite_for_a_student_and_a_case_for_a_lab(void **state)
{
    xmlDocPtr document;
    xmlNodePtr top, suite, failure;
    xmlChar *text;

    (void)state;
    class.row[0].seconds[1] = 0.25;
    document = read_junit();
    top = xmlDocGetRootElement(document);
    check_attribute(top, "tests", "6");
    check_attribute(top, "failures", "2");
    check_attribute(top, "errors", "1");
    check_attribute(top, "skipped", "2");
    check_attribute(top, "time", "0.250");
    suite = child(top, 0);
    check_attribute(suite, "name", "alice");
    check_attribute(suite, "failures", "1");
    assert_null(xmlFirstElementChild(child(suite, 0)));
    check_attribute(child(suite, 1), "classname", "alice");
    check_attribute(child(suite, 1), "name", "04_coalescing");
    check_attribute(child(suite, 1), "time", "0.250");
    failure = child(child(suite, 1), 0);
    assert_string_equal((const char *)failure->name, "failure");
    check_attribute(failure, "type", "PASS");
    check_attribute(failure, "message", "83.33 of 100 points");
    text = xmlNodeGetContent(failure);
    assert_non_null(strstr((const char *)text, "16 sectors a request"));
    xmlFree(text);
    assert_string_equal((const char *)child(child(child(top, 1), 0), 0)->name,
                        "skipped");
    failure = child(child(child(top, 2), 1), 0);
    assert_string_equal((const char *)failure->name, "error");
    check_attribute(failure, "type", "GRADER_ERROR");
    text = xmlNodeGetContent(top);
    assert_null(strstr((const char *)text, "secret shape"));
    xmlFree(text);
    xmlFreeDoc(document);
}

static void test_junit_survives_the_worst_names(void **state)
{
    xmlDocPtr document;
    xmlNodePtr top;

    (void)state;
    document = read_junit();
    top = xmlDocGetRootElement(document);
    assert_int_equal(xmlChildElementCount(top), WORST_NAMES);
    for (int i = 0; i < WORST_NAMES; i++) {
        char *const shown = grade_text_shown(worst_name[i]);

        check_attribute(child(top, i), "name", shown);
        check_attribute(child(child(top, i), 0), "classname", shown);
        free(shown);
    }
    xmlFreeDoc(document);
}

/* --- Autolab --------------------------------------------------------------------- */

/* No letter or digit stands directly before a colon in a string. */
static void check_colons(const char *json)
{
    int inside = 0;

    for (const char *s = json; *s != '\0'; s++) {
        if (*s == '"')
            inside = !inside;
        assert_int_not_equal(*s, '\\');
        if (inside && isalnum((unsigned char)*s))
            assert_int_not_equal(s[1], ':');
    }
}

/* What stands in the last line of what row `row` prints. */
static cJSON *read_autolab(size_t row)
{
    char name[GRADE_NUMBERED], file[200], *text, *line;
    cJSON *json;

    grade_numbered_name(&class, row, ".txt", name);
    snprintf(file, sizeof file, "%s/%s", path, name);
    text = read_text(file);
    assert_int_equal(text[strlen(text) - 1], '\n');
    text[strlen(text) - 1] = '\0';
    line = strrchr(text, '\n') + 1;
    check_colons(line);
    json = cJSON_Parse(line);
    assert_non_null(json);
    free(text);
    return json;
}

static double score(const cJSON *json, const char *problem)
{
    const cJSON *const scores =
        cJSON_GetObjectItemCaseSensitive(json, "scores");
    const cJSON *const one = cJSON_GetObjectItemCaseSensitive(scores, problem);

    assert_non_null(scores);
    return one == NULL ? -1.0 : one->valuedouble;
}

static void test_autolab_finds_its_scores_in_the_last_line(void **state)
{
    cJSON *json;
    const cJSON *board;

    (void)state;
    assert_int_equal(grade_export_autolab(path, &class, why, sizeof why), 0);
    json = read_autolab(0);
    assert_true(score(json, "Lab03") == 100.0);
    assert_true(score(json, "Lab04") == 83.33);
    board = cJSON_GetObjectItemCaseSensitive(json, "scoreboard");
    assert_int_equal(cJSON_GetArraySize(board), 2);
    assert_true(cJSON_GetArrayItem(board, 0)->valuedouble == 183.33);
    assert_true(cJSON_GetArrayItem(board, 1)->valuedouble == 1.0);
    cJSON_Delete(json);
    json = read_autolab(2);
    assert_true(score(json, "Lab03") == 33.33);
    assert_true(score(json, "Lab04") == -1.0); /* nobody decided */
    assert_null(cJSON_GetObjectItemCaseSensitive(json, "scoreboard"));
    cJSON_Delete(json);
}

static void test_autolab_survives_the_worst_names(void **state)
{
    (void)state;
    assert_int_equal(grade_export_autolab(path, &class, why, sizeof why), 0);
    for (size_t i = 0; i < WORST_NAMES; i++) {
        cJSON *const json = read_autolab(i);

        assert_true(score(json, "Lab03") == 0.0);
        assert_true(score(json, "Lab04") == (i % 5 == 0 ? -1.0 : 83.33));
        cJSON_Delete(json);
    }
}

/* --- Gradescope ------------------------------------------------------------------- */

static void test_gradescope_survives_the_worst_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORST_NAMES; i++) {
        char *text;
        cJSON *json;
        const cJSON *sum;

        assert_int_equal(grade_gradescope(&class, &class.row[i], &text), 0);
        for (const char *s = text; *s != '\0'; s++)
            assert_true(*s == '\n' || *s == '\t' || !iscntrl(*s));
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

/* --- GitHub Actions ---------------------------------------------------------------- */

/* The part before the first colon, and so on, of lines that are commands outside
   of a stopped part; a runner takes ##[ anywhere. Returns how many errors. */
static int check_commands(char *text)
{
    char *rest = NULL, stop[100] = "", last[100] = "";
    int errors = 0;

    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (stop[0] != '\0') {
            if (strcmp(line, stop) == 0)
                stop[0] = '\0';
            continue;
        }
        if (strncmp(line, "::stop-commands::", 17) == 0) {
            assert_int_equal(strlen(line + 17), 64);
            /* Nobody can know it before. */
            assert_string_not_equal(line, last);
            snprintf(last, sizeof last, "%s", line);
            snprintf(stop, sizeof stop, "::%s::", line + 17);
        } else if (strncmp(line, "::error ", 8) == 0) {
            const char *const end = strstr(line + 2, "::");

            /* Properties end there, and each is NAME=VALUE. */
            assert_non_null(end);
            assert_null(memchr(line + 8, ':', (size_t)(end - line - 8)));
            assert_null(memchr(line + 8, ',', (size_t)(end - line - 8)));
            assert_non_null(strstr(line, "title=03_tiling%3A ") != NULL
                                ? line
                                : strstr(line, "title=04_coalescing%3A "));
            errors++;
        } else {
            assert_true(strncmp(line, "::group::", 9) == 0 ||
                        strcmp(line, "::endgroup::") == 0);
        }
    }
    assert_string_equal(stop, "");
    return errors;
}

static void test_github_points_to_the_lines_of_ones_own_labs(void **state)
{
    char *text;

    (void)state;
    assert_int_equal(
        grade_export_github(path, beside, &class, 1, why, sizeof why), 0);
    text = read_text(path);
    assert_non_null(strstr(text, "\n::error file=labs/03_tiling/tiling.cu,"
                                 "line=48,title=03_tiling::race on As with "
                                 "line 64\n"));
    assert_non_null(strstr(text, "\n::error file=labs/04_coalescing/"
                                 "coalescing.cu,title=04_coalescing::PASS, "
                                 "83.33 of 100 points\n"));
    assert_non_null(
        strstr(text, "title=04_coalescing::GRADER_ERROR, no points were"));
    assert_null(strstr(text, "secret shape"));
    free(text);
}

static void test_github_escapes_what_a_message_may_hold(void **state)
{
    char *text;

    (void)state;
    free(class.row[2].result[0].findings);
    class.row[2].result[0].findings =
        strdup("tiling.cu:9: 50% of a, b: c\r\nd\n");
    assert_int_equal(
        grade_export_github(path, beside, &class, 1, why, sizeof why), 0);
    text = read_text(path);
    assert_non_null(strstr(text, "line=9,title=03_tiling::50%25 of a, b: c\n"));
    free(text);
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    text = read_text(path);
    assert_non_null(strstr(text, "::error title=03_tiling%3A =cmd|'\\n<b>"));
    free(text);
}

static void test_github_has_a_table_for_the_summary(void **state)
{
    char *text;

    (void)state;
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    text = read_text(beside);
    assert_string_equal(
        text, "| student | 03_tiling | 04_coalescing | total |\n"
              "| --- | --- | --- | --- |\n"
              "| alice | 100 PASS | 83.33 PASS | 183.33 |\n"
              "| ghost | 0 MISSING | 0 MISSING | 0 |\n"
              "| =cmd\\|'\\\\n\\<b\\>\\`\\*\\$\\(touch X\\) | 33.33 FAIL | not "
              "decided | not decided |\n");
    free(text);
}

static void test_github_obeys_no_worst_name(void **state)
{
    char *text;
    int rows = 0;

    (void)state;
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    text = read_text(path);
    assert_int_equal(check_commands(text), 10); /* GitHub shows no more */
    free(text);
    for (size_t i = 0; i < WORST_NAMES; i++) {
        struct grade_class one = class;

        one.row = &class.row[i];
        one.rows = 1;
        assert_int_equal(
            grade_export_github(path, beside, &one, 0, why, sizeof why), 0);
        text = read_text(path);
        assert_int_equal(check_commands(text), 2);
        free(text);
    }
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    text = read_text(beside);
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        int cells = 0;

        for (const char *s = line; *s != '\0'; s++) {
            assert_int_not_equal(*s, '\x1b');
            if (*s == '\\') {
                s++;
            } else {
                assert_true(*s != '<' && *s != '`');
                cells += *s == '|';
            }
        }
        assert_int_equal(cells, 5);
        rows++;
    }
    assert_int_equal(rows, WORST_NAMES + 2);
    free(text);
}

static void test_the_same_results_give_the_same_bytes(void **state)
{
    char *first, *second;

    (void)state;
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    first = read_text(path);
    assert_int_equal(
        grade_export_github(path, beside, &class, 0, why, sizeof why), 0);
    second = read_text(path);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

#define TEST(name)  cmocka_unit_test_setup_teardown(name, begin, end)
#define WORST(name) cmocka_unit_test_setup_teardown(name, begin_worst, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_junit_has_a_suite_for_a_student_and_a_case_for_a_lab),
        WORST(test_junit_survives_the_worst_names),
        TEST(test_autolab_finds_its_scores_in_the_last_line),
        WORST(test_autolab_survives_the_worst_names),
        WORST(test_gradescope_survives_the_worst_names),
        TEST(test_github_points_to_the_lines_of_ones_own_labs),
        TEST(test_github_escapes_what_a_message_may_hold),
        TEST(test_github_has_a_table_for_the_summary),
        WORST(test_github_obeys_no_worst_name),
        WORST(test_the_same_results_give_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
