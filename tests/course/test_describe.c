/* What could the description of a lab get wrong? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "course/describe.h"
#include "course/todo.h"

/* Reads C from its standard input. */
#define COMPILE                                              \
    "gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -Icommon" \
    " -Icommon/simt/include -fsyntax-only -x c -"

static const char head[] = "shapes 1x1x1\ncounting 2x3x4\n";

/* The description of a source with one open TODO, or NULL with why. */
static char *describe(const char *lab_line, const char *path,
                      const char *source, char *why, size_t size)
{
    struct course_index index;
    struct course_todos todos;
    char text[512];
    char *list, *description;

    snprintf(text, sizeof text, "%s%s", head, lab_line);
    if (course_index_parse("INDEX", text, &index, why, size) != 0)
        return NULL;
    assert_int_equal(course_todos_find(source, &todos), 0);
    list = course_todos_list("03_tiling", &todos);
    assert_non_null(list);
    description =
        course_describe(&index, list, "03_tiling", path, source, why, size);
    free(list);
    course_todos_free(&todos);
    course_index_free(&index);
    return description;
}

/* The description must be C that a strict compiler takes. */
static void expect_compiles(const char *description)
{
    FILE *const compiler = popen(COMPILE, "w");

    assert_non_null(compiler);
    assert_true(fputs(description, compiler) >= 0);
    assert_int_equal(pclose(compiler), 0);
}

static void test_the_description_compiles(void **state)
{
    (void)state;
    char why[256] = "";
    char *const text = describe(
        "03_tiling | Tiles | kernel:lab_launch:launch b:lab_read:banks "
        "c:lab_launch_b:shown"
        " | 60 20 20 | loads stores | 0.1 1e9 | 2 7 | 2 - | tiles\n",
        "my_solutions/03_tiling/tiling.cu",
        "/* TODO 3.1 (1 line): ask \"why\?\?/ \\ \xe9\". */\nx;\n", why,
        sizeof why);

    assert_string_equal(why, "");
    assert_non_null(text);
    assert_non_null(
        strstr(text, "{\"kernel\", LAB_ENTRY_LAUNCH, lab_launch, 0, LAB_FP32, "
                     "NULL}"));
    assert_non_null(
        strstr(text, "{\"b\", LAB_ENTRY_BANKS, NULL, 0, LAB_FP32, NULL}"));
    assert_non_null(
        strstr(text, "{\"c\", LAB_ENTRY_LAUNCH, lab_launch_b, 1, LAB_FP32, "
                     "NULL}"));
    assert_null(strstr(text, "weak"));
    assert_null(strstr(text, ".needs"));
    assert_non_null(strstr(text, "{\"tiles\", \"03_tiling\"}"));
    assert_non_null(strstr(text, ".handouts = 1"));
    assert_non_null(strstr(text, "{\"stores\", 1000000000, 7, -1}"));
    assert_non_null(strstr(text, "\\\"why\\?\\?/ \\\\ \\351\\\""));
    assert_non_null(strstr(text, ".is_solution = 0"));
    assert_non_null(strstr(text, ".counting = {2, 3, 4}"));
    assert_non_null(strstr(text, ".todos = 1"));
    expect_compiles(text);
    free(text);
}

static void test_nothing_to_list_compiles_too(void **state)
{
    (void)state;
    char why[256] = "";
    struct course_index index;
    char *text;

    assert_int_equal(
        course_index_parse("INDEX",
                           "shapes 1x1x1\ncounting 2x3x4\n03_tiling | Tiles | "
                           "h:lab_host:host | 80 20 0 | - | - | - | - | -\n",
                           &index, why, sizeof why),
        0);
    text = course_describe(&index, "03_tiling 3.1 0000000000000000\n",
                           "03_tiling", "solutions/03_tiling/tiling.cu", "x;\n",
                           why, sizeof why);
    assert_string_equal(why, "");
    assert_non_null(text);
    assert_non_null(strstr(text, ".is_solution = 1"));
    assert_non_null(strstr(text, ".measure = NULL"));
    assert_non_null(strstr(text, ".todo = NULL"));
    expect_compiles(text);
    free(text);
    course_index_free(&index);
}

static void test_a_precision_and_needs_are_described(void **state)
{
    (void)state;
    char why[256] = "";
    char *const text =
        describe("03_tiling | Tiles | a:lab_launch:launch_tf32 "
                 "b:lab_launch_bf16:launch_bf16 | 80 20 0 | - | - | - | - | -\n"
                 "needs 03_tiling | sm_90a | tiles of \"bytes\"\n",
                 "labs/03_tiling/tiling.cu",
                 "/* TODO 3.1 (1 line): x. */\nx;\n", why, sizeof why);

    assert_string_equal(why, "");
    assert_non_null(text);
    assert_non_null(strstr(text,
                           "{\"a\", LAB_ENTRY_LAUNCH, lab_launch, 0, LAB_TF32, "
                           "NULL}"));
    assert_non_null(strstr(text, "{\"b\", LAB_ENTRY_LAUNCH, NULL, 0, LAB_BF16, "
                                 "lab_launch_bf16}"));
    /* The program for the CPU device has no such functions. */
    assert_non_null(strstr(text, "#pragma weak lab_launch\n"));
    assert_non_null(strstr(text, "#pragma weak lab_launch_bf16\n"));
    assert_non_null(
        strstr(text, ".needs = {\"tiles of \\\"bytes\\\"\", 9, 0, 1}"));
    expect_compiles(text);
    free(text);
}

static void test_an_unknown_lab_is_an_error(void **state)
{
    (void)state;
    char why[256] = "";
    struct course_index index;

    assert_null(describe("04_a | A | h:f:host | 80 20 0 | - | - | - | - | -\n",
                         "x.cu", "/* TODO 3.1 (1 line): ask. */\n", why,
                         sizeof why));
    assert_string_equal(why, "x.cu: labs/INDEX has no lab '03_tiling'");

    assert_int_equal(
        course_index_parse("INDEX",
                           "shapes 1x1x1\ncounting 2x3x4\n03_tiling | Tiles | "
                           "h:lab_host:host | 80 20 0 | - | - | - | - | -\n",
                           &index, why, sizeof why),
        0);
    assert_null(course_describe(&index, "03_tiling2 3.1 0\n", "03_tiling",
                                "x.cu", "", why, sizeof why));
    assert_string_equal(
        why, "x.cu: labs/TODOS has no lab '03_tiling' (make skeletons)");
    course_index_free(&index);
}

/* Who does the labs before it is not sent to the advanced track. */
static void
test_no_handout_of_the_advanced_track_is_named_before_it(void **state)
{
    static const char more[] =
        "03_tiling | Tiles | h:lab_host:host | 80 20 0 | - | - | - | - | tiles\n"
        "10_more | More | h:lab_host:host | 80 20 0 | - | - | - | - | tiles\n";
    static const char *const advanced[] = {"", "advanced 10\n"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char line[400], why[256] = "", *text;

        snprintf(line, sizeof line, "%s%s", more, advanced[i]);
        text = describe(line, "labs/03_tiling/tiling.cu",
                        "/* TODO 3.1 (1 line): ask. */\nx;\n", why, sizeof why);
        assert_string_equal(why, "");
        assert_non_null(
            strstr(text, i == 0 ? ".handouts = 2" : ".handouts = 1"));
        assert_true((strstr(text, "10_more") != NULL) == (i == 0));
        free(text);
    }
}

static void test_the_folder_names_the_lab(void **state)
{
    (void)state;
    char name[COURSE_NAME], why[256] = "";

    assert_int_equal(
        course_lab_of("labs/03_tiling/tiling.cu", name, why, sizeof why), 0);
    assert_string_equal(name, "03_tiling");
    assert_int_equal(course_lab_of("03_tiling/x.cu", name, why, sizeof why), 0);
    assert_string_equal(name, "03_tiling");
    assert_int_equal(course_lab_of("tiling.cu", name, why, sizeof why), -1);
    assert_int_equal(course_lab_of("/tiling.cu", name, why, sizeof why), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_description_compiles),
        cmocka_unit_test(test_nothing_to_list_compiles_too),
        cmocka_unit_test(test_a_precision_and_needs_are_described),
        cmocka_unit_test(test_an_unknown_lab_is_an_error),
        cmocka_unit_test(
            test_no_handout_of_the_advanced_track_is_named_before_it),
        cmocka_unit_test(test_the_folder_names_the_lab),
    };
    return cmocka_run_group_tests_name("describe", tests, NULL, NULL);
}
