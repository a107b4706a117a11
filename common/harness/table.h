/*
 * table.h: what did each lab gain over the one before it?
 *
 * The ladder: a row for each lab of labs/INDEX, in 80 columns.
 */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include <stdio.h>

#include "course/index.h"
#include "base/csv_read.h"

/*
 * Checks that results has the columns the table needs, and no row of a lab
 * that the index does not know. Returns 0, or -1 with a line in why.
 */
int lab_table_check(const struct course_index *index,
                    const struct base_csv *results, const char *path, char *why,
                    size_t size);

/* The same for a recorded file, of which little is needed. */
int lab_table_check_recorded(const struct base_csv *recorded, const char *path,
                             char *why, size_t size);

/*
 * Prints the table. recorded holds runs on another chip, or is NULL. Of a lab
 * with several variants the worst verdict is shown, and the numbers of the
 * row that counts (rows.h); only of runs that are right. The labs of the
 * advanced track stand below a line of their own. Returns 1 if every lab of the
 * index has passed, or was skipped since this device cannot run it; else 0.
 */
int lab_table_print(FILE *to, const struct course_index *index,
                    const struct base_csv *results,
                    const struct base_csv *recorded);

#endif /* LAB_TABLE_H */
