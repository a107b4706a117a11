/*
 * make_skeleton: cuts a lab's skeleton from its solution.
 *
 *   make_skeleton SOLUTION.cu -o SKELETON.cu
 *   make_skeleton --todos SKELETON.cu... -o TODOS
 *
 * The second form lists the TODOs of the skeletons, for the labs' programs.
 * Exit codes: 0 done, 2 a wrong call or file.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/refuse.h"
#include "base/replace_file.h"
#include "course/index.h"
#include "course/skeleton.h"
#include "course/todo.h"

enum {
    WRONG = 2
};

static int cut_skeleton(const char *from, const char *to, char *why,
                        size_t size)
{
    char *const solution = base_read_file(from, why, size);
    char *skeleton = NULL;
    int bad = -1;

    if (solution != NULL)
        skeleton = course_skeleton(from, solution, why, size);
    if (skeleton != NULL)
        bad = base_write_file(to, skeleton, why, size);
    free(skeleton);
    free(solution);
    return bad;
}

/* Appends the TODOs of one skeleton to out. */
static int list_todos(const char *path, FILE *out, char *why, size_t size)
{
    struct course_todos todos = {.count = 0};
    char lab[COURSE_NAME];
    char *const source = base_read_file(path, why, size);
    char *list = NULL, *solution, from[300], none[300];

    if (source == NULL || course_lab_of(path, lab, why, size) != 0) {
        free(source);
        return -1;
    }
    snprintf(from, sizeof from, "solutions/%.100s/%.100s", lab,
             strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
    solution = base_read_file(from, none, sizeof none); /* if it is there */
    if (course_todos_find(source, &todos) == 0)
        list = course_todos_list(lab, source, solution, &todos);
    free(solution);
    if (list != NULL)
        fputs(list, out);
    course_todos_free(&todos);
    free(source);
    free(list);
    return list != NULL
               ? 0
               : base_refuse(why, size, "%s: %s", path, strerror(ENOMEM));
}

static int list_all_todos(char **paths, int count, const char *to, char *why,
                          size_t size)
{
    struct base_replacement file;
    int bad = base_replace_begin(&file, to, why, size);

    if (bad != 0)
        return -1;
    fputs(
        "# The TODOs of the skeletons: number, and hash of the code; and the\n"
        "# hashes of all lines of code, by which a student's own are known.\n"
        "# Written by make_skeleton (common/course/todo.h).\n",
        file.file);
    for (int i = 0; i < count && bad == 0; i++)
        bad = list_todos(paths[i], file.file, why, size);
    if (bad != 0) {
        base_replace_end(&file, 0, NULL, 0);
        return -1;
    }
    return base_replace_end(&file, 1, why, size);
}

int main(int argc, char **argv)
{
    char why[512];
    int bad;

    if (argc == 4 && strcmp(argv[2], "-o") == 0) {
        bad = cut_skeleton(argv[1], argv[3], why, sizeof why);
    } else if (argc >= 5 && strcmp(argv[1], "--todos") == 0 &&
               strcmp(argv[argc - 2], "-o") == 0) {
        bad =
            list_all_todos(argv + 2, argc - 4, argv[argc - 1], why, sizeof why);
    } else {
        fputs("usage: make_skeleton SOLUTION.cu -o SKELETON.cu\n"
              "       make_skeleton --todos SKELETON.cu... -o TODOS\n",
              stderr);
        return WRONG;
    }
    if (bad != 0) {
        fprintf(stderr, "make_skeleton: %s\n", why);
        return WRONG;
    }
    return 0;
}
