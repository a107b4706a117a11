/*
 * alternatives.h: which small changes of a lab could make it right?
 *
 * A lab that is wrong is mostly wrong at one place: another variable, another
 * operator, a barrier. So a copy of it is made that holds all such changes at
 * once, each with a number (choices.h); a run makes the one that lab_change
 * names. Those that make the lab right show the place, and are no guess
 * (harness/mode_try_cpu.c). The technique is mutation-based fault localisation
 * (Moon, Kim, Kim, Yoo: Ask the Mutants, ICST 2014).
 */
#ifndef SIMT_ALTERNATIVES_H
#define SIMT_ALTERNATIVES_H

#include <stddef.h>
#include <stdio.h>

/* Some changes, with numbers one after the other. Kept in the program. */
struct simt_alternatives {
    int first, count;
    int tried;        /* of the count; the others are no answer */
    int line;         /* of the source */
    int kind;         /* enum simt_alternative_kind */
    const char *here; /* what stands there: "lane"; what is moved or put in */
};

enum simt_alternative_kind {
    SIMT_OPERAND,    /* another variable, number or array */
    SIMT_OPERATION,  /* another operator */
    SIMT_SCALED,     /* an operand or a product: one more term or factor */
    SIMT_DEALT_OUT,  /* x / a * b + x % c in its place */
    SIMT_AGAIN,      /* a loop for an if */
    SIMT_ADJUSTMENT, /* one more term or factor */
    SIMT_ORDER,      /* of two indices the one for the other */
    SIMT_VALUES,     /* the same of what two variables begin with */
    SIMT_SUM,        /* = for +=, or the other way */
    SIMT_PUT,        /* a statement more, behind this line */
    SIMT_REMOVED,    /* a statement less */
    SIMT_MOVED       /* a statement of this line, to elsewhere */
};

/* Written behind the copy; where there is no copy, there are none. The last has
   first 0. */
extern const struct simt_alternatives simt_alternatives[];

/* Two changes that are made together, on neighbouring lines: the same one, or
   of two names or operators each for the other. The last has 0. */
extern const int simt_pairs[][2];

/* What may stand in the place of an operand; the last is 0. */
extern const long simt_numbers[];

/* Lines of the source; count 0: all. */
struct simt_changed_lines {
    int *line;
    size_t count;
};

/*
 * Writes the copy of a text, which simt_rewrite has made, with the changes of
 * own lines; those that have many forms only of the ones that were shown.
 * Returns 0, or -1 with a line in why.
 */
int simt_alternatives_write(const char *text, size_t size,
                            const struct simt_changed_lines *own,
                            const struct simt_changed_lines *shown,
                            FILE *output, char *why, size_t why_size);

#endif /* SIMT_ALTERNATIVES_H */
