/* When is a TODO taken for open that is done, or for done that is open? */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "course/todo.h"

/* A skeleton with two TODOs; the second has a stand-in. */
static const char skeleton[] = "/* Do TODO 3.1 and 3.2. */\n"
                               "/* TODO 3.1 (1 line): copy. */\n"
                               "\n"
                               "wait();\n"
                               "/* TODO 3.2 (2 lines): add\n"
                               " * a * b. Why? */\n"
                               "int sum = 0;\n"
                               "return sum;\n";

/* Which TODOs of source are open, as in "3.1 3.2 ". */
static void expect_open_of(const char *given, const char *source,
                           const char *numbers)
{
    struct course_todos pristine, todos;
    char open[64] = "";
    struct base_records list = {.path = "TODOS", .leader = "lab"};
    char why[100];

    list.why = why;
    list.why_size = sizeof why;
    assert_int_equal(course_todos_find(given, &pristine), 0);
    assert_int_equal(
        base_records_parse(
            &list, course_todos_list("03_tiling", given, NULL, &pristine)),
        0);
    assert_int_equal(course_todos_listed(&list, "03_tiling"), pristine.count);
    assert_int_equal(course_todos_listed(&list, "3_tiling"), 0);
    assert_int_equal(course_todos_find(source, &todos), 0);
    for (size_t i = 0; i < todos.count; i++) {
        if (course_todo_is_open(&list, "03_tiling", &todos.todo[i])) {
            memcpy(open + strlen(open),
                   todos.todo[i].number == 1 ? "3.1 " : "3.2 ", 5);
        }
        assert_false(course_todo_is_open(&list, "3_tiling", &todos.todo[i]));
    }
    assert_string_equal(open, numbers);
    course_todos_free(&todos);
    course_todos_free(&pristine);
    base_records_free(&list);
}

static void expect_open(const char *source, const char *numbers)
{
    expect_open_of(skeleton, source, numbers);
}

TEST(test_an_untouched_skeleton_is_open)
{
    expect_open(skeleton, "3.1 3.2 ");
}

TEST(test_text_place_and_size_are_found)
{
    struct course_todos todos;

    assert_int_equal(course_todos_find(skeleton, &todos), 0);
    assert_int_equal(todos.count, 2);
    assert_int_equal(todos.todo[1].lab, 3);
    assert_int_equal(todos.todo[1].number, 2);
    assert_int_equal(todos.todo[1].lines, 2);
    assert_int_equal(todos.todo[1].line, 5);
    assert_string_equal(todos.todo[1].text, "add a * b. Why?");
    course_todos_free(&todos);
}

TEST(test_white_space_and_comments_change_nothing)
{
    expect_open("/* TODO 3.1 (1 line): copy. */\r\n"
                "\t/* what now */ wait( ) ;\r\n"
                "/* TODO 3.2 (2 lines): add\r\n * a * b. Why? */\r\n"
                "int\tsum=0;// hm\r\nreturn  sum ;",
                "3.1 3.2 ");
}

TEST(test_an_edited_todo_is_done)
{
    expect_open("/* TODO 3.1 (1 line): copy. */\ncopy();\nwait();\n"
                "/* TODO 3.2 (2 lines): add */\nint sum = 0;\nreturn sum;\n",
                "3.2 ");
    expect_open("/* TODO 3.1 (1 line): copy. */\nwait();\n"
                "/* TODO 3.2 (2 lines): add */\nint sum = 1;\nreturn sum;\n",
                "3.1 ");
}

TEST(test_words_are_kept_apart)
{
    expect_open("/* TODO 3.2 (2 lines): add */\nintsum = 0;\nreturn sum;\n",
                "");
}

TEST(test_a_deleted_comment_is_done)
{
    expect_open("wait();\n/* TODO 3.2 (2 lines): add */\n"
                "int sum = 0;\nreturn sum;\n",
                "3.2 ");
    expect_open("", "");
}

/* The code of the second one, written, then stands behind the first. */
TEST(test_a_todo_stays_open_without_the_next_comment)
{
    expect_open("/* TODO 3.1 (1 line): copy. */\nwait();\nsum = a * b;\n",
                "3.1 ");
    expect_open("/* TODO 3.1 (1 line): copy. */\nwait();\n", "3.1 ");
    expect_open("/* TODO 3.1 (1 line): copy. */\nx();\nwait();\nsum = 1;\n",
                "");
}

/* Nothing stands between the two: whose code is it? */
TEST(test_code_belongs_to_the_comment_right_above)
{
    static const char both[] = "/* TODO 3.1 (1 line): a */\n\n"
                               "/* TODO 3.2 (1 line): b */\n";

    expect_open_of(both, "/* TODO 3.1 (1 line): a */\n\nb();\n", "3.1 ");
    expect_open_of(both, "/* TODO 3.1 (1 line): a */\na();\n\nb();\n", "");
}

TEST(test_a_huge_number_is_no_todo)
{
    struct course_todos todos;

    assert_int_equal(course_todos_find("/* TODO 99999999999.1 (1 line): x */"
                                       "/* TODO 1.9999 */ /* TODO */",
                                       &todos),
                     0);
    assert_int_equal(todos.count, 0);
    course_todos_free(&todos);
}

TEST(test_a_comment_in_a_string_does_not_count)
{
    expect_open("char *s = \"/* TODO 3.1 (1 line): copy. */\"; wait();\n"
                "/* TODO 3.2 (2 lines): add */\nint sum = 0;\nreturn sum;\n",
                "3.2 ");
}

TEST(test_a_mark_in_a_number_opens_no_constant)
{
    expect_open("x = 1'000; /* TODO 3.1 (1 line): copy. */ wait();\n"
                "/* TODO 3.2 (2 lines): 1'0 */ int sum = 0; return sum;\n",
                "3.1 3.2 ");
    expect_open("x = '\"'; /* TODO 3.2 (2 lines): add */ int sum = 0;"
                " return sum; /* \" */\n",
                "3.2 ");
}

TEST(test_an_unclosed_comment_ends_with_the_file)
{
    struct course_todos todos;

    assert_int_equal(course_todos_find("x; /* TODO 3.1 (1 line): co", &todos),
                     0);
    assert_int_equal(todos.count, 1);
    assert_string_equal(todos.todo[0].text, "co");
    course_todos_free(&todos);
    assert_int_equal(course_todos_find("x; /* TODO 3.1", &todos), 0);
    assert_string_equal(todos.todo[0].text, "");
    course_todos_free(&todos);
    assert_int_equal(course_todos_find("x; \"/* TODO 3.1 \\", &todos), 0);
    assert_int_equal(todos.count, 0);
    course_todos_free(&todos);
}

/* Of the open TODOs in a source, and of so many in all. */
static int next_of(const char *source, size_t all)
{
    const struct course_todo *next;
    struct course_todos todos;
    int number;

    assert_int_equal(course_todos_find(source, &todos), 0);
    next = course_todos_next(&todos, all);
    number = next == NULL ? 0 : next->number;
    course_todos_free(&todos);
    return number;
}

TEST(test_the_next_is_behind_the_last_that_is_written)
{
    static const char two[] = "/* TODO 7.1 (1 line): a */\n"
                              "/* TODO 7.5 (1 line): b */\n";

    assert_int_equal(next_of(two, 5), 5);
    assert_int_equal(next_of(two, 6), 1); /* 7.6 is written */
    assert_int_equal(next_of("/* TODO 7.1 (1 line): a */\n", 1), 1);
    assert_int_equal(next_of("", 3), 0);
}
