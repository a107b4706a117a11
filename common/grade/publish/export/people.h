/*
 * people.h: which row of a university's table is which student of the class?
 *
 * A student is named as his or her folder is. That name is looked for in each
 * of some columns of the table, and then in what stands before an @ in them;
 * the column that has the most students is believed, for the whole table.
 */
#ifndef GRADE_PEOPLE_H
#define GRADE_PEOPLE_H

#include <stdio.h>

#include "grade/publish/class.h"
#include "base/csv_read.h"

/* A column that says who somebody is: how it is called in what is written, and
   in the tables that there are. */
struct grade_identity {
    const char *title, *called[3];
};

enum {
    GRADE_IDENTITIES = 8
};

struct grade_people {
    struct base_csv csv;
    const struct grade_row **row; /* of each row of csv; NULL: no student */
    size_t found;                 /* students */
    /* Those of the identities that the table has, and where. */
    const struct grade_identity *identity[GRADE_IDENTITIES];
    int column[GRADE_IDENTITIES], identities;
};

/*
 * Reads the table at path and finds the students. `columns` are those to look
 * in, NULL behind the last, the first one preferred; `identity` ends with a
 * title NULL. Returns 0, or -1 with a line in why if the table cannot be read,
 * or names a student twice; nothing is to be freed then.
 */
int grade_people_read(const char *path, const char *const *columns,
                      const struct grade_identity *identity,
                      const struct grade_class *class,
                      struct grade_people *people, char *why, size_t size);

void grade_people_free(struct grade_people *people);

/* A cell of the table; rows count from 0 behind the header. */
const char *grade_people_cell(const struct grade_people *people, size_t row,
                              int column);

/* Writes who stands in a row, or the titles of that: cells of CSV with commas
   between them, none of them a formula. */
void grade_people_put(FILE *to, const struct grade_people *people, size_t row);
void grade_people_put_titles(FILE *to, const struct grade_people *people);

/* A cell as it was, but no formula. A number is none. */
void grade_people_put_cell(FILE *to, const char *cell);

/* Tells in one message which students the table has not; nothing if all are
   there. */
void grade_people_tell_absent(FILE *to, const struct grade_people *people,
                              const struct grade_class *class,
                              const char *table);

#endif /* GRADE_PEOPLE_H */
