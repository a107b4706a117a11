/*
 * cluster_parts.h: what do the two parts of the cluster engine share?
 *
 * For cluster.c, which waits, and cluster_array.c, which makes an array and says
 * what became of it.
 */
#ifndef GRADE_CLUSTER_PARTS_H
#define GRADE_CLUSTER_PARTS_H

#include "grade/cluster.h"
#include "grade/slurm.h"

struct grade_cluster_run {
    const struct grade_cluster_work *work;
    char *folder;   /* slurm/ of the store */
    char *manifest; /* of the array at work; its name is the last part */
    int *share;     /* of each of the work's tasks; -1: it has its answer */
    size_t left, answers;
    struct grade_slurm_task *task; /* of the array */
    int tasks;
    char number[24];   /* of the array, for people; "": none was taken yet */
    char without[800]; /* nodes that could not grade */
    char unfit[1000];  /* why, in the words of a task on one of them; "" */
    char silence[300]; /* why Slurm is out of reach, as told; "": it is not */
    char reason[128];  /* why the array waits, as told */
    char *why;
    size_t size;
};

int grade_cluster_no_memory(struct grade_cluster_run *run);

/* A line for the person who waits. */
__attribute__((format(printf, 2, 3))) void
grade_cluster_say(const struct grade_cluster_run *run, const char *form, ...);

/* The name of the array at work. */
const char *grade_cluster_name(const struct grade_cluster_run *run);

/* Cancels the arrays of a run that was ended, which would do the same work, and
   removes its files. */
void grade_cluster_clear(const struct grade_cluster_run *run);

/* Submits an array for all that is left; alone: each lab has a task of its own.
   Returns 0, or -1 with a line in why. */
int grade_cluster_submit(struct grade_cluster_run *run, int alone);

/* Says what became of a task of the array that owes an answer. */
void grade_cluster_describe(const struct grade_cluster_run *run, int task,
                            char *text, size_t size);

/* Notes the nodes on which a task could not do its work: the next array goes
   elsewhere. Otherwise such a node, which is always free, would get most of the
   tasks. */
void grade_cluster_note_nodes(struct grade_cluster_run *run);

#endif /* GRADE_CLUSTER_PARTS_H */
