/*
 * rubric.h: how many points is what worth?
 *
 * Without a file of the course's own: as labs/INDEX says. A rubric file is read
 * over it, line by line; its form stands in README.md and in the file that
 * `make grade` can write as a beginning.
 */
#ifndef GRADE_RUBRIC_H
#define GRADE_RUBRIC_H

#include "course/index.h"
#include "grade/result.h"

struct grade_rubric_lab {
    char lab[64];
    double points[GRADE_PARTS];
    double full[COURSE_MEASURES], zero[COURSE_MEASURES]; /* as in the INDEX */
    int graded; /* 0: this lab is not part of the grade */
};

struct grade_rubric {
    struct grade_rubric_lab lab[COURSE_LABS];
    int labs;
    int right_by_share; /* 1: GRADE_RIGHT in proportion to the cases that are
                           right (the default); 0: all cases or none */
    int hidden_cases;   /* of each entry, of sizes drawn from the seed (2) */
};

/* As the index has it. */
void grade_rubric_default(const struct course_index *index,
                          struct grade_rubric *rubric);

/* Reads a file over *rubric. Returns 0, or -1 with a line in why that names
   file, line and what is wrong; *rubric is then as it was. */
int grade_rubric_read(const char *path, const struct course_index *index,
                      struct grade_rubric *rubric, char *why, size_t size);

const struct grade_rubric_lab *
grade_rubric_find(const struct grade_rubric *rubric, const char *lab);

#endif /* GRADE_RUBRIC_H */
