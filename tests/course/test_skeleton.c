/* What could go wrong when a skeleton is cut? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "../testing.h"
#include "course/skeleton.h"

#define TODO_1 "/* TODO 3.1 (1 line): add one. */\n"

static void expect_skeleton(const char *solution, const char *skeleton)
{
    char why[256] = "";
    char *const cut = course_skeleton("x.cu", solution, why, sizeof why);

    assert_string_equal(why, "");
    assert_non_null(cut);
    assert_string_equal(cut, skeleton);
    free(cut);
}

static void expect_error(const char *solution, const char *message)
{
    char why[256] = "";

    assert_null(course_skeleton("x.cu", solution, why, sizeof why));
    assert_string_equal(why, message);
}

TEST(test_the_students_lines_are_cut)
{
    expect_skeleton("int f(int x)\n{\n    " TODO_1
                    "    x++; /* why */\n\n    /* how */\n"
                    "    /* end 3.1 */\n    return x;\n}\n",
                    "int f(int x)\n{\n    " TODO_1 "    return x;\n}\n");
}

TEST(test_a_stand_in_keeps_its_indentation)
{
    expect_skeleton(TODO_1 "    int x = 1;\n    /* skeleton: int x = 0; */\n"
                           "    /* end 3.1 */\n",
                    TODO_1 "    int x = 0;\n");
}

TEST(test_a_stand_in_of_two_lines_becomes_one)
{
    expect_skeleton(TODO_1 "  {1, 1},\n  /* skeleton: {0,\n   *   0}, */\n"
                           "  /* end 3.1 */\n",
                    TODO_1 "  {0, 0},\n");
}

TEST(test_a_directive_stands_at_the_margin)
{
    expect_skeleton(TODO_1 "#pragma unroll\n    /* skeleton: #pragma unroll 1 "
                           "*/\n    /* end 3.1 */\n",
                    TODO_1 "#pragma unroll 1\n");
}

TEST(test_a_string_is_no_comment)
{
    expect_skeleton("char *s = \"/* TODO 3.1 \";\n" TODO_1
                    "x = '\"' + 1'000;\n/* end 3.1 */\n",
                    "char *s = \"/* TODO 3.1 \";\n" TODO_1);
}

TEST(test_the_size_is_checked)
{
    expect_error("\n" TODO_1 "x++;\ny++;\n/* end 3.1 */\n",
                 "x.cu:2: TODO 3.1 says 1 lines, the solution has 2");
    expect_error(TODO_1 "/* nothing */\n/* end 3.1 */\n",
                 "x.cu:1: TODO 3.1 says 1 lines, the solution has 0");
}

TEST(test_the_form_is_checked)
{
    static const char *const wrong[] = {
        "/* TODO: add one. */\n",
        "/* TODO 3.1: add one. */\n",
        "/* TODO 3.1 (1 lines): add one. */\n",
        "/* TODO 3.1 (0 lines): add one. */\n",
        "/* TODO 3.1 (1 line) add one. */\n",
        "/* TODO 3.1 (1 line): Add one. */\n",
        "/* TODO 3.1 (1 line): */\n",
        "// TODO 3.1 (1 line): add one.\n",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect_error(
            wrong[i],
            "x.cu:1: write it as in /* TODO 3.1 (2 lines): verb ... */");
    }
}

TEST(test_the_numbers_count_up)
{
    expect_error("/* TODO 3.2 (1 line): add one. */\n",
                 "x.cu:1: TODO 3.2 is out of order: count up from 1");
    expect_error(TODO_1 "x++;\n/* end 3.1 */\n" TODO_1,
                 "x.cu:4: TODO 3.1 is out of order: count up from 1");
    expect_error(TODO_1 "x++;\n/* end 3.1 */\n"
                        "/* TODO 4.2 (1 line): add one. */\n",
                 "x.cu:4: TODO 4.2 is out of order: count up from 1");
}

TEST(test_the_markers_are_paired)
{
    expect_error("x++;\n/* end 3.1 */\n",
                 "x.cu:2: \"end\" without a TODO before it");
    expect_error(TODO_1 "x++;\n", "x.cu:1: TODO 3.1 has no /* end 3.1 */");
    expect_error(TODO_1 "x++;\n/* TODO 3.2 (1 line): add one. */\n",
                 "x.cu:3: TODO 3.2 begins before /* end 3.1 */");
    expect_error(TODO_1 "x++;\n/* end 3.10 */\n",
                 "x.cu:3: \"end\" does not name TODO 3.1");
    expect_error("/* skeleton: x; */\n",
                 "x.cu:1: \"skeleton:\" outside of a TODO");
    expect_error("int x;\n", "x.cu:1: the solution has no TODO");
}

TEST(test_the_markers_have_their_own_lines)
{
    expect_error("y++; " TODO_1 "x++;\n/* end 3.1 */\n",
                 "x.cu:1: a TODO needs its own lines");
    expect_error(TODO_1 "x++; /* end 3.1 */\n",
                 "x.cu:2: \"end\" needs its own line");
    expect_error(TODO_1 "x++; /* skeleton: x; */\n/* end 3.1 */\n",
                 "x.cu:2: \"skeleton:\" needs its own lines");
}
