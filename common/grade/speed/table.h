/*
 * table.h: how are the speeds of a class written?
 */
#ifndef GRADE_SPEED_TABLE_H
#define GRADE_SPEED_TABLE_H

#include "course/index.h"
#include "measure.h"

struct speed_row {
    const char *student; /* bytes of any kind; NULL: the course's solution */
    const struct course_lab *lab;
    const struct course_entry *entry;
    struct speed_result result;
    double of_solution; /* its time / this one; NaN: not known */
};

/* Says one row on stdout, in at most 80 columns for names of usual length. */
void speed_table_print(const struct speed_row *row);

/* Writes all rows to a CSV file at path. Returns 0, or -1 with a line in why. */
int speed_table_write(const char *path, const struct speed_row *row,
                      size_t rows, const struct course_shape *shape, char *why,
                      size_t size);

#endif /* GRADE_SPEED_TABLE_H */
