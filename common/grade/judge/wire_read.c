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

static uint64_t take_u64(struct cursor *c)
{
    uint64_t value;

    take_bytes(c, &value, sizeof value);
    return value;
}

/* A number below `end`. */
static int take_below(struct cursor *c, uint32_t end, const char *what)
{
    const uint32_t value = take_u32(c);

    if (value >= end) {
        fail_at(c, "%s is %u, which is none", what, (unsigned)value);
        return 0;
    }
    return (int)value;
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

/* Makes room for one more in an array that grows by doubling. NULL: failed. */
static void *add_element(struct cursor *c, void **array, size_t *count,
                         size_t size)
{
    void *larger;

    if (c->failed)
        return NULL;
    if (*count >= GRADE_WIRE_ROWS) {
        fail_at(c, "more than %d records of a kind", GRADE_WIRE_ROWS);
        return NULL;
    }
    if ((*count & (*count + 1)) == 0) { /* 0, 1, 3, 7, ... */
        larger = realloc(*array, 2 * (*count + 1) * size);
        if (larger == NULL) {
            c->failed = 2;
            return NULL;
        }
        *array = larger;
    }
    return (char *)*array + size * (*count)++;
}

static void read_kernel(struct cursor *c)
{
    struct simt_kernel kernel = {.kernel = take_text(c)};
    void *array = c->report->kernel;
    struct simt_kernel *to;

    kernel.launches = take_u64(c);
    kernel.threads = take_u64(c);
    kernel.barriers = take_u64(c);
    kernel.basic_blocks = take_u64(c);
    kernel.backward_jumps = take_u64(c);
    kernel.flops = take_u64(c);
    to = add_element(c, &array, &c->report->kernels, sizeof kernel);
    c->report->kernel = array;
    if (to != NULL)
        *to = kernel;
}

static int take_source_line(struct cursor *c)
{
    return take_below(c, 1 << 24, "a line");
}

static void read_row(struct cursor *c)
{
    struct simt_row row = {.kernel = take_text(c)};
    void *array = c->report->row;
    struct simt_row *to;

    row.array = take_text(c);
    row.file = take_text(c);
    row.line = take_source_line(c);
    row.space = (enum simt_space)take_below(c, SIMT_CONSTANT + 1, "a space");
    row.kind = (enum simt_kind)take_below(c, SIMT_ATOMIC + 1, "a kind");
    row.size = take_below(c, 256, "a size");
    row.requests = take_u64(c);
    row.lanes = take_u64(c);
    row.bytes = take_u64(c);
    row.sectors = take_u64(c);
    row.sectors_ideal = take_u64(c);
    row.wavefronts = take_u64(c);
    row.wavefronts_ideal = take_u64(c);
    row.lanes_async = take_u64(c);
    to = add_element(c, &array, &c->report->rows, sizeof row);
    c->report->row = array;
    if (to != NULL)
        *to = row;
}

static void read_finding(struct cursor *c)
{
    struct simt_finding finding = {0};
    void *array = c->report->finding;
    struct simt_finding *to;

    finding.check = (enum simt_check)take_below(c, SIMT_MISTAKES, "a check");
    finding.kernel = take_text(c);
    finding.array = take_text(c);
    finding.file = take_text(c);
    finding.other_file = take_text(c);
    finding.line = take_source_line(c);
    finding.other_line = take_source_line(c);
    finding.count = take_u64(c);
    finding.text = take_text(c);
    to = add_element(c, &array, &c->report->findings, sizeof finding);
    c->report->finding = array;
    if (to != NULL)
        *to = finding;
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
    case GRADE_WIRE_SEEN:
        for (int i = 0; i < SIMT_CHECKS; i++)
            c->report->seen[i] = take_u64(c);
        return;
    case GRADE_WIRE_TABLE:
        read_count_table(c);
        return;
    case GRADE_WIRE_CALLS:
        c->report->calls = take_below(c, 1 << 20, "a number of calls");
        return;
    default:
        fail_at(c, "record %u, which is none", (unsigned)type);
    }
}

int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size)
{
    struct cursor all = {.at = bytes, .left = size, .report = report};

    *report = (struct grade_report){.calls = -1};
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
    *report = (struct grade_report){.calls = -1};
}
