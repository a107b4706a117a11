/*
 * program.h: what does a lab's program do, from its options to its verdict?
 *
 *   main.c      reads the options, finds the device, chooses one of the modes,
 *               writes the result files and the last line
 *   modes.c     verify, bench, count and list
 *   mode_banks.c    lab 05, which has no matrices
 *   examine.c   one entry at one size: run, judge, time, count
 */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

#include "cublas.h"
#include "device_card.h"
#include "lab_info.h"
#include "options.h"
#include "results.h"

struct lab_program {
    char *name; /* argv[0] */
    struct lab_options options;
    struct lab_device device;
    struct lab_cublas *cublas; /* NULL: not wanted, or not there */
    double peak_gflops;        /* 0: unknown */
    int clock_mhz;             /* while the peak was measured; 0: unknown */
    struct lab_result *result; /* one for each run */
    size_t results, room;
    char summary[160]; /* of the last line: "7 sizes" */
    char why[400];     /* after a -1: what is not possible, in one line */
};

/*
 * A mode runs, prints what it finds and sets the summary. Returns an enum
 * lab_verdict, or -1 with a line in program->why.
 */
int lab_mode_verify(struct lab_program *program);
int lab_mode_bench(struct lab_program *program);
int lab_mode_count(struct lab_program *program);
int lab_mode_list(struct lab_program *program);
int lab_mode_banks(struct lab_program *program);

/* LAB_UNFINISHED, with the TODOs printed, if there are any; else LAB_FAIL. */
int lab_mode_wrong(void);

/* Adds an empty result. Returns NULL if there is no memory, with why. */
struct lab_result *lab_program_add(struct lab_program *program,
                                   const char *variant, struct lab_shape shape);

/* --- examine.c ------------------------------------------------------------ */

enum {
    LAB_TIME = 1,
    LAB_COUNT = 2
};

/*
 * Runs one entry at one size and prints what came of it; times it, or counts,
 * if it is right. `what` is 0, LAB_TIME or LAB_COUNT. Adds a result, the last
 * of program->result. Returns 0 if C is right, 1 if not, or -1 with
 * program->why.
 */
int lab_examine(struct lab_program *program, const struct lab_entry *entry,
                struct lab_shape shape, int what);

#endif /* LAB_PROGRAM_H */
