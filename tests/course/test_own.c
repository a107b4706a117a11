/* Which lines of a lab are told to be the student's own? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "course/own.h"

static const char skeleton[] = "int a = 1; /* given */\n"
                               "\n"
                               "for (;;) {\n"
                               "    wait();\n"
                               "    /* TODO 3.1 (1 line): copy. */\n"
                               "    wait();\n"
                               "}\n";

/* The numbers of the own lines, as "3 4 ". */
static void expect_own(const char *source, const char *numbers)
{
    char *hashes = course_lines_hashed(skeleton, NULL), text[200] = "";
    int *line;
    size_t count;
    int lacks;

    assert_non_null(hashes);
    assert_int_equal(course_own_lines(source, hashes, &line, &count, &lacks),
                     0);
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d ",
                 line[i]);
    assert_string_equal(text, numbers);
    free(line);
    free(hashes);
}

TEST(test_a_skeleton_has_no_own_lines)
{
    expect_own(skeleton, "");
}

TEST(test_blanks_comments_and_brackets_do_not_count)
{
    expect_own("int  a=1;\nfor(; ;)\n{\nwait ();\n// mine\n{}\nwait();\n}\n",
               "");
}

TEST(test_what_is_written_and_what_is_changed_is_own)
{
    expect_own("int a = 1;\nfor (;;) {\nwait();\ncopy();\nwait();\n}\n", "4 ");
    expect_own("int a = 2;\nfor (;;) {\nwait();\nwait();\n}\n", "1 ");
}

/* What stands in the place of a student's line is the student's, too. */
TEST(test_a_placeholder_that_is_left_is_own)
{
    char *hashes = course_lines_hashed(
        "int a = 1;\n/* TODO 3.1 (1 line): 2. */\nint b = 0;\n",
        "int a = 1;\nint b = 2;\n/* skeleton: int b = 0; */\n");
    int *line, lacks;
    size_t count;

    assert_int_equal(course_own_lines("int a = 1;\nint b = 0;\n", hashes, &line,
                                      &count, &lacks),
                     0);
    assert_int_equal(count, 1);
    assert_int_equal(line[0], 2);
    assert_false(lacks);
    free(line);
    free(hashes);
}

/* Of two lines that are alike the one that the skeleton has not. */
TEST(test_order_counts)
{
    expect_own("int a = 1;\nwait();\nfor (;;) {\nwait();\nwait();\n}\n", "2 ");
}

TEST(test_a_given_line_that_is_left_out_is_noticed)
{
    char *hashes = course_lines_hashed(skeleton, NULL);
    int *line, lacks;
    size_t count;

    assert_int_equal(course_own_lines("int a = 1;\nfor (;;) {\nwait();\n}\n",
                                      hashes, &line, &count, &lacks),
                     0);
    assert_int_equal(count, 0);
    assert_true(lacks);
    free(line);
    assert_int_equal(
        course_own_lines("int a = 1;\nfor (;;) {\nwait();\nwait(1);\n}\n",
                         hashes, &line, &count, &lacks),
        0);
    assert_int_equal(count, 1);
    assert_false(lacks);
    free(line);
    free(hashes);
}

TEST(test_without_a_skeleton_all_is_own)
{
    int *line;
    size_t count;
    int lacks;

    assert_int_equal(course_own_lines("a;\n\nb;\n", "", &line, &count, &lacks),
                     0);
    assert_int_equal(count, 2);
    assert_int_equal(line[1], 3);
    free(line);
}
