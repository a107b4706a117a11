/*
 * intake.h: what has a student handed in?
 *
 * Submissions lie in one folder or archive, as a person collected them or as a
 * system gives them. In what is a student's, a lab's source is taken from the
 * first of these places, and they must not say different things:
 *
 *     04_coalescing/coalescing.cu
 *     04_coalescing.cu
 *     coalescing.cu
 *     labs/...                            and one of these
 *
 * If there is none, it is looked for further down, in archives, and under names
 * that are nearly right (names.h). A lab's skeleton as it was given out is not
 * taken where there is another file of the lab's. Nothing but a regular file
 * with one name is read, and that never waits.
 */
#ifndef GRADE_INTAKE_H
#define GRADE_INTAKE_H

#include <stddef.h>
#include <stdio.h>

#include "grade/base/result.h"
#include "grade/intake/roster.h"
#include "grade/intake/tree.h"

/* --- layouts: layout.c ---------------------------------------------------- */

/*
 * Which system wrote this, and whose is each thing in it? By the names alone
 * that lie side by side in a folder of submissions:
 *
 *   Canvas       muelleranna_LATE_4711_98765_tiling-1.cu, a file for each
 *                attachment: person, LATE if it is, the person's number in
 *                Canvas, the attachment's, the file's own name; and
 *                muelleranna_4711_text.html, what was typed in
 *   Moodle       Anna Müller_12345_assignsubmission_file_, a folder; or a file
 *                with its own name behind that
 *   Gradescope   submission_12345, a folder, and submission_metadata.yml, which
 *                says whose it is, and when it came
 *   Blackboard   Lab 03_anna_attempt_2026-10-05-12-30-00_tiling.cu, a file for
 *                each attachment: assignment, user, the attempt's date, the
 *                file's own name; and one for each attempt, without a name of
 *                its own, with .txt: what was typed in
 *   Brightspace  12345-67890 - Anna Müller - Oct 5, 2026 1230 PM, a folder for
 *                each attempt
 *   repositories lab03-anna, folders with .git in them
 *   folders      anna, or anna.zip
 */
enum grade_layout {
    GRADE_FOLDERS,
    GRADE_CANVAS_FILES,
    GRADE_MOODLE_FOLDERS,
    GRADE_GRADESCOPE_EXPORT,
    GRADE_BLACKBOARD_FILES,
    GRADE_BRIGHTSPACE_FOLDERS,
    GRADE_REPOSITORIES,
    GRADE_LAYOUTS
};

/* As in "30 students of Canvas's download". */
extern const char *const grade_layout_name[GRADE_LAYOUTS];

enum grade_layout grade_layout_of(const struct grade_listing *listing);

/* What of Blackboard's is called for what was typed in, and no file. */
#define GRADE_TYPED "attempt.txt"

/* Of folders: which known form do most of the names look like, and what is
   missing? A sentence, or NULL: they are as they should be. */
const char *grade_layout_guess(const struct grade_listing *listing);

/* Whose is it? Returns 1; 0 if it is no student's. Not of Gradescope's. Free
   owner with grade_owner_free; it lacks what there was no memory for. */
int grade_layout_owner(enum grade_layout layout,
                       const struct grade_entry *entry,
                       struct grade_owner *owner);

/* The n-th who handed in `entry` by Gradescope's list. As above. */
int grade_layout_submitter(const char *metadata, const char *entry, int n,
                           struct grade_owner *owner);

void grade_owner_free(struct grade_owner *owner);

/*
 * What a feedback file is called, so that the system takes it back for who
 * handed in `name`, for free(): Canvas looks for the numbers of the person and
 * of the attachment (generate_comments_from_files in app/models/assignment.rb
 * of instructure/canvas-lms), Moodle for the first four parts of
 * "Anna Müller_12345_assignsubmission_file_feedback.txt"
 * (mod/assign/feedback/file/importziplib.php). NULL: it takes none.
 */
char *grade_layout_feedback(enum grade_layout layout, const char *name);

/* --- what is handed in ---------------------------------------------------- */

/* What a student handed in: one thing of the folder, or several. */
struct grade_parcel {
    char *student; /* the id on the roster, or what the system calls one */
    char *name;    /* as the system calls one, or "" */
    int listed;    /* on the roster */
    time_t handed; /* when the last of it came; 0: the layout does not say */
    char said[GRADE_SAID]; /* the same in the class's zone (roster.h); "" */
    const char **piece; /* what these are called in the folder of submissions */
    size_t pieces;
    struct grade_file {
        char *path; /* as the student calls it: "sent.zip/tiling.cu" */
        const struct grade_item *item;
        int late; /* it came late, and the layout does not say how late */
        char said[GRADE_SAID]; /* of several attempts: when this one came; "" */
    } * file;                  /* all that is in them, in the order of paths */
    size_t files;
    int team;           /* who has the same one handed in together; 0: alone */
    const char *from;   /* who handed it in, if it was another; NULL */
    int is_passed_over; /* there are files where nobody looks (tree.h) */
};

/* The submissions. */
struct grade_intake {
    struct grade_tree tree;
    struct grade_listing listing; /* of students, in the order of names */
    enum grade_layout layout;
    struct grade_parcel *parcel; /* one for each student, in the same order */
    size_t students;
    int is_own;   /* the labs of this tree, of one student */
    char git[32]; /* an empty repository of our own; "": not needed yet */
    int has_git;
    const struct course_index *index; /* the labs there are; NULL: not known */
    /* One lab alone is graded: then a student's only source is taken for it,
       whatever its name is. */
    int is_of_one_lab;
};

/* A lab's source, or why there is none. */
struct grade_handed {
    enum grade_verdict verdict; /* PASS: it is here. MISSING, perhaps with text,
                                   REJECTED with text, GRADER_ERROR with text */
    char *source;               /* with a NUL behind it */
    size_t size;
    char text[400];   /* with PASS: what a person must look at; "" */
    const char *path; /* with PASS, of a lab's: which of the files it is */
};

/* The folder in which this runs, as what one student has handed in. Returns 0,
   or -1 with errno. */
int grade_intake_own(struct grade_intake *intake, const char *student);

/* Lists the folder or archive at path, and finds each student on the roster,
   if there is one (or NULL). Returns 0, or -1 with a line in why. */
int grade_intake_open(struct grade_intake *intake, const char *path,
                      const struct grade_roster *roster, char *why,
                      size_t size);

void grade_intake_close(struct grade_intake *intake);

/* How many of those who handed in are on the roster? */
size_t grade_intake_listed(const struct grade_intake *intake);

/* Says what the submissions were taken for, who handed in, and who is not on
   the roster (NULL: there is none). */
void grade_intake_tell(FILE *to, const struct grade_intake *intake,
                       const struct grade_roster *roster);

/* The path beside a folder of submissions with that ending, for free(); NULL
   with errno ENOMEM. */
char *grade_intake_beside(const char *submissions, const char *ending);

/* Takes a lab's source from what a student handed in. Free handed->source. */
void grade_intake_take(const struct grade_intake *intake, const char *student,
                       const char *lab, struct grade_handed *handed);

/* Takes the n-th file, from 0, that is called answers.txt. Returns its path, as
   the student calls it; NULL: there are no more. Free handed->source. */
const char *grade_intake_answers(const struct grade_intake *intake,
                                 const char *student, size_t n,
                                 struct grade_handed *handed);

/* Reads a file that was handed in, of `most` bytes at most. */
void grade_intake_read(const struct grade_intake *intake,
                       const struct grade_file *file, size_t most,
                       struct grade_handed *handed);

/*
 * When a student's lab was handed in: the time in *when, 0 if nobody says it.
 * *late: 1 if it came late, and nobody says how late. Of a repository it is the
 * time of the last commit that changed the file that is taken for this lab, or
 * the archive that holds it, or of the last one at all: what the student's
 * clock said (handed.c).
 */
void grade_intake_when(struct grade_intake *intake, const char *student,
                       const char *lab, time_t *when, int *late);

/* Is it a clone of the course? It has files of all labs then, also of one who
   did nothing for them. */
int grade_intake_is_clone(const struct grade_intake *intake,
                          const struct grade_parcel *p);

/* What a student handed in, or NULL. */
struct grade_parcel *grade_intake_parcel(const struct grade_intake *intake,
                                         const char *student);

/*
 * Names of what a student handed in that belongs to no lab, as "lab4x.cu,
 * notes.txt", cut after a few; "" if there are none. NULL with errno ENOMEM.
 */
char *grade_intake_unknown(const struct grade_intake *intake,
                           const char *student,
                           const struct course_index *index);

#endif /* GRADE_INTAKE_H */
