#define _GNU_SOURCE
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct fuzz_target fuzz_targets[] = {
    {"answers", fuzz_answers}, {"csv", fuzz_csv},
    {"hints", fuzz_hints},     {"index", fuzz_index},
    {"manual", fuzz_manual},   {"record", fuzz_record},
    {"results", fuzz_results}, {"rewrite", fuzz_rewrite},
    {"roster", fuzz_roster},   {"rubric", fuzz_rubric},
    {"tables", fuzz_tables},   {"text", fuzz_text},
    {"todo", fuzz_todo},       {"vet", fuzz_vet},
    {"wire", fuzz_wire},       {NULL, NULL}};

void fuzz_expect(int is_true, const char *words, const char *file, int line)
{
    if (is_true)
        return;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, words);
    abort();
}

char *fuzz_string(const uint8_t *bytes, size_t size)
{
    char *const text = malloc(size + 1);

    if (text == NULL)
        abort();
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static char path[40];
    static int file = -1;

    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 ||
        pwrite(file, bytes, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

void fuzz_message(const char *why, size_t size)
{
    fuzz_must(memchr(why, '\0', size) != NULL);
    fuzz_must(*why != '\0');
    fuzz_must(strchr(why, '\n') == NULL);
}

const struct course_index *fuzz_course(void)
{
    static const struct course_index index = {
        .shapes = {.shape = {{1, 1, 1}}, .count = 1},
        .counting = {64, 64, 64},
        .lab = {{.name = "01_first",
                 .title = "First",
                 .points = {60, 40, 0},
                 .about = "first"},
                {.name = "04_fourth",
                 .title = "Fourth",
                 .measure = {{"efficiency", 1.0, 0.25, -1.0}},
                 .measures = 1,
                 .points = {60, 20, 20},
                 .about = "fourth"},
                {.name = "08_eighth",
                 .title = "Eighth",
                 .measure = {{"loads", 0.125, 2.0, 4.0},
                             {"barriers", 2.0, 4.0, -1.0}},
                 .measures = 2,
                 .points = {50, 25, 25},
                 .about = "eighth"}},
        .labs = 3};

    return &index;
}
