/*
 * options.h: what was the grader asked to do?
 */
#ifndef GRADE_OPTIONS_H
#define GRADE_OPTIONS_H

#include "grade/box/box.h"
#include "grade/publish/papers.h"
#include "grade/batch/store.h"

struct grade_options {
    const char *submissions; /* NULL: the labs of this tree */
    const char *roster, *rubric, *seed_file, *write_rubric; /* or NULL */
    const char *out;   /* NULL: beside the submissions */
    const char *class; /* the folder of what holds for a whole term; or NULL */
    const char *one;   /* a student; NULL: all */
    const char *labs;  /* "04 06"; NULL: all */
    enum grade_isolation isolation;
    int jobs; /* 0: as many as there are cores */
    int explain;
    int missing;       /* 1: zeros also where most have handed in nothing */
    int names;         /* 1: hidden on the pages of answers */
    const char *speed; /* options of programs that are timed in the place of
                            grades; or NULL */
    const char *nvcc, *arch; /* for these */
    struct grade_export_wanted export;
    struct grade_share share;
};

/*
 * Reads the command line; --help is answered. Returns 0; 1 if there is nothing
 * more to do; -1 with a line in why.
 */
int grade_options_read(struct grade_options *options, int argc, char **argv,
                       char *why, size_t size);

#endif /* GRADE_OPTIONS_H */
