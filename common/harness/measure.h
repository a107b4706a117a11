/*
 * measure.h: has a run reached the number that its lab is about?
 *
 * labs/INDEX names each lab's measures: a counter and the value to reach. What
 * a value earns: common/grade/judge/points.c.
 */
#ifndef LAB_MEASURE_H
#define LAB_MEASURE_H

#include <stdio.h>

#include "counters.h"
#include "course/index.h"

/* One measure of one run. */
struct lab_score {
    double value; /* NaN: not counted */
    int seen;     /* 0: nothing was counted where something must be */
    int reached;  /* 1: full, or better */
};

struct lab_score lab_measure_score(const struct course_measure *measure,
                                   const double counter[LAB_COUNTERS]);

/* Has the run reached all of the lab's measures? 1 or 0; -1: it has none. */
int lab_measures_reached(const struct course_lab *lab,
                         const double counter[LAB_COUNTERS]);

/* The first of the lab's measures that the run has not reached; NULL: none. */
const struct course_measure *
lab_measure_missed(const struct course_lab *lab,
                   const double counter[LAB_COUNTERS]);

/* The first entry that runs on the device, or -1 for a lab without a kernel. */
int lab_measure_entry(const struct course_lab *lab);

/* What a column counts, in words: "global loads per multiply-add"; of a lab
   that is no product "per element" of its size. Returns text. */
enum {
    LAB_LABEL_TEXT = 80
};
const char *lab_measure_label(const struct course_lab *lab, const char *column,
                              char text[LAB_LABEL_TEXT]);

/* Writes a value of that column with its unit: "0.125", "122880", "25 %". */
void lab_measure_value(char *text, size_t size, const char *column,
                       double value);

/*
 * Prints title and a line for each measure of the lab: its value before the lab
 * and now, the goal, and whether it is reached. Where no goal is asked, no_goal
 * says why ("another size than the goal's"), or is "". Else it is NULL.
 */
void lab_measures_print(FILE *stream, const char *title,
                        const struct course_lab *lab,
                        const double counter[LAB_COUNTERS],
                        const char *no_goal);

#endif /* LAB_MEASURE_H */
