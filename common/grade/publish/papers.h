/*
 * papers.h: what is written about a class, for people and for other systems?
 *
 * A file is there whole or not at all, and the same results give the same
 * bytes: no order of events, and no time but the execution_time that Gradescope
 * asks for. What returns an int returns 0, or -1 with a line in papers->why.
 */
#ifndef GRADE_PAPERS_H
#define GRADE_PAPERS_H

#include <stdio.h>

#include "grade/publish/class.h"

/* Who writes about what, and where. */
struct grade_papers {
    const struct grade_class *class;
    const struct grade_intake *intake; /* or NULL */
    const char *out; /* the folder; names of files are below it */
    FILE *tell;      /* what a person who waits is told */
    char *why;
    size_t size;
};

/* --- files (papers.c) ----------------------------------------------------- */

/* Puts what a file holds; what lacks a text for want of memory is not kept
   (base/replace_file.h). */
typedef void grade_put(FILE *to, const struct grade_papers *papers,
                       const void *what);

/* Makes the folders that the name leads through as well. */
int grade_papers_write(const struct grade_papers *papers, const char *name,
                       grade_put *put, const void *what);

/*
 * A file for each row, which `put` gets, in a folder: 0001_alice.md. Removes
 * files of earlier runs with that ending that no row has now.
 */
int grade_papers_rows(const struct grade_papers *papers, const char *folder,
                      const char *ending, grade_put *put);

/* --- for people ----------------------------------------------------------- */

/* grades.csv, a row for each student, and feedback/. */
int grade_write_grades(const struct grade_papers *papers);

/*
 * Adds to log.csv in the folder, which is made, each decision of manual.csv
 * that is new or not as it was, and each that was taken back: when, who (the
 * decision's `by`, else who runs this), the points before and now, and why.
 * Nothing in it is ever changed. The column from names the grades that it is
 * about, for a class may keep one log of all.
 */
int grade_write_log(const struct grade_papers *papers,
                    const struct course_index *index,
                    const struct grade_manual *manual, const char *folder);

enum grade_form {
    GRADE_MARKDOWN, /* a file of feedback/ */
    GRADE_PLAIN,    /* for a terminal, or another system */
    GRADE_WHOLE /* the same for an instructor, who sees hidden cases whole */
};

enum {
    GRADE_ALL = -1 /* columns of the class */
};

/*
 * What a student reads of a lab, of the report, or of a whole row: what came of
 * it, which points it earned, which case went wrong and how, what the checks
 * found, which line costs how much, and what to read next. Of a hidden case a
 * student sees its name and verdict, nothing else.
 */
void grade_feedback(FILE *to, const struct grade_row *row, int column,
                    enum grade_form form);

/* The same as plain text for free(); NULL without memory. */
char *grade_feedback_text(const struct grade_row *row, int column);

/* What the grader prints when it is done: of one's own labs what there is to
   say about those that are not full (is_whole: about each, all of it) and their
   points; of a class how many have which verdict, what to look at, and
   where the grades are. */
void grade_tell_own(const struct grade_papers *papers, int is_whole);
void grade_tell_class(const struct grade_papers *papers);

/*
 * class.csv: how many students have how many points, and what was failed most;
 * no name is in it. From it class.svg, if gnuplot is there; if not, says so.
 */
int grade_write_picture(const struct grade_papers *papers);

enum {
    GRADE_REASON = 72
};

/*
 * Results that earned less than all points, put together by lab, verdict and
 * reason: the sentence that the feedback gives, without the line and with N for
 * each number, so that the same mistake has the same words.
 */
struct grade_failure {
    const struct course_lab *lab;
    enum grade_verdict verdict;
    char reason[GRADE_REASON];
    size_t students;
};

/* The reason for a result; "" where there is nothing to say. */
void grade_failure_reason(const struct grade_result *result,
                          char reason[GRADE_REASON]);

/* All kinds of failures, the most frequent first, for free(); NULL without
   memory. What a person decided, or was not handed in, is none. */
struct grade_failure *grade_failures(const struct grade_class *class,
                                     size_t *count);

/*
 * Reads the answers of each row from all that is called answers.txt: archives
 * of several stages make one each. What cannot be read, and a question that two
 * of them answer in other words, is no answer, and stands in
 * row->answers_wrong. Without memory something is missing (base/memory.h).
 */
void grade_read_answers(struct grade_class *class,
                        const struct grade_intake *intake);

/*
 * A page for each question that somebody answered, for a person who reads all
 * answers to one question after the other: the question, the key
 * (solutions/NN_name/answers.txt, if it is there), and what each student has
 * written. Tells whose answers are not taken. Run at the top of the tree.
 * is_hidden: codes stand for the names, and in their order.
 */
int grade_write_answers(const struct grade_papers *papers,
                        const struct course_index *index, int is_hidden);

/* --- which sources are the same? ------------------------------------------ */

enum {
    GRADE_OWN_LEAST = 120 /* tokens: names, numbers and signs */
};

/*
 * What of a source is a student's own, for free(), and how many tokens; NULL
 * without memory: without comments, blanks and the lines of the skeleton, and
 * with each name replaced by the number of its first use, so that other names,
 * orders of blanks and comments hide nothing.
 */
char *grade_own_text(const char *source, const char *skeleton, size_t *tokens);

/*
 * Notes in row->beside what a person must look at of what was taken, and in
 * row->alike with whom each source of the class is the same, the
 * course's solution included. Where less than GRADE_OWN_LEAST is left, of a
 * source or of the solution, the same text says nothing: lab 03 asks for six
 * lines, which a class writes alike. Whether it is right does not matter. Run
 * at the top of the tree. Without memory something is missing (base/memory.h).
 */
void grade_class_compare(struct grade_class *class,
                         struct grade_intake *intake);

/* --- for other systems (EXPORTS.md) --------------------------------------- */

enum grade_export {
    GRADE_CANVAS,     /* canvas.csv, from a gradebook that Canvas exported */
    GRADE_MOODLE,     /* moodle.csv, for the users of a list */
    GRADE_GRADESCOPE, /* gradescope/, a results.json for each student */
    GRADE_GITHUB, /* of one's own labs: github.txt, to be printed in a step of
                     GitHub Actions, and github.md, for its summary */
    GRADE_CLASSROOM50, /* classroom50/, a result.json for each student */
    GRADE_BLACKBOARD,  /* blackboard.csv, from a gradebook that it downloads */
    GRADE_BRIGHTSPACE, /* brightspace.csv, from one that it exports */
    GRADE_EXPORTS
};

struct grade_export_wanted {
    int is_wanted[GRADE_EXPORTS], is_any;
    const char *given[GRADE_EXPORTS]; /* the table that one needs, or NULL */
};

/* Reads what is wanted, as "canvas github", into such a struct, for
   base/options.h. */
int grade_export_read(const char *words, void *to, char *why, size_t size);

/* Can this be done, as far as one can say before anybody is graded? Returns 0,
   or -1 with a line in why. */
int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size);

/* Writes what is wanted into the folder export, and tells which there are, and
   whom they leave out. */
int grade_export(const struct grade_papers *papers,
                 const struct grade_export_wanted *wanted);

/* One each; `given` is the table, where one is needed. */
typedef int grade_export_one(const struct grade_papers *papers,
                             const char *given);
grade_export_one grade_export_canvas, grade_export_moodle, grade_export_github,
    grade_export_blackboard, grade_export_brightspace;

/*
 * Writes export/WORD-feedback.zip, if what was handed in is a download of this
 * system's, and tells of it: a file for each who handed in, under a name that
 * the system takes back (grade_layout_feedback).
 */
int grade_export_feedback(const struct grade_papers *papers,
                          enum grade_layout layout, const char *word);

/*
 * Gradescope's results.json of a row. If a lab's result is GRADE_GRADER_ERROR
 * and its points were decided by nobody, it says so and holds neither a score
 * nor tests, from which Gradescope would add one up.
 */
grade_put grade_gradescope;

#endif /* GRADE_PAPERS_H */
