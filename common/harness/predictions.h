/*
 * predictions.h: lab 05: how many of the student's predictions are right?
 *
 * A cell of the table is the number of wavefronts that the banks take for one
 * request of s[stride * tid] by a warp.
 */
#ifndef LAB_PREDICTIONS_H
#define LAB_PREDICTIONS_H

#include <stdio.h>

#include "lab.h"

enum {
    LAB_CELLS = LAB_TYPES * LAB_STRIDES * LAB_BANK_RULES
};

/* Wavefronts, by type, stride and rule. */
struct lab_bank_table {
    int wavefronts[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES];
};

/* Fills the table from the bank model (common/banks). */
void lab_bank_table_fill(struct lab_bank_table *table);

struct lab_prediction_score {
    int right, wrong, unfilled; /* LAB_CELLS together */
    /* The first wrong cell; meaningful if wrong > 0. */
    enum lab_type type;
    int stride; /* its index in lab_strides */
    enum lab_banks rule;
    int is_exchanged; /* 1: its row has each rule's in the other's place */
    int like;         /* the type that its row is right for; -1: none */
    int left_out;     /* the stride whose pair it lacks, all that follow having
                         moved up; -1: none */
};

struct lab_prediction_score
lab_predictions_score(const int (*prediction)[LAB_STRIDES][LAB_BANK_RULES],
                      const struct lab_bank_table *table);

/* Prints the student's table; marks what is wrong, and does not tell what is
   right. */
void lab_predictions_print(FILE *stream,
                           const int (*prediction)[LAB_STRIDES][LAB_BANK_RULES],
                           const struct lab_bank_table *table);

/* Explains the beginning of the way to the first wrong cell. */
void lab_predictions_nudge(FILE *stream, const struct lab_prediction_score *s);

#endif /* LAB_PREDICTIONS_H */
