/*
 * store.h: what has been graded already, so that it need not be done again?
 *
 * The folder of a run holds, beside what is written for people:
 *
 *     seed                  secret, drawn once; mode 0600
 *     lock                  held by the grader that works here, or by those
 *                           that grade shares of the class
 *     results/ID/LAB.record a record for each student and lab; ID is the
 *                           digest of the student's name
 *     work-NUMBER           a link to the temporary folder of a run at work
 *
 * A record carries a key, the digest of all that decides the result. What has
 * the right key is kept; everything else is graded (again). A record is written
 * beside its place and renamed, so it is there whole or not at all, at whatever
 * moment the grader ends.
 */
#ifndef GRADE_STORE_H
#define GRADE_STORE_H

#include <stdint.h>
#include <stdio.h>

#include "grade/base/digest.h"
#include "grade/base/result.h"

struct grade_store {
    char *path;
    int lock; /* descriptor; a child process must close it */
    uint64_t seed;
};

/* A cluster grades a class by shares, 1/n to n/n, side by side. Each student's
   lab is in one of them, whatever else is in the class. */
struct grade_share {
    int number, of; /* 1 <= number <= of; of 0: the whole class */
};

enum {
    GRADE_SHARES = 100000 /* the most */
};

/* Reads "2/8" into such a struct. Returns 0, or -1 with a line in why. */
int grade_share_read(const char *text, void *to, char *why, size_t size);

/* Is this student's lab in it? */
int grade_share_has(const struct grade_share *share, const char *student,
                    const char *lab);

/*
 * Opens the folder, and makes it if it is not there; nobody else may then read
 * it. Waits for a moment if another grader is at work in it. shared: 1 for a
 * share of the class, beside others. seed_file: take and keep the seed there
 * instead; NULL: in the folder. Whoever is alone in it removes what graders
 * left that were killed, on this machine. Returns 0, or -1 with a line in why.
 */
int grade_store_open(struct grade_store *store, const char *path,
                     const char *seed_file, int shared, char *why, size_t size);

void grade_store_close(struct grade_store *store);

/* Writes a result, as grade_record_put. Returns 0, or -1 with a line in why. */
int grade_store_put(const struct grade_store *store, const char *student,
                    const char *key, struct grade_result *result, char *why,
                    size_t size);

/* Returns 1 and fills *result if there is one with this key, which may be a
   GRADE_GRADER_ERROR; 0 if there is none. */
int grade_store_get(const struct grade_store *store, const char *student,
                    const char *lab, const char *key,
                    struct grade_result *result);

/*
 * Makes the temporary folder of this run, below $TMPDIR or /tmp: absolute, for
 * free(). It is noted in the store, so that the next run can remove it if this
 * one is killed. Returns NULL with a line in why.
 */
char *grade_store_work(const struct grade_store *store, char *why, size_t size);

/* Removes that folder with all that is in it, and frees its name. */
void grade_store_work_end(const struct grade_store *store, char *work);

/* --- a record: record.c --------------------------------------------------- */

enum {
    GRADE_TEXT_LONGEST = 8192 /* bytes; of each text the rest is left out, so
                                 that no record grows beyond all bounds */
};

/* Writes one in the form of base/wire.h. The result's texts are cleaned of what
   acts on a terminal (text.h). Errors are those of the FILE. */
void grade_record_put(FILE *to, struct grade_result *result, const char *key,
                      const char *student);

/* Reads one. Returns 1 and fills *result if it is whole and has this key; 0 if
   it is not, or without memory (base/memory.h). */
int grade_record_get(FILE *from, const char *key, struct grade_result *result);

#endif /* GRADE_STORE_H */
