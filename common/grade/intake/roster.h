/*
 * roster.h: who is in the course, and what did a person decide about a grade?
 *
 * Both are CSV files with a header, in any order of columns. A roster is the
 * course's own, with the column id, the name of the student's folder, and name;
 * or a list as a system writes it: Canvas's gradebook, Moodle's participants or
 * grading worksheet, Gradescope's roster. Whatever in it says who somebody is
 * finds the person; rows that are no student's (points possible, Canvas's test
 * student, teachers) are passed over.
 */

#ifndef GRADE_ROSTER_H
#define GRADE_ROSTER_H

#include <stddef.h>
#include <time.h>

#include "base/csv_read.h"
#include "course/index.h"

/* --- a table that somebody gave ------------------------------------------- */

struct grade_table {
    const char *path;
    char *why; /* for a line about what is wrong with it */
    size_t size;
    struct base_csv csv;
};

/* Reads it, and does not wait for what is no file. Returns 0, or -1 with why;
   nothing is to be freed then. */
int grade_table_read(struct grade_table *table, const char *path, char *why,
                     size_t size);

/* The cell, by the number of its column; "" for -1. */
const char *grade_table_cell(const struct grade_table *table, size_t row,
                             int column);

/* Writes into why what is wrong, of a row of the file (the header being 1; 0:
   of all) and in a form that no name in it can harm. Returns -1. */
__attribute__((format(printf, 3, 4))) int
grade_table_refuse(const struct grade_table *table, size_t row,
                   const char *format, ...);

/* The number that a cell begins with, 85.5 or, as spreadsheets write it where
   cells stand between semicolons, 85,5; *end stands behind it. */
double grade_table_number(const char *text, const char **end);

/* --- a roster ------------------------------------------------------------- */

/* What says who somebody is, the better name of a row first. */
enum grade_alias {
    GRADE_LOGIN, /* also Moodle's username */
    GRADE_GITHUB_NAME,
    GRADE_MATRICULATION, /* the university's */
    GRADE_EMAIL,
    GRADE_SYSTEM, /* the number in Canvas, or in a Moodle assignment */
    GRADE_ALIASES
};

/* The column of a table that has it, by the titles that systems write; -1:
   none. "id" is the course's own. */
int grade_alias_column(const struct base_csv *csv, int alias);

struct grade_roster {
    struct grade_person {
        const char *id, *alias[GRADE_ALIASES]; /* "" where there is none */
        const char *handed; /* when something came, by Moodle's worksheet */
        char *name;         /* likewise */
    } * person;             /* in the order of the file */
    size_t persons;
    struct base_csv csv; /* has the texts */
};

/* Reads a roster. Returns 0, or -1 with a line in why that names the file and,
   where that is what is wrong, the row; nothing is to be freed then. */
int grade_roster_read(const char *path, struct grade_roster *roster, char *why,
                      size_t size);

void grade_roster_free(struct grade_roster *roster);

enum {
    GRADE_SAID = 40
};

/* Whose something is, as a system says; all owned, NULL: not said. */
struct grade_owner {
    char *alias[GRADE_ALIASES];
    char *any; /* an id, or any of the aliases, or an address's begin */
    char *name;
    char *called;    /* of a file, its own name */
    char *apart;     /* the name and what tells it from another's, who may have
                      the same name */
    char number[21]; /* that of Moodle, or Brightspace's first; "" */
    time_t handed;   /* when it was handed in; 0: not said */
    char said
        [GRADE_SAID]; /* the same as the system's own clock has it, in the form
                      "2026-10-05 12:30:00"; "": not said */
    int late;         /* late, and nobody says how late */
};

/* Has somebody on it this name? */
int grade_roster_has_name(const struct grade_roster *roster, const char *name);

/* The person; by lab-03-anna also anna. NULL if there is none, or more than one
   may be meant. */
const struct grade_person *grade_roster_find(const struct grade_roster *roster,
                                             const struct grade_owner *owner);

/* --- what a person decided ------------------------------------------------ */

/*
 * In manual grades every row takes the place of the points that the grader
 * found, or is the report's, as a whole or by question:
 *
 *     student,lab,points,reason
 *     alice,04,85,"explained it in class"
 *     alice,05,80%,"of the lab's points"
 *     alice,03.2,3,"names one of the two writes"
 *     alice,report,10,"plots and text"
 *
 * A column by may say who decided.
 * A table of days has the columns student, lab and days.
 */
struct grade_manual {
    struct grade_decision {
        const char *student, *reason;
        const char *by;               /* who decided; "": not said */
        const struct course_lab *lab; /* NULL: the report */
        char what[8];                 /* "04", "03.2" or "report" */
        double points;                /* or days */
        int is_percent;               /* points is a share of the lab's */
        int row;                      /* of the file, the header being 1 */
    } * decision;
    size_t decisions;
    struct grade_table table; /* has the texts */
};

/* Reads manual grades, or days; there are none if there is no file. As
   grade_roster_read. path and why must outlive what is read. */
int grade_manual_read(const char *path, const struct course_index *index,
                      int is_days, struct grade_manual *manual, char *why,
                      size_t size);

void grade_manual_free(struct grade_manual *manual);

/* The lab called "04", "4", "04_coalescing" or "coalescing", or NULL. */
const struct course_lab *grade_lab_called(const struct course_index *index,
                                          const char *name);

/* Which of the labs do the words name, as in "04 6, tiling"? NULL: all. Returns
   0, or -1 with a line in why. */
int grade_labs_called(const struct course_index *index, const char *words,
                      int is_called[COURSE_LABS], char *why, size_t size);

#endif /* GRADE_ROSTER_H */
