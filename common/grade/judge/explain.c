/* What may a student learn from a report: which findings, and which lines cost
   most? */
#include "grade/judge/judging.h"

#include "harness/advice.h"
#include "harness/measure.h"
#include "simt/report_sums.h"

#include <stdio.h>
#include <string.h>

enum {
    FINDINGS = 5, /* that are told */
    LINES = 6     /* whose costs are told */
};

void grade_explain_findings(struct grade_judging *j,
                            const struct grade_report *report)
{
    struct base_memory *const to = &j->findings;

    for (size_t i = 0; i < report->findings.count && i < FINDINGS; i++) {
        const char *text = report->findings.finding[i].text;
        char first[300]; /* line: what was found and where */

        snprintf(first, sizeof first, "%.*s\n", (int)strcspn(text, "\n"), text);
        if (fflush(to->file) == 0 && strstr(to->text, first) != NULL)
            continue;
        fprintf(to->file, "%s%s", text,
                text[0] != '\0' && text[strlen(text) - 1] == '\n' ? "" : "\n");
    }
}

/* What a row takes above the least, in sectors or wavefronts. */
static double waste(const struct simt_row *row)
{
    return (double)simt_row_sectors_or_wavefronts(row) -
           (double)simt_row_ideal(row);
}

static void tell_row(const struct simt_row *row, FILE *to)
{
    const double requests = (double)row->requests;
    const int is_global = row->space == SIMT_GLOBAL;

    fprintf(to, "%s:%d: %s %s: %.3g %s a request, %.3g would do\n",
            row->line > 0 ? row->file : "copying", row->line,
            row->kind == SIMT_LOAD ? "loads of" : "stores to", row->array,
            (double)simt_row_sectors_or_wavefronts(row) / requests,
            is_global ? "sectors" : "wavefronts",
            (double)simt_row_ideal(row) / requests);
}

static void tell_rows(const struct grade_report *report, FILE *to)
{
    double last = 1e300;

    /* The costliest first: few, so looked for one by one. */
    for (int n = 0; n < LINES; n++) {
        const struct simt_row *most = NULL;

        for (size_t i = 0; i < report->count.rows; i++) {
            const struct simt_row *row = &report->count.row[i];

            if (row->requests > 0 && waste(row) > 0.0 && waste(row) < last &&
                (most == NULL || waste(row) > waste(most)))
                most = row;
        }
        if (most == NULL)
            return;
        last = waste(most);
        tell_row(most, to);
    }
}

void grade_explain_costs(struct grade_judging *j, const struct grade_plan *plan,
                         const struct grade_report *report,
                         const double *counter, int reached)
{
    const struct course_shape s = plan->shape;
    const struct lab_spent spent = {
        .count = &report->count,
        .counter = counter,
        .fmas = (double)s.m * s.n * s.k,
        .reached = reached,
        .missed = reached ? NULL : lab_measure_missed(j->lab, counter),
        .index = j->setting->index,
        .lab = j->lab};
    FILE *const to = j->costs.file;
    struct lab_advice advice;

    lab_advise(&spent, &advice);
    if (j->lab->entries > 1)
        fprintf(to, "%s:\n", plan->entry->variant);
    tell_rows(report, to);
    for (int i = 0; i < advice.sentences; i++) {
        fprintf(to, "%s%s", advice.sentence[i],
                i + 1 < advice.sentences ? " " : "\n");
    }
}
