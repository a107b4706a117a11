/*
 * share.h: which labs of which students does a task of a cluster grade?
 *
 * The manifest lists all that an array of tasks is to grade, a line for each
 * student's lab with the number of its task. A student is named by the ID of
 * the store, never by a name. It also holds the digest of all that grades: a
 * task that was built otherwise would bring results that nobody looks for.
 */
#ifndef GRADE_SHARE_H
#define GRADE_SHARE_H

#include <stdio.h>

#include "grade/digest.h"
#include "grade/store.h"

struct grade_share_item {
    char student[GRADE_STORE_ID];
    char lab[64];
    int here; /* 1: this machine has such a student */
};

struct grade_share {
    struct grade_share_item *item;
    size_t items;
};

/* Write the first line of a manifest, and one for an item. */
void grade_share_begin(FILE *manifest, const char *build);
void grade_share_add(FILE *manifest, int task, const char *student,
                     const char *lab);

/*
 * Reads what the task with this number is to grade; build: of this machine.
 * Returns 0, or -1 with a line in why.
 */
int grade_share_read(struct grade_share *share, const char *path, int task,
                     const char *build, char *why, size_t size);

void grade_share_free(struct grade_share *share);

/* Is this student's lab in it? Then it is noted as being here. */
int grade_share_has(struct grade_share *share, const char *student,
                    const char *lab);

/* How many are not here. */
size_t grade_share_unseen(const struct grade_share *share);

#endif /* GRADE_SHARE_H */
