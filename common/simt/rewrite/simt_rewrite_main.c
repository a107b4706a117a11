/* simt_rewrite: turns a CUDA C file into one that g++ reads (rewrite.h). */
#define _GNU_SOURCE
#include "rewrite.h"

#include "base/options.h"
#include "base/refuse.h"
#include "base/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    WRONG = 2,
    MOST_FOLDERS = 64
};

struct call {
    struct simt_rewrite_files files;
    const char *folder[MOST_FOLDERS];
};

static int add_folder(const char *text, void *to, char *why, size_t size)
{
    struct call *const call = to;

    if (call->files.folders == MOST_FOLDERS) {
        return base_refuse(why, size, "--include: more than %d folders",
                           (int)MOST_FOLDERS);
    }
    call->folder[call->files.folders++] = text;
    return 0;
}

#define AT(member) .at = offsetof(struct call, files.member)
static const struct base_option known[] = {
    {"output", 'o', "OUTPUT",
     "Write the C++ source here, and its headers beside it", AT(output)},
    {"include", 'I', "FOLDER", "Look for headers there too",
     .read = add_folder},
    {"dependencies", 'd', "FILE",
     "Write the names of the headers there, for make", AT(dependencies)}};
#undef AT

static const struct base_command command = {
    known, sizeof known / sizeof *known, "INPUT.cu",
    offsetof(struct call, files.input),
    "Turns a CUDA C file into C++ for the CPU device."};

/* 1 if both paths name one file, which would lose the student's source. */
static int is_same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* What is wrong with what was read. Returns 0, or -1. */
static int check_call(const struct call *call, char *why, size_t size)
{
    if (call->files.input == NULL || call->files.output == NULL)
        return base_refuse(why, size, "it needs INPUT.cu and -o OUTPUT");
    if (is_same_file(call->files.input, call->files.output)) {
        return base_refuse(why, size,
                           "%s: is the input (name another file behind -o)",
                           call->files.output);
    }
    return 0;
}

/* Shows the line that a message "path:12: what" is of, as g++ does. */
static void show_line(const char *why)
{
    const size_t length = strcspn(why, ":");
    char *const path = strndup(why, length), *line = NULL;
    const long wanted =
        why[length] == ':' ? strtol(why + length + 1, NULL, 10) : 0;
    FILE *const file = path != NULL ? fopen(path, "r") : NULL;
    size_t size = 0;
    long number = 0;

    while (file != NULL && number < wanted && getline(&line, &size, file) > 0)
        number++;
    if (number > 0 && number == wanted) {
        const int whole = (int)strcspn(line, "\r\n");

        fprintf(stderr, "%5ld | %.*s%s\n", number, whole > 72 ? 69 : whole,
                line, whole > 72 ? "..." : "");
    }
    if (file != NULL)
        fclose(file);
    free(line);
    free(path);
}

int main(int argc, char **argv)
{
    struct call call = {.files.input = NULL};
    char why[1024];
    int status =
        base_options_read(&command, argc, argv, &call, why, sizeof why);

    if (status == 1)
        return 0;
    if (status != 0 || check_call(&call, why, sizeof why) != 0) {
        fprintf(stderr, "simt_rewrite: %s\n", why);
        return WRONG;
    }
    call.files.folder = call.folder;
    if (simt_rewrite_files(&call.files, why, sizeof why) != 0) {
        base_wrap(stderr, "", why);
        show_line(why);
        return WRONG;
    }
    return 0;
}
