/* A run box's report. What is read keeps to its bounds; and a report that is
   made of the same bytes is read as it was written. */
#include "fuzz.h"

#include "grade/runner/wire.h"

#include <stdlib.h>
#include <string.h>

/* What a terminal may be given. */
static void must_be_printable(const char *text)
{
    fuzz_must(text != NULL && strlen(text) <= GRADE_WIRE_TEXT);
    for (; *text != '\0'; text++)
        fuzz_must(*text == '\n' || (*text >= ' ' && *text <= '~'));
}

static void must_keep_bounds(const struct grade_report *report)
{
    const char *const told[] = {report->crash, report->memory, report->wrong,
                                report->error};

    fuzz_must(report->rows <= GRADE_WIRE_ROWS &&
              report->kernels <= GRADE_WIRE_ROWS &&
              report->findings <= GRADE_WIRE_ROWS);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        if (told[i] != NULL)
            must_be_printable(told[i]);
    }
    for (size_t i = 0; i < report->rows; i++) {
        const struct simt_row *const row = &report->row[i];

        must_be_printable(row->kernel);
        must_be_printable(row->array);
        must_be_printable(row->file);
        fuzz_must(row->line >= 0 && row->line < 1 << 24);
        fuzz_must((int)row->space >= 0 && row->space <= SIMT_CONSTANT);
        fuzz_must((int)row->kind >= 0 && row->kind <= SIMT_ATOMIC);
        fuzz_must(row->size >= 0 && row->size < 256);
    }
    for (size_t i = 0; i < report->kernels; i++)
        must_be_printable(report->kernel[i].kernel);
    for (size_t i = 0; i < report->findings; i++) {
        const struct grade_finding *const finding = &report->finding[i];

        fuzz_must((int)finding->check >= 0 && finding->check < SIMT_MISTAKES);
        must_be_printable(finding->text);
    }
}

/* The report is written again, and read. */
static void must_come_back(const struct grade_report *report)
{
    struct grade_wire_out out = {0};
    struct grade_report same;
    char why[200] = "";

    grade_wire_u32(&out, GRADE_WIRE_REPORT);
    for (size_t i = 0; i < report->kernels; i++)
        grade_wire_kernel(&out, &report->kernel[i]);
    for (size_t i = 0; i < report->rows; i++)
        grade_wire_row(&out, &report->row[i]);
    for (size_t i = 0; i < report->findings; i++)
        grade_wire_finding(
            &out, &(struct simt_finding){.check = report->finding[i].check,
                                         .text = report->finding[i].text});
    if (report->crash != NULL)
        grade_wire_tell(&out, GRADE_WIRE_CRASH, report->crash);
    grade_wire_open(&out, GRADE_WIRE_END);
    grade_wire_close(&out);
    fuzz_must(!out.failed);
    fuzz_must(grade_report_read(out.bytes, out.size, &same, why, sizeof why) ==
              0);
    fuzz_must(same.ended && same.kernels == report->kernels &&
              same.rows == report->rows && same.findings == report->findings);
    for (size_t i = 0; i < same.kernels; i++) {
        fuzz_must(strcmp(same.kernel[i].kernel, report->kernel[i].kernel) == 0);
        fuzz_must(same.kernel[i].flops == report->kernel[i].flops);
    }
    for (size_t i = 0; i < same.rows; i++) {
        fuzz_must(strcmp(same.row[i].array, report->row[i].array) == 0);
        fuzz_must(same.row[i].line == report->row[i].line);
        fuzz_must(same.row[i].wavefronts_ideal ==
                  report->row[i].wavefronts_ideal);
    }
    for (size_t i = 0; i < same.findings; i++) {
        fuzz_must(strcmp(same.finding[i].text, report->finding[i].text) == 0);
        fuzz_must(same.finding[i].check == report->finding[i].check);
    }
    fuzz_must((same.crash == NULL) == (report->crash == NULL) &&
              (same.crash == NULL || strcmp(same.crash, report->crash) == 0));
    grade_report_free(&same);
    free(out.bytes);
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
        fuzz_must(report.texts == NULL && report.row == NULL);
    }
    grade_report_free(&report);
    free(copy);
}
