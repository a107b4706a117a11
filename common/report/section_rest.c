/* The plots, what the checks found, and the questions. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "harness/rows.h"
#include "html.h"

#include <stdlib.h>
#include <string.h>

/* --- plots ---------------------------------------------------------------- */

/* Of all SVGs. Base64 makes them a third longer, and what is left of 2 MB is
   more than the text needs. */
enum {
    MOST_BYTES = 1300000
};

/* Names the labs whose source is newer than a plot of the student's: of a plot
   of one lab, that with its number. */
static void put_age(FILE *to, const struct report *report, const struct plot *p)
{
    const char *const base = strrchr(p->path, '/') + 1;
    int newer = 0;

    for (int i = 0; i < report->index.labs && !p->of_course; i++) {
        const char *const lab = report->index.lab[i].name;
        char number[8];

        snprintf(number, sizeof number, "_%.2s", lab);
        if (p->of_labs == NULL ||
            (strchr(p->name, '*') != NULL && strstr(base, number) == NULL) ||
            !lab_changed_since(report->labs, lab, p->path))
            continue;
        html_print(to,
                   newer++ ? ", %s"
                           : " <strong class=\"fail\">Drawn before "
                             "the last change of %s",
                   lab);
    }
    if (newer)
        html_print(to, ".</strong>");
}

static int put_plot(FILE *to, const struct report *report, const struct plot *p,
                    char *why, size_t size)
{
    const char *const base = strrchr(p->path, '/') + 1;

    html_print(
        to,
        "<figure class=\"%s\">\n<img alt=\"%s\" src=\"data:image/svg+xml;base64,",
        strchr(p->name, '*') != NULL ? "one" : "all", p->shows);
    if (html_base64(to, p->path, why, size) != 0)
        return -1;
    html_print(to, "\"/>\n<figcaption><strong>%s</strong> %s", base,
               p->caption[0] != '\0' ? p->caption
                                     : "No caption is known for this plot.");
    if (p->made_by != NULL) {
        html_print(to, " <span class=\"by\">(<code>%s</code>)</span>",
                   p->made_by);
    }
    put_age(to, report, p);
    html_print(to, "</figcaption>\n</figure>\n");
    return 0;
}

/* The student's plots, or those of the course, while there is room. Returns how
   many were left out, or -1 with why. */
static int put_plots(FILE *to, const struct report *report, int of_course,
                     size_t *room, char *why, size_t size)
{
    int shown = 0, left_out = 0;

    for (size_t i = 0; i < report->plots.count; i++) {
        const struct plot *const p = &report->plots.plot[i];

        if (p->path == NULL || p->of_course != of_course)
            continue;
        if (p->bytes > *room) {
            left_out++;
            continue;
        }
        *room -= p->bytes;
        if (shown++ == 0) {
            html_print(to, "<h3>%s</h3>\n",
                       of_course ? "The course's: its solutions, or times "
                                   "recorded on the GPU that is named"
                                 : "From your runs");
        }
        if (put_plot(to, report, p, why, size) != 0)
            return -1;
    }
    return left_out;
}

int report_plots(FILE *to, const struct report *report, char *why, size_t size)
{
    size_t room = MOST_BYTES;
    const int own = put_plots(to, report, 0, &room, why, size);
    const int others =
        own < 0 ? -1 : put_plots(to, report, 1, &room, why, size);
    int missing = 0;

    if (others < 0)
        return -1;
    if (own + others > 0) {
        html_print(
            to,
            "<p class=\"missing\">Not shown, since the page would be larger "
            "than 2 MB: %d of the plots in <code>build/plots</code>."
            "</p>\n",
            own + others);
    }
    for (size_t i = 0; i < report->plots.count; i++) {
        const struct plot *const p = &report->plots.plot[i];
        char name[64];

        if (p->path != NULL || p->made_by == NULL)
            continue;
        if (!missing++) {
            html_table(to, "missing", "Plots that were not made",
                       "Plot|What makes it");
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p->name, "*"),
                 p->name);
        html_print(to,
                   "<tr><th scope=\"row\">%s</th><td>not run: "
                   "<code>%s</code></td></tr>\n",
                   name, p->made_by);
    }
    if (missing)
        html_table_end(to);
    return 0;
}

/* --- findings ------------------------------------------------------------- */

/* Is this check's answer bad news? "nothing" is none: there was nothing of the
   kind to look at. */
static int is_bad(const char *answer)
{
    return strcmp(answer, "found") == 0 || strcmp(answer, "blind") == 0;
}

void report_findings_add_up(const struct report *report,
                            struct report_sums *sums)
{
    for (size_t i = 0; i < report->files; i++) {
        const struct base_csv *const csv = &report->file[i].csv;

        if (report->file[i].kind != REPORT_CHECKS)
            continue;
        sums->checked++;
        for (size_t row = 0; row < csv->rows; row++)
            sums->mistakes += base_csv_is(csv, row, "record", "finding");
    }
}

/* One lab's checks: the bad ones and the findings in full; the good ones in a
   list. */
static void put_checks(FILE *to, const struct base_csv *csv)
{
    html_print(to, "<ul class=\"checks\">\n");
    for (size_t i = 0; i < csv->rows; i++) {
        const char *const answer = base_csv_text(csv, i, "answer");

        if (base_csv_is(csv, i, "record", "check")) {
            html_print(to, "<li class=\"%s\">%s</li>\n",
                       is_bad(answer) ? "fail" : answer,
                       base_csv_text(csv, i, "text"));
        }
    }
    html_print(to, "</ul>\n");
    for (size_t i = 0; i < csv->rows; i++) {
        if (base_csv_is(csv, i, "record", "finding")) {
            html_print(to, "<pre class=\"finding\">%s</pre>\n",
                       base_csv_text(csv, i, "text"));
        }
    }
}

void report_findings(FILE *to, const struct report *report)
{
    int missing = 0;

    html_print(to, "<p>What the CPU device's checks saw while it counted each "
                   "lab: how many accesses, and which mistakes in them.</p>\n");
    for (int i = 0; i < report->index.labs; i++) {
        const struct course_lab *const lab = &report->index.lab[i];
        const struct report_file *const f =
            report_find(report, REPORT_CHECKS, lab->name);
        const struct report_file *const runs =
            report_find(report, REPORT_LAB, lab->name);

        if (f == NULL)
            continue;
        html_print(to, "<h3>%s (%s)</h3>\n", lab->name,
                   runs != NULL ? lab_judge(&runs->csv, lab->name).verdict
                                : "not run");
        put_checks(to, &f->csv);
    }
    for (int i = 0; i < report->index.labs; i++) {
        const struct course_lab *const lab = &report->index.lab[i];

        /* A lab without a kernel has nothing to check. */
        if (!report_takes_in(report, i) || lab->entry[0].kind == COURSE_HOST ||
            report_find(report, REPORT_CHECKS, lab->name) != NULL)
            continue;
        if (!missing++) {
            html_print(to, "<p class=\"missing\">Not checked: %s", lab->name);
        } else {
            html_print(to, ", %s", lab->name);
        }
    }
    if (missing) {
        html_print(to, ". <code>make lab-NN</code> checks a lab once its TODOs "
                       "are done.</p>\n");
    }
}

/* --- questions ------------------------------------------------------------ */

static void put_question(FILE *to, const struct report *report,
                         const struct course_keyed_entry *q)
{
    const struct course_keyed_entry *const answer =
        course_keyed_find(&report->answers, q->lab, q->number);
    char key[16];

    snprintf(key, sizeof key, "%02d.%d", q->lab, q->number);
    html_print(to, "<div class=\"question\">\n<p><strong>%s</strong> %s</p>\n",
               key, q->text);
    if (answer != NULL && answer->text[0] != '\0') {
        html_print(to, "<div class=\"answer\" dir=\"auto\">%s</div>\n",
                   answer->text);
    } else {
        html_print(to, "<div class=\"answer empty\">No answer yet.</div>\n");
    }
    html_print(to, "</div>\n");
}

void report_questions(FILE *to, const struct report *report)
{
    for (int i = 0; i < report->index.labs; i++) {
        const struct course_lab *const lab = &report->index.lab[i];

        if (report->questions[i].count == 0 || !report_takes_in(report, i))
            continue;
        html_print(to, "<h3>%s: %s</h3>\n", lab->name, lab->title);
        for (size_t k = 0; k < report->questions[i].count; k++)
            put_question(to, report, &report->questions[i].entry[k]);
    }
}
