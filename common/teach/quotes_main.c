/*
 * quotes: checks what Markdown files quote of runs and files.
 *
 *   quotes [--jobs N] FILE.md...
 *
 * Runs where the course's Makefile is. A text quotes in fenced blocks that
 * begin with ```console, and a comment above a block may say more of it;
 * README.md beside this file has the rules for those who write. The numbers
 * that it quotes are numbers.awk's matter. Exit codes: 0 all holds, 1 something
 * does not, 2 a wrong call or a file that cannot be read.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "teach/quote_match.h"

enum {
    FAILED = 1,
    WRONG = 2,
    JOBS = 16,
    WHY = 500
};

/* A command, which is run once however often it is quoted. */
struct run {
    char *command; /* for the shell */
    char *said;    /* stdout and stderr; NULL until it was run */
};

/* All texts are gone through twice: the commands are run in between. */
struct checker {
    int is_comparing; /* the second time */
    struct run *run;
    size_t count;
    const char *path; /* of the text at hand */
    int runs, files, skipped, bad;
};

/* A fenced block. */
struct block {
    const char *comment; /* "of PROGRAM", "from PATH", "not run: REASON", "" */
    const char *text;    /* the lines between the fences */
    int line;            /* where its text begins, from 1 */
};

static void complain(struct checker *c, int line, const char *why)
{
    if (!c->is_comparing)
        return;
    fprintf(stderr, "%s:%d: %s\n", c->path, line, why);
    c->bad++;
}

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* --- commands ------------------------------------------------------------- */

/* As from a shell of 80 columns, without what the make that runs this set, and
   without a line about building. The handouts are about the CPU device; one
   timed run is as good as five. */
static const char environment[] =
    "env -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES MAKEFLAGS=s DEVICE=cpu "
    "REPEAT=1 COLUMNS=80 ";

/* The command as the shell gets it, for free(): with OF=PROGRAM for make if the
   block's comment says so. NULL with a sentence in why if it is none that may
   be run. */
static char *shell_command(const char *typed, const char *comment,
                           char why[WHY])
{
    const int is_make = starts(typed, "make ");
    char *command;

    if ((!is_make && !starts(typed, "build/") && !starts(typed, "cat ")) ||
        strpbrk(typed, ";&|<>`$()") != NULL) {
        snprintf(why, WHY,
                 "'%s' is no make, build/... or cat, so it is not run", typed);
        return NULL;
    }
    if (is_make && starts(comment, "of ")) {
        command = base_text("%s%s OF=%s 2>&1", environment, typed, comment + 3);
    } else {
        command = base_text("%s%s 2>&1", environment, typed);
    }
    if (command == NULL)
        snprintf(why, WHY, "no memory is left");
    return command;
}

/* The run of a command, which it takes over; NULL without memory. */
static struct run *run_of(struct checker *c, char *command)
{
    struct run *run;

    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->run[i].command, command) == 0) {
            free(command);
            return &c->run[i];
        }
    }
    run = base_list_add(&c->run, &c->count, sizeof *run);
    if (run == NULL) {
        free(command);
    } else {
        run->command = command;
    }
    return run;
}

/* Runs all, `jobs` at once. Returns 0, or -1 with errno. */
static int run_all(struct checker *c, size_t jobs)
{
    struct base_child child[JOBS];
    size_t started = 0;

    for (size_t i = 0; i < c->count; i++) {
        for (; started < c->count && started < i + jobs; started++) {
            const char *const argv[] = {"sh", "-c", c->run[started].command,
                                        NULL};

            if (base_child_start(&child[started % JOBS], argv,
                                 BASE_CHILD_HEARD) != 0)
                return -1;
        }
        base_child_wait(&child[i % JOBS], 0.0, &c->run[i].said);
        if (c->run[i].said == NULL)
            return -1;
    }
    return 0;
}

/* Checks a command that is quoted with what follows it. */
static void check_command(struct checker *c, int line, const char *comment,
                          const char *typed, const char *expected)
{
    char why[WHY] = "no memory is left";
    char *const command = shell_command(typed, comment, why);
    const struct run *const run = command != NULL ? run_of(c, command) : NULL;

    if (run == NULL) {
        complain(c, line, why);
    } else if (run->said != NULL) {
        c->runs++;
        if (quote_match(expected, run->said, 1, why, sizeof why) != 0)
            complain(c, line, why);
    }
}

/* --- blocks --------------------------------------------------------------- */

/* Goes through the commands of a console block. */
static void check_console(struct checker *c, const struct block *b)
{
    int line = b->line;

    if (*b->text == '\0')
        complain(c, line, "this console block is empty");
    for (const char *at = b->text, *next; *at != '\0'; at = next) {
        const char *const expected = next_line(at);
        char *typed, *text;

        if (!starts(at, "$ ")) {
            complain(c, line, "a console block begins with $ and a command");
            return;
        }
        for (next = expected; *next != '\0' && !starts(next, "$ ");)
            next = next_line(next);
        typed = strndup(at + 2, strcspn(at + 2, "\n"));
        text = strndup(expected, (size_t)(next - expected));
        if (typed == NULL || text == NULL) {
            complain(c, line, "no memory is left");
        } else {
            check_command(c, line, b->comment, typed, text);
        }
        free(typed);
        free(text);
        for (; at < next; at++)
            line += *at == '\n';
    }
}

static void check_block(struct checker *c, const struct block *b,
                        int is_console)
{
    char why[WHY], *text;

    if (starts(b->comment, "not run: ")) {
        c->skipped += c->is_comparing;
    } else if (!starts(b->comment, "from ")) {
        if (is_console)
            check_console(c, b);
    } else if (c->is_comparing) {
        text = base_read_file(b->comment + strlen("from "), why, sizeof why);
        c->files++;
        if (text == NULL || quote_match(b->text, text, 0, why, sizeof why) != 0)
            complain(c, b->line, why);
        free(text);
    }
}

/* Copies the comment's words if the line is nothing but one that speaks to us;
   else "". */
static void read_comment(const char *line, char *comment, size_t size)
{
    const size_t length = strcspn(line, "\n");

    *comment = '\0';
    if (length < 9 || length - 9 >= size || !starts(line, "<!-- ") ||
        strncmp(line + length - 4, " -->", 4) != 0)
        return;
    line += 5;
    if (starts(line, "of ") || starts(line, "from ") ||
        starts(line, "not run: "))
        snprintf(comment, size, "%.*s", (int)length - 9, line);
}

/* Goes through a text, which it cuts up. Returns 0, or -1 with "path:line: ..."
   in why. */
static int check_text(struct checker *c, char *text, char why[WHY])
{
    char comment[300] = "", *begin = NULL; /* of the block's text */
    struct block b = {.comment = comment};
    int number = 1, is_console = 0;

    for (char *line = text, *next; *line != '\0'; line = next, number++) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (starts(line, "```") && begin == NULL) {
            is_console = starts(line + 3, "console");
            begin = next;
            b.line = number + 1;
        } else if (starts(line, "```")) {
            *line = '\0';
            b.text = begin;
            check_block(c, &b, is_console);
            *line = '`';
            begin = NULL;
            *comment = '\0';
        } else if (begin == NULL && *comment != '\0') {
            return base_refuse(why, WHY,
                               "%s:%d: no ``` block stands below this comment",
                               c->path, number - 1);
        } else if (begin == NULL) {
            read_comment(line, comment, sizeof comment);
        }
    }
    if (begin != NULL) {
        return base_refuse(why, WHY, "%s:%d: this ``` block is not closed",
                           c->path, b.line - 1);
    }
    return 0;
}

/* Goes through all texts. Returns 0, or -1 after a message. */
static int check_texts(struct checker *c, char **paths)
{
    int bad = 0;

    for (; *paths != NULL; paths++) {
        char why[WHY];
        char *const text = base_read_file(*paths, why, sizeof why);

        c->path = *paths;
        if (text == NULL || check_text(c, text, why) != 0) {
            fprintf(stderr, "quotes: %s\n", why);
            bad = -1;
        }
        free(text);
    }
    return bad;
}

int main(int argc, char **argv)
{
    struct checker c = {.is_comparing = 0};
    char **paths = argv + 1;
    long jobs = 1;
    int code = WRONG;

    if (argc > 2 && strcmp(argv[1], "--jobs") == 0) {
        jobs = strtol(argv[2], NULL, 10);
        paths = argv + 3;
    }
    if (*paths == NULL || jobs < 1) {
        fputs("usage: quotes [--jobs N] FILE.md...\n", stderr);
        return WRONG;
    }
    if (check_texts(&c, paths) == 0) {
        if (run_all(&c, jobs < JOBS ? (size_t)jobs : JOBS) != 0) {
            perror("quotes: a command cannot be run");
            c.bad++;
        }
        c.is_comparing = 1;
        check_texts(&c, paths);
        printf("quotes: %d files, %d runs quoted (%zu commands), %d quotes of "
               "files, not run: %d; wrong: %d\n",
               (int)(argv + argc - paths), c.runs, c.count, c.files, c.skipped,
               c.bad);
        code = c.bad > 0 ? FAILED : 0;
    }
    for (size_t i = 0; i < c.count; i++) {
        free(c.run[i].command);
        free(c.run[i].said);
    }
    free(c.run);
    return code;
}
