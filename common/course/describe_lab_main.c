/*
 * describe_lab: writes what a lab's program knows about its lab.
 *
 *   describe_lab INDEX TODOS SOURCE.cu -o INFO.c [--name 03_tiling]
 *
 * Without --name the name is that of the source's folder. Exit codes: 0 done,
 * 2 a wrong call or file.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/describe.h"
#include "base/file.h"

enum {
    WRONG = 2
};

/* Reads the three files and writes the one. name is NULL without --name. */
static int describe(char **paths, const char *to, const char *name, char *why,
                    size_t size)
{
    char folder[COURSE_NAME];
    struct course_index index = {.text = NULL};
    char *todos = NULL, *source = NULL, *text = NULL;
    int bad = -1;

    if (name == NULL) {
        if (course_lab_of(paths[2], folder, why, size) != 0)
            return -1;
        name = folder;
    }
    if (course_index_read(paths[0], &index, why, size) != 0)
        return -1;
    todos = course_read_file(paths[1], why, size);
    if (todos != NULL)
        source = course_read_file(paths[2], why, size);
    if (source != NULL) {
        text =
            course_describe(&index, todos, name, paths[2], source, why, size);
    }
    if (text != NULL)
        bad = course_write_file(to, text, why, size);
    free(text);
    free(source);
    free(todos);
    course_index_free(&index);
    return bad;
}

int main(int argc, char **argv)
{
    char why[512];
    const int named = argc == 8 && strcmp(argv[6], "--name") == 0;

    if ((argc != 6 && !named) || strcmp(argv[4], "-o") != 0) {
        fputs("usage: describe_lab INDEX TODOS SOURCE.cu -o INFO.c"
              " [--name 03_tiling]\n",
              stderr);
        return WRONG;
    }
    if (describe(argv + 1, argv[5], named ? argv[7] : NULL, why, sizeof why)) {
        fprintf(stderr, "describe_lab: %s\n", why);
        return WRONG;
    }
    return 0;
}
