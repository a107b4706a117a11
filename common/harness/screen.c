#define _POSIX_C_SOURCE 200809L
#include "screen.h"

#include "base/wrap.h"
#include "info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WIDTH = 80
};

static FILE *body;
static int colour;

int lab_screen_open(int quiet)
{
    const char *no_color = getenv("NO_COLOR");

    colour = isatty(STDOUT_FILENO) && (no_color == NULL || !no_color[0]);
    body = quiet ? fopen("/dev/null", "we") : stdout;
    /* A crash of the lab must not swallow the lines before it. */
    return body != NULL && setvbuf(stdout, NULL, _IOLBF, BUFSIZ) == 0 ? 0 : -1;
}

int lab_screen_close(void)
{
    if (body != NULL && body != stdout)
        fclose(body);
    body = NULL;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}

FILE *lab_screen(void)
{
    return body;
}

const char *lab_screen_word(enum lab_verdict verdict)
{
    static const char *const painted[] = {
        "\033[32mPASS\033[0m", "\033[31mFAIL\033[0m",
        "\033[33mUNFINISHED\033[0m", "\033[36mSKIPPED\033[0m"};

    return colour ? painted[verdict] : lab_verdict_word(verdict);
}

void lab_screen_wrong(const struct lab_outcome *outcome)
{
    const struct lab_diff *d = &outcome->diff;

    if (outcome->wrong[0] != '\0') {
        output_wrap(body, "      ", outcome->wrong);
        return;
    }
    if (outcome->nothing_written && lab_info.open.count > 0) {
        fprintf(body, "      Nothing was written to C yet.\n");
        return;
    }
    if (d->exact) {
        fprintf(body, "      %lld of %lld elements of C are wrong", d->bad,
                d->compared);
    } else {
        fprintf(body, "      at least %lld elements of C are wrong", d->bad);
    }
    if (d->nan > 0)
        fprintf(body, ", %lld of them NaN", d->nan);
    fprintf(body, "; the first:\n      %7s %7s  %13s %13s  %s\n", "row", "col",
            "expected", "got", "allowed error");
    for (int i = 0; i < d->shown; i++) {
        const struct lab_wrong *w = &d->first[i];

        fprintf(body, "      %7d %7d  %13.6g %13.6g  %.1e\n", w->row, w->col,
                w->want, (double)w->got, w->tolerance);
    }
    output_wrap(body, "      ", outcome->diagnosis);
}

void lab_screen_todos(const char *source, const struct course_todos *open)
{
    char line[WIDTH + 1];
    char next[600];

    fprintf(body, "\nLeft to do in your file:\n");
    for (int i = 0; i < open->count; i++) {
        const struct course_todo *todo = &open->todo[i];
        const int length =
            snprintf(line, sizeof line, "  %s:%d: TODO %d.%d %s", source,
                     todo->line, todo->lab, todo->number, todo->text);

        fprintf(body, "%.*s%s\n", length > WIDTH ? WIDTH - 3 : WIDTH, line,
                length > WIDTH ? "..." : "");
    }
    snprintf(next, sizeof next, "Next is TODO %d.%d: %s", open->todo[0].lab,
             open->todo[0].number, open->todo[0].text);
    output_wrap(body, "", next);
}
