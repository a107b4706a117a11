/*
 * report: makes a student's report, one HTML file that needs no other.
 *
 *   report --student NAME [OPTION...] -o FILE.html
 *
 * Exit codes: 0, or 2 with a line on stderr; the file is as it was then.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "html.h"
#include "base/replace_file.h"
#include "base/version.h"
#include "report.h"

enum {
    WRONG = 2
};

enum {
    KEY_CAPTIONS = 256,
    KEY_PLOTS,
    KEY_STYLE,
    KEY_DATE
};

struct call {
    struct report_paths paths;
    const char *student, *date, *style, *out;
};

static const struct argp_option known[] = {
    {"student", 's', "NAME", 0, "Whose report it is, in UTF-8", 0},
    {"answers", 'a', "FILE", 0,
     "Answers to the questions (answers.txt, if it is there)", 0},
    {"output", 'o', "FILE", 0, "The report (build/report/report.html)", 0},
    {"index", 'i', "FILE", 0, "The list of the labs (labs/INDEX)", 0},
    {"labs", 'l', "FOLDER", 0, "The labs with their questions (labs)", 0},
    {"results", 'r', "FOLDER", 0, "CSV files (build/results)", 0},
    {"plots", KEY_PLOTS, "FOLDER", 0, "SVG files (build/plots)", 0},
    {"captions", KEY_CAPTIONS, "FILE", 0, "Their captions (plots/CAPTIONS)", 0},
    {"style", KEY_STYLE, "FILE", 0, "CSS (common/report/report.css)", 0},
    {"date", KEY_DATE, "TEXT", 0, "Instead of today", 0},
    {0, 0, 0, 0, 0, 0}};

static error_t take(int key, char *value, struct argp_state *state)
{
    struct call *const call = state->input;

    switch (key) {
    case 's':
        call->student = value;
        return 0;
    case 'a':
        call->paths.answers = value;
        call->paths.answers_needed = 1;
        return 0;
    case 'o':
        call->out = value;
        return 0;
    case 'i':
        call->paths.index = value;
        return 0;
    case 'l':
        call->paths.labs = value;
        return 0;
    case 'r':
        call->paths.results = value;
        return 0;
    case KEY_PLOTS:
        call->paths.plots = value;
        return 0;
    case KEY_CAPTIONS:
        call->paths.captions = value;
        return 0;
    case KEY_STYLE:
        call->style = value;
        return 0;
    case KEY_DATE:
        call->date = value;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there is nothing to do with '%s'", value);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int is_blank(const char *text)
{
    return text == NULL || text[strspn(text, " \t\n")] == '\0';
}

/* Is the name text? There may be none. Returns 0, or -1 with a line in why. */
static int check_student(const char *student, char *why, size_t size)
{
    if (student != NULL && html_bad_byte(student) >= 0) {
        snprintf(why, size,
                 "the student's name is not UTF-8 text, or holds a control "
                 "character (is the terminal set to UTF-8?)");
        return -1;
    }
    return 0;
}

/* Writes the report from what was gathered. */
static int write_report(const struct call *call, const struct report *report,
                        char *why, size_t size)
{
    char *const style = course_read_file(call->style, why, size);
    struct output_replacement r;
    int result = -1;

    if (style == NULL)
        return -1;
    if (output_replace_begin(&r, call->out, why, size) == 0) {
        result = report_write(r.file, report, style, why, size);
        if (output_replace_end(&r, result == 0, why, size) != 0)
            result = -1;
    }
    free(style);
    return result;
}

static void tell(const struct call *call, const struct report *report)
{
    const struct report_sums s = report_add_up(report);

    if (report->answers_path == NULL) {
        printf("No %s: write it with lines as '03.2: my answer' to answer the "
               "questions\n",
               call->paths.answers);
    }
    if (report->student[0] == '\0') {
        puts(
            "No name stands on it: make report STUDENT=\"First Last\", or the line\n"
            "STUDENT = First Last in config.mk");
    }
    printf("Report: %s: %d of %d labs right, ", call->out, s.right, s.labs);
    if (s.advanced_run > 0) {
        printf("%d of %d of the advanced track, ", s.advanced_right,
               s.advanced);
    }
    printf("%d of %d goals reached, %d of %d questions answered, %d of %d "
           "plots\n",
           s.reached, s.goals, s.answered, s.questions, s.drawn, s.plots);
}

int main(int argc, char **argv)
{
    const struct argp parser = {
        known,
        take,
        NULL,
        "Make a student's report of what is at hand: one HTML file."
        "\vAnswers stand in a UTF-8 text file, each behind the number of its "
        "question at the beginning of a line, as in '03.2: two words'; they go "
        "on until the next number. Exit code: 0, or 2 if something is wrong; "
        "an earlier report is left as it was then.",
        NULL,
        NULL,
        NULL};
    struct call call = {.paths = {.index = "labs/INDEX",
                                  .labs = "labs",
                                  .results = "build/results",
                                  .plots = "build/plots",
                                  .captions = "plots/CAPTIONS",
                                  .answers = "answers.txt"},
                        .style = "common/report/report.css",
                        .out = "build/report/report.html"};
    struct report report;
    char why[512] = "", today[32];
    const time_t now = time(NULL);
    struct tm day;
    int result = -1;

    argp_err_exit_status = WRONG;
    argp_program_version = course_version;
    if (argp_parse(&parser, argc, argv, 0, NULL, &call) != 0)
        return WRONG;
    if (localtime_r(&now, &day) == NULL ||
        strftime(today, sizeof today, "%Y-%m-%d", &day) == 0)
        today[0] = '\0';
    if (check_student(call.student, why, sizeof why) == 0 &&
        report_gather(&call.paths, &report, why, sizeof why) == 0) {
        report.student = is_blank(call.student) ? "" : call.student;
        report.date = call.date != NULL ? call.date : today;
        result = write_report(&call, &report, why, sizeof why);
        if (result == 0)
            tell(&call, &report);
        report_free(&report);
    }
    if (result != 0)
        fprintf(stderr, "report: %s\n", why);
    return result == 0 ? 0 : WRONG;
}
