/*
 * quotes: checks what Markdown files quote of runs, files and measurements.
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
#include <sys/stat.h>

#include "base/file.h"
#include "base/csv_read.h"
#include "teach/quote.h"
#include "teach/quote_runs.h"

enum {
    FAILED = 1,
    WRONG = 2,
    TABLES = 24
};

/* CSV files that were opened. */
struct tables {
    char name[TABLES][120];
    struct lab_csv csv[TABLES];
    int count;
};

struct document {
    const char *path;
    struct quote_document quotes;
};

struct tally {
    int runs, files, skipped, numbers, bad;
};

/* Counts a lab's solution; the path of what was counted. */
static int count_lab(const char *lab, char *path, size_t size)
{
    char command[600];

    mkdir("build/results", 0777);
    mkdir("build/results/quoted", 0777);
    snprintf(path, size, "build/results/quoted/%s.csv", lab);
    snprintf(command, sizeof command,
             "rm -f %s; build/cpu/solutions/%s-analyse --quiet --counters "
             "--csv %s >/dev/null",
             path, lab, path);
    return system(command); /* NOLINT(cert-env33-c): a name without blanks */
}

/* Reads a CSV file, whose header may stand behind lines with a #. */
static int read_csv(const char *path, struct lab_csv *csv, char *why,
                    size_t size)
{
    char *const text = course_read_file(path, why, size);
    const char *table = text;
    int bad;

    if (text == NULL)
        return -1;
    while (*table == '#') {
        table += strcspn(table, "\n");
        table += *table == '\n';
    }
    bad = lab_csv_parse(path, table, csv, why, size);
    free(text);
    return bad;
}

static const struct lab_csv *open_table(void *context, const char *name,
                                        char *why, size_t size)
{
    static const char *const folder[] = {"plots/data", "tests/hardware"};
    struct tables *const tables = context;
    struct lab_csv *csv;
    char path[200] = "";

    for (int i = 0; i < tables->count; i++) {
        if (strcmp(tables->name[i], name) == 0)
            return &tables->csv[i];
    }
    if (tables->count == TABLES) {
        snprintf(why, size, "more than %d CSV files", (int)TABLES);
        return NULL;
    }
    csv = &tables->csv[tables->count];
    if (strncmp(name, "counted/", 8) == 0) {
        if (count_lab(name + 8, path, sizeof path) != 0) {
            snprintf(why, size, "%s cannot be counted: type make lab-%.2s",
                     name, name + 8);
            return NULL;
        }
    } else {
        for (size_t i = 0; i < 2; i++) {
            struct stat file;

            snprintf(path, sizeof path, "%s/%s", folder[i], name);
            if (stat(path, &file) == 0)
                break;
        }
    }
    if (read_csv(path, csv, why, size) != 0)
        return NULL;
    snprintf(tables->name[tables->count], sizeof tables->name[0], "%s", name);
    tables->count++;
    return csv;
}

static void complain_of_quote(const struct document *d, int line,
                              const char *why, struct tally *tally)
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
            complain_of_quote(
                d, line, "a console block begins with $ and a command", tally);
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
        complain_of_quote(d, line, "this console block is empty", tally);
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
        complain_of_quote(d, line, why, tally);
}

static void compare_block(const struct document *d, const struct quote_block *b,
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
            complain_of_quote(d, line, why, tally);
    }
    free(command);
}

static void compare_with_file(const struct document *d,
                              const struct quote_block *b, struct tally *tally)
{
    char why[400];
    char *const text = course_read_file(b->argument, why, sizeof why);

    tally->files++;
    if (text == NULL || quote_match(b->text, text, 0, why, sizeof why) != 0)
        complain_of_quote(d, b->line, why, tally);
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
        } else if (each == compare_block && b->kind == QUOTE_FROM) {
            compare_with_file(d, b, tally);
        } else if (each == compare_block && b->kind == QUOTE_NOT) {
            tally->skipped++;
        }
    }
}

static int check_documents(struct document *documents, int count, int jobs)
{
    struct tables tables = {.count = 0};
    const struct quote_source source = {open_table, &tables};
    struct quote_runs runs = {.count = 0};
    struct tally tally = {0};

    for (int i = 0; i < count; i++)
        each_block(&documents[i], collect, &runs, &tally);
    if (quote_runs_start(&runs, jobs) != 0) {
        perror("quotes: a command cannot be run");
        tally.bad++;
    }
    for (int i = 0; i < count; i++) {
        each_block(&documents[i], compare_block, &runs, &tally);
        tally.bad += quote_numbers(documents[i].path, documents[i].quotes.prose,
                                   &source, &tally.numbers);
    }
    printf(
        "quotes: %d files, %d runs quoted (%d commands), %d quotes of files, "
        "%d numbers; not run: %d; wrong: %d\n",
        count, tally.runs, runs.count, tally.files, tally.numbers,
        tally.skipped, tally.bad);
    for (int i = 0; i < tables.count; i++)
        lab_csv_free(&tables.csv[i]);
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
        char *const text = course_read_file(argv[first + i], why, sizeof why);

        documents[i].path = argv[first + i];
        if (text == NULL || quote_read(argv[first + i], text,
                                       &documents[i].quotes, why, sizeof why)) {
            fprintf(stderr, "quotes: %s\n", why);
            bad = 1;
        }
        free(text);
    }
    if (documents != NULL && !bad)
        code = check_documents(documents, count, jobs);
    for (int i = 0; documents != NULL && i < count; i++)
        quote_free(&documents[i].quotes);
    free(documents);
    return code;
}
