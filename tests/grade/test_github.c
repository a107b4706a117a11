/* Does GitHub Actions show what it is given, and obey none of a student's words
   in it? */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "grade/base/remove_tree.h"
#include "small_class.h"
#include "worst_names.h"

static struct grade_class class;
static char root[40], path[80], beside[80], why[300];

static int begin_with(int (*make)(struct grade_class *))
{
    snprintf(root, sizeof root, "/tmp/test_github.XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/export/github.txt", root);
    snprintf(beside, sizeof beside, "%s/export/github.md", root);
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

static void export_to_github(const struct grade_class *of, int is_own)
{
    struct grade_papers papers =
        small_class_papers(of, root, NULL, why, sizeof why);

    papers.is_own = is_own;
    assert_int_equal(grade_papers_folder(&papers, "export"), 0);
    if (grade_export_github(&papers, NULL) != 0)
        fail_msg("%s", why);
}

static char *read_stream(const char *from)
{
    char *const text = base_read_file(from, why, sizeof why);

    if (text == NULL)
        fail_msg("%s", why);
    return text;
}

/* Each line is a command that is meant, or in a part where none is obeyed.
   Returns how many errors there are. */
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
            assert_true(strstr(line, "title=03_tiling%3A ") != NULL ||
                        strstr(line, "title=04_coalescing%3A ") != NULL);
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
    export_to_github(&class, 1);
    text = read_stream(path);
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
    export_to_github(&class, 1);
    text = read_stream(path);
    assert_non_null(strstr(text, "line=9,title=03_tiling::50%25 of a, b: c\n"));
    free(text);
    export_to_github(&class, 0);
    text = read_stream(path);
    assert_non_null(strstr(text, "::error title=03_tiling%3A =cmd|'\\n<b>"));
    free(text);
}

static void test_github_has_a_table_for_the_summary(void **state)
{
    char *text;

    (void)state;
    export_to_github(&class, 0);
    text = read_stream(beside);
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
    export_to_github(&class, 0);
    text = read_stream(path);
    assert_int_equal(check_commands(text), 10); /* GitHub shows no more */
    free(text);
    for (size_t i = 0; i < WORST_NAMES; i++) {
        struct grade_class one = class;

        one.row = &class.row[i];
        one.rows = 1;
        export_to_github(&one, 0);
        text = read_stream(path);
        assert_int_equal(check_commands(text), 2);
        free(text);
    }
    export_to_github(&class, 0);
    text = read_stream(beside);
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
    export_to_github(&class, 0);
    first = read_stream(path);
    export_to_github(&class, 0);
    second = read_stream(path);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define WORST(name) \
    cmocka_unit_test_setup_teardown(name, begin_worst, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_github_points_to_the_lines_of_ones_own_labs),
        TEST(test_github_escapes_what_a_message_may_hold),
        TEST(test_github_has_a_table_for_the_summary),
        WORST(test_github_obeys_no_worst_name),
        WORST(test_the_same_results_give_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
