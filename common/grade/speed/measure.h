/*
 * measure.h: how fast is a kernel that nobody trusts, on this machine's GPU?
 *
 * Its C is judged here, at the size that is timed. Its times come from a
 * process in which the student's code ran, so they are held against two bounds:
 * all runs together cannot have taken longer than the box, nor can a run have
 * been faster than the chip's arithmetic. What lies between is believed; a
 * speed is an extra and no grade.
 */
#ifndef GRADE_SPEED_MEASURE_H
#define GRADE_SPEED_MEASURE_H

#include "course/index.h"
#include "harness/reference.h"

#include <stddef.h>

struct speed_setting {
    const char *kit;  /* absolute: speed_build, runner.o and lab.h */
    const char *nvcc; /* absolute */
    const char *arch; /* "sm_90" */
    const char *work; /* a folder of this run's own, which boxes may enter */
    int slot;
    int runs;
};

enum speed_verdict {
    SPEED_RIGHT,   /* C is right: there are times */
    SPEED_WRONG,   /* it is not */
    SPEED_FAILED,  /* no program, or it ended before it had told all */
    SPEED_MACHINE, /* the measuring itself failed */
    SPEED_VERDICTS
};

/* "RIGHT", "WRONG", "FAILED", "MACHINE" */
extern const char *const speed_verdict_word[SPEED_VERDICTS];

struct speed_result {
    enum speed_verdict verdict;
    char text[1000];                  /* why it is not SPEED_RIGHT */
    double median, shortest, longest; /* ms of a run */
    double gflops;                    /* 2 m n k operations by the median */
    double peak;                      /* GFLOP/s of the chip, from its card */
    char device[256];
    char flag[200]; /* why a person must look at this; "" */
};

/* Vets and builds a source; the program is then in setting->work. */
void speed_build(const struct speed_setting *setting,
                 const struct course_lab *lab, const char *source, size_t size,
                 struct speed_result *result);

/* Runs the program that was built last: its lab_launch, or lab_launch_b. */
void speed_run(const struct speed_setting *setting, int second,
               const struct lab_reference *reference,
               struct speed_result *result);

/*
 * What a box answered, taken apart and judged: bytes of C and of the report.
 * seconds: how long the box was there. For speed_run and for tests.
 */
void speed_judge(const struct lab_reference *reference, int runs, const void *C,
                 size_t C_size, const void *report, size_t report_size,
                 double seconds, struct speed_result *result);

#endif /* GRADE_SPEED_MEASURE_H */
