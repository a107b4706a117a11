/*
 * Is what a program told of its numbers also so where it cannot reach the
 * counters? A program that would earn points for its numbers is built once
 * more, as its own witness (witness/witness.h), and runs what was counted
 * again. The first number is the one that is graded: compilers differ. But one
 * that the witness does not confirm waits for a person, who is shown both.
 */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "harness/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How much better a number may be than the witness's, as a share of its points.
   It stands above what g++ and clang differ by in a right program. */
static const double bound = 0.05;

int grade_has_witness(void)
{
    return access("build/grade/kit/witness/ready", F_OK) == 0;
}

/* Does any of the numbers earn a point? */
static int earns_points(const struct grade_judging *j)
{
    double sum = 0.0;

    for (int i = 0; i < j->lab->measures; i++)
        sum += grade_number_share(j, i, j->value[i]);
    return sum > 0.0 && grade_number_earns(j);
}

/* What was counted for all of the product, from what was for a part of it. */
static void derive_counters(const struct grade_judging *j,
                            const struct grade_plan *plan,
                            const struct grade_ran *ran,
                            double counter[LAB_COUNTERS])
{
    const double fmas = (double)plan->shape.m * plan->shape.n * plan->shape.k;

    grade_derive_counts(j, &ran->report.count, ran->fmas, counter);
    for (int i = 0; i < LAB_COUNTERS; i++) {
        if (lab_counters[i].unit == LAB_UNIT_COUNT)
            counter[i] *= fmas / ran->fmas;
    }
}

/* Runs a case by the witness: some of its blocks; or all of them, if their part
   of C does not come right alone. Returns 0; or -1, if that is flagged or
   decided. */
static int run_witness(struct grade_judging *j, const struct grade_plan *plan,
                       double *worst)
{
    struct grade_plan again = *plan;
    double counter[LAB_COUNTERS];
    struct grade_ran ran;
    const int before = j->flags;

    again.witness = 1;
    /* A part of the blocks makes a part of a product, and of another problem
       nobody knows what. */
    again.sample = j->lab->problem == NULL ? ~plan->seed | 1 : 0;
    grade_case_run(j->setting, &again, &ran);
    if (ran.verdict > GRADE_UNCLEAN && ran.verdict != GRADE_GRADER_ERROR) {
        grade_report_free(&ran.report);
        again.sample = 0;
        grade_case_run(j->setting, &again, &ran);
    }
    if (ran.verdict == GRADE_GRADER_ERROR) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s: %s", plan->name, ran.text);
    } else if (ran.verdict > GRADE_UNCLEAN) {
        grade_flag(j,
                   "%s: counted a second time, outside of what the program can "
                   "address, it is not right: %.300s",
                   plan->name, ran.text);
    } else {
        derive_counters(j, plan, &ran, counter);
        grade_keep_worst(j, counter, worst);
    }
    grade_report_free(&ran.report);
    return j->failed || j->flags > before ? -1 : 0;
}

static void compare_numbers(struct grade_judging *j, const double *worst)
{
    for (int i = 0; i < j->lab->measures; i++) {
        if (grade_number_share(j, i, j->value[i]) -
                grade_number_share(j, i, worst[i]) >
            bound) {
            grade_flag(j,
                       "%s: the program counted %.6g, and outside of what it "
                       "can address %.6g was counted.",
                       j->lab->measure[i].column, j->value[i], worst[i]);
        }
    }
}

int grade_count_again(struct grade_judging *j, const char *source, size_t size,
                      double *worst)
{
    char why[300];

    for (int i = 0; i < COURSE_MEASURES; i++)
        worst[i] = NAN;
    if (grade_build_witness(j, source, size, why, sizeof why) != 0) {
        if (!j->failed) {
            grade_flag(j, "Its numbers could not be counted a second time: %s",
                       why[0] != '\0' ? why : "it cannot be built for that.");
        }
        return -1;
    }
    for (int i = 0; i < j->plans; i++) {
        if (j->plan[i].counting && j->plan[i].entry->kind == COURSE_LAUNCH &&
            run_witness(j, &j->plan[i], worst) != 0)
            return -1;
    }
    return 0;
}

void grade_ask_witness(struct grade_judging *j, const char *source, size_t size)
{
    double worst[COURSE_MEASURES];

    if (j->setting->has_witness && course_has_launch(j->lab) &&
        earns_points(j) && grade_count_again(j, source, size, worst) == 0)
        compare_numbers(j, worst);
}
