#define _GNU_SOURCE
#include "info.h"

#include "base/file.h"
#include "base/refuse.h"
#include "course/own.h"
#include "device_kind.h"
#include "lab.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct lab_info lab_info;

/* --- functions ----- */

/* A lab has some of these. For a device that lacks what the lab needs the
   program is linked without the lab. */
#pragma weak lab_host
#pragma weak lab_launch
#pragma weak lab_launch_b
#pragma weak lab_launch_bf16
#pragma weak lab_launch_arrays

static void run_arrays(const struct lab_matmul *p)
{
    lab_launch_arrays(&(struct lab_arrays){
        .in = p->A, .in2 = p->B, .out = p->C, .m = p->m, .n = p->n, .k = p->k});
}

static const struct {
    const char *name;
    void (*run)(const struct lab_matmul *p);
    void (*run_bf16)(const struct lab_matmul_bf16 *p);
} known[] = {
    {"lab_host", lab_host, NULL},
    {"lab_launch", lab_launch, NULL},
    {"lab_launch_b", lab_launch_b, NULL},
    {"lab_launch_bf16", NULL, lab_launch_bf16},
};

static void bind_entry(struct course_entry *entry)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, entry->function) == 0) {
            entry->run = known[i].run;
            entry->run_bf16 = known[i].run_bf16;
        }
    }
    if (strcmp(entry->function, "lab_launch_arrays") == 0 &&
        lab_launch_arrays != NULL)
        entry->run = run_arrays;
}

/* Gives the entries their functions. Returns 0, or -1 with a line in why. */
static int bind_functions(struct lab_info *info, char *why, size_t size)
{
    struct course_lab *const lab = info->lab;

    for (int i = 0; i < lab->entries; i++) {
        struct course_entry *const entry = &lab->entry[i];

        bind_entry(entry);
        if (entry->kind == COURSE_BANKS ||
            (lab->needs.what != NULL && !lab->needs.on_cpu &&
             !lab_device_is_gpu()) ||
            (entry->precision == LAB_BF16 ? entry->run_bf16 != NULL
                                          : entry->run != NULL))
            continue;
        snprintf(why, size,
                 "%s has no %s, which labs/INDEX asks for (common/lab.h says "
                 "what it looks like)",
                 info->source, entry->function);
        return -1;
    }
    return 0;
}

/* --- the program's lab ----- */

/* Fills root with the nearest folder above the program that has a labs/INDEX,
   and index with that. */
static int read_index(const char *program, char root[PATH_MAX],
                      struct course_index *index, char *why, size_t size)
{
    char path[PATH_MAX + 16];

    snprintf(root, PATH_MAX, "%s", program);
    do {
        char *const slash = strrchr(root, '/');

        if (slash == NULL) {
            snprintf(why, size,
                     "no folder above %s has a labs/INDEX (run the program "
                     "where make has built it)",
                     program);
            return -1;
        }
        *slash = '\0';
        snprintf(path, sizeof path, "%s/labs/INDEX", root);
    } while (access(path, F_OK) != 0);
    return course_index_read(path, index, why, size);
}

/* Finds lab, source and whether it is a solution by the end of the path:
   labs/03_tiling, solutions/03_tiling-analyse, mutants/03_no_zero_fill. */
static int find_lab(const char *program, struct lab_info *info, char *why,
                    size_t size)
{
    const char *const base = strrchr(program, '/') + 1;
    const char *const end = strstr(base, "-analyse");
    const int length = end != NULL ? (int)(end - base) : (int)strlen(base);
    const char *folder = base - 1;
    int is_mutant;

    while (folder > program && folder[-1] != '/')
        folder--;
    is_mutant = strncmp(folder, "mutants/", 8) == 0;
    info->is_solution = strncmp(folder, "solutions/", 10) == 0;
    for (int i = 0; i < info->index.labs; i++) {
        const char *const name = info->index.lab[i].name;

        if (is_mutant ? strncmp(name, base, 3) == 0
                      : (int)strlen(name) == length &&
                            !strncmp(name, base, (size_t)length))
            info->lab = &info->index.lab[i];
    }
    if (info->lab == NULL) {
        snprintf(why, size, "%s: labs/INDEX has no lab '%.*s'", program, length,
                 base);
        return -1;
    }
    if (is_mutant) {
        snprintf(info->source, sizeof info->source, "build/mutants/%.*s.cu",
                 length, base);
    } else {
        snprintf(info->source, sizeof info->source, "%s/%s/%s.cu",
                 info->is_solution ? "solutions" : "labs", info->lab->name,
                 info->lab->name + 3);
    }
    return 0;
}

/* --- TODOs ----- */

/* Keeps the TODOs of the source that are open, and counts the others. */
static int find_todos(struct lab_info *info, const struct base_records *list,
                      const char *source, char *why, size_t size)
{
    const char *const lab = info->lab->name;
    const size_t all = course_todos_listed(list, lab);

    if (all == 0) {
        return base_refuse(why, size,
                           "labs/TODOS has no lab '%s' (make skeletons)", lab);
    }
    if (course_todos_find(source, &info->open) != 0) {
        return base_refuse(why, size, "%s: %s", info->source, strerror(errno));
    }
    course_todos_keep_open(list, lab, &info->open);
    info->written = all - info->open.count;
    if (course_own_lines(source, course_todos_lines(list, lab), &info->own,
                         &info->owns, &info->lacks) != 0)
        return base_refuse(why, size, "%s: %s", info->source, strerror(ENOMEM));
    return 0;
}

static int read_todos(struct lab_info *info, const char *root, char *why,
                      size_t size)
{
    char path[PATH_MAX + sizeof info->source];
    struct base_records list;
    char *source;
    int result = -1;

    snprintf(path, sizeof path, "%s/labs/TODOS", root);
    if (course_todos_read_list(path, &list, why, size) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/%s", root, info->source);
    source = base_read_file(path, why, size);
    if (source != NULL)
        result = find_todos(info, &list, source, why, size);
    free(source);
    base_records_free(&list);
    return result;
}

/* --- all of it ----- */

int lab_info_find(const char *program, struct lab_info *info, char *why,
                  size_t size)
{
    char root[PATH_MAX];

    *info = (struct lab_info){.lab = NULL};
    if (read_index(program, root, &info->index, why, size) != 0)
        return -1;
    if (find_lab(program, info, why, size) != 0 ||
        read_todos(info, root, why, size) != 0) {
        lab_info_free(info);
        return -1;
    }
    info->problem = lab_problem_find(info->lab->problem);
    if (info->problem == NULL) {
        snprintf(why, size,
                 "labs/INDEX: no labs/NN_%s/problem.c, which %s asks for",
                 info->lab->problem, info->lab->name);
        lab_info_free(info);
        return -1;
    }
    info->shapes = course_index_shapes(&info->index, info->lab);
    for (int i = 0; i < info->shapes; i++)
        info->shape[i] = course_index_shape(&info->index, info->lab, i);
    return 0;
}

int lab_info_read(char *why, size_t size)
{
    char program[PATH_MAX] = "";

    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        snprintf(why, size, "/proc/self/exe: %s", strerror(errno));
        return -1;
    }
    if (lab_info_find(program, &lab_info, why, size) != 0)
        return -1;
    return bind_functions(&lab_info, why, size);
}

static int is_lab_source(const char *file)
{
    const char *const name = strrchr(file, '/');
    const char *const source = strrchr(lab_info.source, '/');

    return source != NULL &&
           strcmp(name != NULL ? name + 1 : file, source + 1) == 0;
}

int lab_info_is_own(const char *file, int line)
{
    if (!is_lab_source(file))
        return 0;
    for (size_t i = 0; i < lab_info.owns; i++) {
        if (lab_info.own[i] == line)
            return 1;
    }
    return 0;
}

int lab_info_is_given(const char *file, int line)
{
    return is_lab_source(file) && lab_info.owns > 0 && !lab_info.lacks &&
           !lab_info_is_own(file, line);
}

void lab_info_free(struct lab_info *info)
{
    free(info->own);
    course_todos_free(&info->open);
    course_index_free(&info->index);
}
