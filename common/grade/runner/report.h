/*
 * report.h: how do the grader and the student's program talk to each other?
 *
 * The program in the box gets a request on descriptor 3, bytes of this machine,
 * sends the elements of C on 4, nothing else, and a report on 5 (base/wire.h).
 * Nobody trusts the report: it was written by a process in which the student's
 * code ran. Its texts come out as printable ASCII.
 */
#ifndef GRADE_REPORT_H
#define GRADE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "harness/buffers.h"
#include "harness/predictions.h"
#include "simt/simt.h"

enum grade_task {
    GRADE_TASK_PRODUCT, /* one product with one entry */
    GRADE_TASK_CALLS,   /* lab_host, each of its CUDA calls failing once */
    GRADE_TASK_BANKS    /* lab 05: lab_read, and its table */
};

enum grade_function {
    GRADE_LAB_HOST,
    GRADE_LAB_LAUNCH,
    GRADE_LAB_LAUNCH_B,
    GRADE_LAB_LAUNCH_ARRAYS,
    GRADE_FUNCTIONS
};

/* With this begins what is wrong with a lab whose host code does the kernel's
   work. */
#define GRADE_REPORT_BY_HOST "Host code makes "

enum {
    GRADE_REPORT_TEXT = 4096, /* bytes of a text, at most */
    GRADE_REPORT_ROWS = 4096  /* kernels, rows and findings: of each, at most */
};

/* Followed by the elements of A and of B, or what stands in their places. */
struct grade_request {
    uint32_t task, function;
    int32_t m, n, k;
    struct lab_layout layout;
    uint32_t has_kernels; /* 1: the lab has some, and host code only launches */
    uint64_t order;       /* of the warps; 0: that of their numbers */
};

/* What the program tells. */
struct grade_report {
    int has_table; /* lab 05's predictions */
    int table[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES];
    /* NULL: nothing to tell. */
    const char *crash;       /* a CUDA call failed, a kernel did not end */
    const char *memory;      /* it asked for more memory than there is */
    const char *wrong;       /* a red zone was written, an input changed */
    const char *doubt;       /* a person should look at that */
    struct simt_count count; /* rows and kernels, and the overlap */
    struct simt_findings findings; /* of each its check and its text */
};

/* In the box: the report's bytes and how many, for free(); NULL without
   memory. */
char *grade_report_write(const struct grade_report *report, size_t *size);

/* In the grader. Returns 0; or -1 with a line in why that says what is not as
   it must be; then *report is empty. Free it with grade_report_free. */
int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size);

void grade_report_free(struct grade_report *report);

#endif /* GRADE_REPORT_H */
