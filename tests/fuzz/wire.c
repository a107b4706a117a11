/* A run box's report. What is read keeps to its bounds; and a report that is
   made of the same bytes is read as it was written. */
#include "fuzz.h"

#include "grade/runner/report.h"

#include <stdlib.h>
#include <string.h>

/* What a terminal may be given. */
static void must_be_printable(const char *text)
{
    fuzz_must(text != NULL && strlen(text) <= GRADE_REPORT_TEXT);
    for (; *text != '\0'; text++)
        fuzz_must(*text == '\n' || (*text >= ' ' && *text <= '~'));
}

static void must_keep_bounds(const struct grade_report *report)
{
    const char *const told[] = {report->crash, report->memory, report->wrong};

    fuzz_must(report->count.rows <= GRADE_REPORT_ROWS &&
              report->count.kernels <= GRADE_REPORT_ROWS &&
              report->findings.count <= GRADE_REPORT_ROWS);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        if (told[i] != NULL)
            must_be_printable(told[i]);
    }
    for (size_t i = 0; i < report->count.rows; i++) {
        const struct simt_row *const row = &report->count.row[i];

        must_be_printable(row->kernel);
        must_be_printable(row->array);
        must_be_printable(row->file);
        fuzz_must(row->line >= 0 && row->line < 1 << 24);
        fuzz_must((int)row->space >= 0 && row->space <= SIMT_CONSTANT);
        fuzz_must((int)row->kind >= 0 && row->kind <= SIMT_ATOMIC);
        fuzz_must(row->size >= 0 && row->size < 256);
    }
    for (size_t i = 0; i < report->count.kernels; i++) {
        must_be_printable(report->count.kernel[i].kernel);
        must_be_printable(report->count.kernel[i].loop_file);
    }
    for (size_t i = 0; i < report->findings.count; i++) {
        const struct simt_finding *const finding = &report->findings.finding[i];

        fuzz_must((int)finding->check >= 0 && finding->check < SIMT_MISTAKES);
        must_be_printable(finding->text);
    }
}

/* The report is written again, and read. */
static void must_come_back(const struct grade_report *report)
{
    struct grade_report same;
    char why[200] = "";
    size_t size;
    char *const bytes = grade_report_write(report, &size);

    fuzz_must(bytes != NULL &&
              grade_report_read(bytes, size, &same, why, sizeof why) == 0);
    fuzz_must(same.count.kernels == report->count.kernels &&
              same.count.rows == report->count.rows &&
              same.findings.count == report->findings.count);
    for (size_t i = 0; i < same.count.kernels; i++) {
        fuzz_must(strcmp(same.count.kernel[i].kernel,
                         report->count.kernel[i].kernel) == 0);
        fuzz_must(same.count.kernel[i].flops == report->count.kernel[i].flops);
    }
    for (size_t i = 0; i < same.count.rows; i++) {
        fuzz_must(strcmp(same.count.row[i].array, report->count.row[i].array) ==
                  0);
        fuzz_must(same.count.row[i].line == report->count.row[i].line);
        fuzz_must(same.count.row[i].wavefronts_ideal ==
                  report->count.row[i].wavefronts_ideal);
    }
    for (size_t i = 0; i < same.findings.count; i++) {
        fuzz_must(strcmp(same.findings.finding[i].text,
                         report->findings.finding[i].text) == 0);
        fuzz_must(same.findings.finding[i].check ==
                  report->findings.finding[i].check);
    }
    fuzz_must((same.crash == NULL) == (report->crash == NULL) &&
              (same.crash == NULL || strcmp(same.crash, report->crash) == 0));
    grade_report_free(&same);
    free(bytes);
}

void fuzz_wire(const uint8_t *bytes, size_t size)
{
    /* A copy of its own size, so that a byte too many is found. */
    char *const copy = size > 0 ? malloc(size) : NULL;
    struct grade_report report;
    char why[200] = "";

    if (size > 0 && copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, bytes, size);
    if (grade_report_read(copy, size, &report, why, sizeof why) == 0) {
        must_keep_bounds(&report);
        must_come_back(&report);
    } else {
        fuzz_message(why, sizeof why);
        fuzz_must(report.count.row == NULL);
    }
    grade_report_free(&report);
    free(copy);
}
