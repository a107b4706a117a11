/* A student's source, looked through for TODOs: an untouched one is open, and
   blanks and comments do not close it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "course/todo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must_make_sense(const char *text, const struct course_todos *todos)
{
    const char *const end = text + strlen(text);

    for (size_t i = 0; i < todos->count; i++) {
        const struct course_todo *const t = &todos->todo[i];

        fuzz_must(t->comment >= text && t->comment < t->code && t->code <= end);
        fuzz_must(i == 0 || t->comment >= t[-1].code);
        fuzz_must(t->lab >= 0 && t->number >= 0 && t->lines >= 0);
        fuzz_must(t->line >= 1 && (i == 0 || t->line >= t[-1].line));
        fuzz_must(strchr(t->text, '\n') == NULL);
    }
}

void fuzz_todo(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    struct base_records list = {.path = "TODOS", .leader = "lab"};
    char *wider = NULL, why[100];
    struct course_todos todos, same;

    fuzz_must(course_todos_find(text, &todos) == 0);
    must_make_sense(text, &todos);
    list.why = why;
    list.why_size = sizeof why;
    fuzz_must(base_records_parse(&list, course_todos_list("03_tiling", text,
                                                          NULL, &todos)) == 0);
    for (size_t i = 0; i < todos.count; i++)
        fuzz_must(course_todo_is_open(&list, "03_tiling", &todos.todo[i]));
    if (asprintf(&wider, "\n\n%s", text) < 0)
        abort();
    fuzz_must(course_todos_find(wider, &same) == 0);
    fuzz_must(same.count == todos.count);
    for (size_t i = 0; i < todos.count; i++) {
        fuzz_must(same.todo[i].hash == todos.todo[i].hash);
        fuzz_must(same.todo[i].line == todos.todo[i].line + 2);
        fuzz_must(strcmp(same.todo[i].text, todos.todo[i].text) == 0);
    }
    course_todos_free(&same);
    course_todos_free(&todos);
    free(wider);
    base_records_free(&list);
    free(text);
}
