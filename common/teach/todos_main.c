/*
 * todos: how many TODOs of each lab are closed?
 *
 *   todos LAB...
 *
 * Prints "03_tiling 2 5" for two of the five of labs/TODOS: the comment of
 * each is deleted, or the code under it is another. Exit codes: 0 done, 2 a
 * wrong call or file.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "course/todo.h"

enum {
    WRONG = 2
};

/* The lines of labs/TODOS for a lab. */
static int count_listed(const char *list, const char *lab)
{
    const size_t length = strlen(lab);
    int count = 0;

    for (const char *line = list; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, lab, length) == 0 && line[length] == ' ';
    }
    return count;
}

static int print_lab(const char *list, const char *lab, char *why, size_t size)
{
    char path[300];
    struct course_todos todos;
    char *source;
    const int all = count_listed(list, lab);
    int open = 0;

    snprintf(path, sizeof path, "labs/%s/%s.cu", lab, lab + 3);
    source = base_read_file(path, why, size);
    if (source == NULL || course_todos_find(source, &todos) != 0) {
        free(source);
        return -1;
    }
    for (int i = 0; i < todos.count; i++)
        open += course_todo_is_open(list, lab, &todos.todo[i]);
    printf("%s %d %d\n", lab, all - open, all);
    course_todos_free(&todos);
    free(source);
    return 0;
}

int main(int argc, char **argv)
{
    char why[512] = "no memory is left";
    char *const list = base_read_file("labs/TODOS", why, sizeof why);
    int bad = list == NULL;

    if (argc < 2) {
        fputs("usage: todos 03_tiling...\n", stderr);
        bad = 1;
    }
    for (int i = 1; i < argc && !bad; i++) {
        if (strlen(argv[i]) < 4) {
            snprintf(why, sizeof why, "%s is no lab", argv[i]);
            bad = 1;
        } else {
            bad = print_lab(list, argv[i], why, sizeof why) != 0;
        }
        if (bad)
            fprintf(stderr, "todos: %s\n", why);
    }
    free(list);
    return bad ? WRONG : 0;
}
