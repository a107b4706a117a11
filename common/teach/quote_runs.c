#define _POSIX_C_SOURCE 200809L
#include "teach/quote_runs.h"

#include "base/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JOBS = 16
};

/* As from a shell of 80 columns, without what the make that runs this set, and
   without a line about building. The handouts are about the CPU device; one
   timed run is as good as five. */
static const char environment[] =
    "env -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES MAKEFLAGS=s DEVICE=cpu "
    "REPEAT=1 COLUMNS=80 ";

static int may_run(const char *typed)
{
    static const char *const begins[] = {"make ", "build/", "cat "};

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(typed, begins[i], strlen(begins[i])) == 0)
            return strcspn(typed, ";&|<>`$()") == strlen(typed);
    }
    return 0;
}

char *quote_command(const char *typed, const struct quote_block *block,
                    char *why, size_t size)
{
    char *command = NULL;
    size_t length;
    FILE *out;

    if (!may_run(typed)) {
        snprintf(why, size,
                 "'%s' is no make, build/... or cat, so it is not run", typed);
        return NULL;
    }
    out = open_memstream(&command, &length);
    if (out == NULL) {
        snprintf(why, size, "no memory is left");
        return NULL;
    }
    fprintf(out, "%s%s", environment, typed);
    if (strncmp(typed, "make ", 5) == 0 && block->argument[0] != '\0')
        fprintf(out, " OF=%s", block->argument);
    fputs(" 2>&1", out);
    if (fclose(out) != 0) {
        free(command);
        command = NULL;
        snprintf(why, size, "no memory is left");
    }
    return command;
}

int quote_runs_add(struct quote_runs *runs, char *command)
{
    struct quote_run *grown;

    for (int i = 0; i < runs->count; i++) {
        if (strcmp(runs->run[i].command, command) == 0) {
            free(command);
            return 0;
        }
    }
    grown = realloc(runs->run, ((size_t)runs->count + 1) * sizeof *grown);
    if (grown == NULL) {
        free(command);
        return -1;
    }
    runs->run = grown;
    runs->run[runs->count++] = (struct quote_run){command, NULL};
    return 0;
}

int quote_runs_start(struct quote_runs *runs, int jobs)
{
    struct base_child child[JOBS];
    int started = 0;

    jobs = jobs < 1 ? 1 : jobs > JOBS ? JOBS : jobs;
    for (int i = 0; i < runs->count; i++) {
        for (; started < runs->count && started < i + jobs; started++) {
            const char *const argv[] = {"sh", "-c", runs->run[started].command,
                                        NULL};

            if (base_child_start(&child[started % JOBS], argv,
                                 BASE_CHILD_HEARD) != 0)
                return -1;
        }
        base_child_wait(&child[i % JOBS], 0.0, &runs->run[i].said);
        if (runs->run[i].said == NULL)
            return -1;
    }
    return 0;
}

const char *quote_runs_said(const struct quote_runs *runs, const char *command)
{
    for (int i = 0; i < runs->count; i++) {
        if (strcmp(runs->run[i].command, command) == 0)
            return runs->run[i].said;
    }
    return NULL;
}

void quote_runs_free(struct quote_runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        free(runs->run[i].command);
        free(runs->run[i].said);
    }
    free(runs->run);
    *runs = (struct quote_runs){.count = 0};
}
