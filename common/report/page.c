/* In which order does a report tell what was gathered? Its head, summary and
   contents. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "html.h"

#include <string.h>

struct report_sums report_add_up(const struct report *report)
{
    struct report_sums sums = {0};

    report_labs_add_up(report, &sums);
    report_findings_add_up(report, &sums);
    for (int i = 0; i < report->index.labs; i++) {
        if (report_takes_in(report, i))
            sums.questions += (int)report->questions[i].count;
    }
    for (size_t i = 0; i < report->answers.count; i++)
        sums.answered += report->answers.entry[i].text[0] != '\0';
    for (size_t i = 0; i < report->plots.count; i++) {
        const struct plot *const p = &report->plots.plot[i];

        sums.plots += p->path != NULL || p->made_by != NULL;
        sums.drawn += p->path != NULL;
    }
    return sums;
}

static const struct {
    const char *id, *title;
    void (*write)(FILE *to, const struct report *report);
} section[] = {
    {"labs", "Labs", report_labs},
    {"counters", "Counters by lab", report_counters},
    {"plots", "Plots", NULL}, /* report_plots, which can fail */
    {"findings", "What the checks found", report_findings},
    {"questions", "Questions", report_questions},
    {"runs", "Runs at hand", report_runs},
    {"device", "Device card", report_card},
};

enum {
    SECTIONS = sizeof section / sizeof section[0]
};

static void put_head(FILE *to, const struct report *report, const char *style)
{
    /* The policy forbids what the page does not do anyway: to load anything
       from anywhere. */
    html_print(
        to,
        "<!DOCTYPE html>\n"
        "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'; img-src data:\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n"
        "<title>CUDA C labs: report%s%s</title>\n<style>\n",
        report->student[0] != '\0' ? " of " : "", report->student);
    fputs(style, to); /* a file of the course, no text */
    html_print(to, "</style>\n</head>\n<body>\n");
}

static void put_summary(FILE *to, const struct report *report)
{
    const struct report_sums s = report_add_up(report);

    html_print(to,
               "<header>\n<h1>CUDA C labs: report</h1>\n"
               "<p class=\"student\" dir=\"auto\">%s</p>\n"
               "<p class=\"date\">%s</p>\n</header>\n",
               report->student[0] != '\0' ? report->student
                                          : "Name: ____________________",
               report->date);
    html_print(to,
               "<ul class=\"summary\">\n"
               "<li>%d of %d labs are right; %d %s not run.</li>\n",
               s.right, s.labs, s.labs - s.run,
               s.labs - s.run == 1 ? "was" : "were");
    if (s.advanced_run > 0) {
        html_print(to,
                   "<li>Of the advanced track, %d of %d labs are right.</li>\n",
                   s.advanced_right, s.advanced);
    }
    html_print(to, "<li>%d of %d goals are reached.</li>\n", s.reached,
               s.goals);
    html_print(to,
               "<li>The checks found %d mistake%s in the %d lab%s that they "
               "saw.</li>\n"
               "<li>%d of %d questions are answered.</li>\n"
               "<li>%d of %d plots were made.</li>\n</ul>\n",
               s.mistakes, s.mistakes == 1 ? "" : "s", s.checked,
               s.checked == 1 ? "" : "s", s.answered, s.questions, s.drawn,
               s.plots);
}

static void put_contents(FILE *to)
{
    html_print(to, "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
    for (int i = 0; i < SECTIONS; i++) {
        html_print(to, "<li><a href=\"#%s\">%s</a></li>\n", section[i].id,
                   section[i].title);
    }
    html_print(to, "</ol>\n</nav>\n");
}

int report_write(FILE *to, const struct report *report, const char *style,
                 char *why, size_t size)
{
    int result = 0;

    put_head(to, report, style);
    put_summary(to, report);
    put_contents(to);
    html_print(to, "<main>\n");
    for (int i = 0; result == 0 && i < SECTIONS; i++) {
        html_print(to, "<section id=\"%s\">\n<h2>%s</h2>\n", section[i].id,
                   section[i].title);
        if (section[i].write != NULL) {
            section[i].write(to, report);
        } else {
            result = report_plots(to, report, why, size);
        }
        html_print(to, "</section>\n");
    }
    html_print(to, "</main>\n</body>\n</html>\n");
    return result;
}
