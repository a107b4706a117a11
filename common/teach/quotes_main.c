/*
 * quotes: checks what Markdown files quote of runs and files.
 *
 *   quotes [--jobs N] FILE.md...
 *
 * Runs where the course's Makefile is. Exit codes: 0 all holds, 1 something
 * does not, 2 a wrong call or a file that cannot be read.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "teach/quote.h"
#include "teach/quote_runs.h"

enum {
    FAILED = 1,
    WRONG = 2
};

struct document {
    const char *path;
    struct quote_document quotes;
};

struct tally {
    int runs, files, skipped, bad;
};

static void complain(const struct document *d, int line, const char *why,
                     struct tally *tally)
{
    fprintf(stderr, "%s:%d: %s\n", d->path, line, why);
    tally->bad++;
}

/* Calls `each` for every command of a block with what follows it. */
typedef void on_command(const struct document *d, const struct quote_block *b,
                        int line, char *typed, const char *expected,
                        struct quote_runs *runs, struct tally *tally);

static void each_command(const struct document *d, const struct quote_block *b,
                         on_command *each, struct quote_runs *runs,
                         struct tally *tally)
{
    char *const text = strdup(b->text);
    int line = b->line, commands = 0;

    for (char *at = text; at != NULL && *at != '\0';) {
        char *expected = strchr(at, '\n'), *next;

        if (expected == NULL)
            break;
        *expected++ = '\0';
        next = strncmp(expected, "$ ", 2) == 0 ? expected
                                               : strstr(expected, "\n$ ");
        if (next != NULL && next != expected)
            *next++ = '\0';
        if (strncmp(at, "$ ", 2) != 0) {
            complain(d, line, "a console block begins with $ and a command",
                     tally);
            break;
        }
        if (next == expected) {
            each(d, b, line, at + 2, "", runs, tally);
        } else {
            each(d, b, line, at + 2, expected, runs, tally);
        }
        commands++;
        line++;
        for (const char *c = expected; c != next && *c != '\0'; c++)
            line += *c == '\n';
        line += next != NULL && next != expected;
        at = next;
    }
    if (commands == 0 && (text == NULL || text[0] == '\0'))
        complain(d, line, "this console block is empty", tally);
    free(text);
}

static void collect(const struct document *d, const struct quote_block *b,
                    int line, char *typed, const char *expected,
                    struct quote_runs *runs, struct tally *tally)
{
    char why[300];
    char *const command = quote_command(typed, b, why, sizeof why);

    (void)expected;
    if (command == NULL || quote_runs_add(runs, command) != 0)
        complain(d, line, why, tally);
}

static void compare(const struct document *d, const struct quote_block *b,
                    int line, char *typed, const char *expected,
                    struct quote_runs *runs, struct tally *tally)
{
    char why[400];
    char *const command = quote_command(typed, b, why, sizeof why);
    const char *const said =
        command == NULL ? NULL : quote_runs_said(runs, command);

    if (said != NULL) {
        tally->runs++;
        if (quote_match(expected, said, 1, why, sizeof why) != 0)
            complain(d, line, why, tally);
    }
    free(command);
}

static void compare_with_file(const struct document *d,
                              const struct quote_block *b, struct tally *tally)
{
    char why[400];
    char *const text = base_read_file(b->argument, why, sizeof why);

    tally->files++;
    if (text == NULL || quote_match(b->text, text, 0, why, sizeof why) != 0)
        complain(d, b->line, why, tally);
    free(text);
}

static int is_console(const struct quote_block *b)
{
    return strncmp(b->language, "console", 7) == 0;
}

static void each_block(const struct document *d, on_command *each,
                       struct quote_runs *runs, struct tally *tally)
{
    for (int i = 0; i < d->quotes.blocks; i++) {
        const struct quote_block *const b = &d->quotes.block[i];

        if (b->kind == QUOTE_RUN && is_console(b)) {
            each_command(d, b, each, runs, tally);
        } else if (each == compare && b->kind == QUOTE_FROM) {
            compare_with_file(d, b, tally);
        } else if (each == compare && b->kind == QUOTE_NOT) {
            tally->skipped++;
        }
    }
}

static int check(struct document *documents, int count, int jobs)
{
    struct quote_runs runs = {.count = 0};
    struct tally tally = {0};

    for (int i = 0; i < count; i++)
        each_block(&documents[i], collect, &runs, &tally);
    if (quote_runs_start(&runs, jobs) != 0) {
        perror("quotes: a command cannot be run");
        tally.bad++;
    }
    for (int i = 0; i < count; i++)
        each_block(&documents[i], compare, &runs, &tally);
    printf(
        "quotes: %d files, %d runs quoted (%d commands), %d quotes of files, "
        "not run: %d; wrong: %d\n",
        count, tally.runs, runs.count, tally.files, tally.skipped, tally.bad);
    quote_runs_free(&runs);
    return tally.bad > 0 ? FAILED : 0;
}

int main(int argc, char **argv)
{
    struct document *documents;
    int first = 1, jobs = 1, count, code = WRONG, bad = 0;

    if (argc > 2 && strcmp(argv[1], "--jobs") == 0) {
        jobs = (int)strtol(argv[2], NULL, 10);
        first = 3;
    }
    count = argc - first;
    if (count < 1 || jobs < 1) {
        fputs("usage: quotes [--jobs N] FILE.md...\n", stderr);
        return WRONG;
    }
    documents = calloc((size_t)count, sizeof documents[0]);
    for (int i = 0; documents != NULL && i < count; i++) {
        char why[400];
        char *const text = base_read_file(argv[first + i], why, sizeof why);

        documents[i].path = argv[first + i];
        if (text == NULL || quote_read(argv[first + i], text,
                                       &documents[i].quotes, why, sizeof why)) {
            fprintf(stderr, "quotes: %s\n", why);
            bad = 1;
        }
        free(text);
    }
    if (documents != NULL && !bad)
        code = check(documents, count, jobs);
    for (int i = 0; documents != NULL && i < count; i++)
        quote_free(&documents[i].quotes);
    free(documents);
    return code;
}
