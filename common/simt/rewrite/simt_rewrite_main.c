/* simt_rewrite: turns a CUDA C file into one that g++ reads (rewrite.h). */
#define _GNU_SOURCE
#include "rewrite.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LARGEST = 1 << 30 /* bytes that are worth reading */
};

struct paths {
    const char *input, *output;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's form */
static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct paths *paths = state->input;

    switch (key) {
    case 'o':
        paths->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (paths->input != NULL)
            argp_error(state, "more than one file given");
        paths->input = argument;
        return 0;
    case ARGP_KEY_END:
        if (paths->input == NULL)
            argp_error(state, "no file given");
        if (paths->output == NULL)
            argp_error(state, "no -o OUTPUT given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int complain_of_file(const char *path, const char *what)
{
    fprintf(stderr, "simt_rewrite: %s: %s\n", path, what);
    return -1;
}

/* The whole file. *text is for the caller to free. 0, or -1 after a message. */
static int read_source(const char *path, char **text, size_t *length)
{
    FILE *file = fopen(path, "r");
    struct stat about;

    if (file == NULL)
        return complain_of_file(path, strerror(errno));
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
        fclose(file);
        return complain_of_file(path, "not a file");
    }
    if (about.st_size > LARGEST) {
        fclose(file);
        return complain_of_file(path, "too large for a source file");
    }
    *text = malloc((size_t)about.st_size + 1);
    if (*text == NULL) {
        fclose(file);
        return complain_of_file(path, "not enough memory");
    }
    *length = fread(*text, 1, (size_t)about.st_size, file);
    if (ferror(file)) {
        fclose(file);
        return complain_of_file(path, strerror(errno));
    }
    fclose(file);
    return 0;
}

/* 1 if both paths name one file, which would lose the student's source. */
static int is_same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Writes beside the file first, so that nobody ever sees half of it. */
static int replace_file(const char *path, const char *text, size_t length)
{
    char *part = NULL;
    FILE *file;
    int written, status = 0;

    if (asprintf(&part, "%s.part", path) < 0)
        return complain_of_file(path, "not enough memory");
    file = fopen(part, "w");
    if (file == NULL) {
        free(part);
        return complain_of_file(path, strerror(errno));
    }
    written = fwrite(text, 1, length, file) == length && fflush(file) == 0 &&
              fsync(fileno(file)) == 0;
    if (fclose(file) != 0 || !written || rename(part, path) != 0) {
        status = complain_of_file(path, strerror(errno));
        remove(part);
    }
    free(part);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"output", 'o', "OUTPUT", 0, "Write the C++ source here", 0},
        {0},
    };
    static const struct argp argp = {
        options,    parse_option,
        "INPUT.cu", "Turns a CUDA C file into C++ for the CPU device.",
        NULL,       NULL,
        NULL};
    struct paths paths = {NULL, NULL};
    char *text = NULL, *output = NULL;
    size_t length = 0, output_length = 0;
    char why[512];
    int status = 2;

    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &paths);
    if (is_same_file(paths.input, paths.output)) {
        complain_of_file(paths.output,
                         "is the input (name another file behind -o)");
    } else if (read_source(paths.input, &text, &length) == 0) {
        if (simt_rewrite(text, length, paths.input, &output, &output_length,
                         why, sizeof why) != 0) {
            fprintf(stderr, "%s\n", why);
        } else if (replace_file(paths.output, output, output_length) == 0) {
            status = 0;
        }
    }
    free(text);
    free(output);
    return status;
}
