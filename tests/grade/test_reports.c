/* Do JUnit's readers and Gradescope understand what is written for them,
   whatever a student is called and a compiler said? Read with libxml2 and
   cJSON. */
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

#include "grade/publish/export/export.h"
#include "grade/publish/exports.h"
#include "grade/base/remove_tree.h"
#include "grade/base/text.h"
#include "small_class.h"
#include "worst_names.h"

static struct grade_class class;
static char root[40], path[80], why[300];

static int begin_with(int (*make)(struct grade_class *))
{
    snprintf(root, sizeof root, "/tmp/test_reports.XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/out", root);
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
    return grade_remove_tree(AT_FDCWD, root);
}

/* --- JUnit ---------------------------------------------------------------- */

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

/* --- Gradescope ----------------------------------------------------------- */

static void test_gradescope_survives_the_worst_names(void **state)
{
    (void)state;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define WORST(name) \
    cmocka_unit_test_setup_teardown(name, begin_worst, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_junit_has_a_suite_for_a_student_and_a_case_for_a_lab),
        WORST(test_junit_survives_the_worst_names),
        WORST(test_gradescope_survives_the_worst_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
