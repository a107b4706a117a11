#define _POSIX_C_SOURCE 200809L
#include "grade/runner/wire.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Its place among the texts. At 0 there is an empty one. */
static const char *put_text(FILE *texts, const char *text)
{
    const long place = text != NULL ? ftell(texts) : 0;

    if (text != NULL) {
        fwrite(text, 1, strnlen(text, GRADE_WIRE_TEXT), texts);
        fputc('\0', texts);
    }
    return (const char *)(uintptr_t)place;
}

static void put_report(FILE *out, FILE *texts,
                       const struct grade_report *report)
{
    struct grade_report head = *report;

    head.magic = GRADE_WIRE_REPORT;
    fputc('\0', texts);
    head.crash = put_text(texts, report->crash);
    head.memory = put_text(texts, report->memory);
    head.wrong = put_text(texts, report->wrong);
    fwrite(&head, sizeof head, 1, out);
    for (size_t i = 0; i < report->count.kernels; i++) {
        struct simt_kernel kernel = report->count.kernel[i];

        kernel.kernel = put_text(texts, kernel.kernel);
        kernel.loop_file = put_text(texts, kernel.loop_file);
        fwrite(&kernel, sizeof kernel, 1, out);
    }
    for (size_t i = 0; i < report->count.rows; i++) {
        struct simt_row row = report->count.row[i];

        row.kernel = put_text(texts, row.kernel);
        row.array = put_text(texts, row.array);
        row.file = put_text(texts, row.file);
        fwrite(&row, sizeof row, 1, out);
    }
    for (size_t i = 0; i < report->findings.count; i++) {
        struct simt_finding finding = report->findings.finding[i];

        finding.text = put_text(texts, finding.text);
        fwrite(&finding, sizeof finding, 1, out);
    }
}

char *grade_report_write(const struct grade_report *report, size_t *size)
{
    struct base_memory out, texts;
    char *bytes, *text;

    if (base_memory_open(&out) != NULL) {
        if (base_memory_open(&texts) != NULL)
            put_report(out.file, texts.file, report);
        text = base_memory_close(&texts);
        if (text != NULL)
            fwrite(text, 1, texts.length, out.file);
        free(text);
    }
    bytes = base_memory_close(&out);
    *size = out.length;
    return bytes;
}
