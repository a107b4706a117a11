/*
 * export.h: how do the grades get into the system that a university has?
 *
 * Each word of EXPORT= writes what one system reads, into a folder beside
 * grades.csv. ../EXPORTS.md has the recipes. A file is there whole or not at
 * all, and the same results give the same bytes.
 */
#ifndef GRADE_EXPORT_H
#define GRADE_EXPORT_H

#include <stdio.h>

#include "grade/publish/feedback.h"

enum grade_export {
    GRADE_CANVAS,     /* canvas.csv, from a gradebook that Canvas exported */
    GRADE_MOODLE,     /* moodle.csv, for the users of a list */
    GRADE_GRADESCOPE, /* gradescope/, a results.json for each student */
    GRADE_GITHUB, /* github.txt, to be printed in a step of GitHub Actions, and
                     github.md, for its summary */
    GRADE_EXPORTS
};

struct grade_export_wanted {
    const char *words;  /* "canvas github"; NULL: none */
    const char *canvas; /* the gradebook, or NULL */
    const char *moodle; /* the list of users, or NULL */
};

/* Can this be done, as far as one can say before anybody is graded? Returns 0,
   or -1 with a line in why. */
int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size);

/*
 * Writes the exports into `folder`, which it makes, and tells on `tell` which
 * there are, and whom they leave out. own: the class is the labs of this tree.
 * Returns 0, or -1 with a line in why.
 */
int grade_export_write(const struct grade_export_wanted *wanted,
                       const char *folder, const struct grade_class *class,
                       int own, FILE *tell, char *why, size_t size);

/* One each, to a path. As above. */
int grade_export_canvas(const char *path, const char *gradebook,
                        const struct grade_class *class, FILE *tell, char *why,
                        size_t size);
int grade_export_moodle(const char *path, const char *list,
                        const struct grade_class *class, FILE *tell, char *why,
                        size_t size);
int grade_export_github(const char *commands, const char *summary,
                        const struct grade_class *class, int own, char *why,
                        size_t size);

#endif /* GRADE_EXPORT_H */
