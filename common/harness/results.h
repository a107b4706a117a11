/*
 * results.h: what is written about a run, for machines?
 *
 * A row of results.csv. Times are in milliseconds, rates in GFLOP/s. What was
 * not measured is empty.
 *
 * Where a row comes from stands in columns of its own, so that a file needs no
 * lines that are no rows: device_name (the chip), driver, compiler, program
 * (which build) and date, see origin.h; course, its version.
 */
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include <stddef.h>

#include "counters.h"

enum lab_verdict {
    LAB_PASS,
    LAB_FAIL,
    LAB_UNFINISHED,
    LAB_SKIPPED
};

/* "PASS", "FAIL", ... */
const char *lab_verdict_word(enum lab_verdict verdict);

struct lab_result {
    const char *lab, *variant, *device, *device_name; /* not owned */
    const char *verdict;
    const char *driver, *compiler, *program, *date; /* NULL or "": unknown */
    const char *precision; /* "fp32", "tf32", "bf16"; that of cuBLAS too */
    const char *course;    /* base_version (base/version.h) */
    int m, n, k;           /* 0: the lab has no matrices */
    int measure_ok;        /* 1, 0, or -1: not counted */
    /* The rest is NaN where it was not measured. */
    double max_error, tolerance; /* of the element that is most off */
    double kernel_ms;            /* median; of a host entry: the whole call */
    double kernel_ms_min, kernel_ms_max;
    double copies_ms; /* A and B to the device and C back */
    double gflops, peak_gflops, sm_clock_mhz, cublas_gflops;
    double cublas_error; /* the largest of cuBLAS's C */
    double buffer_sets;  /* that timed runs took in turn; 1: always the same, so
                           that a small product found its data in the L2 */
    double counter[LAB_COUNTERS];
};

/* A result in which nothing was measured yet. */
void lab_result_clear(struct lab_result *result);

/*
 * Appends rows to a CSV file; a file that is not there or is empty gets the
 * header first. With replaces older rows of the same run go: a file then holds
 * one answer to each question. The same run is lab, variant, device, size, and
 * whether it was timed or counted. The file is replaced as a whole, so that a
 * reader never sees half of a row, under a lock on its folder, so that programs
 * that append at the same time do not lose each other's rows. Returns 0, or -1
 * with a line in why; then the file is as it was.
 */
int lab_results_write_csv(const char *path, const struct lab_result *result,
                          size_t count, int replaces, char *why, size_t size);

/*
 * Does the file hold this run already, from the same chip, compiler and build?
 * The variant is not asked for: a program writes the rows of all of its
 * variants at once, and all must be right. timed: 1 if times are looked for, 0
 * if counts. Returns 1 with the date in date, 0 if not or if there is no such
 * file, or -1 with a line in why.
 */
int lab_results_known(const char *path, const struct lab_result *run, int timed,
                      char date[32], char *why, size_t size);

#endif /* LAB_RESULTS_H */
