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

static int print_lab(const struct base_records *list, const char *lab,
                     char *why, size_t size)
{
    char path[300];
    struct course_todos todos;
    char *source;
    const size_t all = course_todos_listed(list, lab);

    snprintf(path, sizeof path, "labs/%s/%s.cu", lab, lab + 3);
    source = base_read_file(path, why, size);
    if (source == NULL || course_todos_find(source, &todos) != 0) {
        free(source);
        return -1;
    }
    course_todos_keep_open(list, lab, &todos);
    printf("%s %zu %zu\n", lab, all - todos.count, all);
    course_todos_free(&todos);
    free(source);
    return 0;
}

int main(int argc, char **argv)
{
    char why[512] = "no memory is left";
    struct base_records list;
    int bad = course_todos_read_list("labs/TODOS", &list, why, sizeof why) != 0;

    if (argc < 2) {
        fputs("usage: todos 03_tiling...\n", stderr);
        bad = 1;
    }
    for (int i = 1; i < argc && !bad; i++) {
        if (strlen(argv[i]) < 4) {
            snprintf(why, sizeof why, "%s is no lab", argv[i]);
            bad = 1;
        } else {
            bad = print_lab(&list, argv[i], why, sizeof why) != 0;
        }
        if (bad)
            fprintf(stderr, "todos: %s\n", why);
    }
    base_records_free(&list);
    return bad ? WRONG : 0;
}
