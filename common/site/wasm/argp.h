/* argp.h: as much of GNU's as base/options.c asks for. */
#ifndef SITE_ARGP_H
#define SITE_ARGP_H

#include <errno.h>
#include <stdio.h>

typedef int error_t;

struct argp_option {
    const char *name;
    int key;
    const char *arg;
    int flags;
    const char *doc;
    int group;
};

struct argp_state {
    char **argv;
    int next;
    void *input;
};

struct argp {
    const struct argp_option *options;
    error_t (*parser)(int key, char *text, struct argp_state *state);
    const char *args_doc, *doc;
};

enum {
    ARGP_KEY_ARG = 0,
    ARGP_KEY_ERROR = 0x1000002,
    ARGP_ERR_UNKNOWN = E2BIG,
    ARGP_NO_ERRS = 0,
    ARGP_NO_EXIT = 0,
    ARGP_NO_HELP = 0,
    ARGP_HELP_USAGE = 0,
    ARGP_HELP_LONG = 0,
    ARGP_HELP_DOC = 0
};

error_t argp_parse(const struct argp *parser, int argc, char **argv, int flags,
                   int *index, void *input);
void argp_help(const struct argp *parser, FILE *to, int flags, char *name);

#endif /* SITE_ARGP_H */
