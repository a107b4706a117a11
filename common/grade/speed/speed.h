/*
 * speed.h: how fast was a kernel, by what its program tells?
 *
 * The program is the lab's own (common/harness), run by --bench; it judges C
 * and writes a CSV file. It holds the student's code, so what it tells may be
 * forged: a speed is an extra and no grade. What cannot be is flagged.
 */
#ifndef GRADE_SPEED_H
#define GRADE_SPEED_H

#include "course/index.h"
#include "grade/base/result.h"

#include <stddef.h>

struct speed_row {
    const char *student; /* bytes of any kind; NULL: the course's solution */
    const struct course_lab *lab;
    const struct course_entry *entry;
    enum grade_verdict verdict; /* GRADE_PASS: there are times */
    char note[1000];            /* why there are none */
    struct course_shape shape;
    double median, shortest, longest; /* ms of a run */
    double gflops;                    /* 2 m n k operations by the median */
    double peak;                      /* of the chip */
    double of_solution;               /* the solution's median / this one's */
    char device[256];
    char flag[200]; /* why a person must look at this; "" */
};

/*
 * Takes a row's verdict and times from the CSV text of its program. solution:
 * the same kernel of the course, whose size and chip are believed; NULL: this
 * is the solution.
 */
void speed_read(struct speed_row *row, const char *csv,
                const struct speed_row *solution);

/* Says one row on stdout. */
void speed_print(const struct speed_row *row);

/* Writes all rows to a CSV file. Returns 0, or -1 with a line in why. */
int speed_write(const char *path, const struct speed_row *row, size_t rows,
                char *why, size_t size);

#endif /* GRADE_SPEED_H */
