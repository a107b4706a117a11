/*
 * report.h: what stands in a student's report, and where does it come from?
 *
 *   gather.c     reads what is at hand into struct report
 *   plots.c      the plots and their captions
 *   page.c       the page: head, summary, table of contents, sections
 *   section_*.c  one section each, or two that are alike
 *   html.c       the one way in which text reaches the page
 *
 * Nothing is run here: what was not run is named, with the command for it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "course/index.h"
#include "base/csv_read.h"
#include "course/keyed.h"
#include "plots.h"

/* What a file of build/results is. */
enum report_kind {
    REPORT_LAB,      /* labs/NAME.csv: runs of the student's lab */
    REPORT_SOLUTION, /* ladder.csv: runs of the course's solutions */
    REPORT_CHECKS,   /* checks/labs/NAME.csv: what the checks of it found */
    REPORT_CARD,     /* device.csv */
    REPORT_RUNS,     /* another file with the columns of results.csv */
    REPORT_OTHER     /* any other measurement */
};

struct report_file {
    enum report_kind kind;
    char *path;  /* "build/results/labs/03_tiling.csv" */
    char *lab;   /* "03_tiling"; of a LAB and CHECKS */
    char *notes; /* the lines with # in front of the header; "" if none */
    struct base_csv csv;
};

struct report {
    const char *student, *date; /* not owned; student may be "" */
    const char *labs;           /* folder of the labs; not owned */
    int has_solutions;        /* 0: the students' archive, without make demo */
    const char *answers_path; /* NULL: there is no such file; not owned */
    struct course_index index;
    struct course_keyed questions[COURSE_LABS]; /* in the order of the index */
    struct course_keyed answers;
    struct plots plots;
    struct report_file *file;
    size_t files;
};

/* Where everything is. */
struct report_paths {
    const char *index, *labs, *results, *plots, *captions;
    const char *answers;
    int answers_needed; /* 0: it may not be there */
};

/* --- gather.c ------------------------------------------------------------- */

/* Reads everything. Returns 0, or -1 with a line in why; nothing is to be freed
   then. */
int report_gather(const struct report_paths *paths, struct report *report,
                  char *why, size_t size);

void report_free(struct report *report);

/* The file of that kind, of that lab if it is not NULL; NULL: not there. */
const struct report_file *report_find(const struct report *report,
                                      enum report_kind kind, const char *lab);

/*
 * Does the report speak of lab i of the index? Of the advanced track those
 * count that the student has run, or answered a question of: who does none of
 * them misses nothing.
 */
int report_takes_in(const struct report *report, int i);

/* --- page.c --------------------------------------------------------------- */

/* Writes the page. style is CSS. Returns 0, or -1 with a line in why if a plot
   cannot be read; errors of the FILE are left to be asked for. */
int report_write(FILE *to, const struct report *report, const char *style,
                 char *why, size_t size);

/* How much is done: for the summary, and for the terminal. */
struct report_sums {
    int labs, right, run; /* labs of the course; those right, and run at all */
    /* The same of the advanced track, which is not among the others. */
    int advanced, advanced_right, advanced_run;
    int goals, reached;
    int mistakes, checked; /* that the checks found, and in how many labs */
    int questions, answered;
    int plots, drawn; /* of CAPTIONS, and those that were made */
};

struct report_sums report_add_up(const struct report *report);

/* --- the sections --------------------------------------------------------- */

void report_labs(FILE *to, const struct report *report);
void report_card(FILE *to, const struct report *report);
void report_counters(FILE *to, const struct report *report);
void report_runs(FILE *to, const struct report *report);
int report_plots(FILE *to, const struct report *report, char *why, size_t size);
void report_findings(FILE *to, const struct report *report);
void report_questions(FILE *to, const struct report *report);

/* Add what they show to the sums. */
void report_labs_add_up(const struct report *report, struct report_sums *sums);
void report_findings_add_up(const struct report *report,
                            struct report_sums *sums);

#endif /* REPORT_REPORT_H */
