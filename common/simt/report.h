/*
 * report.h: how is what the device counted and found shown, to people and to
 * programs?
 *
 * Everything here works on the structures of simt.h alone, so that it can be
 * linked and tested without a recorder. Tables fit 80 columns. A program with
 * its own main gets its report at exit: see environment.c.
 */
#ifndef SIMT_REPORT_H
#define SIMT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- report_metrics.c: names ---------------------------------------------- */

struct simt_metric {
    const char *name;  /* in these reports: "sectors" */
    const char *ncu;   /* Nsight Compute's, separated by blanks; "": none */
    const char *means; /* in a line */
};

extern const struct simt_metric simt_metric[];
extern const size_t simt_metrics;

/* Prints name, Nsight Compute's names and meaning of each. */
void simt_metrics_explain(FILE *to);

/* The same without Nsight Compute's names, for below a table. */
void simt_metrics_brief(FILE *to);

/* --- report.c, report_lines.c: tables ------------------------------------- */

enum {
    SIMT_GROUPED = 32 /* bytes that simt_group needs */
};

/* Writes a number with commas, as in 1,966,080; returns text. */
const char *simt_group(char text[SIMT_GROUPED], uint64_t number);

/* "load", "store", "atomic"; "global", "shared", "constant". */
const char *simt_kind_name(enum simt_kind kind);
const char *simt_space_name(enum simt_space space);

/* What a request for it takes, in the reader's language. */
const char *simt_unit_name(enum simt_space space);

/* A line for each array and kind of access. */
void simt_report_arrays(FILE *to, const struct simt_count *count);

/* A line for each kernel, and one for each launch of it. */
void simt_report_kernels(FILE *to, const struct simt_count *count);
void simt_report_launches(FILE *to, const struct simt_count *count);

/* For each source line its text, where the file can be read, its accesses and
   its floating-point operations. */
void simt_report_lines(FILE *to, const struct simt_count *count);

/* Writes a source line without its indentation, cut to `room` bytes, into text;
   "" if the file cannot be read or has no such line. room is at least 8. */
void simt_source_line(char *text, size_t room, const char *file, int line);

/* The path without its folders. */
const char *simt_base_name(const char *path);

/* --- report_checks.c: what was found -------------------------------------- */

/* What came of one check. Only SIMT_CLEAN is good news. */
enum simt_answer {
    SIMT_CLEAN,
    SIMT_FOUND,   /* mistakes */
    SIMT_WARNED,  /* nothing that GPUs of today mind */
    SIMT_NOTHING, /* the kernels have nothing that it could check */
    SIMT_BLIND    /* they have, and it saw nothing of it */
};

/* The checks of one run or of several, added up. Begins as all 0. */
struct simt_checks {
    uint64_t seen[SIMT_CHECKS];
    size_t found[SIMT_MISTAKES]; /* mistakes */
    size_t warned[SIMT_CHECKS];
    int expected[SIMT_CHECKS];  /* 1: there was something to check */
    int blind[SIMT_CHECKS];     /* 1: ... and in one run it was not seen */
    int runs, runs_without_any; /* the latter: without any access at all, */
    int may_be_empty;           /* which is no failure */
};

void simt_checks_add(struct simt_checks *checks, const struct simt_count *count,
                     const struct simt_findings *findings);

enum simt_answer simt_checks_answer(const struct simt_checks *checks,
                                    enum simt_check check);

/* 1 if a mistake was found, or if a check or a whole run saw nothing where it
   must have; else 0. */
int simt_checks_failed(const struct simt_checks *checks);

enum {
    SIMT_CHECK_TEXT = 160 /* bytes of a check's line */
};

/* What came of a check, in words: "misaligned accesses: none in 9 accesses". */
void simt_check_text(char *line, size_t size, const struct simt_checks *checks,
                     enum simt_check check);

/* Prints a line for each check: what it found, and in how many accesses. */
void simt_report_checks(FILE *to, const struct simt_checks *checks);

/* --- report_file.c: for programs ------------------------------------------ */

/*
 * Writes path, as CSV or JSON, whichever its name ends in. As CSV it is one
 * table: a row for each record, whose kind is in the column "record"; cells
 * that a record does not have are empty. As JSON an object with the members
 * "lines", "flops_by_line", "kernels", "launches", "checks" and "findings".
 * Returns 0, or -1 with a line in why.
 */
int simt_report_write(const char *path, const struct simt_count *count,
                      const struct simt_checks *checks,
                      const struct simt_findings *findings, char *why,
                      size_t size);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_REPORT_H */
