/*
 * store.h: what has been graded already, so that it need not be done again?
 *
 * The folder of a run holds, beside what is written for people:
 *
 *     seed                  secret, drawn once; mode 0600
 *     lock                  held by the grader that works here
 *     results/ID/LAB.json   a record for each student and lab (record.h); ID is
 *                           the digest of the student's name
 *     work                  names the temporary folder of the run at work
 *
 * A record carries a key, the digest of all that decides the result. What has
 * the right key is kept; everything else is graded (again). A record is written
 * beside its place and renamed, so it is there whole or not at all, at whatever
 * moment the grader ends.
 */
#ifndef GRADE_STORE_H
#define GRADE_STORE_H

#include <stdint.h>

#include "grade/box.h"
#include "grade/digest.h"
#include "grade/result.h"

struct grade_store {
    char *path;
    char *lock_name, *work_name; /* of these two files, below path */
    int lock;                    /* descriptor; a child process must close it */
    uint64_t seed;
};

/*
 * Opens the folder, and makes it if it is not there; nobody else may then read
 * it. Waits for a moment if another grader is at work in it. seed_file: take
 * and keep the seed there instead; NULL: in the folder. Removes what a grader
 * left that was killed. Returns 0, or -1 with a line in why.
 */
int grade_store_open(struct grade_store *store, const char *path,
                     const char *seed_file, char *why, size_t size);

/*
 * Opens the folder of a grader that is at work in it, for a task of a cluster
 * that it started (cluster.h): that grader has the lock and removes what is
 * left, and the seed must be there. NAME.lock and NAME.work in the folder are
 * the task's own. Returns 0, or -1 with a line in why.
 */
int grade_store_join(struct grade_store *store, const char *path,
                     const char *seed_file, const char *name, char *why,
                     size_t size);

void grade_store_close(struct grade_store *store);

/* Removes the temporary folder of the task with this NAME, if it was on this
   machine and its grader has ended. */
void grade_store_remove_left(const struct grade_store *store, const char *name);

/* ID of a student in results/. */
enum {
    GRADE_STORE_ID = 33 /* with the NUL */
};
void grade_store_id(const char *student, char id[GRADE_STORE_ID]);

/* Writes a result. Returns 0, or -1 with a line in why. */
int grade_store_put(const struct grade_store *store, const char *student,
                    const char *key, const struct grade_result *result,
                    char *why, size_t size);

/* Returns 1 and fills *result if there is one with this key, which may be a
   GRADE_GRADER_ERROR; 0 if there is none; -1 with errno ENOMEM. */
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

#endif /* GRADE_STORE_H */
