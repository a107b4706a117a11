/*
 * intake.h: what has a student handed in?
 *
 * Submissions lie in one folder, with a folder for each student whose name says
 * who it is. A lab's source is taken from the first of these places, and they
 * must not say different things:
 *
 *     STUDENT/04_coalescing/coalescing.cu
 *     STUDENT/04_coalescing.cu
 *     STUDENT/coalescing.cu
 *     STUDENT/labs/04_coalescing/coalescing.cu    as the course's tree has it
 *
 * A name is bytes of any kind and is never part of a path or of a command: each
 * folder is opened by its name below the one that holds it, and no symbolic
 * link is followed. Nothing but a regular file with one name is read, and that
 * never waits.
 */
#ifndef GRADE_INTAKE_H
#define GRADE_INTAKE_H

#include <stddef.h>

#include "grade/base/result.h"

enum {
    GRADE_SOURCE_LARGEST = 256 * 1024 /* bytes; a lab has about 5000 */
};

/* The submissions, in the order of their names' bytes. */
struct grade_intake {
    int folder;     /* descriptor */
    char **student; /* names of folders and of symbolic links */
    size_t students;
    char **other; /* names of what else lies there */
    size_t others;
};

/* A lab's source, or why there is none. */
struct grade_handed {
    enum grade_verdict verdict; /* PASS: it is here. MISSING, REJECTED with
                                   text, GRADER_ERROR with text */
    char *source;               /* with a NUL behind it */
    size_t size;
    char text[400];
};

/* Lists the folder at path. Returns 0, or -1 with a line in why. */
int grade_intake_open(struct grade_intake *intake, const char *path, char *why,
                      size_t size);

void grade_intake_close(struct grade_intake *intake);

/* Opens a student's folder, for close(). Returns -1 with errno; ELOOP or
   ENOTDIR: it is no folder. */
int grade_intake_student(const struct grade_intake *intake, const char *name);

/* Takes a lab's source from a student's folder. Free handed->source. */
void grade_intake_take(int folder, const char *lab,
                       struct grade_handed *handed);

/*
 * Names of files in a student's folder that belong to no lab, as "lab4.cu,
 * notes.txt", cut after a few; "" if there are none. NULL with errno ENOMEM.
 */
char *grade_intake_unknown(int folder, const char *const *lab, int labs);

#endif /* GRADE_INTAKE_H */
