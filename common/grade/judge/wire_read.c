#define _POSIX_C_SOURCE 200809L
#include "grade/runner/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES = 1 << 24 /* that a file may have */
};

/* Each pointer of these is made anew below. Has one got a member more? */
_Static_assert(sizeof(struct simt_row) == 104 &&
                   sizeof(struct simt_kernel) == 72,
               "the addresses of a box must not be followed");

struct reading {
    char *next; /* what is left to read */
    size_t left;
    const char *texts; /* what lies behind the arrays, ending with a NUL */
    size_t size;
    const char *mistake; /* NULL: none so far */
};

/* The next `count` members of an array, where they lie; NULL if they do not. */
static void *take_array(struct reading *r, size_t count, size_t size)
{
    void *const array = r->next;

    if (count > GRADE_WIRE_ROWS) {
        r->mistake = "more members than there may be";
    } else if (count * size > r->left) {
        r->mistake = "it ends within an array";
    }
    if (r->mistake != NULL)
        return NULL;
    r->next += count * size;
    r->left -= count * size;
    return array;
}

/* What is not printable becomes a question mark: a terminal must never see
   it. */
static void take_texts(struct reading *r)
{
    if (r->mistake == NULL && (r->left == 0 || r->next[r->left - 1] != '\0'))
        r->mistake = "it ends within a text";
    for (size_t i = 0; i < r->left; i++) {
        const char c = r->next[i];

        if (c != '\0' && c != '\n' && (c < ' ' || c > '~'))
            r->next[i] = '?';
    }
    r->texts = r->next;
    r->size = r->left;
}

/* The text at a place; never NULL. */
static const char *text_at(struct reading *r, const char *place)
{
    const uintptr_t at = (uintptr_t)place;

    if (r->mistake == NULL &&
        (at >= r->size ||
         strnlen(r->texts + at, GRADE_WIRE_TEXT + 1) > GRADE_WIRE_TEXT))
        r->mistake = "a text is too long, or is none";
    return r->mistake == NULL ? r->texts + at : "";
}

static const char *text_if_any(struct reading *r, const char *place)
{
    return place != NULL ? text_at(r, place) : NULL;
}

static void expect_below(struct reading *r, int value, int end,
                         const char *mistake)
{
    if (value < 0 || value >= end)
        r->mistake = mistake;
}

static void read_report(struct reading *r, struct grade_report *report)
{
    const struct grade_report *const head = take_array(r, 1, sizeof *head);
    struct simt_kernel *kernel;
    struct simt_row *row;
    struct simt_finding *finding;

    if (head == NULL || head->magic != GRADE_WIRE_REPORT) {
        r->mistake = "no report";
        return;
    }
    kernel = take_array(r, head->count.kernels, sizeof *kernel);
    row = take_array(r, head->count.rows, sizeof *row);
    finding = take_array(r, head->findings.count, sizeof *finding);
    take_texts(r);
    if (r->mistake != NULL)
        return;
    for (size_t i = 0; i < head->count.kernels; i++) {
        kernel[i].kernel = text_at(r, kernel[i].kernel);
        kernel[i].loop_file = text_at(r, kernel[i].loop_file);
        expect_below(r, kernel[i].loop_line, LINES, "a line that is none");
    }
    for (size_t i = 0; i < head->count.rows; i++) {
        row[i].kernel = text_at(r, row[i].kernel);
        row[i].array = text_at(r, row[i].array);
        row[i].file = text_at(r, row[i].file);
        expect_below(r, row[i].line, LINES, "a line that is none");
        expect_below(r, (int)row[i].space, SIMT_CONSTANT + 1, "no such space");
        expect_below(r, (int)row[i].kind, SIMT_ATOMIC + 1, "no such kind");
        expect_below(r, row[i].size, 256, "a size that is none");
    }
    for (size_t i = 0; i < head->findings.count; i++) {
        const enum simt_check check = finding[i].check;

        expect_below(r, (int)check, SIMT_MISTAKES, "a check that is none");
        finding[i] = (struct simt_finding){.check = check,
                                           .text = text_at(r, finding[i].text)};
    }
    report->crash = text_if_any(r, head->crash);
    report->memory = text_if_any(r, head->memory);
    report->wrong = text_if_any(r, head->wrong);
    report->has_table = head->has_table;
    memcpy(report->table, head->table, sizeof report->table);
    report->count = (struct simt_count){
        .kernel = kernel,
        .kernels = head->count.kernels,
        .row = row,
        .rows = head->count.rows,
        .own_shared_loads = head->count.own_shared_loads,
        .own_overlapped_loads = head->count.own_overlapped_loads};
    report->findings = (struct simt_findings){.finding = finding,
                                              .count = head->findings.count};
}

int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size)
{
    struct reading r = {.left = size};

    *report = (struct grade_report){.bytes = malloc(size > 0 ? size : 1)};
    if (report->bytes == NULL) {
        snprintf(why, why_size, "out of memory");
        errno = ENOMEM;
        return -1;
    }
    if (size > 0)
        memcpy(report->bytes, bytes, size);
    r.next = report->bytes;
    read_report(&r, report);
    if (r.mistake == NULL)
        return 0;
    snprintf(why, why_size, "%s", r.mistake);
    grade_report_free(report);
    errno = EBADMSG;
    return -1;
}

void grade_report_free(struct grade_report *report)
{
    free(report->bytes);
    *report = (struct grade_report){.bytes = NULL};
}
