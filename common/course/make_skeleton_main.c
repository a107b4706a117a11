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

#include "course/index.h"
#include "base/file.h"
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
    struct course_todos todos = {.todo = NULL, .count = 0};
    char lab[COURSE_NAME];
    char *const source = base_read_file(path, why, size);
    char *list = NULL;

    if (source == NULL || course_lab_of(path, lab, why, size) != 0) {
        free(source);
        return -1;
    }
    if (course_todos_find(source, &todos) == 0)
        list = course_todos_list(lab, &todos);
    if (list == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
    } else {
        fputs(list, out);
    }
    course_todos_free(&todos);
    free(source);
    if (list == NULL)
        return -1;
    free(list);
    return 0;
}

static int list_all_todos(char **paths, int count, const char *to, char *why,
                          size_t size)
{
    char *text = NULL;
    size_t length;
    FILE *const out = open_memstream(&text, &length);
    int bad = 0;

    if (out == NULL) {
        snprintf(why, size, "%s: %s", to, strerror(errno));
        return -1;
    }
    fputs("# The TODOs of the skeletons: number, and hash of the code.\n"
          "# Written by make_skeleton (common/course/todo.h).\n",
          out);
    for (int i = 0; i < count && bad == 0; i++)
        bad = list_todos(paths[i], out, why, size);
    if (fclose(out) != 0 && bad == 0) {
        snprintf(why, size, "%s: %s", to, strerror(errno));
        bad = -1;
    }
    if (bad == 0)
        bad = base_write_file(to, text, why, size);
    free(text);
    return bad;
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
