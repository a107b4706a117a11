/*
 * report: makes a student's report, one HTML file that needs no other.
 *
 *   report --student NAME [OPTION...] -o FILE.html
 *
 * Exit codes: 0, or 2 with a line on stderr; the file is as it was then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/html.h"
#include "html.h"
#include "base/replace_file.h"
#include "base/options.h"
#include "report.h"

enum {
    WRONG = 2
};

struct call {
    struct report_paths paths;
    const char *student, *answers, *date, *style, *out;
};

/* Is the name text? An empty one is as none. */
static int read_student(const char *text, void *to, char *why, size_t size)
{
    if (base_html_bad_byte(text) >= 0) {
        snprintf(why, size,
                 "the student's name is not UTF-8 text, or holds a control "
                 "character (is the terminal set to UTF-8?)");
        return -1;
    }
    *(const char **)to = text;
    return 0;
}

#define AT(field) .at = offsetof(struct call, field)

static const struct base_option known[] = {
    {"student", 's', "NAME", "Whose report it is, in UTF-8", AT(student),
     .read = read_student},
    {"answers", 'a', "FILE",
     "Answers to the questions (answers.txt, if it is there)", AT(answers)},
    {"output", 'o', "FILE", "The report (build/report/report.html)", AT(out)},
    {"index", 'i', "FILE", "The list of the labs (labs/INDEX)",
     AT(paths.index)},
    {"labs", 'l', "FOLDER", "The labs with their questions (labs)",
     AT(paths.labs)},
    {"results", 'r', "FOLDER", "CSV files (build/results)", AT(paths.results)},
    {"plots", 0, "FOLDER", "SVG files (build/plots)", AT(paths.plots)},
    {"captions", 0, "FILE", "Their captions (plots/CAPTIONS)",
     AT(paths.captions)},
    {"style", 0, "FILE", "CSS (common/report/report.css)", AT(style)},
    {"date", 0, "TEXT", "Instead of today", AT(date)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, NULL, 0,
    "Make a student's report of what is at hand: one HTML file."
    "\vAnswers stand in a UTF-8 text file, each behind the number of its "
    "question at the beginning of a line, as in '03.2: two words'; they go "
    "on until the next number. Exit code: 0, or 2 if something is wrong; "
    "an earlier report is left as it was then."};

static int is_blank(const char *text)
{
    return text == NULL || text[strspn(text, " \t\n")] == '\0';
}

/* Writes the report from what was gathered. */
static int write_report(const struct call *call, const struct report *report,
                        char *why, size_t size)
{
    char *const style = base_read_file(call->style, why, size);
    struct base_replacement r;
    int result = -1;

    if (style == NULL)
        return -1;
    if (base_replace_begin(&r, call->out, why, size) == 0) {
        result = report_write(r.file, report, style, why, size);
        if (base_replace_end(&r, result == 0, why, size) != 0)
            result = -1;
    }
    free(style);
    return result;
}

static void tell_where(const struct call *call, const struct report *report)
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
    printf("%d of %d goals reached,\n%d of %d questions answered, %d of %d "
           "plots\n",
           s.reached, s.goals, s.answered, s.questions, s.drawn, s.plots);
}

/* Returns 0, or -1 with a line in why. */
static int make_report(const struct call *call, char *why, size_t size)
{
    struct report report;
    char today[32];
    const time_t now = time(NULL);
    struct tm day;
    int result;

    if (localtime_r(&now, &day) == NULL ||
        strftime(today, sizeof today, "%Y-%m-%d", &day) == 0)
        today[0] = '\0';
    if (report_gather(&call->paths, &report, why, size) != 0)
        return -1;
    report.student = is_blank(call->student) ? "" : call->student;
    report.date = call->date != NULL ? call->date : today;
    result = write_report(call, &report, why, size);
    if (result == 0)
        tell_where(call, &report);
    report_free(&report);
    return result;
}

int main(int argc, char **argv)
{
    struct call call = {.paths = {.index = "labs/INDEX",
                                  .labs = "labs",
                                  .results = "build/results",
                                  .plots = "build/plots",
                                  .captions = "plots/CAPTIONS",
                                  .answers = "answers.txt"},
                        .style = "common/report/report.css",
                        .out = "build/report/report.html"};
    char why[512] = "";
    int result =
        base_options_read(&command, argc, argv, &call, why, sizeof why);

    if (result > 0)
        return fflush(stdout) == 0 ? 0 : WRONG;
    if (call.answers != NULL) {
        call.paths.answers = call.answers;
        call.paths.answers_needed = 1;
    }
    if (result == 0)
        result = make_report(&call, why, sizeof why);
    if (result != 0)
        fprintf(stderr, "report: %s\n", why);
    return result == 0 ? 0 : WRONG;
}
