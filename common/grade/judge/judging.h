/*
 * judging.h: what the parts of a verdict share.
 *
 *   verdict.c       runs the cases and puts the result together
 *   build.c         is the source a program?
 *   cases.c         which entry is run at which size
 *   case.c          what comes of one entry at one size
 *   points.c        what was counted, and what all of it earns
 *   explain.c       what a student may learn from it
 *   believe.c       can a kernel that computed this product have counted so
 *                   little; and is a mean over requests that of the product, or
 *                   have requests been added to it that only look good?
 *   judging.c       how something is decided, or flagged for a person
 *
 * The counters come from the process in which the student's code ran. What no
 * kernel can do, or no form of the lab takes, is not believed: a person is
 * asked to look, and the number earns nothing until then.
 */
#ifndef GRADE_JUDGING_H
#define GRADE_JUDGING_H

#include "base/memory.h"
#include "grade/judge/verdict.h"
#include "grade/runner/report.h"
#include "problem/problem.h"

/* --- one program, one case ------------------------------------------------ */

/* What a box has here. */
enum {
    GRADE_CPU_SECONDS = 20,
    GRADE_COMPILE_SECONDS = 30, /* one that is unrolled to the end takes ten */
    GRADE_WALL_SECONDS = 300    /* no call of a lab waits: a machine is busy */
};

/* Killed although no limit was reached, or out of time although it did not get
   the processor for as long as it may: nothing that a lab may call waits. And
   what is said then. */
int grade_is_machines_fault(const struct grade_box_outcome *box);
extern const char grade_machines_fault[];

/* What is run. */
struct grade_plan {
    char name[48];
    enum grade_task task;
    const struct course_entry *entry;
    const struct lab_problem *problem;
    struct course_shape shape;
    uint64_t seed; /* of the inputs and of the order of the warps, as a lab's
                      program has them by --seed */
    int hidden;
    int counting; /* 1: its counts decide on points */
    int launches; /* 1: kernels must do the arithmetic, not host code; 0:
                        there must be none */
};

/* What came of it. */
struct grade_ran {
    enum grade_verdict verdict;         /* a case's, or GRADER_ERROR */
    char text[GRADE_REPORT_TEXT + 100]; /* "" or sentences */
    struct grade_report report; /* for grade_report_free; perhaps empty */
};

/* A process of its own in a box of its own runs the program of setting->work.
   Inputs are drawn here, after it was made; C is compared here with a product
   in float64. */
void grade_case_run(const struct grade_setting *setting,
                    const struct grade_plan *plan, struct grade_ran *ran);

/* --- all of them ---------------------------------------------------------- */

enum {
    GRADE_MOST_CASES = 128
};

/* One lab of one student, while it is judged. */
struct grade_judging {
    const struct grade_setting *setting;
    const struct course_lab *lab;
    const struct grade_rubric_lab *rubric;
    char name[80]; /* "tiling.cu": what messages call the source */
    struct grade_plan plan[GRADE_MOST_CASES + 1]; /* the last one is not run */
    int plans;
    struct grade_result *result;
    struct base_memory findings, costs;
    int is_right[GRADE_MOST_CASES]; /* of each plan */
    /* Of each entry of the lab: its counts were seen; they are better than
       before the lab's work. */
    int is_counted[COURSE_ENTRIES], is_changed[COURSE_ENTRIES];
    /* Which kernel did most, in a right run: its address, and its name; and
       what its lines did at the size that is counted. */
    uint64_t function[COURSE_ENTRIES], mark[COURSE_ENTRIES];
    char kernel[COURSE_ENTRIES][100];
    int right, unclean, hidden_unclean, times, flags;
    int by_host; /* 1: host code computed C, so that small sizes tell nothing */
    int is_doubtful; /* cases that a report wants looked at */
    int unnoticed;   /* 1: a CUDA call failed, and lab_host did not see it */
    int is_aligned;  /* 1: it has a structure of its own that is aligned */
    int failed;      /* 1: the grader's own fault */
    double value[COURSE_MEASURES]; /* the worst of all entries; NaN: none */
};

/* Decides: the result's verdict and its text, in place of what was said
   before. */
void grade_decide(struct grade_judging *j, enum grade_verdict verdict,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The share of the points of the lab's measure i that a value earns, and
   whether the numbers earn anything. */
double grade_number_share(const struct grade_judging *j, int i, double value);
int grade_number_earns(const struct grade_judging *j);

/* The counters of a lab, from what was counted for so many multiply-adds. Until
   wide loads are its idea, a load is of one word, and one of four counts as
   four. counter has LAB_COUNTERS members. */
void grade_derive_counts(const struct grade_judging *j,
                         const struct simt_count *count, double fmas,
                         double *counter);

/* Keeps the worst value of each measure: all entries are asked for it.
   `counter` has LAB_COUNTERS members, `worst` COURSE_MEASURES, NaN before the
   first. Returns 1 if all of them earn all. */
int grade_keep_worst(const struct grade_judging *j, const double *counter,
                     double *worst);

/* Vets the source, compiles it in a box and puts the program into
   setting->work, as the file "program". Returns 1; or 0 if there is none, which
   is decided. */
int grade_build(struct grade_judging *j, const char *source, size_t size);

/* Fills the plan. */
void grade_plan_cases(struct grade_judging *j);

/* Keeps which kernel an entry launches. */
void grade_keep_kernel(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);

/* Keep what a right run counted, at the size whose counts decide or at another,
   or what lab 05 predicted. */
void grade_keep_counts(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);
void grade_keep_change(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report);
void grade_keep_table(struct grade_judging *j,
                      const struct grade_report *report);

/* After all cases. */
void grade_give_points(struct grade_judging *j);

/* Adds a sentence that says why a person should look. */
void grade_flag(struct grade_judging *j, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Looks at what one product of that size counted, and flags what does not
   hold. */
void grade_believe(struct grade_judging *j, const struct simt_count *count,
                   struct course_shape shape);

/* Adds the findings of a report that j->findings does not have yet, a few at
   most. */
void grade_explain_findings(struct grade_judging *j,
                            const struct grade_report *report);

/* Adds to j->costs what a counted run spent most on: by line, against the least
   there could be, and the lab that is about it. `counter` has LAB_COUNTERS
   members. */
void grade_explain_costs(struct grade_judging *j, const struct grade_plan *plan,
                         const struct grade_report *report,
                         const double *counter, int reached);

#endif /* GRADE_JUDGING_H */
