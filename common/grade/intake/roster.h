/*
 * roster.h: who is in the course, and what did a person decide about a grade?
 *
 * Both are CSV files with a header, in any order of columns. A roster has the
 * column id, the name of the student's folder; name is shown if there is one;
 * others, such as email, are left alone. In manual grades every row takes the
 * place of the points that the grader found:
 *
 *     student,lab,points,reason
 *     alice,04,85,"explained it in class"
 */
#ifndef GRADE_ROSTER_H
#define GRADE_ROSTER_H

#include <stddef.h>

#include "course/index.h"

struct grade_roster {
    struct grade_person {
        char *id, *name; /* name: "" where there is none */
    } * person;          /* in the order of the file */
    size_t persons;
};

/* Reads a roster. Returns 0, or -1 with a line in why that names the file and,
   where that is what is wrong, the row; nothing is to be freed then. */
int grade_roster_read(const char *path, struct grade_roster *roster, char *why,
                      size_t size);

void grade_roster_free(struct grade_roster *roster);

struct grade_manual {
    struct grade_decision {
        char *student, *reason;
        const struct course_lab *lab;
        double points;
        int row; /* of the file, the header being 1 */
    } * decision;
    size_t decisions;
};

/* Reads manual grades; there are none if there is no file. As above. */
int grade_manual_read(const char *path, const struct course_index *index,
                      struct grade_manual *manual, char *why, size_t size);

void grade_manual_free(struct grade_manual *manual);

/* What was decided about a student's lab, or NULL. */
const struct grade_decision *
grade_manual_find(const struct grade_manual *manual, const char *student,
                  const char *lab);

/* The lab called "04", "4", "04_coalescing" or "coalescing", or NULL. */
const struct course_lab *grade_lab_called(const struct course_index *index,
                                          const char *name);

#endif /* GRADE_ROSTER_H */
