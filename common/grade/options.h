/*
 * options.h: what was the grader asked to do?
 */
#ifndef GRADE_OPTIONS_H
#define GRADE_OPTIONS_H

#include "grade/box.h"
#include "grade/export/export.h"

enum grade_engine_kind {
    GRADE_LOCAL,
    GRADE_SLURM
};

struct grade_options {
    const char *submissions; /* NULL: the labs of this tree */
    const char *roster, *rubric, *seed_file, *write_rubric; /* or NULL */
    const char *out;  /* NULL: beside the submissions */
    const char *one;  /* a student; NULL: all */
    const char *labs; /* "04 06"; NULL: all */
    enum grade_isolation isolation;
    int jobs; /* 0: as many as there are cores */
    int explain;
    struct grade_export_wanted export;
    enum grade_engine_kind engine;
    const char *partition, *account; /* of the cluster; NULL: the site's */
    const char *manifest; /* of a task of a cluster; NULL: this is none */
    int task;             /* and its number */
};

/*
 * Reads the command line; --help is answered. Returns 0; 1 if there is nothing
 * more to do; -1 with a line in why.
 */
int grade_options_read(struct grade_options *options, int argc, char **argv,
                       char *why, size_t size);

#endif /* GRADE_OPTIONS_H */
