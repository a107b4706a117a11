/*
 * advice.h: on what does a kernel spend most, and which lab is about that?
 *
 * At most three sentences, which follow by rule from what was counted. First
 * comes what a request takes too much of: sectors, wavefronts, warps with idle
 * lanes, and barriers; a lab that misses a number of its own hears of that
 * first, and of the lines that it comes from. If there is little of that, what
 * the algorithm itself asks for too often: loads, loop overhead, barriers; then
 * the next lab that is about it is named.
 */
#ifndef LAB_ADVICE_H
#define LAB_ADVICE_H

#include <stdio.h>

#include "counters.h"
#include "course/index.h"
#include "story.h"

/* Costs, and their words in labs/INDEX, column "about". */
enum lab_cost {
    LAB_COST_COALESCING,     /* coalescing: sectors of global memory */
    LAB_COST_BANK_CONFLICTS, /* bank_conflicts: wavefronts */
    LAB_COST_LANES,          /* lanes: requests of half-empty warps */
    LAB_COST_BARRIERS,       /* barriers */
    LAB_COST_GLOBAL_LOADS,   /* global_loads: per multiply-add */
    LAB_COST_SHARED_LOADS,   /* shared_loads: likewise */
    LAB_COST_LOOPS,          /* loops: backward jumps per multiply-add */
    LAB_COSTS
};

extern const char *const lab_cost_word[LAB_COSTS];

/* What the advice follows from. */
struct lab_spent {
    const struct simt_count *count;
    const double *counter; /* LAB_COUNTERS of them, of the same run */
    double fmas;           /* multiply-adds of the product */
    int reached;           /* 1: the lab's goal is reached */
    /* The first number that was asked for and is missed; NULL: none. */
    const struct course_measure *missed;
    /* Whose handouts are named; before the advanced track none of its own. */
    const struct course_index *index;
    const struct course_lab *lab; /* the lab at hand */
};

enum {
    LAB_SENTENCES = 3
};

struct lab_advice {
    int sentences;
    char sentence[LAB_SENTENCES][600];
    const struct simt_row *row; /* that the first is about; or NULL */
    const char *file;           /* and the line that is shown; 0: none */
    int line;
    struct lab_lines more; /* that are shown below it */
};

void lab_advise(const struct lab_spent *spent, struct lab_advice *advice);

/* Prints the sentences, and the source line that they are about. */
void lab_advice_print(FILE *stream, const struct lab_advice *advice);

#endif /* LAB_ADVICE_H */
