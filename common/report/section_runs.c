/* The device, and the runs at hand. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "base/memory.h"
#include "html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_SHOWN = 100 /* of one file: a report is no place for a sweep's rows */
};

void report_card(FILE *to, const struct report *report)
{
    const struct report_file *const f = report_find(report, REPORT_CARD, NULL);

    if (f == NULL) {
        html_print(to, "<p class=\"missing\">Not run: the device was not "
                       "asked; <code>make report</code> does so.</p>\n");
        return;
    }
    html_print(to, "<p>The device of the machine that made this report. "
                   "The tables of runs name theirs.</p>\n");
    html_table(to, "card", "Device card", "Property|Value");
    for (size_t i = 0; i < f->csv.rows; i++) {
        html_print(to, "<tr><th scope=\"row\">%s</th><td>%s %s</td></tr>\n",
                   base_csv_text(&f->csv, i, "what"),
                   base_csv_text(&f->csv, i, "value"),
                   base_csv_text(&f->csv, i, "unit"));
    }
    html_table_end(to);
}

static void put_number(FILE *to, const struct base_csv *csv, size_t row,
                       const char *column)
{
    const double value = base_csv_number(csv, row, column);
    char text[32] = "";

    if (isfinite(value))
        snprintf(text, sizeof text, "%.3g", value);
    html_number(to, text);
}

static void put_run(FILE *to, const struct base_csv *csv, size_t row)
{
    const char *const m = base_csv_text(csv, row, "m");

    html_print(to, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>",
               base_csv_text(csv, row, "lab"),
               base_csv_text(csv, row, "variant"),
               base_csv_text(csv, row, "device"));
    if (m[0] == '\0') {
        html_print(to, "<td>\xe2\x80\x93</td>");
    } else {
        html_print(to, "<td>%s x %s x %s</td>", m, base_csv_text(csv, row, "n"),
                   base_csv_text(csv, row, "k"));
    }
    html_print(to, "<td>%s</td>", base_csv_text(csv, row, "verdict"));
    put_number(to, csv, row, "max_error");
    put_number(to, csv, row, "tolerance");
    put_number(to, csv, row, "kernel_ms");
    put_number(to, csv, row, "gflops");
    html_print(to, "</tr>\n");
}

/* Names the devices of the files of that kind, or of one; each once. */
static void put_devices(FILE *to, const struct report *report,
                        enum report_kind kind, const struct report_file *only)
{
    const char **named = NULL;
    size_t count = 0;

    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        if (f->kind != kind || (only != NULL && f != only))
            continue;
        for (size_t row = 0; row < f->csv.rows; row++) {
            const char *const name = base_csv_text(&f->csv, row, "device_name");
            const char **added;
            size_t k = 0;

            while (k < count && strcmp(named[k], name) != 0)
                k++;
            if (k < count)
                continue;
            html_print(to, "%s%s", count > 0 ? "; " : "", name);
            added = base_list_add(&named, &count, sizeof *named);
            if (added != NULL)
                *added = name;
        }
    }
    free((void *)named);
}

/* Was it right, at a size that was only checked? A lab has several such rows,
   which the report counts and does not show. */
static int is_quiet(const struct report_file *f, size_t row)
{
    return f->kind == REPORT_LAB &&
           base_csv_is(&f->csv, row, "verdict", "PASS") &&
           base_csv_is(&f->csv, row, "kernel_ms", "");
}

/* A table of the runs of a kind, in all their files or in one. Returns its
   rows. */
static size_t put_runs(FILE *to, const struct report *report,
                       enum report_kind kind, const struct report_file *only,
                       const char *title)
{
    size_t rows = 0, left = 0, quiet = 0;

    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        if (f->kind != kind || (only != NULL && f != only))
            continue;
        if (rows == 0) {
            html_print(to, "<table class=\"runs\"><caption>%s, on ", title);
            put_devices(to, report, kind, only);
            html_heads(to, "Lab|Variant|Device|M x N x K|Verdict|Largest error|"
                           "Allowed|Kernel, ms|GFLOP/s");
        }
        for (size_t k = 0; k < f->csv.rows; k++) {
            rows++;
            if (is_quiet(f, k)) {
                quiet++;
            } else if (rows - quiet <= ROWS_SHOWN) {
                put_run(to, &f->csv, k);
            } else {
                left++;
            }
        }
    }
    if (rows > 0)
        html_table_end(to);
    if (quiet > 0) {
        html_print(to,
                   "<p>And %d runs at other sizes, all right and not timed."
                   "</p>\n",
                   (int)quiet);
    }
    if (left > 0)
        html_print(to, "<p>And %d more rows.</p>\n", (int)left);
    return rows;
}

/* Measurements that are no runs of labs: what there is, and where. */
static void put_others(FILE *to, const struct report *report)
{
    int some = 0;

    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        if (f->kind != REPORT_OTHER)
            continue;
        if (!some++) {
            html_table(to, "others", "Other measurements", "File|Rows|Columns");
        }
        html_print(to,
                   "<tr><th scope=\"row\">%s</th><td class=\"number\">%d</td>"
                   "<td>",
                   f->path, (int)f->csv.rows);
        for (size_t c = 0; c < f->csv.columns; c++)
            html_print(to, "%s%s", c > 0 ? ", " : "", f->csv.cell[c]);
        if (f->notes[0] != '\0')
            html_print(to, "<pre>%s</pre>", f->notes);
        html_print(to, "</td></tr>\n");
    }
    if (some)
        html_table_end(to);
}

void report_runs(FILE *to, const struct report *report)
{
    html_print(to, "<p>Times that the CPU device (cpu) took say nothing about "
                   "a GPU; what it counts does.</p>\n");
    if (put_runs(to, report, REPORT_LAB, NULL, "My labs") == 0) {
        html_print(to, "<p class=\"missing\">Not run: my labs; "
                       "<code>make lab-NN</code>.</p>\n");
    }
    if (put_runs(to, report, REPORT_SOLUTION, NULL, "The course's solutions") ==
            0 &&
        report->has_solutions) {
        html_print(to, "<p class=\"missing\">Not run: the course's solutions; "
                       "<code>make demo</code>.</p>\n");
    }
    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        if (f->kind == REPORT_RUNS)
            put_runs(to, report, REPORT_RUNS, f, f->path);
    }
    put_others(to, report);
}
