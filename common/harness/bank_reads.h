/*
 * bank_reads.h: lab 05: do the student's kernels read what they should, and
 * how many wavefronts do the banks need for it?
 */
#ifndef LAB_BANK_READS_H
#define LAB_BANK_READS_H

#include <stddef.h>

#include "counters.h"
#include "predictions.h"
#include "simt/report.h"
#include "story.h"

struct lab_bank_reads {
    int right;              /* 1: every lane read its element, in every case */
    char wrong[800];        /* else: the first mistake */
    int found;              /* 1: the device's checks found it */
    struct lab_place place; /* where s was loaded last; analyse build */
    /* By type and stride; NaN: not measured. */
    double wavefronts[LAB_TYPES][LAB_STRIDES]; /* of a request; analyse build */
    double cycles[LAB_TYPES][LAB_STRIDES];     /* of a load; GPU */
    struct simt_checks checks;                 /* of all runs; analyse build */
};

/* Runs lab_read for every type and stride. Returns 0, or -1 with a line in
   why if the harness itself could not go on. */
int lab_bank_reads_run(struct lab_bank_reads *reads, char *why, size_t size);

/* Are the counted wavefronts those of the model, by the rule that counts? 1,
   also where nothing can be counted; or 0 with reads->wrong filled. */
int lab_bank_reads_agree(struct lab_bank_reads *reads,
                         const struct lab_bank_table *table,
                         enum lab_banks rule);

/* Prints cycles or wavefronts, if there are any. */
void lab_bank_reads_print(FILE *stream, const struct lab_bank_reads *reads);

#endif /* LAB_BANK_READS_H */
