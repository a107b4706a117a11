/*
 * wire.h: how do the grader and the student's program talk to each other?
 *
 * The program in the box gets a request on descriptor 3, sends the elements of
 * C on 4, nothing else, and a report on 5. All three are bytes of this machine,
 * numbers as they lie in memory. Nobody trusts the report: it was written by a
 * process in which the student's code ran. It is read with every length
 * checked, holds no address, and its texts come out as printable ASCII.
 *
 * A report is a magic number and then records: a type, a length in bytes and
 * that many bytes. The last is GRADE_WIRE_END, so that a program that was
 * stopped half-way is found out.
 */
#ifndef GRADE_WIRE_H
#define GRADE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/predictions.h"
#include "simt/simt.h"

enum grade_task {
    GRADE_TASK_PRODUCT, /* one product with one entry */
    GRADE_TASK_CALLS,   /* lab_host, each of its CUDA calls failing once */
    GRADE_TASK_BANKS,   /* lab 05: lab_read, and its table */
    GRADE_TASKS
};

enum grade_function {
    GRADE_LAB_HOST,
    GRADE_LAB_LAUNCH,
    GRADE_LAB_LAUNCH_B,
    GRADE_FUNCTIONS
};

#define GRADE_WIRE_REQUEST UINT32_C(0x31515247)
#define GRADE_WIRE_REPORT  UINT32_C(0x31525247)

/* With this begins what GRADE_WIRE_WRONG says of a lab whose host code does the
   kernel's work. */
#define GRADE_WIRE_BY_HOST "Host code makes "

/* Followed by the elements of A and of B. */
struct grade_wire_request {
    uint32_t magic;
    uint32_t task, function;
    int32_t m, n, k;
    uint64_t order; /* of the warps; 0: that of their numbers */
};

enum {
    GRADE_WIRE_END = 1,
    GRADE_WIRE_CRASH,   /* text: a CUDA call failed, a kernel did not end */
    GRADE_WIRE_MEMORY,  /* text: it asked for more memory than there is */
    GRADE_WIRE_WRONG,   /* text: a red zone was written, an input changed */
    GRADE_WIRE_ERROR,   /* text: the runner itself could not go on */
    GRADE_WIRE_KERNEL,  /* one simt_kernel */
    GRADE_WIRE_ROW,     /* one simt_row */
    GRADE_WIRE_FINDING, /* one grade_finding */
    GRADE_WIRE_TABLE,   /* lab 05's predictions */
    GRADE_WIRE_OVERLAP, /* own_shared_loads, own_overlapped_loads */

    GRADE_WIRE_TEXT = 4096, /* bytes of a text, at most */
    GRADE_WIRE_ROWS = 4096, /* of each kind of record, at most */
};

/* --- writing: in the box -------------------------------------------------- */

struct grade_wire_out {
    char *bytes;
    size_t size, room;
    size_t record; /* where the open record's length stands */
    int failed;    /* 1: there was no memory */
};

void grade_wire_open(struct grade_wire_out *out, uint32_t type);
void grade_wire_close(struct grade_wire_out *out);
void grade_wire_u32(struct grade_wire_out *out, uint32_t value);
void grade_wire_u64(struct grade_wire_out *out, uint64_t value);
/* NULL is as "". */
void grade_wire_text(struct grade_wire_out *out, const char *text);

/* A whole record of one text. */
void grade_wire_tell(struct grade_wire_out *out, uint32_t type,
                     const char *text);

void grade_wire_kernel(struct grade_wire_out *out,
                       const struct simt_kernel *kernel);
void grade_wire_row(struct grade_wire_out *out, const struct simt_row *row);
void grade_wire_finding(struct grade_wire_out *out,
                        const struct simt_finding *finding);

/* --- reading: in the grader ----------------------------------------------- */

struct grade_finding {
    enum simt_check check;
    const char *text; /* the whole message */
};

struct grade_report {
    int ended;    /* 1: it has its end */
    char *crash;  /* NULL: no such record; the first if there are several */
    char *memory; /* likewise */
    char *wrong;  /* likewise */
    char *error;  /* likewise */
    int has_table;
    int table[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES];
    struct simt_row *row;
    struct simt_kernel *kernel;
    struct grade_finding *finding;
    size_t rows, kernels, findings;
    struct simt_count count;  /* rows and kernels again, and the overlap */
    struct grade_text *texts; /* what the strings above lie in */
};

/*
 * Reads a report. Returns 0; or -1 with a line in why that says what is not as
 * it must be, or errno ENOMEM; then *report is empty. Free it with
 * grade_report_free.
 */
int grade_report_read(const char *bytes, size_t size,
                      struct grade_report *report, char *why, size_t why_size);

void grade_report_free(struct grade_report *report);

#endif /* GRADE_WIRE_H */
