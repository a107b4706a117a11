/*
 * class.h: who has which grade?
 *
 * The table that the exports write: a row for each student, and in it a result
 * for each lab that is graded.
 */
#ifndef GRADE_CLASS_H
#define GRADE_CLASS_H

#include "course/index.h"
#include "course/keyed.h"
#include "grade/box/box.h"
#include "grade/intake/intake.h"
#include "grade/intake/people.h"
#include "grade/base/result.h"
#include "grade/intake/roster.h"
#include "grade/base/rubric.h"

/* How late a lab was, and what that leaves. */
struct grade_lateness {
    int days;     /* that have begun since it was due */
    int at_least; /* 1: the system says that it is late, and not how late */
    double share; /* of its points that it keeps: 1 if it is in time */
};

/* What a student answers in one file. */
struct grade_answers {
    const char *path; /* as the student calls it */
    struct course_keyed keyed;
};

struct grade_row {
    const struct grade_class *class;
    const char *student; /* bytes of any kind */
    const char *name;    /* the roster's; "" */
    const char *handed;  /* when it came, as the roster says; "" */
    int listed;          /* 0: a folder whose name the roster has not */
    char *unknown;       /* files that belong to no lab, as a text; "" */
    int team;            /* rows with the same handed in together; 0: alone */
    int has_files;       /* handed in; not told of one's own labs */
    /* Who handed in under this name, which two on the roster have; NULL. */
    char *namesakes;
    /* For each lab of the class: */
    struct grade_result result[COURSE_LABS];
    const struct grade_decision *decision[COURSE_LABS]; /* NULL: none */
    const struct grade_grant *grant[COURSE_LABS]; /* agreed; NULL: nothing */
    struct grade_lateness late[COURSE_LABS];
    char *beside[COURSE_LABS];  /* what to look at of what was taken, or NULL */
    int is_unread[COURSE_LABS]; /* refused before it could be graded: a link, an
                                   archive that is broken, two that differ */
    char *alike[COURSE_LABS];   /* who handed in the same; NULL: nobody */
    double seconds[COURSE_LABS];          /* of this run; 0: known before */
    const struct grade_decision **report; /* what a person gave for it */
    size_t report_parts;
    struct grade_answers *answers; /* one for each answers.txt */
    size_t answers_files;
    char *answers_wrong; /* which of them are not taken, and why; "" or NULL:
                            all are taken */
    char code[9]; /* for reading without names: 8 hexadecimal digits; "" */
};

struct grade_class {
    const struct course_lab *lab[COURSE_LABS]; /* those that are graded */
    /* Behind the labs stands the report, if a person gives points for it. */
    char title[COURSE_LABS + 1][16]; /* "Lab 03" or "Report" */
    double of[COURSE_LABS + 1];      /* points of each */
    int withheld[COURSE_LABS + 1];   /* not exported: most have none */
    int labs, columns;               /* labs, and the report */
    int has_no_feedback;             /* points alone are known */
    enum grade_isolation isolation;
    struct grade_row *row;
    size_t rows;
    struct grade_decision *decisions; /* of rows of a course's table, or NULL */
};

/*
 * Makes the rows, in the order of the roster, and behind them the folders that
 * it does not name; without a roster (NULL) each folder has a row. The names
 * stay those of roster and intake. Returns 0, or -1 with errno ENOMEM.
 */
int grade_class_make(struct grade_class *class,
                     const struct course_index *index,
                     const struct grade_rubric *rubric,
                     const struct grade_roster *roster,
                     const struct grade_intake *intake);

/* Adds a column for a lab, in the order of the index, or behind them for the
   report (NULL). */
void grade_class_add_column(struct grade_class *class,
                            const struct course_lab *lab, double of);

void grade_class_free(struct grade_class *class);

/* Gives each row a code that says nothing of whose it is; the same seed gives
   the same codes. */
void grade_class_code(struct grade_class *class, unsigned long long seed);

/* The row of a student who is named as the folder is, as grades.csv shows it,
   or by the code; NULL: there is none. */
struct grade_row *grade_class_find(const struct grade_class *class,
                                   const char *name);

/*
 * Hands each decision to its row; a student is named as the folder is, as
 * grades.csv shows it, or by the code. Percentages become points. Returns 0, or
 * -1 with a line in the table's why if a decision is about somebody who has no
 * row, or about a report that has no points.
 */
int grade_class_decide(struct grade_class *class, struct grade_manual *manual);

/* Hands what was agreed to its rows, days and excuses. Returns 0, or -1 with a
   line in the table's why if it is about somebody who is not on the roster. */
int grade_class_grant(struct grade_class *class,
                      const struct grade_people *people, int has_roster);

/*
 * Finds out how late each lab of the rows is: by the table of days, as above,
 * else by what the layout says, else by the roster, less the days that were
 * agreed. Returns 0, or -1 as above.
 */
int grade_class_find_late(struct grade_class *class,
                          const struct grade_rubric *rubric,
                          struct grade_intake *intake,
                          const struct grade_manual *days);

/* Have more than half of the rows nothing of any lab? */
int grade_class_is_missing(const struct grade_class *class);

/* Withholds each lab that fewer than half of the rows have handed in, so that
   nobody gets a 0 elsewhere for a lab that was not due, or that was not
   understood. Returns how many labs are left. */
int grade_class_withhold(struct grade_class *class);

/* Points of a row's lab, or of its report (class->labs), as they count: a
   person's decision, or the grader's by how late it was, to two places. */
double grade_row_points(const struct grade_row *row, int column);

/* Was it handed in, or decided by a person? */
int grade_row_is_there(const struct grade_row *row, int column);

/* Is a lab right, clean and at its goal? */
int grade_row_is_full(const struct grade_row *row, int lab);

/*
 * Is it missing, and yet something was handed in that may be it? What of all
 * that a student handed in nothing could be graded; what could not be read;
 * what one of two of the same name handed in; a source beside others that has
 * no lab's name; a source that is unfinished while there is another. A person
 * decides on its points.
 */
int grade_row_is_doubtful(const struct grade_row *row, int lab);

/* Does a lab not count, since it was agreed so? */
int grade_row_is_excused(const struct grade_row *row, int lab);

/* Must a person look at a lab: flags, the grader's own fault, what was refused,
   what others have handed in too, what may be another file, a mark that does
   not say how late, what is doubtful? Not if one decided. */
int grade_row_wants_a_look(const struct grade_row *row, int lab);

/* Did the grader fail for one of the labs, and no person decide? */
int grade_row_has_failed(const struct grade_row *row);

/* Did somebody decide these points, the grader or a person? */
int grade_row_is_settled(const struct grade_row *row, int column);

/* Days that a lab is late, where that counts; 0 else. */
int grade_row_days_late(const struct grade_row *row, int lab);

double grade_row_total(const struct grade_row *row);

/* Are the points of all labs of a row decided? Those of a GRADE_GRADER_ERROR
   and of what is doubtful are not, until a person does it. */
int grade_row_is_decided(const struct grade_row *row);

/* Tells with whom a row handed in together: "handed in with ben, cy"; returns
   how many these are. */
size_t grade_tell_team(FILE *to, const struct grade_row *row,
                       const char *before, const char *behind);

#endif /* GRADE_CLASS_H */
