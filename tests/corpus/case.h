/*
 * case.h: which wrong labs are there, and what must be said of each?
 *
 * The corpus is the files tests/corpus/FOLDER/NAME.edit, a case each, and
 * NAME.edits, of several: there each begins with a line "case: its name", and
 * what stands before the first is the beginning of all. Empty lines between two
 * are for the eye. A case begins with comments (#) and lines of "key: value".
 * The first keys say what it is made of:
 *
 *   lab      the lab's name
 *   from     solution (the default), skeleton, nothing, solution of another
 *            lab, or the path of a .cu
 *   lines    crlf: lines end as on Windows
 *   name     the source's file name, if it is not the lab's
 *   beside   a name and a size: a file of that many zeros lies beside it
 *   make     what no git can store: see lay.c
 *   when     what make test does too, and not make test WHAT=all alone: why,
 *            grade, or "why grade"
 *
 * The others what must come of it. Some stand any number of times (*), and what
 * follows "not " must not be said:
 *
 *   says *     by the lab's program, which must fail
 *   checks *   by the -analyse program with --checks, which must fail
 *   counts *   by the -analyse program with --counters, which must fail
 *   slow *     the same, of a lab that is right and ends well
 *   kind       of mistake: the lab is run with --why (by the fast program, if
 *              the kind ends in "array"); "right": there is none
 *   why *      by that run
 *   line *     text of a line that it must show
 *   verdict    of the grader: PASS, or FAIL or CRASH where either is right
 *   points     from the grader: 100, or 0 to 40, or -: a person decides
 *   feedback * in what the grader tells the student
 *   look_at *  and in the sentences for a person
 *
 * tests/labs/test_mutants.c, tests/labs/test_why.c and
 * tests/grade/test_corpus.c hold the three parts, and make selects programs by
 * them: `when` and `kind` stand before the first why.
 *
 * Behind them come texts, each below a line of its own:
 *
 *   replace:  what stands in the source exactly once ...
 *   with:     ... and what takes its place, without the newline at its end
 *   before:   what the file begins with, without the newline at its end
 *   after:    what it ends with
 *   source:   the whole source
 *
 * In a text, @{E2 80}@ are two bytes, and @{1000*ab}@ is a thousand times "ab".
 *
 * What is wrong with the corpus itself ends the program, with a message.
 */
#ifndef CORPUS_CASE_H
#define CORPUS_CASE_H

#include <stddef.h>

enum {
    CASE_FIELDS = 40 /* lines of "key: value", at most */
};

struct corpus_case {
    char name[200];    /* "03_no_guard" */
    char student[300]; /* "cheating_quick_exit": folder and name */
    char file[120];    /* of the source: "03_tiling.cu" */
    char *text;        /* its lines; owned */
    const char *key[CASE_FIELDS], *value[CASE_FIELDS];
    size_t fields;
    const char *lab;   /* "03_tiling" */
    const char *texts; /* where they begin */
    char *path;        /* of its file; owned */
    char *source;      /* NULL: there is none, or it is not made yet; owned */
    size_t size;       /* of the source, in bytes */
};

/* The cases of all files that the pattern matches, for corpus_free(). */
size_t corpus_read(const char *pattern, struct corpus_case **cases);
void corpus_free(struct corpus_case *cases, size_t count);

/* The one of tests/corpus/NAME.edit, as "right/reference_01", whose source is
   made; for corpus_free(). */
struct corpus_case *corpus_find(const char *name);

/* The nth value of a key, NULL: there are fewer. */
const char *corpus_value(const struct corpus_case *c, const char *key, int nth);

/* The last value of a key, "" if there is none. */
const char *corpus_last(const struct corpus_case *c, const char *key);

/* The nth value, without the "not " before it, which sets *is_not. */
const char *corpus_words(const struct corpus_case *c, const char *key, int nth,
                         int *is_not);

/* Makes the source, by its texts, and forgets it. */
void corpus_make(struct corpus_case *c);
void corpus_forget(struct corpus_case *c);

/* 1 if the word is among the verdicts that are right, and the points too. */
int corpus_expects(const struct corpus_case *c, const char *verdict);
int corpus_is_worth(const struct corpus_case *c, double points);

/* lay.c: lays the case, whose source is made, into the class's folder as a
   student's own, or fails the test. `store` is a folder beside the class, for
   what links point to. */
void corpus_lay(const struct corpus_case *c, const char *class_path,
                const char *store);

#endif /* CORPUS_CASE_H */
