#define _POSIX_C_SOURCE 200809L
#include "screen.h"

#include "base/language.h"
#include "base/wrap.h"
#include "info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *body, *summary;
static char *held, *held_summary; /* in brief: what is not shown yet */
static size_t held_size, summary_size;
static int colour;

int lab_screen_open(int quiet, int brief)
{
    static char buffer[BUFSIZ]; /* the heap may be spoiled when it is needed */
    const char *no_color = getenv("NO_COLOR");

    colour = (isatty(STDOUT_FILENO) || getenv("LAB_COLOUR") != NULL) &&
             (no_color == NULL || !no_color[0]);
    body = quiet   ? fopen("/dev/null", "we")
           : brief ? open_memstream(&held, &held_size)
                   : stdout;
    summary =
        brief && !quiet ? open_memstream(&held_summary, &summary_size) : body;
    /* A crash of the lab must not swallow the lines before it. */
    return body != NULL && summary != NULL &&
                   setvbuf(stdout, buffer, _IOLBF, sizeof buffer) == 0
               ? 0
               : -1;
}

/* Ends a stream that holds its text; shown or not. */
static void end_held(FILE **stream, char **text, int show)
{
    if (*text == NULL && *stream == stdout)
        return;
    fclose(*stream);
    *stream = stdout;
    if (show && *text != NULL)
        fputs(*text, stdout);
    free(*text);
    *text = NULL;
}

static int is_brief(void)
{
    return summary != body;
}

void lab_screen_show_all(void)
{
    if (!is_brief())
        return;
    end_held(&body, &held, 1);
    end_held(&summary, &held_summary, 1);
}

void lab_screen_show_summary(enum lab_verdict verdict, const char *reason)
{
    if (!is_brief())
        return;
    end_held(&body, &held, 0);
    if (reason != NULL)
        lab_screen_verdict(verdict, reason);
    end_held(&summary, &held_summary, 1);
}

void lab_screen_drop(void)
{
    if (!is_brief())
        return;
    end_held(&body, &held, 0);
    end_held(&summary, &held_summary, 0);
}

FILE *lab_screen_summary(void)
{
    return summary;
}

int lab_screen_close(void)
{
    lab_screen_show_all();
    if (body != NULL && body != stdout)
        fclose(body);
    body = summary = NULL;
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

int lab_screen_decimals(double value)
{
    return value >= 100.0  ? 0
           : value >= 10.0 ? 1
           : value >= 1.0  ? 2
           : value >= 0.1  ? 3
                           : 4;
}

void lab_screen_verdict(enum lab_verdict verdict, const char *reason)
{
    const char *word = lab_verdict_word(verdict);
    char text[4000];

    snprintf(text, sizeof text, "%s  %s", word, reason);
    if (!colour) {
        base_wrap(body, "", text);
        return;
    }
    fputs(verdict == LAB_PASS ? "\033[1;32m" : "\033[1;31m", body);
    base_wrap(body, "", text);
    fputs("\033[0m", body);
}

void lab_screen_wrong(const struct lab_outcome *outcome)
{
    const struct lab_diff *d = &outcome->diff;
    const struct lab_array *const C = &lab_info.problem->array[LAB_C];
    const char *const name = C->name;
    const int is_vector = C->rows == 0;

    if (outcome->wrong[0] != '\0') {
        base_wrap(body, "      ", outcome->wrong);
        return;
    }
    if (outcome->nothing_written && lab_info.open.count > 0) {
        fprintf(body, _("      Nothing was written to %s yet.\n"), name);
        return;
    }
    if (d->exact) {
        fprintf(body, _("      %lld of %lld elements of %s are wrong"), d->bad,
                d->compared, name);
    } else {
        fprintf(body, _("      at least %lld elements of %s are wrong"), d->bad,
                name);
    }
    if (d->nan > 0)
        fprintf(body, _(", %lld of them NaN"), d->nan);
    fprintf(body, "%s\n      ", _("; the first:"));
    base_cell(body, 7, is_vector ? "" : _("row"));
    base_cell(body, 8, is_vector ? _("element") : _("col"));
    base_cell(body, 15, _("expected"));
    base_cell(body, 14, _("got"));
    fprintf(body, "  %s\n", _("allowed error"));
    for (int i = 0; i < d->shown; i++) {
        const struct lab_wrong *w = &d->first[i];

        fputs("      ", body);
        if (is_vector) {
            fprintf(body, "%7s ", "");
        } else {
            fprintf(body, "%7d ", w->row);
        }
        fprintf(body, "%7d  %13.6g %13.6g  %.1e\n", w->col, w->want,
                (double)w->got, w->tolerance);
    }
    if (outcome->diagnosis[0] != '\0')
        base_wrap(body, "      ", outcome->diagnosis);
}

void lab_screen_next(void)
{
    const struct course_todos *open = &lab_info.open;
    const struct course_todo *next =
        course_todos_next(open, open->count + lab_info.written);
    char text[1500];
    const int length =
        snprintf(text, 1300, _("Next is TODO %d.%d: %s"), next->lab,
                 next->number, base_say_of("tasks", next->text));

    if (next != open->todo && length < 1300) {
        snprintf(text + length, sizeof text - (size_t)length,
                 _("\nTODO %d.%d (line %d) is open too."), open->todo->lab,
                 open->todo->number, open->todo->line);
    }
    base_wrap(body, "", text);
}

void lab_screen_todos(void)
{
    const struct course_todos *open = &lab_info.open;
    char line[1200];

    fprintf(body, _("\nLeft to do in your file:\n"));
    for (size_t i = 0; i < open->count; i++) {
        const struct course_todo *todo = &open->todo[i];
        size_t length;

        snprintf(line, sizeof line, "  %s:%d: TODO %d.%d %s", lab_info.source,
                 todo->line, todo->lab, todo->number,
                 base_say_of("tasks", todo->text));

        length = base_cut(line, BASE_WIDTH);
        if (line[length] == '\0') {
            fprintf(body, "%s\n", line);
        } else {
            fprintf(body, "%.*s...\n", (int)base_cut(line, BASE_WIDTH - 3),
                    line);
        }
    }
    lab_screen_next();
}
