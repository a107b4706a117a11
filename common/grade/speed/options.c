#define _GNU_SOURCE
#include "options.h"

#include "order.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST = 8192 /* a side of a matrix: 256 MiB */
};

static const struct argp_option known[] = {
    {"out", 'o', "FILE", 0, "Where the speeds go (SUBMISSIONS.speed.csv)", 0},
    {"lab", 'l', "LABS", 0, "Some labs alone, as \"04 06\"", 0},
    {"size", 's', "SIZE", 0, "Size of a run: 2048, or 512x768x1024 (2048)", 0},
    {"runs", 'r', "N", 0, "Timed runs of each kernel (25)", 0},
    {"nvcc", 'n', "PATH", 0, "The compiler", 0},
    {"arch", 'a', "ARCH", 0, "The GPU's architecture, as sm_90", 0},
    {"help", 'h', 0, 0, "Show this", 0},
    {0}};

struct reading {
    struct speed_options *options;
    char *why;
    size_t size;
    int help;
};

/* A whole number of a text's beginning, and what comes behind it; 0: none. */
static int number(const char *text, const char **behind, int most)
{
    char *end;
    const long value =
        isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;

    if (value < 1 || value > most)
        return 0;
    *behind = end;
    return (int)value;
}

static error_t read_size(const struct reading *r, const char *text)
{
    struct course_shape s = {0, 0, 0};
    const char *at = text;

    s.m = number(at, &at, LARGEST);
    if (s.m > 0 && *at == '\0') {
        s.n = s.k = s.m;
    } else if (s.m > 0 && *at == 'x') {
        s.n = number(at + 1, &at, LARGEST);
        if (s.n > 0 && *at == 'x')
            s.k = number(at + 1, &at, LARGEST);
    }
    if (s.k == 0 || *at != '\0') {
        snprintf(r->why, r->size,
                 "--size: '%.40s' is no size: use 2048, or MxNxK as "
                 "512x768x1024, each at most %d",
                 text, LARGEST);
        return EINVAL;
    }
    r->options->shape = s;
    return 0;
}

static error_t read_option(int key, char *text, struct argp_state *state)
{
    struct reading *const r = state->input;
    const char *end = "";

    switch (key) {
    case 'o':
        r->options->out = text;
        return 0;
    case 'l':
        r->options->labs = text;
        return 0;
    case 's':
        return read_size(r, text);
    case 'r':
        r->options->runs = number(text, &end, SPEED_RUNS);
        if (r->options->runs > 0 && *end == '\0')
            return 0;
        snprintf(r->why, r->size,
                 "--runs: '%.40s' is not a whole number from 1 to %d", text,
                 SPEED_RUNS);
        return EINVAL;
    case 'n':
        r->options->nvcc = text;
        return 0;
    case 'a':
        r->options->arch = text;
        return 0;
    case 'h':
        r->help = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (r->options->submissions == NULL) {
            r->options->submissions = text;
            return 0;
        }
        snprintf(r->why, r->size,
                 "there is one folder of submissions, not two: '%.40s' is too "
                 "much",
                 text);
        return EINVAL;
    case ARGP_KEY_ERROR:
        if (r->why[0] == '\0') {
            snprintf(r->why, r->size,
                     "'%.40s': there is no such option, or its value is "
                     "missing (--help lists them)",
                     state->argv[state->next - 1]);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    known,
    read_option,
    "SUBMISSIONS",
    "Times the kernels of a class on this machine's GPU, one after the other, "
    "beside the course's solutions. SUBMISSIONS has a folder for each student, "
    "as make grade takes it."
    "\vA speed is an extra: it is no part of the grades. Who wants to reward it "
    "writes points into manual.csv.\n\n"
    "Exit status: 0 all were tried; 2 the command line, the machine's GPU or "
    "nvcc is not as it must be; 3 measuring itself failed somewhere; 78 there "
    "is no isolation to be had.",
    0,
    0,
    0};

int speed_options_read(struct speed_options *options, int argc, char **argv,
                       char *why, size_t size)
{
    struct reading r = {.options = options, .why = why, .size = size};

    why[0] = '\0';
    *options = (struct speed_options){.shape = {2048, 2048, 2048}, .runs = 25};
    if (argp_parse(&parser, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &r) != 0) {
        if (why[0] == '\0')
            snprintf(why, size, "the options cannot be read (see --help)");
        return -1;
    }
    if (r.help) {
        argp_help(&parser, stdout,
                  ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, argv[0]);
        return 1;
    }
    if (options->submissions == NULL || options->submissions[0] == '\0') {
        snprintf(why, size,
                 "say whose kernels: SUBMISSIONS=folder, with a folder for "
                 "each student");
        return -1;
    }
    if (options->nvcc == NULL || options->nvcc[0] == '\0') {
        snprintf(why, size,
                 "nvcc is not in PATH: speeds are measured where the CUDA "
                 "toolkit and a GPU are");
        return -1;
    }
    if (options->arch == NULL || strncmp(options->arch, "sm_", 3) != 0) {
        snprintf(why, size,
                 "the GPU's architecture is not known (is nvidia-smi there?): "
                 "set ARCH, as ARCH=sm_90");
        return -1;
    }
    return 0;
}

int speed_options_has(const char *labs, const char *lab)
{
    const char *at = labs;

    if (labs == NULL)
        return 1;
    while (*at != '\0') {
        const size_t length = strcspn(at, " ,");

        if ((length == strlen(lab) && strncmp(at, lab, length) == 0) ||
            (length == 2 && strncmp(at, lab, 2) == 0) ||
            (length == 1 && lab[0] == '0' && lab[1] == *at))
            return 1;
        at += length;
        at += strspn(at, " ,");
    }
    return 0;
}
