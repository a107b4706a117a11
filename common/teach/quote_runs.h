/* quote_runs.h: what do the commands say that are quoted? Each is run once. */
#ifndef TEACH_QUOTE_RUNS_H
#define TEACH_QUOTE_RUNS_H

#include <stddef.h>

#include "teach/quote.h"

struct quote_run {
    char *command; /* for the shell */
    char *said;    /* stdout and stderr; NULL until it was run */
};

struct quote_runs {
    struct quote_run *run;
    int count;
};

/*
 * The command as the shell gets it: with OF=PROGRAM for make if the block's
 * comment says "of PROGRAM". The caller frees it; NULL with a sentence in why
 * if it is none that may be run.
 */
char *quote_command(const char *typed, const struct quote_block *block,
                    char *why, size_t size);

/* Adds a command, owned from now on, unless it is there. Returns 0 or -1. */
int quote_runs_add(struct quote_runs *runs, char *command);

/* Runs all, `jobs` at once. Returns 0, or -1 with errno. */
int quote_runs_start(struct quote_runs *runs, int jobs);

/* What the command said; NULL if it is not among them. */
const char *quote_runs_said(const struct quote_runs *runs, const char *command);

void quote_runs_free(struct quote_runs *runs);

#endif /* TEACH_QUOTE_RUNS_H */
