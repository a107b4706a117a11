#define _POSIX_C_SOURCE 200809L
#include "grade/runner/wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts are kept in a list, to be freed together. */
struct grade_text {
    struct grade_text *next;
    char text[];
};

/* What is left to read, and what went wrong first. */
struct cursor {
    const char *at;
    size_t left;
    struct grade_report *report;
    int failed;    /* 1: in why; 2: no memory */
    char why[200]; /* of the first mistake */
};

static void fail_at(struct cursor *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail_at(struct cursor *c, const char *format, ...)
{
    va_list list;

    if (c->failed)
        return;
    c->failed = 1;
    va_start(list, format);
    vsnprintf(c->why, sizeof c->why, format, list);
    va_end(list);
}

/* Copies the next `size` bytes, or fails and clears them. */
static void take_bytes(struct cursor *c, void *to, size_t size)
{
    memset(to, 0, size);
    if (c->failed)
        return;
    if (size > c->left) {
        fail_at(c, "a record ends within a number");
        return;
    }
    memcpy(to, c->at, size);
    c->at += size;
    c->left -= size;
}

static uint32_t take_u32(struct cursor *c)
{
    uint32_t value;

    take_bytes(c, &value, sizeof value);
    return value;
}

/* Fails unless a number is below `end`. */
static void expect_below(struct cursor *c, uint32_t value, uint32_t end,
                         const char *what)
{
    if (value >= end)
        fail_at(c, "%s is %u, which is none", what, (unsigned)value);
}

/* A text, in memory of the report's own; never NULL. What is not printable
   becomes a question mark: a terminal must never see it. */
static char *take_text(struct cursor *c)
{
    static char empty[] = "";
    const uint32_t length = take_u32(c);
    struct grade_text *text;

    if (!c->failed && (length > c->left || length > GRADE_WIRE_TEXT))
        fail_at(c, "a text has %u bytes", (unsigned)length);
    if (c->failed)
        return empty;
    text = malloc(sizeof *text + length + 1);
    if (text == NULL) {
        c->failed = 2;
        return empty;
    }
    for (uint32_t i = 0; i < length; i++) {
        const char letter = c->at[i];

        text->text[i] =
            letter == '\n' || (letter >= ' ' && letter <= '~') ? letter : '?';
    }
    text->text[length] = '\0';
    text->next = c->report->texts;
    c->report->texts = text;
    c->at += length;
    c->left -= length;
    return text->text;
}

/* Adds a copy of a member to an array that grows by doubling. Returns where it
   lies now, also if that failed. */
static void *add_member(struct cursor *c, void *array, size_t *count,
                        const void *member, size_t size)
{
    if (!c->failed && *count >= GRADE_WIRE_ROWS)
        fail_at(c, "more than %d records of a kind", GRADE_WIRE_ROWS);
    if (c->failed)
        return array;
    if ((*count & (*count + 1)) == 0) { /* 0, 1, 3, 7, ... */
        void *const larger = realloc(array, 2 * (*count + 1) * size);

        if (larger == NULL) {
            c->failed = 2;
            return array;
        }
        array = larger;
    }
    memcpy((char *)array + size * (*count)++, member, size);
    return array;
}

static void read_kernel(struct cursor *c)
{
    struct simt_kernel kernel;

    take_bytes(c, &kernel, sizeof kernel);
    kernel.kernel = take_text(c);
    c->report->kernel = add_member(c, c->report->kernel, &c->report->kernels,
                                   &kernel, sizeof kernel);
}

static void read_row(struct cursor *c)
{
    struct simt_row row;

    take_bytes(c, &row, sizeof row);
    row.kernel = take_text(c);
    row.array = take_text(c);
    row.file = take_text(c);
    expect_below(c, (unsigned)row.line, 1 << 24, "a line");
    expect_below(c, (unsigned)row.space, SIMT_CONSTANT + 1, "a space");
    expect_below(c, (unsigned)row.kind, SIMT_ATOMIC + 1, "a kind");
    expect_below(c, (unsigned)row.size, 256, "a size");
    c->report->row =
        add_member(c, c->report->row, &c->report->rows, &row, sizeof row);
}

static void read_finding(struct cursor *c)
{
    struct grade_finding finding;

    finding.check = (enum simt_check)take_u32(c);
    expect_below(c, (unsigned)finding.check, SIMT_MISTAKES, "a check");
    finding.text = take_text(c);
    c->report->finding = add_member(c, c->report->finding, &c->report->findings,
                                    &finding, sizeof finding);
}

static void read_count_table(struct cursor *c)
{
    for (int t = 0; t < LAB_TYPES; t++) {
        for (int i = 0; i < LAB_STRIDES; i++) {
            for (int r = 0; r < LAB_BANK_RULES; r++)
                c->report->table[t][i][r] = (int)take_u32(c);
        }
    }
    c->report->has_table = 1;
}

/* The first text of its kind counts. */
static void read_wire_text(struct cursor *c, char **to)
{
    char *text = take_text(c);

    if (*to == NULL)
        *to = text;
}

static void read_record(struct cursor *c, uint32_t type)
{
    switch (type) {
    case GRADE_WIRE_END:
        c->report->ended = 1;
        return;
    case GRADE_WIRE_CRASH:
        read_wire_text(c, &c->report->crash);
        return;
    case GRADE_WIRE_MEMORY:
        read_wire_text(c, &c->report->memory);
        return;
    case GRADE_WIRE_WRONG:
        read_wire_text(c, &c->report->wrong);
        return;
    case GRADE_WIRE_ERROR:
        read_wire_text(c, &c->report->error);
        return;
    case GRADE_WIRE_KERNEL:
        read_kernel(c);
        return;
    case GRADE_WIRE_ROW:
        read_row(c);
        return;
    case GRADE_WIRE_FINDING:
        read_finding(c);
        return;
    case GRADE_WIRE_TABLE:
        read_count_table(c);
        return;
    case GRADE_WIRE_OVERLAP:
        take_bytes(c, &c->report->count.own_shared_loads, sizeof(uint64_t));
        take_bytes(c, &c->report->count.own_overlapped_loads, sizeof(uint64_t));
        return;
    default:
        fail_at(c, "record %u, which is none", (unsigned)type);
    }
}

int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size)
{
    struct cursor all = {.at = bytes, .left = size, .report = report};

    *report = (struct grade_report){.ended = 0};
    if (take_u32(&all) != GRADE_WIRE_REPORT)
        fail_at(&all, "no report");
    while (!all.failed && all.left > 0) {
        const uint32_t type = take_u32(&all), length = take_u32(&all);
        struct cursor record = {.at = all.at, .left = length, .report = report};

        if (report->ended) {
            fail_at(&all, "something stands behind the end");
        } else if (length > all.left) {
            fail_at(&all, "a record of %u bytes", (unsigned)length);
        }
        if (all.failed)
            break;
        read_record(&record, type);
        if (!record.failed && record.left > 0) {
            fail_at(&record, "%zu bytes too many in record %u", record.left,
                    (unsigned)type);
        }
        all.failed = record.failed;
        memcpy(all.why, record.why, sizeof all.why);
        all.at += length;
        all.left -= length;
    }
    report->count.row = report->row;
    report->count.rows = report->rows;
    report->count.kernel = report->kernel;
    report->count.kernels = report->kernels;
    if (!all.failed)
        return 0;
    snprintf(why, why_size, "%s", all.failed == 2 ? "out of memory" : all.why);
    grade_report_free(report);
    errno = all.failed == 2 ? ENOMEM : EBADMSG;
    return -1;
}

void grade_report_free(struct grade_report *report)
{
    while (report->texts != NULL) {
        struct grade_text *next = report->texts->next;

        free(report->texts);
        report->texts = next;
    }
    free(report->row);
    free(report->kernel);
    free(report->finding);
    *report = (struct grade_report){.ended = 0};
}
