/* Is every TODO helped with, in three steps, and without being solved? */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "base/file.h"
#include "course/hints.h"
#include "course/index.h"
#include "course/todo.h"

static char why[400];

/* Reads hints from a text; the message in why if they are refused. */
static int read_hints(const char *text, struct course_keyed *hints)
{
    char path[] = "/tmp/hintsXXXXXX";
    const int file = mkstemp(path);
    int bad;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    bad = course_hints_read(path, hints, why, sizeof why);
    unlink(path);
    return bad;
}

TEST(test_hints_are_read_as_single_lines)
{
    struct course_keyed hints;

    assert_int_equal(read_hints("# a note\n\n3.1.1: one\n  two\n\n  three\n"
                                "3.1.2: b\n3.1.3: c",
                                &hints),
                     0);
    assert_int_equal(hints.count, 3);
    assert_string_equal(course_hint_find(&hints, 3, 1, 1)->text,
                        "one two three");
    assert_string_equal(course_hint_find(&hints, 3, 1, 3)->text, "c");
    assert_null(course_hint_find(&hints, 3, 1, 4));
    assert_null(course_hint_find(&hints, 3, 2, 1));
    course_keyed_free(&hints);
}

TEST(test_a_wrong_file_is_refused_with_its_line)
{
    static const char *const cases[][2] = {
        {"hello\n", ":1: 'hello' is not 'KEY: VALUE'"},
        {"3.1.1: a\n3.1.3: c\n", ":2: hint 3.1.3 stands out of order"},
        {"3.1.2: b\n", ":1: hint 3.1.2 stands out of order"},
        {"3.1.1: a\n3.1.2: b\n3.2.1: a\n", ":3: hint 3.1.3 is missing"},
        {"3.1.1: a\n3.1.2: b\n", ":2: the last TODO has 2 hints"},
        {"3.1.1: a\n3.1.2:\n3.1.3: c\n", ":2: this hint is empty"},
        {"3.1: a\n", ":1: '3.1' is no number as in 3.1.2"},
        {"3.1.1: a\nb\n3.1.2: b\n3.1.3: c\n", ":2: 'b' is not 'KEY: VALUE'"},
        {"3.1.1: a\n3.1.2: b\n3.1.3: c\n3.1.4: d\n",
         ":4: hint 3.1.4 stands out of order"},
        {"3.1.1: a\n3.1.2: b\n3.1.3: c\n3.2.1: a\n3.2.2: b\n3.2.3: c\n"
         "3.1.1: a\n3.1.2: b\n3.1.3: c\n",
         ":7: 3.1.1 stands in line 1 already"},
    };
    struct course_keyed hints;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read_hints(cases[i][0], &hints), -1);
        if (strstr(why, cases[i][1]) == NULL)
            fail_msg("'%s' instead of '%s'", why, cases[i][1]);
    }
}

/* What a text of shown hints counts for a TODO. */
static int shown_of(char *text, int lab, int number)
{
    struct course_keyed shown;
    int count;

    course_keyed_parse("shown", text, &shown, why, sizeof why);
    count = course_hints_shown(&shown, lab, number);
    course_keyed_free(&shown);
    return count;
}

TEST(test_what_was_shown_is_remembered_by_todo)
{
    struct course_keyed shown = {.count = 0};
    char *text = course_hints_show(&shown, 3, 1, 1);

    assert_string_equal(text, "3.1: 1\n");
    assert_int_equal(course_keyed_parse("s", text, &shown, why, sizeof why), 0);
    text = course_hints_show(&shown, 3, 2, 2);
    course_keyed_free(&shown);
    assert_string_equal(text, "3.1: 1\n3.2: 2\n");
    assert_int_equal(course_keyed_parse("s", text, &shown, why, sizeof why), 0);
    assert_int_equal(course_hints_shown(&shown, 3, 10), 0);
    text = course_hints_show(&shown, 3, 1, 3);
    course_keyed_free(&shown);
    assert_string_equal(text, "3.2: 2\n3.1: 3\n");
    free(text);
    assert_int_equal(shown_of(strdup("# x\n3.1: 99\n"), 3, 1), COURSE_TIERS);
    assert_int_equal(shown_of(strdup("3.1: -5\n"), 3, 1), 0);
    assert_int_equal(shown_of(strdup("what is this\n3.1: 2\n"), 3, 1), 0);
}

static char *read_lab_file(const char *folder, const char *lab,
                           const char *file)
{
    char path[300];
    char *text;

    snprintf(path, sizeof path, "%s/%s/%s", folder, lab, file);
    text = base_read_file(path, why, sizeof why);
    if (text == NULL)
        fail_msg("%s", why);
    return text;
}

/* Copies without white space. */
static void squeeze(const char *from, size_t length, char *to, size_t size)
{
    size_t at = 0;

    for (size_t i = 0; i < length && at + 1 < size; i++) {
        if (!isspace((unsigned char)from[i]))
            to[at++] = from[i];
    }
    to[at] = '\0';
}

/* Does the hint hold a whole line that only the solution has? Short lines such
   as a barrier's are no secret. */
static void holds_no_line(const struct course_keyed_entry *hint,
                          const char *solution, const char *skeleton)
{
    char said[2000], line[300];

    squeeze(hint->text, strlen(hint->text), said, sizeof said);
    for (const char *at = solution; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        char whole[300];

        snprintf(whole, sizeof whole, "%.*s", (int)length, at);
        squeeze(at, length, line, sizeof line);
        if (strlen(line) > 20 && strstr(line, "/*") == NULL &&
            strstr(skeleton, whole) == NULL && strstr(said, line) != NULL)
            fail_msg("hint %d.%d.%d holds the line '%s'", hint->lab,
                     hint->number, hint->tier, line);
        at += length + (at[length] == '\n');
    }
}

TEST(test_every_todo_has_three_hints_that_do_not_solve_it)
{
    struct course_index index;

    assert_int_equal(course_index_read("labs/INDEX", &index, why, sizeof why),
                     0);
    for (int i = 0; i < index.labs; i++) {
        const char *const lab = index.lab[i].name;
        char file[100], path[300];
        struct course_keyed hints;
        struct course_todos todos;
        char *source, *solution;

        snprintf(file, sizeof file, "%s.cu", lab + 3);
        source = read_lab_file("labs", lab, file);
        solution = read_lab_file("solutions", lab, file);
        snprintf(path, sizeof path, "labs/%s/hints.txt", lab);
        if (course_hints_read(path, &hints, why, sizeof why) != 0)
            fail_msg("%s", why);
        assert_int_equal(course_todos_find(source, &todos), 0);
        assert_int_equal(hints.count, COURSE_TIERS * todos.count);
        for (size_t j = 0; j < todos.count; j++) {
            for (int tier = 1; tier <= COURSE_TIERS; tier++) {
                const struct course_keyed_entry *const hint = course_hint_find(
                    &hints, todos.todo[j].lab, todos.todo[j].number, tier);

                if (hint == NULL)
                    fail_msg("%s: no hint %d.%d.%d", path, todos.todo[j].lab,
                             todos.todo[j].number, tier);
                else
                    holds_no_line(hint, solution, source);
            }
        }
        course_todos_free(&todos);
        course_keyed_free(&hints);
        free(solution);
        free(source);
    }
    course_index_free(&index);
}
