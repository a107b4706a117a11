/*
 * compare.h: is what a GPU counted what the CPU device counts, and where it is
 * not, is it known why?
 *
 * Two tables of counts are compared, launch by launch: that of a GPU, whose
 * rows name Nsight Compute's metrics, and that of the CPU device, whose rows
 * name quantities (launches.h). A third one, `differences`, says which rows may
 * differ, by how much and why.
 */
#ifndef TESTS_HARDWARE_COMPARE_H
#define TESTS_HARDWARE_COMPARE_H

#include <stddef.h>
#include <stdio.h>

#include "base/csv_read.h"

struct compare_row {
    const char *program; /* "copies"; "" in the CPU device's tables */
    const char *kernel;  /* "copy"; "" if it is not known */
    const char *label;   /* "float4" */
    int launch;          /* of the program, from 1 */
    const char *metric;  /* or quantity */
    double value;
    int parts; /* rows of the file that it is made of */
};

/* Strings point into csv. */
struct compare_table {
    struct compare_row *row;
    size_t rows;
    struct base_csv csv;
};

/*
 * Reads a table from CSV text: columns program, kernel, label, launch, metric
 * and value; the CPU device's has quantity for metric and no program. Lines
 * that begin with # come before the header only. Metrics that say one thing in
 * parts become one row: the
 * instructions that calculate become "flops". Returns 0, or -1 with a line in
 * why, also if there is no row; then there is nothing to free.
 */
int compare_read(struct compare_table *table, const char *path,
                 const char *text, char *why, size_t size);
void compare_free(struct compare_table *table);

/*
 * One line for each difference that is known: columns rows, low, high and
 * reason. `rows` is a pattern as the shell's for program/kernel/label/metric;
 * low and high bound the GPU's count over the CPU device's; both are inf where
 * the CPU device counts none.
 */
struct compare_differences {
    struct base_csv csv;
    int *used; /* by line: rows that needed it */
    /* Rows of the GPU's file that are equal, and that a line explains. */
    int equal, explained;
};

int compare_differences_read(struct compare_differences *differences,
                             const char *path, const char *text, char *why,
                             size_t size);
void compare_differences_free(struct compare_differences *differences);

/*
 * Compares the GPU's rows of one program, or of one of its labels where label
 * is not NULL, with all rows of `ours`. Writes a line to report for each row
 * that differs for no known reason, and for each launch that was not measured
 * like launch 1. Returns how many lines, or -1 if the GPU has no such row.
 */
int compare_program(const struct compare_table *gpu, const char *program,
                    const char *label, const struct compare_table *ours,
                    struct compare_differences *differences, FILE *report);

/* Writes a line for each difference that no row needed. Returns how many. */
int compare_unused(const struct compare_differences *differences, FILE *report);

/* The quantity that a metric is compared with, or NULL. */
const char *compare_quantity(const char *metric);

#endif /* TESTS_HARDWARE_COMPARE_H */
