/*
 * layout.h: which system wrote this, and whose is each thing in it?
 *
 * By the names alone that lie side by side in a folder of submissions:
 *
 *   Canvas       muelleranna_LATE_4711_98765_tiling-1.cu, a file for each
 *                attachment: person, LATE if it is, the person's number in
 *                Canvas, the attachment's, the file's own name
 *   Moodle       Anna Müller_12345_assignsubmission_file_, a folder; or a file
 *                with its own name behind that
 *   Gradescope   submission_12345, a folder, and submission_metadata.yml, which
 *                says whose it is, and when it came
 *   repositories lab03-anna, folders with .git in them
 *   folders      anna, or anna.zip
 */
#ifndef GRADE_LAYOUT_H
#define GRADE_LAYOUT_H

#include "grade/intake/roster.h"
#include "grade/intake/tree.h"

enum grade_layout {
    GRADE_FOLDERS,
    GRADE_CANVAS_FILES,
    GRADE_MOODLE_FOLDERS,
    GRADE_GRADESCOPE_EXPORT,
    GRADE_REPOSITORIES,
    GRADE_LAYOUTS
};

/* As in "30 students of Canvas's download". */
extern const char *const grade_layout_name[GRADE_LAYOUTS];

enum grade_layout grade_layout_of(const struct grade_listing *listing);

/* Whose is it? Returns 1; 0 if it is no student's. Not of Gradescope's. Free
   owner with grade_owner_free; it lacks what there was no memory for. */
int grade_layout_owner(enum grade_layout layout,
                       const struct grade_entry *entry,
                       struct grade_owner *owner);

/* The n-th who handed in `entry` by Gradescope's list. As above. */
int grade_layout_submitter(const char *metadata, const char *entry, int n,
                           struct grade_owner *owner);

void grade_owner_free(struct grade_owner *owner);

#endif /* GRADE_LAYOUT_H */
