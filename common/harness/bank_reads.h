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
    /* The first mistake; LAB_NOTHING: every lane read its element in every
       case, and wherever that can be counted in as many wavefronts as the model
       says. A message: the device's checks found it. */
    struct lab_story story;
    /* By type and stride; NaN: not measured. */
    double wavefronts[LAB_TYPES][LAB_STRIDES]; /* of a request; analyse build */
    double cycles[LAB_TYPES][LAB_STRIDES];     /* of a load; GPU */
    struct simt_checks checks;                 /* of all runs; analyse build */
};

/* Runs lab_read for every type and stride. banks: whose rule counts, 1 or 9
   (options.h). Returns 0, or -1 with a line in why if the harness itself could
   not go on. */
int lab_bank_reads_run(struct lab_bank_reads *reads, int banks, char *why,
                       size_t size);

/* Prints cycles or wavefronts, if there are any. */
void lab_bank_reads_print(FILE *stream, const struct lab_bank_reads *reads);

#endif /* LAB_BANK_READS_H */
