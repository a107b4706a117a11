/*
 * program.h: what does a lab's program do, from its options to its verdict?
 *
 *   main.c      reads the options, finds the device, chooses one of the modes,
 *               writes the result files and the last line
 *   modes.c     verify and bench
 *   mode_count.c    count and check, in the analyse build
 *   mode_map_cpu.c  what one request and one thread touch, likewise
 *   mode_why_cpu.c  why the lab is wrong, likewise: why.h
 *   mode_banks.c    lab 05, which has no matrices
 *   examine.c   one entry at one size: run, judge, time
 *   tell.c      what was counted and found in that run
 */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

#include "cublas.h"
#include "device_card.h"
#include "info.h"
#include "options.h"
#include "origin.h"
#include "results.h"
#include "run.h"
#include "simt/report.h"

struct lab_program {
    char *name; /* argv[0] */
    struct lab_options options;
    struct lab_device device;
    struct lab_origin origin;
    struct lab_cublas *cublas; /* NULL: not wanted, or not there */
    double peak_gflops;        /* 0: unknown */
    int clock_mhz;             /* while the peak was measured; 0: unknown */
    struct lab_result *result; /* one for each run */
    size_t results;
    struct simt_checks checks;  /* of all runs */
    struct simt_finding *found; /* likewise; the device keeps their texts */
    size_t founds;
    int goal_missed; /* 1: right, but for the lab's number */
    char
        unchecked[1200]; /* what is wrong with the CUDA calls of a right lab, or
                            with its launches */
    struct {
        const struct course_entry *entry; /* NULL: none yet */
        char kernel[120];                 /* which it launched */
        uint64_t requests;                /* from which lines, as a number */
    } counted;                            /* the entry that was counted last */
    char summary[320];                    /* of the last line: "8 sizes" */
    char why[800]; /* after a -1: what is not possible, in one line */
};

/*
 * A mode runs, prints what it finds and sets the summary. Returns an enum
 * lab_verdict, or -1 with a line in program->why.
 */
int lab_mode_verify(struct lab_program *program);
int lab_mode_bench(struct lab_program *program);
int lab_mode_count(struct lab_program *program);
int lab_mode_checks(struct lab_program *program);
int lab_mode_banks(struct lab_program *program);

int lab_mode_why(struct lab_program *program);
int lab_mode_try(struct lab_program *program);

/* The size of lab_mode_bench, or of lab_mode_count. */
struct course_shape lab_bench_shape(const struct lab_program *program);
struct course_shape lab_count_shape(const struct lab_program *program);

/* --- program.c ------------------------------------------------------------ */

/* An empty result, with what all rows of this program have in common. */
void lab_program_fill(const struct lab_program *program, const char *variant,
                      struct course_shape shape, struct lab_result *result);

/* Adds one. Returns NULL if there is no memory, with why. */
struct lab_result *lab_program_add(struct lab_program *program,
                                   const char *variant,
                                   struct course_shape shape);

/* How fast the lab is that takes so long for that size, and its unit: of a
   product GFLOP/s, else GB/s of all its arrays. */
double lab_speed_of(struct course_shape shape, double ms, const char **unit);

/* What the lab's result is called: "C". */
const char *lab_result_name(void);

/* Removes the last result. */
void lab_program_drop(struct lab_program *program);

/* 1 if more TODOs are open than written: then what the checks find would only
   confuse. */
int lab_has_most_todos_open(void);

/*
 * 1 if this program can count and has a kernel; else 0, and what the mode
 * returns in *verdict: a verdict, or -1 with why. `option` asked for it.
 */
int lab_mode_possible(struct lab_program *program, const char *option,
                      int *verdict);

/* What is wrong while TODOs are open is UNFINISHED, wherever it is said. */
enum lab_verdict lab_wrong_verdict(void);

/* LAB_UNFINISHED, with the TODOs printed, if there are any; else LAB_FAIL. */
int lab_mode_wrong(void);

/* Says that the lab wants a change, and how to go on. */
void lab_tell_change(void);

/* --- examine.c ------------------------------------------------------------ */

/* What else is to be done with a run: bits. */
enum {
    LAB_TIME = 1,
    LAB_CHECK = 2, /* the device's checks decide as well; analyse build */
    LAB_COUNT = 4, /* with LAB_CHECK: show what was counted */
    LAB_QUIET = 8  /* nothing is printed of a run that is right */
};

/* One entry at one size, while it is examined. */
struct lab_examination {
    struct lab_program *program;
    const struct course_entry *entry;
    struct lab_buffers b;
    struct lab_reference *reference;
    struct lab_outcome outcome;
    struct lab_result *result;
};

/*
 * Runs one entry at one size and prints what came of it; times it, or counts,
 * if it is right. Adds a result, the last of program->result. Returns 0 if C is
 * right and nothing was found, 1 if not, or -1 with program->why.
 */
int lab_examine(struct lab_program *program, const struct course_entry *entry,
                struct course_shape shape, int what);

/* The same at the lab's small sizes (course/index.h), up to the first that is
   wrong, but one line and no result for all that are right. */
int lab_examine_small(struct lab_program *program,
                      const struct course_entry *entry, int what);

/* --- tell.c --------------------------------------------------------------- */

/* What the device counted and found in one run; valid until the next. */
struct lab_tally {
    struct simt_count count;
    struct simt_findings findings;
};

/* Reads both. Returns 0, or -1 with program->why. */
int lab_tally_read(struct lab_program *program, struct lab_tally *tally);

/* Prints the first findings. Not for a lab with open TODOs: what is not written
   yet explains what it does. */
void lab_tell_findings(const struct simt_findings *findings);

/* Prints what was counted, holds it against the goal, and gives advice. Says in
   program->unchecked if the lab did not launch what it should have. */
void lab_tell_counts(struct lab_examination *x, const struct lab_tally *tally);

/* Prints what each check has seen in all runs. */
void lab_tell_checks(const struct lab_program *program);

#endif /* LAB_PROGRAM_H */
