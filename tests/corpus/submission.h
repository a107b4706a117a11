/*
 * submission.h: what does a submission of the corpus hold, and what must the
 * grader say of it?
 *
 * Each .edit file of right/, broken/, cheating/ and hostile/ is a submission of
 * one lab. Its first lines say what it is; then come lines of "word: value":
 *
 *   lab      the lab's name
 *   verdict  PASS, or FAIL or CRASH where either is right
 *   points   100, or 0 to 40
 *   says     what the student's feedback must hold; any number of such lines;
 *            behind "not ", what it must not
 *   from     what it is made of: solution (the default), skeleton, nothing, or
 *            solution of another lab
 *   when     each: make test grades it too, as one of its kind; without this
 *            line make test-all alone
 *   lines    crlf: lines end as on Windows
 *   name     the source's file name, if it is not the lab's
 *   beside   a name and a size: a file of that many zeros lies beside it
 *   make     what no git can store: see lay.c
 *
 * and behind them texts, each below a line of its own:
 *
 *   replace:  what stands in the source exactly once ...
 *   with:     ... and what takes its place, without the newline at its end
 *   before:   what the file begins with, without the newline at its end
 *   after:    what it ends with
 *   source:   the whole source
 *
 * An .edits file holds several: each begins with a line "case: its name", and
 * what stands before the first is the beginning of all.
 *
 * In a text, @{E2 80}@ are two bytes, and @{1000*ab}@ is a thousand times "ab".
 */
#ifndef CORPUS_SUBMISSION_H
#define CORPUS_SUBMISSION_H

#include <stddef.h>

enum {
    SUBMISSION_LINES = 8 /* of one word, at most */
};

struct submission {
    char name[300]; /* "cheating_prints_pass": the student's folder */
    char lab[64];   /* "03_tiling" */
    char verdict[120];
    double least, most; /* points */
    char says[SUBMISSION_LINES][200];
    char beside[SUBMISSION_LINES][200];
    int says_count, beside_count;
    char when[20], make[120], file[120];
    char *source; /* NULL: there is none; for submission_free */
    size_t size;
};

/* Reads one; of an .edits file the one whose name follows a colon. Returns 0;
   or -1 with a line in why that names the file. */
int submission_read(const char *path, struct submission *submission, char *why,
                    size_t size);

/* The path and name of the nth submission of a file, from 0, as submission_read
   wants it. Returns 0, or -1 if there are fewer. */
int submission_nth(const char *path, int nth, char *name, size_t size);

void submission_free(struct submission *submission);

/* 1 if the word is among the submission's verdicts. */
int submission_expects(const struct submission *submission, const char *word);

/* lay.c: lays it into the class's folder as a student's own. Returns 0, or -1
   with a line in why. `store` is a folder beside the class, for what links
   point to. */
int submission_lay(const struct submission *submission, const char *class_path,
                   const char *store, char *why, size_t size);

#endif /* CORPUS_SUBMISSION_H */
