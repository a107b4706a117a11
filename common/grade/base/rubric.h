/*
 * rubric.h: how many points is what worth?
 *
 * Without a file of the course's own: as labs/INDEX says. A rubric file is read
 * over it, line by line, so it needs to hold only what is different. The labs
 * of the advanced track are graded if the file says so. All of it together,
 * with its meaning, is what grade_rubric_write writes:
 *
 *     right: by_share     # a comment
 *     hidden: 2
 *     zone: Europe/Berlin
 *
 *     lab: 04_coalescing
 *     graded: yes
 *     points: 60 20 20
 *     measure: global_load_sector_efficiency_B full 1 zero 0.25
 *
 * The form is that of base/record.h, but comments may stand behind a value.
 * What stands without colons is read as well: [04_coalescing] for lab, and a
 * measure by its name.
 */
#ifndef GRADE_RUBRIC_H
#define GRADE_RUBRIC_H

#include <stdio.h>
#include <time.h>

#include "course/index.h"
#include "grade/base/result.h"

struct grade_rubric_lab {
    char lab[64];
    double points[GRADE_PARTS];
    double full[COURSE_MEASURES], zero[COURSE_MEASURES]; /* as in the INDEX */
    int graded; /* 0: this lab is not part of the grade */
    time_t due; /* 0: no day is set */
};

struct grade_rubric {
    struct grade_rubric_lab lab[COURSE_LABS];
    int labs;
    int right_by_share; /* 1: GRADE_RIGHT in proportion to the cases that are
                           right (the default); 0: all cases or none */
    int before_earns;   /* 1: a kernel whose number is as before the lab earns
                           for right and clean; 0: it does not (the default) */
    int hidden_cases;   /* of each entry, of sizes drawn from the seed (2) */
    int grace;          /* days late that cost nothing (0) */
    int late_percent;   /* that each further day costs (0) */
    int report_points;  /* that a person gives for the report (0) */
    char language[20];  /* of the feedback, as es; "": English */
    char zone[48]; /* in which the dates are that name none: a name of the tz
                      database, as Europe/Berlin; UTC; +01:00. "": not said */
};

/* As the index has it. */
void grade_rubric_default(const struct course_index *index,
                          struct grade_rubric *rubric);

/* Reads a file over *rubric. Returns 0, or -1 with a line in why that names
   file, line and what is wrong; *rubric is then as it was. */
int grade_rubric_read(const char *path, const struct course_index *index,
                      struct grade_rubric *rubric, char *why, size_t size);

/* The same for a text in memory; path serves messages only. */
int grade_rubric_parse(const char *path, const char *text,
                       const struct course_index *index,
                       struct grade_rubric *rubric, char *why, size_t size);

/* Writes a rubric as a file with comments that grade_rubric_read reads back as
   the same. Errors are those of the FILE. */
void grade_rubric_write(FILE *to, const struct course_index *index,
                        const struct grade_rubric *rubric);

const struct grade_rubric_lab *
grade_rubric_find(const struct grade_rubric *rubric, const char *lab);

/* --- how late was something handed in, and what does that cost? ---------- */

/*
 * The time that a text says: "2026-11-06", which is the last second of that
 * day, "2026-11-06 18:00", also with seconds and their fractions, with a T for
 * the blank, and with a zone behind it, as Z, +01:00 or -0800; without one it
 * is that of the environment's TZ. Also as Moodle writes it, in English or
 * German: "Friday, 6 November 2026, 5:59 PM", "Freitag, 6. November 2026,
 * 17:59". Returns -1 if it is none.
 */
time_t grade_time_read(const char *text);

/* The same in the rubric's zone, if it names one and the text none. */
time_t grade_time_in(const struct grade_rubric *rubric, const char *text);

/* Days that have begun since it was due: 0 in time, 1 from the first second
   to 24 hours. */
int grade_days_late(time_t due, time_t handed);

/* The share of the points that so many days leave, 0 to 1. With grace 2 and
   late 10, 0 to 2 days leave 1, 3 days 0.9, and 12 days nothing. */
double grade_late_share(const struct grade_rubric *rubric, int days);

#endif /* GRADE_RUBRIC_H */
