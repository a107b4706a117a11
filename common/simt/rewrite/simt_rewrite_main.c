/* simt_rewrite: turns a CUDA C file into one that g++ reads (rewrite.h). */
#define _GNU_SOURCE
#include "rewrite.h"

#include "base/wrap.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    MOST_FOLDERS = 64
};

struct arguments {
    struct simt_rewrite_files files;
    const char *folder[MOST_FOLDERS];
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's form */
static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct simt_rewrite_files *files = &arguments->files;

    switch (key) {
    case 'o':
        files->output = argument;
        return 0;
    case 'd':
        files->dependencies = argument;
        return 0;
    case 'I':
        if (files->folders == MOST_FOLDERS)
            argp_error(state, "more than %d folders of headers", MOST_FOLDERS);
        arguments->folder[files->folders++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (files->input != NULL)
            argp_error(state, "more than one file given");
        files->input = argument;
        return 0;
    case ARGP_KEY_END:
        if (files->input == NULL)
            argp_error(state, "no file given");
        if (files->output == NULL)
            argp_error(state, "no -o OUTPUT given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* 1 if both paths name one file, which would lose the student's source. */
static int is_same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"output", 'o', "OUTPUT", 0,
         "Write the C++ source here, and its headers beside it", 0},
        {"include", 'I', "FOLDER", 0, "Look for headers there too", 0},
        {"dependencies", 'd', "FILE", 0,
         "Write the names of the headers there, for make", 0},
        {0},
    };
    static const struct argp argp = {
        options,    parse_option,
        "INPUT.cu", "Turns a CUDA C file into C++ for the CPU device.",
        NULL,       NULL,
        NULL};
    struct arguments arguments = {0};
    char why[1024];

    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    arguments.files.folder = arguments.folder;
    if (is_same_file(arguments.files.input, arguments.files.output)) {
        fprintf(stderr,
                "simt_rewrite: %s: is the input (name another file behind "
                "-o)\n",
                arguments.files.output);
        return 2;
    }
    if (simt_rewrite_files(&arguments.files, why, sizeof why) != 0) {
        base_wrap(stderr, "", why);
        return 2;
    }
    return 0;
}
