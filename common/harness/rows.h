/*
 * rows.h: which row of a file of results counts, and what is a lab's verdict?
 *
 * The one rule that the ladder, a student's report, make status and the plots
 * go by: the results tool (results_main.c) says it to shell and gnuplot. Of a
 * lab the first variant counts that is no host code; of that the last row, and
 * of times the last at the largest size.
 */
#ifndef LAB_ROWS_H
#define LAB_ROWS_H

#include "base/csv_read.h"

/* A GPU's rows with times; or those with counts, and all that are no GPU's. */
enum lab_rows_of {
    LAB_COUNTED,
    LAB_TIMED
};

/* Which rows are asked for. */
struct lab_rows {
    enum lab_rows_of of;
    const char *lab;     /* NULL: of each lab */
    const char *variant; /* NULL: of each lab's first one */
    int every_variant;   /* 1: of each variant */
    int every_size;      /* 1: a row for each size */
    int square;          /* 1: of square matrices alone */
    int single;          /* 1: in single precision alone */
    int right;           /* 1: a row that is not right does not count */
};

/* Is that row the one that counts, of its lab and what else is asked for? */
int lab_row_counts(const struct base_csv *csv, size_t row,
                   const struct lab_rows *which);

/* The row that counts, or -1. */
long lab_row(const struct base_csv *csv, const struct lab_rows *which);

/* Has the row counts of a kernel, or the answer whether a goal is reached? */
int lab_row_has_counts(const struct base_csv *csv, size_t row);

/* Is the row's verdict PASS? */
int lab_row_is_right(const struct base_csv *csv, size_t row);

/* What a lab's rows say together. */
struct lab_judgement {
    /* The worst of the rows: from bad to good another word, FAIL, UNFINISHED,
       PASS, SKIPPED. Points into csv; "not run" without a row. */
    const char *verdict;
    int passed; /* 1: PASS or SKIPPED */
    int asked;  /* 1: the lab's number was asked for, in a row at least */
    int missed; /* 1: and not reached, in a row at least */
};

/* lab NULL: all rows are of one lab. */
struct lab_judgement lab_judge(const struct base_csv *csv, const char *lab);

/* Was a source in the lab's folder below labs changed after its results were
   written? */
int lab_changed_since(const char *labs, const char *lab, const char *results);

#endif /* LAB_ROWS_H */
