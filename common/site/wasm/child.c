/* A program that another one runs: whoever runs this one has it, and its files.
   It runs when it is waited for, or beside this one, as wasi.mjs is told. */
#include "base/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keeps a program and its environment, lines of text. Returns its number. */
__attribute__((import_module("course"), import_name("begin"))) int
site_begin(const char *words, const char *environment, int heard);
/* Waits for its end. Returns its exit code. */
__attribute__((import_module("course"), import_name("end"))) int
site_end(int number);
/* How many bytes it has said; they are copied to a place that is not NULL. */
__attribute__((import_module("course"), import_name("said"))) size_t
site_said(int number, char *to);

/* The texts as lines of one; NULL without memory. */
static char *in_lines(const char *const *texts)
{
    size_t size = 1;
    char *lines;

    for (size_t i = 0; texts[i] != NULL; i++)
        size += strlen(texts[i]) + 1;
    lines = calloc(size, 1);
    for (size_t i = 0; lines != NULL && texts[i] != NULL; i++) {
        strcat(lines, texts[i]);
        strcat(lines, "\n");
    }
    return lines;
}

int base_child_start(struct base_child *child, const char *const *argv,
                     int options)
{
    char *const words = in_lines(argv);
    char *const environment = in_lines((const char *const *)environ);

    *child = (struct base_child){.process = -1, .said = -1};
    if (words != NULL && environment != NULL) {
        child->process =
            site_begin(words, environment, options & BASE_CHILD_HEARD);
    }
    free(words);
    free(environment);
    return child->process < 0 ? -1 : 0;
}

struct base_child_end base_child_wait(struct base_child *child, double seconds,
                                      char **said)
{
    struct base_child_end end = {BASE_CHILD_ENDED, site_end(child->process)};
    char *const text =
        said != NULL ? calloc(site_said(child->process, NULL) + 1, 1) : NULL;

    (void)seconds;
    if (text != NULL)
        site_said(child->process, text);
    if (said != NULL)
        *said = text;
    return end;
}

void base_child_stop(struct base_child *child)
{
    (void)child;
}
