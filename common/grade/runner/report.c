#define _POSIX_C_SOURCE 200809L
#include "grade/runner/report.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "grade/base/wire.h"

enum {
    LINES = 1 << 24 /* that a file may have */
};

#define TEXT(type, member) GRADE_WIRE(PRINT, type, member, GRADE_REPORT_TEXT)
#define LIST(list, members, form)                            \
    GRADE_WIRE(LIST, grade_report, list, GRADE_REPORT_ROWS), \
        .count = offsetof(struct grade_report, members), .each = &(form)

static const struct grade_wire_member of_kernel[] = {
    {TEXT(simt_kernel, kernel)},
    {GRADE_WIRE_SPAN(simt_kernel, function, loop_jumps)},
    {TEXT(simt_kernel, loop_file)},
    {GRADE_WIRE(BELOW, simt_kernel, loop_line, LINES)}};
static const struct grade_wire_form kernel =
    GRADE_WIRE_FORM(simt_kernel, of_kernel);

static const struct grade_wire_member of_row[] = {
    {TEXT(simt_row, kernel)},
    {TEXT(simt_row, array)},
    {TEXT(simt_row, file)},
    {GRADE_WIRE(BELOW, simt_row, line, LINES)},
    {GRADE_WIRE(BELOW, simt_row, space, SIMT_CONSTANT + 1)},
    {GRADE_WIRE(BELOW, simt_row, kind, SIMT_ATOMIC + 1)},
    {GRADE_WIRE(BELOW, simt_row, size, 256)},
    {GRADE_WIRE_SPAN(simt_row, requests, lanes_async)}};
static const struct grade_wire_form row = GRADE_WIRE_FORM(simt_row, of_row);

static const struct grade_wire_member of_finding[] = {
    {GRADE_WIRE(BELOW, simt_finding, check, SIMT_MISTAKES)},
    {TEXT(simt_finding, text)}};
static const struct grade_wire_form finding =
    GRADE_WIRE_FORM(simt_finding, of_finding);

static const struct grade_wire_member of_report[] = {
    {GRADE_WIRE(BELOW, grade_report, has_table, 2)},
    {GRADE_WIRE_SPAN(grade_report, table, table)},
    {TEXT(grade_report, crash), .may_be_none = 1},
    {TEXT(grade_report, memory), .may_be_none = 1},
    {TEXT(grade_report, wrong), .may_be_none = 1},
    {TEXT(grade_report, doubt), .may_be_none = 1},
    {LIST(count.kernel, count.kernels, kernel)},
    {LIST(count.row, count.rows, row)},
    {GRADE_WIRE_SPAN(grade_report, count.own_shared_loads,
                     count.own_idle_words)},
    {LIST(findings.finding, findings.count, finding)}};
static const struct grade_wire_form form =
    GRADE_WIRE_FORM(grade_report, of_report);

char *grade_report_write(const struct grade_report *report, size_t *size)
{
    struct base_memory memory;
    char *bytes;

    if (base_memory_open(&memory) != NULL)
        grade_wire_put(memory.file, &form, report);
    bytes = base_memory_close(&memory);
    *size = memory.length;
    return bytes;
}

int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size)
{
    FILE *const from =
        size > 0 ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : NULL;
    const char *mistake = "there is none";

    *report = (struct grade_report){.has_table = 0};
    if (from != NULL) {
        mistake = grade_wire_get(from, &form, report);
        fclose(from);
    }
    return mistake == NULL ? 0 : base_refuse(why, why_size, "%s", mistake);
}

void grade_report_free(struct grade_report *report)
{
    grade_wire_free(&form, report);
}
