/* The labs, what each has reached, and what was counted in them. */
#define _GNU_SOURCE
#include "report.h"

#include "base/words.h"
#include "harness/counters.h"
#include "harness/measure.h"
#include "harness/rows.h"
#include "html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 64 /* bytes of a number in words */
};

/* --- looking up ----------------------------------------------------------- */

/* The row of a variant that counted, or -1. */
static long counted_row(const struct base_csv *csv, const char *lab,
                        const char *variant)
{
    const long row = lab_row(
        csv,
        &(struct lab_rows){.of = LAB_COUNTED, .lab = lab, .variant = variant});

    return row >= 0 && lab_row_has_counts(csv, (size_t)row) ? row : -1;
}

/* Has an entry a goal? */
static int is_asked(const struct course_entry *entry)
{
    return entry->kind == COURSE_LAUNCH || entry->kind == COURSE_BANKS;
}

/* What came of a measure in the student's last run of a variant. */
struct outcome {
    double value; /* NaN: not counted */
    int asked;    /* 1: it was the goal's size, so the goal counts */
    int reached;
};

static struct outcome outcome_of(const struct report_file *file,
                                 const struct course_lab *lab,
                                 const struct course_entry *entry,
                                 const struct course_measure *m)
{
    struct outcome o = {.value = (double)NAN};
    double counter[LAB_COUNTERS];
    const int at = lab_counter_find(m->column);
    const long row =
        file != NULL ? counted_row(&file->csv, lab->name, entry->variant) : -1;

    if (row < 0 || at < 0)
        return o;
    lab_counters_clear(counter);
    o.value = counter[at] = base_csv_number(&file->csv, (size_t)row, m->column);
    o.asked = base_csv_text(&file->csv, (size_t)row, "measure_ok")[0] != '\0';
    o.reached = o.asked && lab_measure_score(m, counter).reached;
    return o;
}

void report_labs_add_up(const struct report *report, struct report_sums *sums)
{
    for (int i = 0; i < report->index.labs; i++) {
        const struct course_lab *const lab = &report->index.lab[i];
        const struct report_file *const file =
            report_find(report, REPORT_LAB, lab->name);
        const int right =
            file != NULL &&
            strcmp(lab_judge(&file->csv, lab->name).verdict, "PASS") == 0;

        *(lab->advanced ? &sums->advanced : &sums->labs) += 1;
        *(lab->advanced ? &sums->advanced_run : &sums->run) += file != NULL;
        *(lab->advanced ? &sums->advanced_right : &sums->right) += right;
        if (!report_takes_in(report, i))
            continue;
        for (int e = 0; e < lab->entries; e++) {
            for (int k = 0; k < lab->measures && is_asked(&lab->entry[e]);
                 k++) {
                sums->goals++;
                sums->reached +=
                    outcome_of(file, lab, &lab->entry[e], &lab->measure[k])
                        .reached;
            }
        }
    }
}

/* --- the table of the labs ------------------------------------------------ */

static void put_measure(FILE *to, const struct report_file *file,
                        const struct course_lab *lab,
                        const struct course_entry *entry,
                        const struct course_measure *m, int many)
{
    const struct outcome o = outcome_of(file, lab, entry, m);
    char label[LAB_LABEL_TEXT];
    char before[WORDS] = "", now[WORDS] = "not counted", goal[WORDS];

    if (m->before >= 0.0)
        lab_measure_value(before, sizeof before, m->column, m->before);
    if (isfinite(o.value))
        lab_measure_value(now, sizeof now, m->column, o.value);
    lab_measure_value(goal, sizeof goal, m->column, m->full);
    html_print(to, "<td>%s%s%s%s</td>",
               lab_measure_label(lab, m->column, label), many ? " (" : "",
               many ? entry->variant : "", many ? ")" : "");
    html_number(to, before);
    html_number(to, now);
    html_number(to, goal);
    html_print(to, "<td>%s</td></tr>\n",
               o.reached           ? "reached"
               : o.asked           ? "not yet"
               : isfinite(o.value) ? "other size or banks"
                                   : "");
}

/* A lab without a goal: how fast its last run was. */
static void put_speed(FILE *to, const struct report_file *file)
{
    double rate = (double)NAN;
    char text[WORDS] = "not timed";

    for (size_t i = 0; file != NULL && i < file->csv.rows; i++) {
        if (isfinite(base_csv_number(&file->csv, i, "gflops")))
            rate = base_csv_number(&file->csv, i, "gflops");
    }
    if (isfinite(rate))
        snprintf(text, sizeof text, "%.3g", rate);
    html_print(to, "<td>GFLOP/s, last run</td>");
    html_number(to, "");
    html_number(to, text);
    html_number(to, "");
    html_print(to, "<td></td></tr>\n");
}

static void put_verdict(FILE *to, const struct report *report,
                        const struct course_lab *lab,
                        const struct report_file *file, int rows)
{
    const char *const verdict =
        file != NULL ? lab_judge(&file->csv, lab->name).verdict : "not run";
    const char *const class = strcmp(verdict, "PASS") == 0   ? "pass"
                              : strcmp(verdict, "FAIL") == 0 ? "fail"
                                                             : "open";

    html_print(to,
               "<tr><th scope=\"row\" rowspan=\"%d\">%s<br/>"
               "<span class=\"title\">%s</span></th>"
               "<td rowspan=\"%d\"><span class=\"verdict %s\">%s</span>",
               rows, lab->name, lab->title, rows, class, verdict);
    if (file == NULL) {
        char number[3];

        snprintf(number, sizeof number, "%.2s", lab->name);
        html_print(to, "<br/><code>make lab-%s</code>", number);
    } else if (lab_changed_since(report->labs, lab->name, file->path)) {
        html_print(to, "<br/>saved since");
    }
    html_print(to, "</td>");
}

static void put_lab(FILE *to, const struct report *report,
                    const struct course_lab *lab)
{
    const struct report_file *const file =
        report_find(report, REPORT_LAB, lab->name);
    int asked = 0, row = 0;

    for (int e = 0; e < lab->entries; e++)
        asked += is_asked(&lab->entry[e]);
    if (asked * lab->measures == 0) {
        put_verdict(to, report, lab, file, 1);
        put_speed(to, file);
        return;
    }
    for (int e = 0; e < lab->entries; e++) {
        for (int k = 0; k < lab->measures && is_asked(&lab->entry[e]); k++) {
            if (row++ == 0) {
                put_verdict(to, report, lab, file, asked * lab->measures);
            } else {
                html_print(to, "<tr>");
            }
            put_measure(to, file, lab, &lab->entry[e], &lab->measure[k],
                        asked > 1);
        }
    }
}

void report_labs(FILE *to, const struct report *report)
{
    html_print(to,
               "<p>The last run of each lab by <code>make lab-NN</code>: its "
               "verdict, and the number that the lab is about, before the "
               "lab, now, and its goal.</p>\n");
    html_table(to, "labs", "Verdicts and goals",
               "Lab|Verdict|Number|Before|Now|Goal|Goal reached?");
    for (int i = 0; i < report->index.labs; i++) {
        if (report_takes_in(report, i))
            put_lab(to, report, &report->index.lab[i]);
    }
    html_table_end(to);
}

/* --- the counters --------------------------------------------------------- */

static const enum lab_counter shown[] = {
    LAB_GLOBAL_LOADS_PER_FMA,
    LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST,
    LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY,
    LAB_SHARED_LOADS_PER_FMA,
    LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST,
    LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST,
    LAB_BARRIERS_PER_THREAD,
    LAB_BACKWARD_JUMPS_PER_FMA,
    LAB_FLOP_PER_BYTE,
};

enum {
    SHOWN = sizeof shown / sizeof shown[0]
};

static void put_counters_row(FILE *to, const struct base_csv *csv, size_t row)
{
    html_print(to, "<tr><th scope=\"row\">%s<br/>%s<br/>%s x %s x %s</th>",
               base_csv_text(csv, row, "lab"),
               base_csv_text(csv, row, "variant"), base_csv_text(csv, row, "m"),
               base_csv_text(csv, row, "n"), base_csv_text(csv, row, "k"));
    for (int c = 0; c < SHOWN; c++) {
        const char *const column = lab_counters[shown[c]].name;
        const double value = base_csv_number(csv, row, column);
        char text[WORDS] = "";

        if (value == 0.0) {
            snprintf(text, sizeof text, "0");
        } else if (isfinite(value)) {
            lab_measure_value(text, sizeof text, column, value);
        }
        html_number(to, text);
    }
    html_print(to, "</tr>\n");
}

/* The counted rows of one kind of file; "" in title for none. Returns how many
   there were. */
static int put_counters(FILE *to, const struct report *report,
                        enum report_kind kind, const char *title)
{
    char heads[500] = "Lab";
    int rows = 0;

    for (int c = 0; c < SHOWN; c++) {
        const struct lab_counter_entry *const e = &lab_counters[shown[c]];

        base_append(heads, sizeof heads, "|%s",
                    e->report[0] != '\0' ? e->report : e->label);
    }
    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        for (size_t row = 0; f->kind == kind && row < f->csv.rows; row++) {
            const char *const lab = base_csv_text(&f->csv, row, "lab");
            const char *const variant = base_csv_text(&f->csv, row, "variant");

            if (base_csv_is(&f->csv, row, "m", "") ||
                base_csv_is(&f->csv, row, "global_load_requests", "") ||
                counted_row(&f->csv, lab, variant) != (long)row)
                continue;
            if (rows++ == 0)
                html_table(to, "counters", title, heads);
            put_counters_row(to, &f->csv, row);
        }
    }
    if (rows > 0)
        html_table_end(to);
    return rows;
}

void report_counters(FILE *to, const struct report *report)
{
    html_print(to, "<p>Counted by the CPU device at source level, as a GPU "
                   "would see the accesses of a kernel; a multiply-add is one "
                   "of the M x N x K of the product.</p>\n");
    if (put_counters(to, report, REPORT_LAB, "My labs") == 0) {
        html_print(to, "<p class=\"missing\">Not run: no lab of mine was "
                       "counted; <code>make lab-NN</code> does so once the lab "
                       "is right.</p>\n");
    }
    if (put_counters(to, report, REPORT_SOLUTION,
                     "The course's solutions, for comparison") == 0 &&
        report->has_solutions) {
        html_print(to, "<p class=\"missing\">Not run: the course's solutions; "
                       "<code>make demo</code>.</p>\n");
    }
}
