/* Is labs/ what make_skeleton cuts from solutions/? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "course/index.h"
#include "base/file.h"
#include "course/skeleton.h"
#include "course/todo.h"

static struct course_index list;

FIXTURE(read_index)
{
    char why[256] = "";

    if (course_index_read("labs/INDEX", &list, why, sizeof why) == 0)
        return 0;
    print_error("%s\n", why);
    return -1;
}

FIXTURE(free_index)
{
    course_index_free(&list);
    return 0;
}

/* The text of FOLDER/03_tiling/tiling.cu, with its path. */
static char *read_lab_source(const char *folder, const struct course_lab *lab,
                             char *path, size_t size)
{
    char why[256] = "";
    char *text;

    snprintf(path, size, "%s/%s/%s.cu", folder, lab->name, lab->name + 3);
    text = base_read_file(path, why, sizeof why);
    assert_string_equal(why, "");
    assert_non_null(text);
    return text;
}

TEST(test_each_skeleton_is_cut_from_its_solution)
{
    char path[256], why[256] = "";

    for (int i = 0; i < list.labs; i++) {
        char *const solution =
            read_lab_source("solutions", &list.lab[i], path, sizeof path);
        char *const cut = course_skeleton(path, solution, why, sizeof why);
        char *const lab =
            read_lab_source("labs", &list.lab[i], path, sizeof path);

        assert_string_equal(why, "");
        assert_non_null(cut);
        if (strcmp(cut, lab) != 0)
            fail_msg("%s differs from its solution (make skeletons)", path);
        free(lab);
        free(cut);
        free(solution);
    }
}

TEST(test_all_todos_of_a_skeleton_are_open)
{
    char path[256], why[256];
    struct base_records known;

    assert_int_equal(
        course_todos_read_list("labs/TODOS", &known, why, sizeof why), 0);
    for (int i = 0; i < list.labs; i++) {
        const char *const name = list.lab[i].name;
        char *const lab =
            read_lab_source("labs", &list.lab[i], path, sizeof path);
        struct course_todos todos;

        assert_int_equal(course_todos_find(lab, &todos), 0);
        assert_true(todos.count > 0);
        for (size_t j = 0; j < todos.count; j++) {
            assert_int_equal(todos.todo[j].lab,
                             (name[0] - '0') * 10 + name[1] - '0');
            if (!course_todo_is_open(&known, name, &todos.todo[j])) {
                fail_msg("%s: TODO %d.%d is not in labs/TODOS", path,
                         todos.todo[j].lab, todos.todo[j].number);
            }
        }
        course_todos_free(&todos);
        free(lab);
    }
    base_records_free(&known);
}

TEST(test_no_todo_of_a_solution_is_open)
{
    char path[256], why[256];
    struct base_records known;

    assert_int_equal(
        course_todos_read_list("labs/TODOS", &known, why, sizeof why), 0);
    for (int i = 0; i < list.labs; i++) {
        char *const lab =
            read_lab_source("solutions", &list.lab[i], path, sizeof path);
        struct course_todos todos;

        assert_int_equal(course_todos_find(lab, &todos), 0);
        for (size_t j = 0; j < todos.count; j++) {
            assert_false(
                course_todo_is_open(&known, list.lab[i].name, &todos.todo[j]));
        }
        course_todos_free(&todos);
        free(lab);
    }
    base_records_free(&known);
}

TEST(test_each_lab_has_its_functions)
{
    char path[256], wanted[128];

    for (int i = 0; i < list.labs; i++) {
        const struct course_lab *const lab = &list.lab[i];
        char *const text = read_lab_source("labs", lab, path, sizeof path);

        for (int j = 0; j < lab->entries; j++) {
            snprintf(wanted, sizeof wanted, "\nvoid %s(",
                     lab->entry[j].function);
            if (strstr(text, wanted) == NULL)
                fail_msg("%s has no %s", path, lab->entry[j].function);
        }
        free(text);
    }
}

ALL_TESTS(read_index, free_index);
