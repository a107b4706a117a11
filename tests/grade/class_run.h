/*
 * class_run.h: what does the grader say of a class, run as an instructor would?
 *
 * A class is a temporary folder: class/ with a folder for each student, store/
 * for what links point to, roster.csv, tmp/ for the grader's own files, out/.
 */
#ifndef TESTS_CLASS_RUN_H
#define TESTS_CLASS_RUN_H

#include <stddef.h>
#include <sys/types.h>

#include "base/csv_read.h"

enum {
    CLASS_PATH = 400
};

struct class_run {
    char path[CLASS_PATH];   /* of the temporary folder */
    char course[CLASS_PATH]; /* where the grader runs */
    char out[CLASS_PATH];
    const char
        *program;   /* build/tools/grade, or grade_fake, which needs no box */
    uid_t user;     /* who runs it; 0 as root is root */
    int code;       /* of its end; 128 + n: by signal n */
    int orphans;    /* processes that it left behind */
    long peak_kib;  /* of the supervisor's memory */
    double timeout; /* seconds that the grader may take: 1200 */
    double grace;   /* seconds that what it left may live on: 10 */
    struct base_csv grades;
};

/* Makes the folder. Each function fails the test if it cannot do its work. */
void class_make(struct class_run *run);

/* Path of a file or folder in it; kept until the next call but three. */
const char *class_path(const struct class_run *run, const char *name);

/* From here on it grades small matrices, in a copy of the course: 64x96x128
   where labs/INDEX has 256x384x512. */
void class_shrink(struct class_run *run);

/* 1 with CORPUS=all: make test WHAT=all wants the long form of a test. */
int class_all(void);

/* From here on the ordinary user nobody runs it, if root asks for that: what
   the grader needs is copied to where this user can read it. */
void class_become_nobody(struct class_run *run);

/* Lays a submission of tests/corpus: "right/reference_03". */
void class_lay(const struct class_run *run, const char *submission);

/* Lists all folders of the class in roster.csv; returns how many. */
size_t class_write_roster(const struct class_run *run);

/*
 * Runs the grader on the class, with these further
 * options, NULL behind the last, and waits until it ends. kill_after > 0: it is
 * killed after that many seconds. What it prints goes to the file `printed` of
 * the class. Reads out/grades.csv if it is there.
 */
void class_grade(struct class_run *run, const char *const *options,
                 double kill_after);

/* The row of a student in grades, -1: there is none. Names as grades.csv has
   them. */
int class_row(const struct class_run *run, const char *student);

/* All of a student's feedback; for free(). */
char *class_feedback(const struct class_run *run, int row);

/* The contents of a file of the class; for free(). */
char *class_read(const struct class_run *run, const char *name);

/* How many entries a folder of the class has. */
size_t class_entries(const struct class_run *run, const char *name);

/* Forgets the grades, and removes all. */
void class_forget(struct class_run *run);
void class_remove(struct class_run *run);

#endif /* TESTS_CLASS_RUN_H */
